package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The library's tables in a database: functions that check and create them. */
final class Tables {
  /** The version of the tables on servers. SQLite's have no version here. */
  private static final Integer SCHEMA = 1;

  private static final List<String> TABLES =
      List.of("snowmint_schema", "snowmint_segment", "snowmint_worker");

  private static final String SQLITE_LOOK =
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
          + " AND name IN ('snowmint_schema', 'snowmint_segment', 'snowmint_worker')";

  /** A statement that changes nothing, and takes the file's lock as a change does. */
  static final String SQLITE_LOCK = "UPDATE snowmint_schema SET is_only = 1 WHERE is_only = 0";

  private static final Statement.Reader<Integer> COUNT = row -> row.getInt(1);

  /**
   * A lock for H2, which commits each table by itself. Without a server, one process has H2 to
   * itself.
   */
  private static final ReentrantLock H2_TURN = new ReentrantLock();

  /** The answer to how many of the tables exist. */
  private enum Found {
    ALL,
    SOME,
    NONE
  }

  /**
   * A table in our schema of PostgreSQL: whether its trigger is missing, whether this user may use
   * the schema, whether it survives a crash, and whether row-level security may hide rows from the
   * user.
   */
  private record Table(
      String name, boolean isUntended, boolean isOpen, boolean isKept, boolean isVeiled) {
    static Table of(ResultSet row) throws SQLException {
      return new Table(
          row.getString(1),
          row.getBoolean(2),
          row.getBoolean(3),
          row.getBoolean(4),
          row.getBoolean(5));
    }
  }

  private Tables() {}

  /**
   * Returns true if all tables exist, in a transaction of its own, so that it takes no lock that
   * others wait for.
   *
   * @throws SnowmintException if the tables of a server are not as they should be
   */
  static boolean areThere(Transaction transaction) throws SQLException {
    if (look(transaction) != Found.ALL) {
      return false;
    }
    checkVersion(transaction);
    return true;
  }

  /** Refuses tables that are not as they should be, if that can be checked before their use. */
  static void check(Transaction transaction) throws SQLException {
    if (transaction.dialect.hasVersion() && !areThere(transaction)) {
      throw Fault.noTables(transaction.dialect);
    }
  }

  /** Creates the missing tables, unless another process was faster. */
  static void make(Transaction transaction) throws SQLException {
    if (transaction.dialect == Dialect.H2) {
      H2_TURN.lock();
      try {
        makeMissing(transaction);
      } finally {
        H2_TURN.unlock();
      }
      return;
    }
    if (!transaction.dialect.hasSchemaLock()) {
      makeMissing(transaction);
      return;
    }
    transaction.lockSchema();
    try {
      makeMissing(transaction);
    } catch (SQLException | RuntimeException failure) {
      try {
        transaction.unlockSchema();
      } catch (SQLException gone) {
        failure.addSuppressed(gone); // The turn ends with its connection.
      }
      throw failure;
    }
    transaction.unlockSchema();
  }

  private static void makeMissing(Transaction transaction) throws SQLException {
    Found found = look(transaction);
    if (found == Found.ALL) {
      checkVersion(transaction);
      return;
    }
    if (found == Found.SOME) {
      throw new SnowmintException(
          Code.STORE_SCHEMA,
          "some tables of snowmint are there, and others are not: check which database this is, put"
              + " back those that are lost, or drop the others to begin a new key space");
    }
    if (transaction.dialect == Dialect.POSTGRES) {
      makeSchema(transaction);
    }
    for (String statement : Statement.schema(transaction.dialect.folder)) {
      transaction.execute(statement);
    }
    if (transaction.dialect == Dialect.POSTGRES) {
      transaction.execute("incarnation", transaction.beginning);
      transaction.execute("schema_row", Map.of());
    }
    if (transaction.dialect == Dialect.SQLITE) {
      // The library's own SQLite store recognises its files by these.
      transaction.execute("PRAGMA application_id = 1936617335");
      transaction.execute("PRAGMA user_version = 1");
    }
  }

