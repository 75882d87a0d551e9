package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;

/**
 * The rule for fetching the next range.
 *
 * @param kind the kind of the rule
 * @param number percent for {@link Kind#DOUBLE_BUCKET}, the distance for {@link Kind#CHAIN}
 */
public record Prefetch(Kind kind, long number) {
  /** The kinds of rules. */
  public enum Kind {
    /** One range beside the current, fetched once a percentage of the current is used. */
    DOUBLE_BUCKET,
    /**
     * Several ranges behind the current. The distance doubles when the chain runs dry within 5 s of
     * a supply. Otherwise it halves, down to the given distance.
     */
    CHAIN
  }

  /**
   * Checks the number.
   *
   * @param kind the kind of the rule
   * @param number percent for {@link Kind#DOUBLE_BUCKET}, the distance for {@link Kind#CHAIN}
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for an impossible number
   */
  public Prefetch {
    given(kind, "kind");
    // The native side would replace another distance by the nearest possible.
    if (kind == Kind.CHAIN && (number < 1 || number > Snowmint.MAX_DISTANCE)) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          "distance=" + number + " is not possible: use 1 to " + Snowmint.MAX_DISTANCE);
    }
    Native.checkPrefetch(new long[] {kind.ordinal(), number});
  }

  /**
   * Returns a rule that fetches one range, once a percentage of the current is used.
   *
   * @param usedPercent 0 to 100
   * @return the rule
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} above 100
   */
  public static Prefetch doubleBucket(int usedPercent) {
    return new Prefetch(Kind.DOUBLE_BUCKET, usedPercent);
  }

  /**
   * Returns a rule that keeps several ranges behind the current.
   *
   * @param distance the number of ranges, 1 to {@link Snowmint#MAX_DISTANCE}
   * @return the rule
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for another distance
   */
  public static Prefetch chain(int distance) {
    return new Prefetch(Kind.CHAIN, distance);
  }

  long[] numbers() {
    return new long[] {kind.ordinal(), number};
  }
}
