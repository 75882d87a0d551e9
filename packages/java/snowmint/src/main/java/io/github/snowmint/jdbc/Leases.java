package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.Lease;
import io.github.snowmint.LeaseRequest;
import io.github.snowmint.SnowmintException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The calls on leases inside a transaction. */
final class Leases {
  private Leases() {}

  /**
   * Returns a supplier of the lease or of a refusal. A refusal is committed too: the first after
   * the server took another's place notes when it is over.
   */
  static Supplier<Lease> acquire(
      Transaction transaction, LeaseRequest request, Map<String, Object> values)
      throws SQLException {
    if (transaction.dialect == Dialect.POSTGRES || transaction.dialect == Dialect.H2) {
      transaction.execute("acquire_lock", values);
    }
    succeed(transaction, values);
    KeySpace space = KeySpace.claim(transaction, request.realm());
    if (transaction.dialect == Dialect.MYSQL) {
      // The lock is on rows, which renewals request after the database's row.
      transaction.execute("acquire_lock", values);
    }
    List<long[]> taken = take(transaction, values);
    if (taken.isEmpty()) {
      SnowmintException refusal = succeeding(transaction, request, values);
      return () -> {
        throw refusal;
      };
    }
    long[] row = taken.get(0);
    space.checkFloor(row[2]);
    Lease lease =
        new Lease(
            request.realm(),
            row[0],
            row[1],
            request.owner(),
            request.token(),
            row[2],
            row[3],
            row[4]);
    return () -> lease;
  }

  /** Notes that the server took another's place, if it did. */
  private static void succeed(Transaction transaction, Map<String, Object> values)
      throws SQLException {
    if (transaction.dialect == Dialect.MYSQL) {
      transaction.execute("succession", values);
    }
    if (transaction.dialect.tellsIncarnation()) {
      transaction.update("succeed", values);
    }
  }

  /**
   * Returns why a server that took another's place, or has its tables from a copy, gives no worker
   * ID yet, and how to shorten the next wait. Throws the error of exhausted worker IDs if it did not. A lease of long ago, or a
   * clock that went back once, may have requested an hour.
   */
  private static SnowmintException succeeding(
      Transaction transaction, LeaseRequest request, Map<String, Object> values)
      throws SQLException {
    if (transaction.dialect.tellsIncarnation()) {
      Optional<SnowmintException> unvouched = Vouching.unvouched(transaction, request);
      if (unvouched.isPresent()) {
        return unvouched.get();
      }
      Statement.Reader<long[]> reader = row -> new long[] {row.getLong(5), row.getLong(6)};
      long[] found = transaction.query("exhausted", values, reader).get(0);
      long waitMs = found[0];
      if (waitMs > 0) {
        return new SnowmintException(
            Code.WORKERS_EXHAUSTED,
            "no worker ID of realm "
                + request.realm()
                + " is given for "
                + waitMs
                + " ms: this server took another's place or has its tables from a copy, and may not"
                + " know of leases that go on for so long; wait. The longest reservation ever asked for, and an eighth more, are "
                + found[1]
                + " ms: where all leases are shorter by now, UPDATE "
                + transaction.table()
                + " SET longest_reserve_ms to what they ask for, and the next wait is shorter. Where"
                + " this one is longer than twice that, a server's clock was ahead: once all leases"
                + " are over that the other server gave, UPDATE "
                + transaction.table()
                + " SET waits_until_ms = "
                + transaction.dialect.nowMs());
      }
    }
    throw exhausted(transaction, request, values);
  }

  private static List<long[]> take(Transaction transaction, Map<String, Object> values)
      throws SQLException {
    if (transaction.dialect.picksWorkers()) {
      return pick(transaction, values);
    }
    return transaction.query("acquire", values, Leases::numbers);
  }

