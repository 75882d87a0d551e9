package io.github.snowmint;

/**
 * The options of a new tag.
 *
 * @param start the first number
 * @param step the size of a range
 * @param stride the distance between two numbers
 * @param max the largest number that may be given, for example that of the numbers' column
 */
public record TagOptions(long start, long step, long stride, long max) {
  /**
   * The usual options: from 1 on, 1000 numbers in a range, none left out, up to the largest of all.
   */
  public static final TagOptions USUAL = new TagOptions(1, 1_000, 1);

  /**
   * Creates options without a largest number of their own.
   *
   * @param start the first number
   * @param step the size of a range
   * @param stride the distance between two numbers
   */
  public TagOptions(long start, long step, long stride) {
    this(start, step, stride, Snowmint.MAX_NUMBER - 1);
  }

  /**
   * Returns these options with another first number.
   *
   * @param start the first number
   * @return the options
   */
  public TagOptions withStart(long start) {
    return new TagOptions(start, step, stride, max);
  }

  /**
   * Returns these options with another step.
   *
   * @param step the size of a range
   * @return the options
   */
  public TagOptions withStep(long step) {
    return new TagOptions(start, step, stride, max);
  }

  /**
   * Returns these options with another stride.
   *
   * @param stride the distance between two numbers
   * @return the options
   */
  public TagOptions withStride(long stride) {
    return new TagOptions(start, step, stride, max);
  }

  /**
   * Returns these options with another largest number.
   *
   * @param max the number
   * @return the options
   */
  public TagOptions withMax(long max) {
    return new TagOptions(start, step, stride, max);
  }
}
