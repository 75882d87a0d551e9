package io.github.snowmint;

import java.util.OptionalLong;

/**
 * A change to a tag. Absent values stay as they are.
 *
 * @param next the first number not reserved, which can only be raised
 * @param step the size of a range
 * @param max the largest number that may be given, which is not below the reserved numbers
 */
public record TagChange(OptionalLong next, OptionalLong step, OptionalLong max) {
  /** A change of nothing. */
  public static final TagChange NONE =
      new TagChange(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

  /**
   * Returns this change with another first number not reserved.
   *
   * @param next the number
   * @return the change
   */
  public TagChange withNext(long next) {
    return new TagChange(OptionalLong.of(next), step, max);
  }

  /**
   * Returns this change with another step.
   *
   * @param step the size of a range
   * @return the change
   */
  public TagChange withStep(long step) {
    return new TagChange(next, OptionalLong.of(step), max);
  }

  /**
   * Returns this change with another largest number.
   *
   * @param max the number
   * @return the change
   */
  public TagChange withMax(long max) {
    return new TagChange(next, step, OptionalLong.of(max));
  }
}
