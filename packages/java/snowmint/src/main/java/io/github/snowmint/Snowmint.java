package io.github.snowmint;

import io.github.snowmint.internal.Native;

/** The library itself: its version and its limits. */
public final class Snowmint {
  /** How many IDs one call returns at most. */
  public static final int MAX_COUNT = Math.toIntExact(Native.maxCount());

  /** The largest number of a segment. */
  public static final long MAX_NUMBER = Native.maxNumber();

  /** The largest step, and the largest stride. */
  public static final long MAX_STEP = Native.maxStep();

  /** The most ranges that a chain keeps ready. */
  public static final int MAX_DISTANCE = Math.toIntExact(Native.maxDistance());

  private Snowmint() {}

  /**
   * The version of the native library.
   *
   * @return three numbers with dots between
   */
  public static String version() {
    return Native.version();
  }
}
