package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.Snowmint;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TagRow;
import java.sql.SQLException;
import java.util.List;

/** The refusals of tags, with advice. */
final class Refusals {
  private Refusals() {}

  /** Returns the reason why a tag gave no range. */
  static SnowmintException ofRange(Transaction transaction, String tag) throws SQLException {
    List<TagRow> rows = JdbcStore.rows(transaction, tag);
    if (rows.isEmpty()) {
      return unknownTag(tag);
    }
    TagRow row = rows.get(0);
    if (row.next() <= row.max()) {
      return new SnowmintException(
          Code.STORE_LOCKED, "tag " + tag + " was changed at that moment: ask again");
    }
    String reached =
        row.max() + 1 == Snowmint.MAX_NUMBER
            ? Snowmint.MAX_NUMBER + ", where numbers end"
            : "its max, "
                + row.max()
                + ": raise that (store.changeTag(\""
                + tag
                + "\", TagChange.NONE.withMax(NUMBER))) if the column that the numbers are for"
                + " takes more";
    return new SnowmintException(
        Code.TAG_EXHAUSTED,
        "tag "
            + tag
            + " has reached "
            + reached
            + "; a new tag begins at 1 again, and is for another column");
  }

  /** Refuses a tag that goes on in another store. */
  static void checkNotMoved(Transaction transaction, String tag) throws SQLException {
    List<String> places =
        transaction.query("tags", JdbcStore.values("tag", tag), row -> row.getString("moved_to"));
    if (!places.isEmpty() && places.get(0) != null) {
      throw new SnowmintException(
          Code.TAG_MOVED, "tag " + tag + " goes on at " + places.get(0) + ": open it there");
    }
  }

  static SnowmintException unknownTag(String tag) {
    return new SnowmintException(
        Code.UNKNOWN_TAG,
        "no tag "
            + tag
            + ": create it first, by store.createTag(\""
            + tag
            + "\"), or by store.ensureTag where it may be there");
  }

  /** Refuses a change of the next or largest number that the row does not show. */
  static void checkChanged(TagRow row, Long raised, Long max) {
    String tag = row.tag();
    if (raised != null && row.next() > raised) {
      throw new SnowmintException(
          Code.RANGE_REGRESSED,
          "tag " + tag + ": next is " + row.next() + " and can only be raised, not set to " + raised);
    }
    if (raised != null && row.next() < raised || max != null && row.max() != max) {
      throw new SnowmintException(
          Code.INVALID_RANGE,
          "tag "
              + tag
              + ": a max of "
              + (max == null ? row.max() : max)
              + " is too low, as its next number is "
              + (raised == null ? row.next() : raised)
              + ": use "
              + ((raised == null ? row.next() : raised) - 1)
              + " or more");
    }
  }
}
