package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases, in the order of the native side's numbers, and what JDBC has to do about each. */
enum Dialect {
  SQLITE,
  POSTGRES,
  MYSQL,
  /** A database for tests. */
  H2;

  static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    String name = String.valueOf(product).toLowerCase(Locale.ROOT);
    if (name.contains("sqlite")) {
      return SQLITE;
    }
    if (name.contains("postgresql")) {
      return POSTGRES;
    }
    if (name.contains("mysql") || name.contains("mariadb")) {
      return MYSQL;
    }
    if (name.equals("h2")) {
      return H2;
    }
    throw new SnowmintException(
        Code.UNSUPPORTED,
        "no statements for the database "
            + product
            + ": there are those for PostgreSQL, MySQL, MariaDB, SQLite and H2; write a SegmentStore"
            + " of your own");
  }

  /** Returns true if transactions run at the isolation level that is requested. */
  boolean hasLevels() {
    return this != SQLITE;
  }

  /** Returns true if drivers may run a transaction again on another connection. */
  boolean hasReplays() {
    return this == MYSQL;
  }

  /** Returns true if a commit that succeeded may come with a warning that takes it back. */
  boolean warnsOfDoubts() {
    return this == POSTGRES;
  }
}
