package io.github.snowmint;

/**
 * What a new tag begins with.
 *
 * @param start the first number
 * @param step how many numbers a range has
 * @param stride the distance of two numbers
 * @param max the largest number that may be given, as of the column that they are for
 */
public record TagOptions(long start, long step, long stride, long max) {
  /** From 1 on, 1000 numbers a range, none left out, up to the largest of all. */
  public static final TagOptions USUAL = new TagOptions(1, 1_000, 1);

  /**
   * Options without an end of their own.
   *
   * @param start the first number
   * @param step how many numbers a range has
   * @param stride the distance of two numbers
   */
  public TagOptions(long start, long step, long stride) {
    this(start, step, stride, Snowmint.MAX_NUMBER - 1);
  }

  /**
   * The same with another first number.
   *
   * @param start the first number
   * @return the options
   */
  public TagOptions withStart(long start) {
    return new TagOptions(start, step, stride, max);
  }

  /**
   * The same with another step.
   *
   * @param step how many numbers a range has
   * @return the options
   */
  public TagOptions withStep(long step) {
    return new TagOptions(start, step, stride, max);
  }

  /**
   * The same with another stride.
   *
   * @param stride the distance of two numbers
   * @return the options
   */
  public TagOptions withStride(long stride) {
    return new TagOptions(start, step, stride, max);
  }

  /**
   * The same with another largest number.
   *
   * @param max the number
   * @return the options
   */
  public TagOptions withMax(long max) {
    return new TagOptions(start, step, stride, max);
  }
}
