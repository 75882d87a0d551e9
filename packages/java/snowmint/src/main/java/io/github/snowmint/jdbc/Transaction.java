package io.github.snowmint.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A transaction in progress, whose statements wait for others' locks only so long all together. */
final class Transaction {
  final Dialect dialect;
  final Terms terms;

  /** The parameters of the statements that begin it, such as how long locks are waited for. */
  final Map<String, Object> beginning;

  private final Connection connection;
  private boolean isFirst = true;

  /** One that has begun, with its settings. */
  Transaction(
      Connection connection, Dialect dialect, Map<String, Object> beginning, Terms terms) {
    this.connection = connection;
    this.dialect = dialect;
    this.beginning = beginning;
    this.terms = terms;
  }

  /** The table that notes what is of the whole database, as an operator names it. */
  String table() {
    return dialect == Dialect.POSTGRES ? terms.schema() + ".snowmint_schema" : "snowmint_schema";
  }

  /** Waits for the turn to make tables. */
  void lockSchema() throws SQLException {
    if (dialect != Dialect.MYSQL) {
      execute("schema_lock", Map.of()); // Until the transaction ends.
      return;
    }
    if (!query("schema_lock", beginning, row -> row.getBoolean(1)).get(0)) {
      throw new SQLException("others make the tables of snowmint", "40001");
    }
  }

  /** Lets others have their turn, whatever came of this one. */
  void unlockSchema() throws SQLException {
    if (dialect == Dialect.MYSQL) {
      execute("schema_unlock", Map.of());
    }
  }

  /** The rows of the query, or of the change, in the dialect's file of that name. */
  <T> List<T> query(String name, Map<String, ?> values, Statement.Reader<T> reader)
      throws SQLException {
    return query(Statement.read(dialect.folder, name), values, reader);
  }

  /** The rows of a query. */
  <T> List<T> query(Statement query, Map<String, ?> values, Statement.Reader<T> reader)
      throws SQLException {
    boundLockWait();
    return query.query(connection, values, reader);
  }

  /** How many rows the change in the dialect's file of that name concerns. */
  int update(String name, Map<String, ?> values) throws SQLException {
    boundLockWait();
    return Statement.read(dialect.folder, name).update(connection, values);
  }

  /** Runs the statement in the dialect's file of that name, whose outcome nobody looks at. */
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
   * A server that goes on with them after its client left keeps nobody waiting for longer either.
   */
  private void boundLockWait() throws SQLException {
    if (!isFirst && dialect.hasBounds()) {
      Statement.read(dialect.folder, "lock_wait").execute(connection, beginning);
    }
    isFirst = false;
  }
}
