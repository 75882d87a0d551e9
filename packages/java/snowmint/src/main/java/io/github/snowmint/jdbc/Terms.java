package io.github.snowmint.jdbc;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What an operator says of a database of PostgreSQL: which schema has the tables, where one is named,
 * and whether each standby that may be promoted confirms each commit.
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

  /** The schema, as SQL has it. */
  String schema() {
    return quoted(name());
  }

  private String name() {
    return named == null ? SCHEMA : named;
  }

  /** Its name, as the files have it. */
  Map<String, Object> values() {
    return Map.of("schema", name());
  }

  /** What the files that begin a transaction ask for, which waits so long for locks. */
  Map<String, Object> beginning(int lockMs) {
    Map<String, Object> values = new HashMap<>();
    values.put("lock_ms", Integer.toString(lockMs));
    values.put("lock_s", (long) Math.max(1, lockMs / 1000));
    values.put("search_path", schema() + ", pg_temp"); // Temporary tables hide none.
    values.put("is_synchronous", isSynchronous ? 1L : 0L);
    return values;
  }

  /** A name as SQL has it. */
  static String quoted(String name) {
    return name.equals(SCHEMA) || name.equals("public")
        ? name
        : '"' + name.replace("\"", "\"\"") + '"';
  }
}
