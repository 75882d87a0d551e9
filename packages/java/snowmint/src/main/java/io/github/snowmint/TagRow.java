package io.github.snowmint;

/**
 * A row of the segment table.
 *
 * @param tag the tag
 * @param next the first number that is not reserved
 * @param step the size of a range unless a caller requests another
 * @param stride the distance between two numbers
 * @param updatedMs the time when a range was last taken or the row changed, by the store's clock,
 *     Unix milliseconds
 * @param max the largest number that may be given
 */
public record TagRow(
    String tag, long next, long step, long stride, long updatedMs, long max) {
  /**
   * Creates a row of a tag without a largest number of its own.
   *
   * @param tag the tag
   * @param next the first number that is not reserved
   * @param step the size of a range unless a caller requests another
   * @param stride the distance between two numbers
   * @param updatedMs the time when a range was last taken or the row changed, Unix milliseconds
   */
  public TagRow(String tag, long next, long step, long stride, long updatedMs) {
    this(tag, next, step, stride, updatedMs, Snowmint.MAX_NUMBER - 1);
  }
}
