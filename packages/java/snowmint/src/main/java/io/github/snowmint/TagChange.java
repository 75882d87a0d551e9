package io.github.snowmint;

import java.util.OptionalLong;

/**
 * A change to a tag: of what is given.
 *
 * @param next the first number not reserved, which can only be raised
 * @param step how many numbers a range has
 * @param max the largest number that may be given, which is not below what is reserved
 */
public record TagChange(OptionalLong next, OptionalLong step, OptionalLong max) {
  /** Of nothing. */
  public static final TagChange NONE =
      new TagChange(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

  /**
   * The same with another first number not reserved.
   *
   * @param next the number
   * @return the change
   */
  public TagChange withNext(long next) {
    return new TagChange(OptionalLong.of(next), step, max);
  }

  /**
   * The same with another step.
   *
   * @param step how many numbers a range has
   * @return the change
   */
  public TagChange withStep(long step) {
    return new TagChange(next, OptionalLong.of(step), max);
  }

  /**
   * The same with another largest number.
   *
   * @param max the number
   * @return the change
   */
  public TagChange withMax(long max) {
    return new TagChange(next, step, OptionalLong.of(max));
  }
}
