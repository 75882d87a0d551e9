package io.github.snowmint.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Executor;

/** A connection of the user's, taken for one transaction, and left as it was found. */
final class Borrowed {
  /**
   * Does a driver's work in the thread that asks for it. To abort a connection that another thread
   * is using, MariaDB's driver has its statement killed, which ends a commit's wait for a replica.
   */
  private static final Executor AT_ONCE = Runnable::run;

  private final Connection connection;
  private final Dialect dialect;
  private boolean autocommit;
  private int level;
  /** Whether the two are known, without which neither was changed. */
  private boolean isKnown;

  /** Whether it has bounds that outlive the transaction. */
  private boolean isBound;

  private int networkTimeoutMs = -1;

  /** Which of the server's connections it was at first, where drivers may take another. */
  private long connectionId;

  Borrowed(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /**
   * Begins a transaction, in which no answer is waited for longer than that, and whose statements
   * know the server's incarnation.
   */
  Transaction begin(int answerMs, Terms terms) throws SQLException {
    boundAnswers(answerMs); // Drivers ask the server for the level.
    autocommit = connection.getAutoCommit();
    level = connection.getTransactionIsolation();
    isKnown = true;
    if (relevels()) {
      // Each statement sees what was committed before it: others are waited for, not refused.
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
    connection.setAutoCommit(false);
    // The server gives up first, while the connection is still of use.
    int lockMs = Math.max(1, answerMs / 4 * 3);
    Map<String, Object> beginning = terms.beginning(lockMs);
    if (dialect.hasReplays()) {
      connectionId = Replays.connectionId(connection);
    }
    if (dialect.keepsBounds()) {
      Statement.read(dialect.folder, "keep_bounds").execute(connection, Map.of());
      isBound = true;
    }
    for (String bounds : dialect.bounds()) {
      Statement.read(dialect.folder, bounds).execute(connection, beginning);
    }
    if (dialect.tellsIncarnation()) {
      askIncarnation(beginning);
    }
    return new Transaction(connection, dialect, beginning, terms);
  }

  private void askIncarnation(Map<String, Object> beginning) throws SQLException {
    try {
      Statement.read(dialect.folder, "incarnation").execute(connection, beginning);
    } catch (SQLException failure) {
      throw dialect == Dialect.POSTGRES ? Fault.untold(failure) : failure;
    }
  }

  private boolean relevels() {
    return dialect.hasLevels() && level != Connection.TRANSACTION_READ_COMMITTED;
  }

  /** A shorter bound of the user's stays. */
  private void boundAnswers(int answerMs) {
    try {
      int usualMs = connection.getNetworkTimeout();
      if (usualMs <= 0 || usualMs > answerMs) {
        connection.setNetworkTimeout(AT_ONCE, answerMs);
        networkTimeoutMs = Math.max(usualMs, 0);
      }
    } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
      // The driver has no such bound; a connection that is broken fails at the next call.
    }
  }

  /** Fails if what was committed is not what was read, but a repeat of it on another connection. */
  void checkSame() throws SQLException {
    if (dialect.hasReplays() && Replays.connectionId(connection) != connectionId) {
      throw new SQLException("the driver has gone on with another connection");
    }
  }

  /** Ends the transaction that failed; a connection that may be broken is not asked again. */
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

  /** Closes the socket, without a word to the server. */
  private void abort() {
    try {
      connection.abort(AT_ONCE);
    } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
      // The connection is closed next, which ends the transaction.
    }
  }

  /** After the transaction, how the connection was. */
  void restore() {
    try {
      if (isBound) {
        Statement.read(dialect.folder, "restore_bounds").execute(connection, Map.of());
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
      abort(); // What was done is done; nobody else is to have it as it is now.
    }
  }
}
