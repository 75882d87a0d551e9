package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TagRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What a server that took another's place refuses, and an operator's word that ends it. */
final class Vouching {
  private Vouching() {}

  /** Fails where the server took the place of the one that gave a tag's last range, or made it. */
  static void checkServer(Transaction transaction, String tag) throws SQLException {
    List<String> fencing = fencing(transaction, tag);
    if (fencing.isEmpty()) {
      return;
    }
    if (JdbcStore.rows(transaction, tag).isEmpty()) {
      throw notMade(Code.UNKNOWN_TAG, tag, fencing.get(0));
    }
    throw new SnowmintException(
        Code.INCARNATION_CHANGED,
        "tag "
            + tag
            + ": this server took the place of the one that gave the last range, which not"
            + " all standbys had to confirm, or it was given to who may not ask which server that"
            + " was; it may lack some: raise the tag above every number in use, or "
            + cure(fencing.get(0)));
  }

  /** Which server this is, where it may lack the tag, or ranges of it. */
  private static List<String> fencing(Transaction transaction, String tag) throws SQLException {
    return transaction.query("fenced", JdbcStore.values("tag", tag), row -> row.getString(1));
  }

  /**
   * Makes a tag, and says whether it was not there; fails where it may have been on a server whose
   * place this one took.
   */
  static boolean create(Transaction transaction, String tag, Map<String, ?> values)
      throws SQLException {
    if (!transaction.query("create_tag", values, row -> row.getBoolean(1)).isEmpty()) {
      return true;
    }
    // Whoever was first is seen by a further statement.
    if (!JdbcStore.rows(transaction, tag).isEmpty()) {
      return false;
    }
    String server = fencing(transaction, tag).stream().findFirst().orElse("unknown");
    throw notMade(Code.INCARNATION_CHANGED, tag, server);
  }

  private static SnowmintException notMade(Code code, String tag, String server) {
    return new SnowmintException(
        code,
        "tag "
            + tag
            + " is not there, and is not made: this server took the place of the one that made the"
            + " last tag, which not all standbys had to confirm, or who made that may not ask which"
            + " server it was; it may lack some: "
            + cure(server));
  }

  private static String cure(String server) {
    return "vouch for all that this server has, by `snowmint segment vouch URL --server "
        + server
        + "`, with --raise-by-steps N if ranges were lost and --new-from N if tags were; have all"
        + " standbys confirm, as synchronous_standby_names = '2 (a, b)' does, so that none is";
  }

  /** Has the present server go on with all that it has; gives the rows that this raised. */
  static List<TagRow> vouch(Transaction transaction, String server, Map<String, Object> values)
      throws SQLException {
    // The row that others want comes last: with many tags the first takes long.
    List<TagRow> raised =
        new ArrayList<>(transaction.query("vouch_tags", values, JdbcStore::tagRow));
    String present = transaction.query("vouch", values, row -> row.getString(1)).get(0);
    if (!present.equals(server)) {
      throw new SnowmintException(
          Code.INCARNATION_CHANGED,
          "this server is "
              + (present.isEmpty() ? "unknown" : present)
              + ", not "
              + server
              + ": nothing was done; find out what this one lacks, and vouch for it");
    }
    raised.sort(Comparator.comparing(TagRow::tag));
    return List.copyOf(raised);
  }
}
