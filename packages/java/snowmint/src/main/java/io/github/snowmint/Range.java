package io.github.snowmint;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;

/**
 * Reserved numbers: {@code start}, {@code start + stride}, … below {@code end}. A range that has no
 * number, or passes the limits, cannot be made: {@link Code#INVALID_RANGE}.
 *
 * @param start the first number
 * @param end the first number past the range
 * @param stride the distance of two numbers
 */
public record Range(long start, long end, long stride) {
  /**
   * Checks the range.
   *
   * @param start the first number
   * @param end the first number past the range
   * @param stride the distance of two numbers
   */
  public Range {
    Arguments.checkRange(start, end, stride);
    Native.rangeCount(start, end, stride);
  }

  /**
   * How many numbers it has.
   *
   * @return at least 1
   */
  public long count() {
    return Native.rangeCount(start, end, stride);
  }

  /**
   * Its numbers, rising.
   *
   * @return at most {@link Snowmint#MAX_COUNT}; a range with more gives
   *     {@link Code#COUNT_OUT_OF_RANGE}
   */
  public long[] numbers() {
    return Native.rangeNumbers(start, end, stride);
  }
}