  /**
   * Creates the schema if it is missing. A user who may create tables may lack the right for
   * schemas.
   */
  private static void makeSchema(Transaction transaction) throws SQLException {
    Map<String, Object> schema = transaction.terms.values();
    if (transaction.query("schema_missing", schema, row -> row.getBoolean(1)).get(0)) {
      transaction.execute("CREATE SCHEMA " + transaction.terms.schema());
    }
  }

  /** Refuses tables of another version. */
  private static void checkVersion(Transaction transaction) throws SQLException {
    if (!transaction.dialect.hasVersion()) {
      return;
    }
    Integer version = version(transaction);
    if (version == null) {
      throw withoutRow(transaction);
    }
    if (!SCHEMA.equals(version)) {
      throw new SnowmintException(
          Code.STORE_SCHEMA,
          "the tables of snowmint are of version "
              + version
              + ", and this knows "
              + SCHEMA
              + ": use the release that made them, or a later one");
    }
  }

  static SnowmintException withoutRow(Transaction transaction) {
    if (!transaction.dialect.hasVersion()) {
      return new SnowmintException(
          Code.STORE_SCHEMA,
          "the table snowmint_schema has lost its row, which says which key space it is: restore it");
    }
    boolean draws = transaction.dialect == Dialect.MYSQL;
    return new SnowmintException(
        Code.STORE_SCHEMA,
        "the table snowmint_schema has lost its row: put it back by INSERT INTO "
            + transaction.table()
            + (draws ? " (version, longest_reserve_ms, key_space)" : " (version, longest_reserve_ms)")
            + " VALUES ("
            + SCHEMA
            + (draws ? ", 67500, left(sha2(uuid(), 256), 32))" : ", 67500)")
            + ", or with the longest reservation that was ever asked for, and an eighth more");
  }

  /** Returns the version of the tables, or null if their creation was interrupted. */
  static Integer version(Transaction transaction) throws SQLException {
    Statement.Reader<Integer> reader = row -> row.getObject(1, Integer.class);
    return transaction.query("version", Map.of(), reader).get(0);
  }

  private static Found look(Transaction transaction) throws SQLException {
    return switch (transaction.dialect) {
      case POSTGRES -> found(transaction);
      case MYSQL -> MysqlTables.areThere(transaction) ? Found.ALL : Found.NONE;
      case SQLITE -> counted(transaction.query(Statement.parse(SQLITE_LOOK), Map.of(), COUNT));
      case H2 -> counted(transaction.query("look", Map.of(), COUNT));
    };
  }

  /**
   * Refuses if row-level security may hide rows from this user, after a search without a result.
   */
  static void checkSeen(Transaction transaction) throws SQLException {
    if (transaction.dialect == Dialect.POSTGRES) {
      checkNoneIsVeiled(transaction.terms.schema(), inSchema(transaction));
    }
  }

  private static Found counted(List<Integer> count) {
    int found = count.get(0);
    if (found == 0) {
      return Found.NONE;
    }
    return found < TABLES.size() ? Found.SOME : Found.ALL;
  }

  /**
   * Returns all or none. Fails for some tables, because creating the rest would restart a key
   * space.
   */
  private static Found found(Transaction transaction) throws SQLException {
    String schema = transaction.terms.schema();
    List<Table> tables = inSchema(transaction);
    if (tables.isEmpty()) {
      checkElsewhere(transaction);
      return Found.NONE;
    }
    for (Table table : tables) {
      if (!table.isOpen) {
        throw new SnowmintException(
            Code.STORE_DENIED,
            "the tables of snowmint are in a schema that this user may not use: GRANT USAGE ON"
                + " SCHEMA "
                + schema
                + " TO the user; nothing is made");
      }
    }
    if (tables.size() < TABLES.size()) {
      throw incomplete(schema, tables);
    }
    for (Table table : tables) {
      if (!table.isKept) {
        throw unlogged(schema, table);
      }
    }
    checkNoneIsVeiled(schema, tables);
    for (Table table : tables) {
      if (table.isUntended) {
        throw withoutTrigger(schema, table);
      }
    }
    return Found.ALL;
  }

