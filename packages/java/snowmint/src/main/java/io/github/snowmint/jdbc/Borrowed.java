package io.github.snowmint.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;

/** A connection of the user's that is taken for one transaction and returned as it was. */
final class Borrowed {
  /**
   * Runs a driver's work in the calling thread. To abort a connection that another thread uses,
   * MariaDB's driver kills its statement, which ends a commit's wait for a replica.
   */
  private static final Executor AT_ONCE = Runnable::run;

  private final Connection connection;
  private final Dialect dialect;
  private boolean autocommit;
  private int level;
  /** True if autocommit and level are known. Otherwise neither was changed. */
  private boolean isKnown;

  /** The transaction, once it has begun. */
  private Transaction transaction;

  private int networkTimeoutMs = -1;

  /** The server's ID of the connection at first, for drivers that may switch to another. */
  private long connectionId;

  Borrowed(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /** Begins a transaction. Each answer may take at most {@code answerMs}. */
  Transaction begin(int answerMs) throws SQLException {
    boundAnswers(answerMs); // Drivers ask the server for the level.
    autocommit = connection.getAutoCommit();
    level = connection.getTransactionIsolation();
    isKnown = true;
    if (relevels()) {
      // Each statement sees earlier commits: it waits for other transactions instead of being
      // refused.
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
    connection.setAutoCommit(false);
    if (dialect.hasReplays()) {
      connectionId = Replays.connectionId(connection);
    }
    transaction = new Transaction(connection, dialect);
    return transaction;
  }

  private boolean relevels() {
    return dialect.hasLevels() && level != Connection.TRANSACTION_READ_COMMITTED;
  }

  /** Bounds the wait for answers. Keeps a shorter bound of the user's. */
  private void boundAnswers(int answerMs) {
    try {
      int usualMs = connection.getNetworkTimeout();
      if (usualMs <= 0 || usualMs > answerMs) {
        connection.setNetworkTimeout(AT_ONCE, answerMs);
        networkTimeoutMs = Math.max(usualMs, 0);
      }
    } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
      // The driver has no such bound. A broken connection fails at the next call.
    }
  }

  /**
   * Fails if the driver repeated the transaction on another connection, so the rows read are stale.
   */
  void checkSame() throws SQLException {
    if (dialect.hasReplays() && Replays.connectionId(connection) != connectionId) {
      throw new SQLException("the driver has gone on with another connection");
    }
  }

  /** Ends a failed transaction. Sends nothing more on a connection that may be broken. */
  void giveUp(Throwable failure) {
    if (Fault.isBroken(failure)) {
      abort();
      return;
    }
    try {
      if (isKnown) {
        connection.rollback();
      }
    } catch (SQLException | RuntimeException gone) {
      abort();
      return;
    }
    restore();
  }

  /** Closes the socket, without a message to the server. */
  private void abort() {
    try {
      connection.abort(AT_ONCE);
    } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
      // The connection is closed next, which ends the transaction.
    }
  }

  /** Restores the connection after the transaction. */
  void restore() {
    try {
      if (transaction != null) {
        transaction.runLast();
      }
      if (isKnown) {
        connection.setAutoCommit(autocommit);
      }
      if (isKnown && relevels()) {
        connection.setTransactionIsolation(level);
      }
      if (networkTimeoutMs >= 0) {
        connection.setNetworkTimeout(AT_ONCE, networkTimeoutMs);
      }
    } catch (SQLException | RuntimeException gone) {
      abort(); // The transaction is over, and no other user may get this connection.
    }
  }
}
