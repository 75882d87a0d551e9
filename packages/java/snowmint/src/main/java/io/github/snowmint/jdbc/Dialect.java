package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** The differences between databases, apart from their statements. */
enum Dialect {
  SQLITE("sqlite"),
  POSTGRES("postgres"),
  MYSQL("mysql"),
  /**
   * A database for tests. Its statements are this package's own, as the runtime has no such store.
   */
  H2("h2");

  final String folder;

  Dialect(String folder) {
    this.folder = folder;
  }

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

  /** Returns a name as the database's columns hold it. */
  Object name(String text) {
    return this == MYSQL ? text.getBytes(StandardCharsets.UTF_8) : text;
  }

  /** Returns true if statements can return the rows that they changed. */
  boolean returnsRows() {
    return this != MYSQL;
  }

  /** Returns true if a worker ID is picked first and taken by a further statement. */
  boolean picksWorkers() {
    return this == MYSQL || this == H2;
  }

  /**
   * Returns true if a changing transaction takes its lock first. Without that, if two transactions
   * read before they change, one fails.
   */
  boolean locksToChange() {
    return this == SQLITE;
  }

  /** Returns true if transactions run at the isolation level that is requested. */
  boolean hasLevels() {
    return this != SQLITE;
  }

  /**
   * Returns true if a transaction has bounds, and lock_wait limits its further statements to the
   * rest.
   */
  boolean hasBounds() {
    return isServer();
  }

  /** Returns the files that set the bounds of a transaction. */
  List<String> bounds() {
    return switch (this) {
      case POSTGRES -> List.of("settings");
      case MYSQL -> List.of("bounds", "begins");
      case SQLITE, H2 -> List.of();
    };
  }

  /** Returns true if bounds outlive the transaction: files keep_bounds and restore_bounds. */
  boolean keepsBounds() {
    return this == MYSQL;
  }

  /** Returns true if processes take turns to create tables, by the file schema_lock. */
  boolean hasSchemaLock() {
    return isServer();
  }

  /** Returns true if the tables have a version, by the file version. */
  boolean hasVersion() {
    return isServer();
  }

  /**
   * Returns true if servers have an identity, by the file incarnation, and may follow each other.
   */
  boolean tellsIncarnation() {
    return isServer();
  }

  private boolean isServer() {
    return this == POSTGRES || this == MYSQL;
  }

  /** Returns true if drivers may run a transaction again on another connection. */
  boolean hasReplays() {
    return this == MYSQL;
  }

  /** Returns the expression for the time in milliseconds, for operators. */
  String nowMs() {
    return this == POSTGRES
        ? "floor(extract(epoch FROM now()) * 1000)"
        : "floor(unix_timestamp(now(3)) * 1000)";
  }

  /** Returns true if a commit that succeeded may come with a warning that takes it back. */
  boolean warnsOfDoubts() {
    return this == POSTGRES;
  }
}
