package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Runs changes, each in one transaction of its own on a connection of the user's, which is given
 * back as it was found.
 */
final class Transactions {
  /** How often a transaction is tried that others are in the way of. */
  private static final int TRIES = 60;

  private static final long PAUSE_NS = 2_000_000;

  private final DataSource source;

  Transactions(DataSource source) {
    this.source = source;
  }

  /** What is done in a transaction. */
  interface Work<T> {
    T run(Connection connection, Dialect dialect) throws SQLException;
  }

  /** Does everything the work does, durably, or nothing. */
  <T> T run(Work<T> work) {
    for (int tried = 1; ; tried++) {
      Dialect dialect = null;
      Connection connection = null;
      try {
        connection = connect();
        dialect = Dialect.of(connection);
        return attempt(connection, dialect, work);
      } catch (SQLException failure) {
        boolean conflict = dialect != null && Fault.isConflict(dialect, failure);
        if (!conflict || tried == TRIES) {
          throw Fault.explain(dialect, failure);
        }
      } catch (SnowmintException failure) {
        throw failure;
      } catch (RuntimeException failure) {
        throw Fault.explain(failure);
      } finally {
        giveBack(connection);
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_NS * Math.min(tried, 10)));
    }
  }

  private static void giveBack(Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException | RuntimeException gone) {
      // What was done is done.
    }
  }

  private Connection connect() throws SQLException {
    Connection connection = source.getConnection();
    if (connection == null) {
      throw new SnowmintException(
          Code.STORE_UNAVAILABLE, "the DataSource gave null in place of a connection");
    }
    return connection;
  }

  private static <T> T attempt(Connection connection, Dialect dialect, Work<T> work)
      throws SQLException {
    boolean autocommit = connection.getAutoCommit();
    int level = connection.getTransactionIsolation();
    boolean relevel = dialect.hasLevels() && level != Connection.TRANSACTION_READ_COMMITTED;
    if (relevel) {
      // Each statement sees what was committed before it: others are waited for, not refused.
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
    T done;
    try {
      connection.setAutoCommit(false);
      done = work.run(connection, dialect);
    } catch (SQLException | RuntimeException | Error failure) {
      giveUp(connection);
      restore(connection, autocommit, relevel, level);
      throw failure;
    }
    try {
      connection.commit();
    } catch (SQLException | RuntimeException failure) {
      boolean refused =
          failure instanceof SQLException conflict && Fault.isConflict(dialect, conflict);
      giveUp(connection);
      restore(connection, autocommit, relevel, level);
      if (refused) {
        throw (SQLException) failure; // The database says that it did not commit.
      }
      throw Fault.unknown(failure);
    }
    restore(connection, autocommit, relevel, level);
    return done;
  }

  private static void giveUp(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException | RuntimeException gone) {
      // The connection is closed next, which ends the transaction.
    }
  }

  private static void restore(
      Connection connection, boolean autocommit, boolean relevel, int level) {
    try {
      connection.setAutoCommit(autocommit);
      if (relevel) {
        connection.setTransactionIsolation(level);
      }
    } catch (SQLException | RuntimeException gone) {
      // What was done is done; the pool will find the connection unusable.
    }
  }
}
