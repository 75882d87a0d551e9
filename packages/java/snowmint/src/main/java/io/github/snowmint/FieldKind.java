package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;
import java.util.Set;

/** What a field of a layout holds. */
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
   * The name in layouts and URLs.
   *
   * @return the name that every language has
   */
  public String label() {
    return Native.fieldName(ordinal());
  }

  static int[] ordinals(Set<FieldKind> kinds) {
    return kinds.stream().mapToInt(kind -> given(kind, "a field").ordinal()).toArray();
  }
}
