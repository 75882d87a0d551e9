package io.github.snowmint;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;

/**
 * Reserved numbers: {@code start}, {@code start + stride}, … below {@code end}.
 *
 * @param start the first number
 * @param end the first number past the range
 * @param stride the distance between two numbers
 */
public record Range(long start, long end, long stride) {
  /**
   * Checks the range.
   *
   * @param start the first number
   * @param end the first number past the range
   * @param stride the distance between two numbers
   * @throws SnowmintException {@link Code#INVALID_RANGE} if the range has no number, or passes the
   *     limits
   */
  public Range {
    Arguments.checkRange(start, end, stride);
    Native.rangeCount(start, end, stride);
  }

  /**
   * Returns how many numbers the range has.
   *
   * @return at least 1
   */
  public long count() {
    return Native.rangeCount(start, end, stride);
  }

  /**
   * Returns the numbers, rising.
   *
   * @return at most {@link Snowmint#MAX_COUNT} numbers
   * @throws SnowmintException {@link Code#COUNT_OUT_OF_RANGE} if the range has more
   */
  public long[] numbers() {
    return Native.rangeNumbers(start, end, stride);
  }
}
