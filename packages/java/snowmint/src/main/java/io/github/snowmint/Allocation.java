package io.github.snowmint;

/**
 * A range that a store reserved: the numbers {@code start}, {@code start + stride}, … below
 * {@code end}. No other caller gets them. The source that asked refuses an impossible range with
 * {@link Code#INVALID_RANGE}, {@link Code#RANGE_REGRESSED} or {@link Code#INVALID_ANSWER}.
 *
 * @param start the first number
 * @param end the first number past the range
 * @param stride the distance between two numbers
 * @param step the tag's step, which is the usual size of its ranges
 */
public record Allocation(long start, long end, long stride, long step) {
  /**
   * Creates an allocation of the numbers from {@code start} to before {@code end}.
   *
   * @param start the first number
   * @param end the first number past the range
   * @return the allocation, with stride 1 and the usual step of 1000
   */
  public static Allocation of(long start, long end) {
    return new Allocation(start, end, 1, TagOptions.USUAL.step());
  }

  /**
   * Returns the numbers.
   *
   * @return the range
   * @throws SnowmintException {@link Code#INVALID_RANGE} if the range is impossible
   */
  public Range range() {
    return new Range(start, end, stride);
  }
}
