package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;

/**
 * Where the sequence of a fresh tick begins. A start above a layout's last sequence number means
 * that one: of random starts most ticks then have one ID.
 *
 * @param kind the way
 * @param number the largest start of {@link Kind#VIBRATE}, or one above it of {@link Kind#RANDOM}
 * @param seed makes the random starts of one generator differ from another's
 */
public record SequenceStart(Kind kind, long number, long seed) {
  /** The ways. */
  public enum Kind {
    /** At 0: one ID a tick gives even IDs for ever. */
    ZERO,
    /** One above the last sequence number, modulo the number and one: ShardingSphere. */
    VIBRATE,
    /** Pseudo-random below the number, different for each tick: Leaf takes 100. */
    RANDOM,
    /** One above the last sequence number, back to 0 from half the sequence on: CosId. */
    ROTATE
  }

  /** At 0. */
  public static final SequenceStart ZERO = new SequenceStart(Kind.ZERO, 0, 0);

  /** One above the last, back to 0 from half the sequence on. */
  public static final SequenceStart ROTATE = new SequenceStart(Kind.ROTATE, 0, 0);

  private static final long MAX = 0xFFFF_FFFFL;

  /**
   * Checks the number: {@link Code#INVALID_PARAMETER} for one that no layout takes.
   *
   * @param kind the way
   * @param number the largest start of {@link Kind#VIBRATE}, or one above it of {@link Kind#RANDOM}
   * @param seed makes the random starts of one generator differ from another's
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
   * One above the last sequence number, modulo {@code maxOffset + 1}.
   *
   * @param maxOffset the largest start, 0 to 2^32 - 1
   * @return the start; {@link Code#INVALID_PARAMETER} for another
   */
  public static SequenceStart vibrate(long maxOffset) {
    return new SequenceStart(Kind.VIBRATE, maxOffset, 0);
  }

  /**
   * Pseudo-random below a bound.
   *
   * @param below one above the largest start, 1 to 2^32 - 1
   * @param seed makes one generator's starts differ from another's
   * @return the start; {@link Code#INVALID_PARAMETER} for another bound
   */
  public static SequenceStart random(long below, long seed) {
    return new SequenceStart(Kind.RANDOM, below, seed);
  }

  /**
   * The start written {@code zero}, {@code vibrate:MAX}, {@code random:BELOW} or {@code rotate}. A
   * random one is seeded by the operating system.
   *
   * @param text the text
   * @return the start; {@link Code#INVALID_PARAMETER} for another text
   */
  public static SequenceStart of(String text) {
    return of(Native.startNumbers(given(text, "start")));
  }

  /**
   * The three numbers.
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
