package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;

/**
 * When the next range is fetched.
 *
 * @param kind the way
 * @param number percent of {@link Kind#DOUBLE_BUCKET}, the distance of {@link Kind#CHAIN}
 */
public record Prefetch(Kind kind, long number) {
  /** The ways. */
  public enum Kind {
    /** One range beside the current, fetched once so many percent of the current are used. */
    DOUBLE_BUCKET,
    /**
     * Several ranges behind the current. The distance doubles when the chain runs dry within 5 s of
     * a supply, and halves, down to the one given, when it does not.
     */
    CHAIN
  }

  /**
   * Checks the number: {@link Code#INVALID_PARAMETER} for one that is not possible.
   *
   * @param kind the way
   * @param number percent of {@link Kind#DOUBLE_BUCKET}, the distance of {@link Kind#CHAIN}
   */
  public Prefetch {
    given(kind, "kind");
    // The native side takes another distance for the nearest that is possible.
    if (kind == Kind.CHAIN && (number < 1 || number > Snowmint.MAX_DISTANCE)) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          "distance=" + number + " is not possible: use 1 to " + Snowmint.MAX_DISTANCE);
    }
    Native.checkPrefetch(new long[] {kind.ordinal(), number});
  }

  /**
   * One range beside the current, fetched once so many percent of the current are used.
   *
   * @param usedPercent 0 to 100
   * @return the prefetch; {@link Code#INVALID_PARAMETER} above 100
   */
  public static Prefetch doubleBucket(int usedPercent) {
    return new Prefetch(Kind.DOUBLE_BUCKET, usedPercent);
  }

  /**
   * Several ranges behind the current.
   *
   * @param distance how many, 1 to {@link Snowmint#MAX_DISTANCE}
   * @return the prefetch; {@link Code#INVALID_PARAMETER} for another distance
   */
  public static Prefetch chain(int distance) {
    return new Prefetch(Kind.CHAIN, distance);
  }

  long[] numbers() {
    return new long[] {kind.ordinal(), number};
  }
}
