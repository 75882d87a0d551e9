package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.LeaseRequest;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.TagRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The refusals of a server that took another's place, and an operator's confirmation that ends
 * them.
 */
final class Vouching {
  private Vouching() {}

  /**
   * Fails if the server took the place of the server that gave a tag's last range or created it.
   */
  static void checkServer(Transaction transaction, String tag) throws SQLException {
    List<String> fencing = fencing(transaction, tag);
    if (fencing.isEmpty()) {
      return;
    }
    if (JdbcStore.rows(transaction, tag).isEmpty()) {
      throw notMade(transaction.dialect, Code.UNKNOWN_TAG, tag, fencing.get(0));
    }
    throw new SnowmintException(
        Code.INCARNATION_CHANGED,
        "tag "
            + tag
            + ": another server, or other tables, gave the last range, and this one may lack some:"
            + " raise the tag above every number in use, or "
            + cure(transaction.dialect, fencing.get(0)));
  }

  /** Returns the server's identity if it may lack the tag or ranges of it. */
  private static List<String> fencing(Transaction transaction, String tag) throws SQLException {
    return transaction.query("fenced", JdbcStore.values("tag", tag), row -> row.getString(1));
  }

  /** Returns the refusal of a server that gives no worker ID until an operator confirms it. */
  static Optional<SnowmintException> unvouched(Transaction transaction, LeaseRequest request)
      throws SQLException {
    if (transaction.dialect != Dialect.POSTGRES) {
      return Optional.empty(); // The others cannot tell a copy from a server that took another's place.
    }
    return transaction.query("unvouched", Map.of(), row -> row.getString(1)).stream()
        .findFirst()
        .map(
            server ->
                new SnowmintException(
                    Code.INCARNATION_CHANGED,
                    "no worker ID of realm "
                        + request.realm()
                        + " is given: these tables are a copy, and the original ones may still give"
                        + " the same: "
                        + cure(transaction.dialect, server)));
  }

  /**
   * Creates a tag. Returns false if it existed. Fails if it may have existed on a server whose
   * place this one took.
   */
  static boolean create(Transaction transaction, String tag, Map<String, ?> values)
      throws SQLException {
    if (transaction.dialect == Dialect.MYSQL && !JdbcStore.rows(transaction, tag).isEmpty()) {
      return false; // Drivers log an insertion that fails as an error.
    }
    boolean isMade =
        transaction.dialect == Dialect.POSTGRES
            ? !transaction.query("create_tag", values, row -> row.getBoolean(1)).isEmpty()
            : transaction.update("create_tag", values) > 0;
    if (isMade || !transaction.dialect.tellsIncarnation()) {
      return isMade;
    }
    // A further statement sees a tag that another process created.
    if (!JdbcStore.rows(transaction, tag).isEmpty()) {
      return false;
    }
    String server = fencing(transaction, tag).stream().findFirst().orElse("unknown");
    throw notMade(transaction.dialect, Code.INCARNATION_CHANGED, tag, server);
  }

  private static SnowmintException notMade(
      Dialect dialect, Code code, String tag, String server) {
    return new SnowmintException(
        code,
        "tag "
            + tag
            + " is not there, and is not made: another server, or other tables, had the tags, and this"
            + " one may lack some: "
            + cure(dialect, server));
  }

  private static String cure(Dialect dialect, String server) {
    String cure =
        "vouch for all that this server has, by the store's vouch(\""
            + server
            + "\", raiseBySteps, newFrom): by how many steps where ranges were lost, and from where"
            + " on where tags were";
    if (dialect == Dialect.MYSQL) {
      return cure;
    }
    return cure
        + "; where each standby that may be promoted confirms each commit, as by"
        + " synchronous_standby_names = '2 (a, b)', take the store withSynchronousReplication()";
  }

  /** Confirms the present server. Returns the rows that this raised. */
  static List<TagRow> vouch(Transaction transaction, String server, Map<String, Object> values)
      throws SQLException {
    // The row that others want comes last, because raising many tags takes long.
    List<TagRow> raised = raise(transaction, values);
    String noted = note(transaction, values);
    if (!noted.equals(server)) {
      throw new SnowmintException(
          Code.INCARNATION_CHANGED,
          "this server is "
              + (noted.isEmpty() ? "unknown" : noted)
              + ", not "
              + server
              + ": nothing was done; find out what this one lacks, and vouch for it");
    }
    raised.sort(Comparator.comparing(TagRow::tag));
    return List.copyOf(raised);
  }

  private static List<TagRow> raise(Transaction transaction, Map<String, Object> values)
      throws SQLException {
    if (transaction.dialect.returnsRows()) {
      return new ArrayList<>(transaction.query("vouch_tags", values, JdbcStore::tagRow));
    }
    Set<String> tags =
        new HashSet<>(transaction.query("vouch_look", values, row -> row.getString(1)));
    transaction.update("vouch_tags", values);
    List<TagRow> raised = new ArrayList<>(JdbcStore.rows(transaction, null));
    raised.removeIf(row -> !tags.contains(row.tag()));
    return raised;
  }

  /** Notes the present server, from which on tags are created. Returns its identity. */
  private static String note(Transaction transaction, Map<String, Object> values)
      throws SQLException {
    if (transaction.dialect.returnsRows()) {
      return transaction.query("vouch", values, row -> row.getString(1)).get(0);
    }
    transaction.update("vouch", values);
    return transaction.query("vouched", Map.of(), row -> row.getString(1)).get(0);
  }
}