  private static List<Table> inSchema(Transaction transaction) throws SQLException {
    return transaction.query("look", transaction.terms.values(), Table::of);
  }

  /**
   * Refuses to begin a second key space in a database that has one, unless its schema was named.
   */
  private static void checkElsewhere(Transaction transaction) throws SQLException {
    if (transaction.terms.named() != null) {
      return;
    }
    List<String> found =
        transaction.query("elsewhere", transaction.terms.values(), row -> row.getString(1));
    if (!found.isEmpty()) {
      throw elsewhere(transaction.terms.schema(), found.get(0));
    }
  }

  private static SnowmintException elsewhere(String schema, String there) {
    String at = Terms.quoted(there) + ".";
    String moves =
        TABLES.stream()
                .map(name -> "; ALTER TABLE " + at + name + " SET SCHEMA " + schema)
                .collect(Collectors.joining())
            + Stream.of("worker", "segment")
                .map(name -> "; ALTER FUNCTION " + at + "snowmint_" + name + "_rises()")
                .map(function -> function + " SET SCHEMA " + schema)
                .collect(Collectors.joining());
    return new SnowmintException(
        Code.STORE_SCHEMA,
        "the tables of snowmint are in the schema "
            + there
            + ", and are looked for in "
            + schema
            + ": take the store withSchema(\""
            + there
            + "\"), or move them, as their owner, by: BEGIN; CREATE SCHEMA IF NOT EXISTS "
            + schema
            + moves
            + "; COMMIT. For a second key space, which repeats the IDs of this one, name its"
            + " schema");
  }

  private static SnowmintException incomplete(String schema, List<Table> tables) {
    return new SnowmintException(
        Code.STORE_SCHEMA,
        "of the tables of snowmint, the schema "
            + schema
            + " has "
            + tables.stream().map(Table::name).collect(Collectors.joining(" and "))
            + " alone: put the others back beside them ("
            + String.join(", ", TABLES)
            + "); nothing is made");
  }

  private static SnowmintException unlogged(String schema, Table table) {
    String name = schema + "." + table.name;
    return new SnowmintException(
        Code.STORE_SCHEMA,
        "the table "
            + name
            + " is unlogged or temporary: a crash empties it, and what it gave is given again:"
            + " ALTER TABLE "
            + name
            + " SET LOGGED");
  }

  private static void checkNoneIsVeiled(String schema, List<Table> tables) {
    for (Table table : tables) {
      if (table.isVeiled) {
        String name = schema + "." + table.name;
        throw new SnowmintException(
            Code.STORE_DENIED,
            "row-level security of the table "
                + name
                + " can keep rows from this user, which then look as if they were not there: ALTER"
                + " TABLE "
                + name
                + " DISABLE ROW LEVEL SECURITY, as its owner, or "
                + Fault.ROW_SECURITY_CURE);
      }
    }
  }

  /** Returns the error of a missing trigger, with the statements for the owner of the table. */
  private static SnowmintException withoutTrigger(String schema, Table table) {
    String statements =
        Statement.schema(Dialect.POSTGRES.folder).stream()
            .filter(statement -> statement.contains(table.name + "_rises"))
            .map(statement -> String.join(" ", statement.split("\\s+")))
            .collect(Collectors.joining("; "));
    return new SnowmintException(
        Code.STORE_SCHEMA,
        "the table "
            + schema
            + "."
            + table.name
            + " has lost its trigger, without which a hand can lower what is reserved: put it back"
            + " as the table's owner, by: BEGIN; SET LOCAL search_path = "
            + schema
            + "; "
            + statements
            + "; COMMIT");
  }
}
