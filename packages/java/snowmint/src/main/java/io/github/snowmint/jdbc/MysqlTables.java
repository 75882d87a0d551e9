package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The library's tables in MySQL and MariaDB, which create each table in a separate step. */
final class MysqlTables {
  /** The required engine. Others have no transactions. */
  private static final String ENGINE = "InnoDB";
  /** The table with the version, which exists once the others do. */
  private static final String VERSIONED = "snowmint_schema";

  private static final List<String> TABLES =
      List.of(VERSIONED, "snowmint_segment", "snowmint_worker");

  /** A table that exists. */
  private record Table(String name, String engine) {
    static Table of(ResultSet row) throws SQLException {
      return new Table(row.getString(1), row.getString(2));
    }
  }

  private MysqlTables() {}

  /**
   * Returns true if the tables exist. Tables whose creation is in progress or was interrupted have
   * neither a version nor rows, and do not count.
   *
   * @throws SnowmintException if only some exist, or if they are not as they should be
   */
  static boolean areThere(Transaction transaction) throws SQLException {
    try {
      return look(transaction);
    } catch (SnowmintException inParts) {
      // Another process created the tables meanwhile, and only some were seen.
      return look(transaction);
    }
  }

  private static boolean look(Transaction transaction) throws SQLException {
    List<Table> found = transaction.query("look", Map.of(), Table::of);
    for (Table table : found) {
      if (!ENGINE.equals(table.engine)) {
        throw withoutTransactions(table);
      }
    }
    List<String> names = found.stream().map(Table::name).collect(Collectors.toList());
    Integer version = names.contains(VERSIONED) ? Tables.version(transaction) : null;
    if (version == null && areEmpty(transaction, names)) {
      return false;
    }
    if (names.size() < TABLES.size()) {
      throw incomplete(names);
    }
    return true;
  }

  private static boolean areEmpty(Transaction transaction, List<String> names)
      throws SQLException {
    for (String name : names) {
      Statement rows = Statement.parse("SELECT EXISTS (SELECT * FROM " + name + ")");
      if (transaction.query(rows, Map.of(), row -> row.getBoolean(1)).get(0)) {
        return false;
      }
    }
    return true;
  }

  private static SnowmintException withoutTransactions(Table table) {
    return new SnowmintException(
        Code.STORE_SCHEMA,
        table.name
            + " is kept by "
            + table.engine
            + ", which is not InnoDB: ALTER TABLE "
            + table.name
            + " ENGINE = "
            + ENGINE);
  }

  /**
   * Returns the error of missing tables. Creating them would restart a key space that is in use.
   */
  private static SnowmintException incomplete(List<String> names) {
    return new SnowmintException(
        Code.STORE_SCHEMA,
        "of the tables of snowmint, this user sees "
            + String.join(" and ", names)
            + " alone: put the others back ("
            + String.join(", ", TABLES)
            + "), or GRANT him rights on them; nothing is made");
  }
}
