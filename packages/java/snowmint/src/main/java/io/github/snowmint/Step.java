package io.github.snowmint;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;

/**
 * How many numbers a range has, by Leaf's rule: a range that lasted less than 15 minutes doubles it
 * up to {@code max}, less than 30 keeps it, longer halves it down to {@code min}.
 *
 * @param min the smallest, and the first
 * @param max the largest
 */
public record Step(long min, long max) {
  /**
   * Checks the bounds: {@link Code#INVALID_STEP} for what is not possible.
   *
   * @param min the smallest, and the first
   * @param max the largest
   */
  public Step {
    Native.checkStep(new long[] {Arguments.step(min), Arguments.step(max)});
  }

  /**
   * Always the same.
   *
   * @param step 1 to {@link Snowmint#MAX_STEP}
   * @return the step
   */
  public static Step fixed(long step) {
    return new Step(step, step);
  }
}
