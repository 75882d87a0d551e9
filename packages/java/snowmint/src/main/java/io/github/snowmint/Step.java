package io.github.snowmint;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;

/**
 * The size of ranges, by Leaf's rule. A range that lasted less than 15 minutes doubles it, up to
 * {@code max}. A range that lasted 30 minutes or more halves it, down to {@code min}.
 *
 * @param min the smallest and first size
 * @param max the largest size
 */
public record Step(long min, long max) {
  /**
   * Checks the bounds.
   *
   * @param min the smallest and first size
   * @param max the largest size
   * @throws SnowmintException {@link Code#INVALID_STEP} for impossible bounds
   */
  public Step {
    Native.checkStep(new long[] {Arguments.step(min), Arguments.step(max)});
  }

  /**
   * Returns a constant step.
   *
   * @param step 1 to {@link Snowmint#MAX_STEP}
   * @return the step
   */
  public static Step fixed(long step) {
    return new Step(step, step);
  }
}
