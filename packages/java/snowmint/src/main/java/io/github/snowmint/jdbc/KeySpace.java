package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A key space, in which nothing is given twice, as its database records it.
 *
 * @param id its random identity, from the creation of its tables
 * @param layout the layout of its IDs, which is that of its first lease
 * @param fromMs the time when IDs of the layout begin, in Unix milliseconds
 */
record KeySpace(String id, String layout, long fromMs) {
  /** The key space of a store, which is the first that it saw. */
  static final class Known {
    private final AtomicReference<String> seen = new AtomicReference<>();

    /**
     * Refuses a transaction in another key space, before any of its results is used.
     *
     * @throws SnowmintException {@link Code#INCARNATION_CHANGED} for another key space
     */
    void check(Transaction transaction) throws SQLException {
      String found = identity(transaction);
      seen.compareAndSet(null, found);
      String known = seen.get();
      if (!known.equals(found)) {
        throw new SnowmintException(
            Code.INCARNATION_CHANGED,
            "this is the key space "
                + found
                + ", and not "
                + known
                + ", of which this process was given IDs: both would give the same. Give the store"
                + " the DataSource of "
                + known
                + ", or, if "
                + found
                + " is right, start again");
      }
    }
  }

  private static String identity(Transaction transaction) throws SQLException {
    List<String> found = transaction.query("key_space", Map.of(), row -> row.getString(1));
    if (found.isEmpty()) {
      Tables.checkSeen(transaction);
      throw Tables.withoutRow(transaction);
    }
    return found.get(0);
  }

  /**
   * Returns the key space of a transaction that acquires, which must have the wanted layout. Leases
   * of another layout could make the same IDs, under worker IDs of this layout. No other
   * transaction can change the layout until this one ends.
   *
   * @throws SnowmintException {@link Code#REALM_MISMATCH} for another layout
   */
  static KeySpace claim(Transaction transaction, String wanted) throws SQLException {
    KeySpace space =
        transaction.dialect == Dialect.SQLITE
            ? claimFile(transaction, wanted)
            : claimRow(transaction, wanted);
    if (!wanted.equals(space.layout)) {
      throw new SnowmintException(
          Code.REALM_MISMATCH,
          "the key space "
              + space.id
              + " makes IDs of layout "
              + space.layout
              + ", and this source has "
              + wanted
              + ": they could make the same ID. Open it with that layout or on another key space, or"
              + " change the layout by `snowmint layout change URL LAYOUT`");
    }
    return space;
  }

  /** Claims the layout in a file, which no other process changes meanwhile. */
  private static KeySpace claimFile(Transaction transaction, String wanted) throws SQLException {
    Statement.Reader<KeySpace> reader =
        row -> new KeySpace(row.getString(1), row.getString(2), row.getLong(3));
    KeySpace found = transaction.query("key_space", Map.of(), reader).get(0);
    if (found.layout != null) {
      return found;
    }
    transaction.update("keep_key_space", Map.of("layout", wanted, "from_ms", found.fromMs));
    return new KeySpace(found.id, wanted, found.fromMs);
  }

  private static KeySpace claimRow(Transaction transaction, String wanted) throws SQLException {
    transaction.update("claim", Map.of("realm", transaction.dialect.name(wanted)));
    String id = identity(transaction);
    Statement.Reader<KeySpace> reader =
        row -> new KeySpace(id, JdbcStore.text(transaction.dialect, row, 1), row.getLong(2));
    return transaction.query("layout", Map.of(), reader).get(0);
  }

  /**
   * Refuses a lease that begins before IDs of the layout may. This happens while the database's
   * clock is set back.
   *
   * @throws SnowmintException {@link Code#WORKERS_EXHAUSTED} for such a lease
   */
  void checkFloor(long floorMs) {
    if (floorMs < fromMs) {
      throw new SnowmintException(
          Code.WORKERS_EXHAUSTED,
          "the key space "
              + id
              + " has had this layout since a time that its store's clock reaches in "
              + (fromMs - floorMs)
              + " ms: wait");
    }
  }
}
