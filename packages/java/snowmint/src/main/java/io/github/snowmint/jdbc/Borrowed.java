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

  /** Whether the server tells its incarnation. */
  enum Told {
    YES,
    /** It has none: some that speak PostgreSQL's language have no log of their own. */
    NO,
    /** Not to this user. */
    DENIED
  }

  /** The server does not tell its incarnation, and the transaction is none any more. */
  static final class Untold extends SQLException {
    private static final long serialVersionUID = 1;

    final Told told;

    Untold(Told told, SQLException cause) {
      super(cause);
      this.told = told;
    }
  }

  private final Connection connection;
  private final Dialect dialect;
  private boolean autocommit;
  private int level;
  /** Whether the two are known, without which neither was changed. */
  private boolean isKnown;

  /** Whether it has bounds that outlive the transaction. */
  private boolean isBound;

  private int networkTimeoutMs = -1;

  Borrowed(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /**
   * Begins a transaction, in which no answer is waited for longer than that, and whose statements
   * know the server's incarnation where it tells.
   */
  Transaction begin(int answerMs, Told told) throws SQLException {
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
    Map<String, Object> lockWait =
        Map.of("lock_ms", Integer.toString(lockMs), "lock_s", (long) Math.max(1, lockMs / 1000));
    if (dialect.keepsBounds()) {
      Statement.read(dialect.folder, "keep_bounds").execute(connection, Map.of());
      isBound = true;
    }
    for (String bounds : dialect.bounds()) {
      Statement.read(dialect.folder, bounds).execute(connection, lockWait);
    }
    if (told == Told.YES && dialect.tellsIncarnation()) {
      askIncarnation();
    }
    return new Transaction(connection, dialect, lockWait, told);
  }

  private void askIncarnation() throws SQLException {
    try {
      Statement.read(dialect.folder, "incarnation").execute(connection, Map.of());
    } catch (SQLException failure) {
      if (Fault.isOfNoSuchFunction(failure)) {
        throw new Untold(Told.NO, failure);
      }
      throw Fault.isOfNoRight(failure) ? new Untold(Told.DENIED, failure) : failure;
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
