package io.github.snowmint;

/**
 * A row of the segment table.
 *
 * @param tag the tag
 * @param next the first number not yet reserved by anybody
 * @param step how many numbers a range has unless more are asked for
 * @param stride the distance of two numbers
 * @param updatedMs when a range was last taken or the row changed, by the store's clock, Unix
 *     milliseconds
 * @param max the largest number that may be given
 */
public record TagRow(
    String tag, long next, long step, long stride, long updatedMs, long max) {
  /**
   * A row of a tag without an end of its own.
   *
   * @param tag the tag
   * @param next the first number not yet reserved by anybody
   * @param step how many numbers a range has unless more are asked for
   * @param stride the distance of two numbers
   * @param updatedMs when a range was last taken or the row changed, Unix milliseconds
   */
  public TagRow(String tag, long next, long step, long stride, long updatedMs) {
    this(tag, next, step, stride, updatedMs, Snowmint.MAX_NUMBER - 1);
  }
}
