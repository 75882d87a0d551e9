package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The kind of a layout's field. */
public enum FieldKind {
  /** Bits that are the same in every ID. */
  CONSTANT,
  /** Ticks since the epoch. */
  TIME,
  /** The upper part of a worker ID, where a layout splits it (Twitter). */
  DATACENTER,
  /** The worker ID, or its part beside a datacenter or process. */
  WORKER,
  /** The lower part of a worker ID (Discord). */
  PROCESS,
  /** The worker ID of a layout that numbers database shards (Instagram). */
  SHARD,
  /** Counts the IDs of one tick. */
  SEQUENCE,
  /** Counts the clock's rollbacks, cyclically. */
  ROLLBACK;

  /**
   * Returns the name in layouts and URLs.
   *
   * @return the name that every language has
   */
  public String label() {
    return Native.fieldName(ordinal());
  }

  /** Refuses parts of a worker ID that the layout does not have. */
  static void checkParts(Map<FieldKind, Long> parts, Set<FieldKind> there) {
    parts.forEach(
        (kind, value) -> {
          boolean isAbsent = !there.contains(given(kind, "a field"));
          if (given(value, "a part") != 0 && isAbsent) {
            String use =
                there.isEmpty()
                    ? "it has none, and every worker ID is 0"
                    : "use " + there.stream().map(Enum::name).collect(Collectors.joining(", "));
            throw new SnowmintException(
                Code.FIELD_OUT_OF_RANGE, kind + " is no worker field of this layout: " + use);
          }
        });
  }
}
