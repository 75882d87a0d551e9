package io.github.snowmint.jdbc;

import io.github.snowmint.Allocation;
import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ranges below a ceiling: a standby is waited for once in so many numbers. */
final class Ceilings {
  private static final Statement UNCONFIRMED =
      Statement.parse("SELECT current_setting('snowmint.unconfirmed', true) <> ''");

  private Ceilings() {}

  /** A ceiling that standbys confirmed, and on which server. */
  private record Confirmed(long ceiling, String server) {}

  /** How a change is done, in a transaction of its own. */
  interface Changes {
    <T> T change(Transactions.Work<T> work);
  }

  /**
   * A range below the ceiling of a tag, which is raised by so many numbers where that is needed;
   * none for the last one of a tag, and where it is refused: these are for the usual way.
   */
  static Optional<Allocation> take(Changes changes, Map<String, Object> asked, long numbers) {
    Map<String, Object> values = new HashMap<>(asked);
    List<Allocation> taken = changes.change(transaction -> below(transaction, values));
    if (taken.isEmpty()) {
      values.put("chunk", numbers);
      List<Confirmed> raised = changes.change(transaction -> raise(transaction, values));
      if (!raised.isEmpty()) {
        values.put("confirmed", raised.get(0).ceiling);
        values.put("confirmed_on", raised.get(0).server);
        taken = changes.change(transaction -> below(transaction, values));
      }
    }
    return taken.stream().findFirst();
  }

  /** Committed on this server alone. */
  private static List<Allocation> below(Transaction transaction, Map<String, Object> values)
      throws SQLException {
    check(transaction);
    transaction.execute("committed_here", Map.of());
    return transaction.query("allocate_below", values, JdbcStore::allocation);
  }

  /** What standbys have confirmed once this is committed. */
  private static List<Confirmed> raise(Transaction transaction, Map<String, Object> values)
      throws SQLException {
    if (transaction.query(UNCONFIRMED, Map.of(), row -> row.getBoolean(1)).get(0)) {
      throw new SnowmintException(
          Code.UNSAFE_SETTING,
          "a ceiling that no standby can be made to confirm: name each that may be promoted, as"
              + " synchronous_standby_names = '2 (a, b)' does (other users keep synchronous_commit"
              + " = local, and wait for none), or leave out withCeiling");
    }
    return transaction.query(
        "raise_ceiling", values, row -> new Confirmed(row.getLong(1), row.getString(2)));
  }

  private static void check(Transaction transaction) {
    if (transaction.dialect != Dialect.POSTGRES) {
      throw new SnowmintException(
          Code.UNSUPPORTED,
          "this database has no standby that confirms what it still has once it takes over: leave"
              + " out withCeiling");
    }
    if (transaction.told != Borrowed.Told.YES) {
      throw Fault.untold(transaction.told);
    }
  }
}