  private static long[] numbers(ResultSet row) throws SQLException {
    row.getLong(2);
    if (row.wasNull()) {
      throw outrun(null); // Another transaction has taken the picked worker ID.
    }
    return new long[] {
      row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)
    };
  }

  /** Takes a worker ID in steps, for databases whose insertions return no rows. */
  private static List<long[]> pick(Transaction transaction, Map<String, Object> values)
      throws SQLException {
    List<long[]> picked =
        transaction.query(
            "acquire_pick",
            values,
            row -> new long[] {row.getLong(1), row.getBoolean(2) ? 1 : 0});
    if (picked.isEmpty()) {
      return List.of();
    }
    values.put("worker_id", picked.get(0)[0]);
    String change = picked.get(0)[1] == 0 ? "acquire_new" : "acquire_again";
    try {
      if (transaction.update(change, values) == 0) {
        throw outrun(null);
      }
    } catch (SQLException failure) {
      if (Fault.isDuplicate(failure)) {
        throw outrun(failure);
      }
      throw failure;
    }
    return transaction.query("taken", values, Leases::numbers);
  }

  private static SQLException outrun(SQLException cause) {
    return new SQLException("another transaction was first", "40001", cause);
  }

  /**
   * Returns the worker ID at which the search for an unused one begins, from the attempt's random
   * bits. Two databases that were mistakenly created in place of one then rarely give the same. It
   * is only a second defence.
   */
  static long firstWorkerId(byte[] token, long maxWorkerId) {
    long rest = 0;
    for (int at = token.length - 1; at >= 0; at--) {
      rest = ((rest << 8) | (token[at] & 0xFF)) % (maxWorkerId + 1);
    }
    return rest;
  }

  private static SnowmintException exhausted(
      Transaction transaction, LeaseRequest request, Map<String, Object> values)
      throws SQLException {
    String why =
        transaction
            .query(
                "exhausted",
                values,
                row -> {
                  String text = row.getLong(1) + " held";
                  String owner = JdbcStore.text(transaction.dialect, row, 3);
                  if (owner != null) {
                    text += ", longest " + row.getLong(2) + " by " + owner;
                  }
                  long waitMs = row.getLong(4);
                  if (!row.wasNull()) {
                    text += "; the next may be free in " + Math.max(waitMs, 0) + " ms";
                  }
                  return text;
                })
            .get(0);
    return new SnowmintException(
        Code.WORKERS_EXHAUSTED,
        "no worker ID of 0 to "
            + request.maxWorkerId()
            + " is free in realm "
            + request.realm()
            + ": "
            + why
            + (why.startsWith("0 held")
                ? "; wait: each rests until the time that it reserved is over"
                : "; end one whose process is gone (store.evict(\"" + request.realm() + "\", ID))")
            + ", or use a layout with more worker bits");
  }

  /** Returns the renewed lease, or nothing if it is lost, which is committed as well. */
  static Optional<Lease> renew(
      Transaction transaction, Lease lease, byte[] next, long reserveMs)
      throws SQLException {
    Map<String, Object> values = values(transaction.dialect, lease);
    values.put("next", next);
    values.put("reserve_ms", reserveMs);
    succeed(transaction, values);
    Statement.Reader<long[]> reader = row -> new long[] {row.getLong(1), row.getLong(2)};
    List<long[]> renewed;
    if (transaction.dialect.returnsRows()) {
      renewed = transaction.query("renew", values, reader);
    } else {
      transaction.update("renew", values);
      renewed = transaction.query("renewed", values, reader);
    }
    return renewed.stream()
        .findFirst()
        .map(
            row ->
                new Lease(
                    lease.realm(),
                    lease.workerId(),
                    lease.epoch(),
                    lease.owner(),
                    next,
                    lease.floorMs(),
                    row[0],
                    row[1]));
  }

  static SnowmintException lost(Lease lease) {
    return new SnowmintException(
        Code.LEASE_LOST,
        "worker ID "
            + lease.workerId()
            + " of realm "
            + lease.realm()
            + " is no longer leased to "
            + lease.owner()
            + " (epoch "
            + lease.epoch()
            + "): acquire anew");
  }

  static Map<String, Object> values(Dialect dialect, Lease lease) {
    return JdbcStore.values(
        "realm", dialect.name(lease.realm()),
        "worker_id", lease.workerId(),
        "epoch", lease.epoch(),
        "owner", dialect.name(lease.owner()),
        "token", lease.token());
  }
}
