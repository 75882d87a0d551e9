package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.internal.Native;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/**
 * Runs each change in a transaction of its own, on a connection of the user's that is returned as
 * it was.
 */
final class Transactions implements LongConsumer {
  /** The largest number of attempts for a transaction that conflicts with others. */
  private static final int TRIES = 60;

  private static final long PAUSE_NS = 2_000_000;

  private final DataSource source;
  private final int answerMs;

  /**
   * Creates transactions on connections of the source. Each answer may take at most
   * {@code answerMs}.
   */
  Transactions(DataSource source, int answerMs) {
    this.source = source;
    this.answerMs = answerMs;
  }

  int answerMs() {
    return answerMs;
  }

  /** Returns the class name of the {@code DataSource}. */
  String sourceName() {
    return source.getClass().getSimpleName();
  }

  /** Does all of the native side's work durably, or nothing. */
  @Override
  public void accept(long work) {
    long start = System.nanoTime();
    for (int tried = 1; ; tried++) {
      Dialect dialect = null;
      Connection connection = null;
      try {
        connection = connect();
        dialect = Dialect.of(connection);
        if (dialect.hasReplays()) {
          Replays.refuse(connection);
        }
        attempt(connection, dialect, work);
        return;
      } catch (SQLException failure) {
        boolean conflict = dialect != null && Fault.isConflict(dialect, failure);
        boolean late = System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(answerMs);
        if (!conflict || tried == TRIES || late) {
          throw Fault.explain(dialect, connection, failure);
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
      // The transaction is over.
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

  private void attempt(Connection connection, Dialect dialect, long work) throws SQLException {
    Borrowed borrowed = new Borrowed(connection, dialect);
    try {
      if (!Native.work(work, borrowed.begin(answerMs), dialect.ordinal())) {
        borrowed.giveUp(null);
        return;
      }
      connection.clearWarnings(); // Warnings from here on are about the commit.
    } catch (SQLException | RuntimeException | Error failure) {
      borrowed.giveUp(failure);
      throw failure;
    }
    SQLWarning doubt;
    try {
      connection.commit();
      doubt = Fault.doubt(dialect, connection);
      borrowed.checkSame();
    } catch (SQLException | RuntimeException failure) {
      borrowed.giveUp(failure);
      if (failure instanceof SQLException refusal && Fault.isRefusalToCommit(dialect, refusal)) {
        throw refusal;
      }
      throw Fault.unknown(failure);
    } catch (Error failure) {
      borrowed.giveUp(failure);
      throw failure;
    }
    borrowed.restore();
    if (doubt != null) {
      throw Fault.unknown(doubt);
    }
  }
}
