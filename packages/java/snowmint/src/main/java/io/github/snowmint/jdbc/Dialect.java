package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** What databases differ in, beside their statements. */
enum Dialect {
  SQLITE("sqlite"),
  POSTGRES("postgres"),
  MYSQL("mysql"),
  /** Of tests: the statements are this package's own, as the runtime has no such store. */
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

  /** A name as the database's columns hold it. */
  Object name(String text) {
    return this == MYSQL ? text.getBytes(StandardCharsets.UTF_8) : text;
  }

  /** Whether statements return rows that they changed. */
  boolean returnsRows() {
    return this != MYSQL;
  }

  /** Whether a worker ID is picked first, and taken by a further statement. */
  boolean picksWorkers() {
    return this == MYSQL || this == H2;
  }

  /**
   * Whether a transaction that changes something takes its lock first: of two that read before they
   * change, one would fail.
   */
  boolean locksToChange() {
    return this == SQLITE;
  }

  /** Whether transactions run at the isolation level that is asked for. */
  boolean hasLevels() {
    return this != SQLITE;
  }

  /** Whether a transaction has bounds, and its further statements what is left by lock_wait. */
  boolean hasBounds() {
    return isServer();
  }

  /** The files that set the bounds of a transaction. */
  List<String> bounds() {
    return switch (this) {
      case POSTGRES -> List.of("settings");
      case MYSQL -> List.of("bounds", "begins");
      case SQLITE, H2 -> List.of();
    };
  }

  /** Whether bounds outlive the transaction: files keep_bounds and restore_bounds. */
  boolean keepsBounds() {
    return this == MYSQL;
  }

  /** Whether those who make tables take turns, by the file schema_lock. */
  boolean hasSchemaLock() {
    return isServer();
  }

  /** Whether the tables tell their version, by the file version. */
  boolean hasVersion() {
    return isServer();
  }

  /** Whether servers tell which they are, by the file incarnation, and may follow each other. */
  boolean tellsIncarnation() {
    return isServer();
  }

  private boolean isServer() {
    return this == POSTGRES || this == MYSQL;
  }

  /** Whether drivers may run a transaction again on another connection. */
  boolean hasReplays() {
    return this == MYSQL;
  }

  /** The time in milliseconds, as an operator asks for it. */
  String nowMs() {
    return this == POSTGRES
        ? "floor(extract(epoch FROM now()) * 1000)"
        : "floor(unix_timestamp(now(3)) * 1000)";
  }

  /** Whether a commit that succeeded may come with a warning that takes it back. */
  boolean warnsOfDoubts() {
    return this == POSTGRES;
  }
}
