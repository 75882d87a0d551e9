package io.github.snowmint;

/**
 * A range that a store reserved: the numbers {@code start}, {@code start + stride}, … below
 * {@code end}, the caller's alone. What is not possible is refused by the source that asked, with
 * {@link Code#INVALID_RANGE}, {@link Code#RANGE_REGRESSED} or {@link Code#INVALID_ANSWER}.
 *
 * @param start the first number
 * @param end the first number past the range
 * @param stride the distance of two numbers
 * @param step how many numbers a range of this tag has as a rule
 */
public record Allocation(long start, long end, long stride, long step) {
  /**
   * The numbers from {@code start} to before {@code end}.
   *
   * @param start the first number
   * @param end the first number past the range
   * @return the range, with stride 1 and the usual step of 1000
   */
  public static Allocation of(long start, long end) {
    return new Allocation(start, end, 1, TagOptions.USUAL.step());
  }

  /**
   * The numbers.
   *
   * @return the range, checked
   */
  public Range range() {
    return new Range(start, end, stride);
  }
}
