package io.github.snowmint.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A transaction in progress, with one bound for all waits of its statements for locks. */
final class Transaction {
  final Dialect dialect;
  final Terms terms;

  /** The parameters of the statements that begin it, for example the bound for locks. */
  final Map<String, Object> beginning;

  private final Connection connection;
  private boolean isFirst = true;

  /** Creates a transaction that has begun, with its settings. */
  Transaction(
      Connection connection, Dialect dialect, Map<String, Object> beginning, Terms terms) {
    this.connection = connection;
    this.dialect = dialect;
    this.beginning = beginning;
    this.terms = terms;
  }

  /** Returns the name of the table about the whole database, for operators. */
  String table() {
    return dialect == Dialect.POSTGRES ? terms.schema() + ".snowmint_schema" : "snowmint_schema";
  }

  /** Waits for the turn to create tables. */
  void lockSchema() throws SQLException {
    if (dialect != Dialect.MYSQL) {
      execute("schema_lock", Map.of()); // The lock lasts until the transaction ends.
      return;
    }
    if (!query("schema_lock", beginning, row -> row.getBoolean(1)).get(0)) {
      throw new SQLException("others make the tables of snowmint", "40001");
    }
  }

  /** Ends the turn, whether it succeeded or not. */
  void unlockSchema() throws SQLException {
    if (dialect == Dialect.MYSQL) {
      execute("schema_unlock", Map.of());
    }
  }

  /** Returns the rows of the query or change in the dialect's file of that name. */
  <T> List<T> query(String name, Map<String, ?> values, Statement.Reader<T> reader)
      throws SQLException {
    return query(Statement.read(dialect.folder, name), values, reader);
  }

  /** Returns the rows of a query. */
  <T> List<T> query(Statement query, Map<String, ?> values, Statement.Reader<T> reader)
      throws SQLException {
    boundLockWait();
    return query.query(connection, values, reader);
  }

  /** Returns the number of rows that the change in the dialect's file of that name affects. */
  int update(String name, Map<String, ?> values) throws SQLException {
    boundLockWait();
    return Statement.read(dialect.folder, name).update(connection, values);
  }

  /** Runs the statement in the dialect's file of that name, and ignores its result. */
  void execute(String name, Map<String, ?> values) throws SQLException {
    boundLockWait();
    Statement.read(dialect.folder, name).execute(connection, values);
  }

  /** Runs a statement without parameters. */
  void execute(String statement) throws SQLException {
    boundLockWait();
    try (java.sql.Statement plain = connection.createStatement()) {
      plain.execute(statement);
    }
  }

  /**
   * Limits the wait for locks to the rest of the bound. So others wait no longer either if the
   * server continues after its client has left.
   */
  private void boundLockWait() throws SQLException {
    if (!isFirst && dialect.hasBounds()) {
      Statement.read(dialect.folder, "lock_wait").execute(connection, beginning);
    }
    isFirst = false;
  }
}
