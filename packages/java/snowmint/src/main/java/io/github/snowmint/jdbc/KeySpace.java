package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A key space, in which nothing is given twice, as its database has it.
 *
 * @param id its identity, which is drawn when its tables are made
 * @param layout the layout that IDs are made of: that of its first lease
 * @param fromMs where IDs of the layout begin, in Unix milliseconds
 */
record KeySpace(String id, String layout, long fromMs) {
  /** The key space that a store is for: the one that it saw first. */
  static final class Known {
    private final AtomicReference<String> seen = new AtomicReference<>();

    /**
     * Refuses a transaction in another key space, before anything of it is used.
     *
     * @throws SnowmintException {@link Code#INCARNATION_CHANGED}
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
   * The key space of a transaction that acquires, which has the wanted layout: with another one its
   * leases could make the same IDs, under worker IDs that this one has. Nobody changes the layout
   * until the transaction ends.
   *
   * @throws SnowmintException {@link Code#REALM_MISMATCH}
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
              + ": they could make the same ID; open it with that layout or on another key space, or"
              + " change the layout by `snowmint layout change URL LAYOUT`");
    }
    return space;
  }

  /** In a file, which nobody else changes meanwhile. */
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
   * Refuses a lease that begins before IDs of the layout may, which is so while the database's clock
   * is set back.
   *
   * @throws SnowmintException {@link Code#WORKERS_EXHAUSTED}
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
