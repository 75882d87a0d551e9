package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** The library's tables in a database: what is there of them, and how they are made. */
final class Tables {
  /** The version of PostgreSQL's; the others have none. */
  private static final Integer SCHEMA = 1;

  /** PostgreSQL's two have one that lets nothing fall. */
  private static final long TRIGGERS = 2;

  private static final String MYSQL_LOOK =
      "SELECT coalesce(sum(table_name = 'snowmint_worker'), 0),"
          + " coalesce(sum(table_name = 'snowmint_segment'), 0)"
          + " FROM information_schema.tables WHERE table_schema = database()";
  private static final String SQLITE_LOOK =
      "SELECT coalesce(sum(name = 'snowmint_worker'), 0),"
          + " coalesce(sum(name = 'snowmint_segment'), 0)"
          + " FROM sqlite_schema WHERE type = 'table'";

  /** What there is of them. */
  private enum Found {
    ALL,
    /** All, without a trigger. */
    UNTENDED,
    SOME,
    NONE
  }

  private Tables() {}

  /**
   * Makes what is missing, and nothing where all is there: what the search path finds is used, and
   * no lock is taken that others wait for.
   */
  static void create(Transaction transaction) throws SQLException {
    if (look(transaction) == Found.ALL) {
      check(transaction);
      return;
    }
    if (transaction.dialect.hasSchemaLock()) {
      transaction.execute("schema_lock", Map.of());
    }
    Found found = look(transaction); // Another may have been first.
    if (found == Found.SOME && !isBeingMade(transaction)) {
      throw new SnowmintException(
          Code.STORE_SCHEMA,
          "some tables of snowmint are there, and others are not: check database and search_path,"
              + " put back those that are lost, or drop the others to begin a new key space");
    }
    if (found != Found.NONE) {
      check(transaction);
    }
    if (found != Found.ALL) {
      make(transaction, found);
    }
  }

  /** Refuses tables of another version. */
  static void check(Transaction transaction) throws SQLException {
    if (!transaction.dialect.hasVersion()) {
      return;
    }
    Statement.Reader<Integer> reader = row -> row.getObject(1, Integer.class);
    Integer version = transaction.query("version", Map.of(), reader).get(0);
    if (!SCHEMA.equals(version)) {
      throw new SnowmintException(
          Code.STORE_SCHEMA,
          "the tables of snowmint are of version "
              + (version == null ? "none" : version)
              + ", and this knows "
              + SCHEMA
              + ": use the release that made them, or a later one");
    }
  }

  private static Found look(Transaction transaction) throws SQLException {
    Dialect dialect = transaction.dialect;
    Statement look =
        switch (dialect) {
          case POSTGRES -> Statement.read(dialect.folder, "look");
          case MYSQL -> Statement.parse(MYSQL_LOOK);
          case SQLITE -> Statement.parse(SQLITE_LOOK);
        };
    return transaction.query(look, Map.of(), row -> found(row, dialect)).get(0);
  }

  private static Found found(ResultSet row, Dialect dialect) throws SQLException {
    int tables = dialect == Dialect.POSTGRES ? 3 : 2;
    int there = 0;
    for (int table = 1; table <= tables; table++) {
      there += row.getBoolean(table) ? 1 : 0;
    }
    if (there < tables) {
      return there == 0 ? Found.NONE : Found.SOME;
    }
    boolean untended = dialect == Dialect.POSTGRES && row.getLong(4) != TRIGGERS;
    return untended ? Found.UNTENDED : Found.ALL;
  }

  /**
   * Whether tables come to be one by one, as MySQL's do, and another makes them or was interrupted:
   * the first is there, and empty. Who sees a row in it finds the second as well.
   */
  private static boolean isBeingMade(Transaction transaction) throws SQLException {
    if (transaction.dialect != Dialect.MYSQL) {
      return false;
    }
    Statement named = Statement.parse(MYSQL_LOOK);
    boolean first = transaction.query(named, Map.of(), row -> row.getBoolean(1)).get(0);
    Statement rows = Statement.parse("SELECT 1 FROM snowmint_worker LIMIT 1");
    return first && transaction.query(rows, Map.of(), row -> row.getLong(1)).isEmpty()
        || look(transaction) == Found.ALL;
  }

  private static void make(Transaction transaction, Found found) throws SQLException {
    for (String statement : Statement.schema(transaction.dialect.folder)) {
      if (found != Found.UNTENDED || statement.startsWith("CREATE OR REPLACE")) {
        transaction.execute(statement);
      }
    }
    if (transaction.dialect == Dialect.SQLITE) {
      // By these the library's own SQLite store knows its files.
      transaction.execute("PRAGMA application_id = 1936617335");
      transaction.execute("PRAGMA user_version = 1");
    }
  }
}
