package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * An operator's statements about a database of PostgreSQL: the schema of the tables, if it is
 * named, and whether each standby that may be promoted confirms each commit.
 */
record Terms(String named, boolean isSynchronous) {
  static final Terms USUAL = new Terms(null, false);

  private static final String SCHEMA = "snowmint";
  private static final int LENGTH_MAX = 63;

  Terms {
    int length = named == null ? 1 : named.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > LENGTH_MAX || named != null && named.indexOf(0) >= 0) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          "a schema named \"" + named + "\": use 1 to " + LENGTH_MAX + " bytes, none of them 0");
    }
  }

  /** Returns the schema's name, quoted for SQL. */
  String schema() {
    return quoted(name());
  }

  private String name() {
    return named == null ? SCHEMA : named;
  }

  /** Returns the schema's name as a parameter of the files. */
  Map<String, Object> values() {
    return Map.of("schema", name());
  }

  /** Returns the parameters of the files that begin a transaction, with the bound for locks. */
  Map<String, Object> beginning(int lockMs) {
    Map<String, Object> values = new HashMap<>();
    values.put("lock_ms", Integer.toString(lockMs));
    values.put("lock_s", (long) Math.max(1, lockMs / 1000));
    values.put("search_path", schema() + ", pg_temp"); // Temporary tables come last.
    values.put("is_synchronous", isSynchronous ? 1L : 0L);
    return values;
  }

  /** Returns a name, quoted for SQL. */
  static String quoted(String name) {
    return name.equals(SCHEMA) || name.equals("public")
        ? name
        : '"' + name.replace("\"", "\"\"") + '"';
  }
}
