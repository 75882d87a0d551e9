package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;

/**
 * The first sequence number of a fresh tick. A start above a layout's last sequence number counts
 * as that last number. With random starts most ticks then have one ID.
 *
 * @param kind the kind of start
 * @param number the largest start for {@link Kind#VIBRATE}, or one above it for {@link Kind#RANDOM}
 * @param seed a seed that makes the random starts of one generator differ from another's
 */
public record SequenceStart(Kind kind, long number, long seed) {
  /** The kinds of starts. */
  public enum Kind {
    /** At 0. With one ID a tick, all IDs are even. */
    ZERO,
    /** One above the last sequence number, modulo {@code number + 1}: ShardingSphere's rule. */
    VIBRATE,
    /** Pseudo-random below the number, different for each tick. Leaf uses 100. */
    RANDOM,
    /** One above the last sequence number, and 0 from half of the sequence on: CosId's rule. */
    ROTATE
  }

  /** The start at 0. */
  public static final SequenceStart ZERO = new SequenceStart(Kind.ZERO, 0, 0);

  /** The start one above the last sequence number, and 0 from half of the sequence on. */
  public static final SequenceStart ROTATE = new SequenceStart(Kind.ROTATE, 0, 0);

  private static final long MAX = 0xFFFF_FFFFL;

  /**
   * Checks the number.
   *
   * @param kind the kind of start
   * @param number the largest start for {@link Kind#VIBRATE}, or one above it for
   *     {@link Kind#RANDOM}
   * @param seed a seed that makes the random starts of one generator differ from another's
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for a number that no layout takes
   */
  public SequenceStart {
    switch (given(kind, "kind")) {
      case VIBRATE -> check(number, "maxOffset", 0);
      case RANDOM -> check(number, "below", 1);
      case ZERO, ROTATE -> {}
    }
  }

  private static void check(long number, String name, long least) {
    if (number < least || number > MAX) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          name + " " + number + " is not possible: use " + least + " to " + MAX);
    }
  }

  /**
   * Returns the start one above the last sequence number, modulo {@code maxOffset + 1}.
   *
   * @param maxOffset the largest start, 0 to 2^32 - 1
   * @return the start
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for another offset
   */
  public static SequenceStart vibrate(long maxOffset) {
    return new SequenceStart(Kind.VIBRATE, maxOffset, 0);
  }

  /**
   * Returns a pseudo-random start below a bound.
   *
   * @param below one above the largest start, 1 to 2^32 - 1
   * @param seed a seed that makes one generator's starts differ from another's
   * @return the start
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for another bound
   */
  public static SequenceStart random(long below, long seed) {
    return new SequenceStart(Kind.RANDOM, below, seed);
  }

  /**
   * Returns the start written {@code zero}, {@code vibrate:MAX}, {@code random:BELOW} or
   * {@code rotate}. The operating system seeds a random start.
   *
   * @param text the text
   * @return the start
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for another text
   */
  public static SequenceStart of(String text) {
    return of(Native.startNumbers(given(text, "start")));
  }

  /**
   * Returns the three numbers.
   *
   * @return kind, number and seed
   */
  long[] numbers() {
    return new long[] {kind.ordinal(), number, seed};
  }

  static SequenceStart of(long[] numbers) {
    return new SequenceStart(Kind.values()[(int) numbers[0]], numbers[1], numbers[2]);
  }
}
