package io.github.snowmint;

/**
 * What a new tag begins with.
 *
 * @param start the first number
 * @param step how many numbers a range has
 * @param stride the distance of two numbers
 */
public record TagOptions(long start, long step, long stride) {
  /** From 1 on, 1000 numbers a range, none left out. */
  public static final TagOptions USUAL = new TagOptions(1, 1_000, 1);

  /**
   * The same with another first number.
   *
   * @param start the first number
   * @return the options
   */
  public TagOptions withStart(long start) {
    return new TagOptions(start, step, stride);
  }

  /**
   * The same with another step.
   *
   * @param step how many numbers a range has
   * @return the options
   */
  public TagOptions withStep(long step) {
    return new TagOptions(start, step, stride);
  }

  /**
   * The same with another stride.
   *
   * @param stride the distance of two numbers
   * @return the options
   */
  public TagOptions withStride(long stride) {
    return new TagOptions(start, step, stride);
  }
}
