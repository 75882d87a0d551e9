package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import java.time.Instant;
import java.util.Optional;

/**
 * The answer to whether the IDs of a layout fit a number of bits.
 *
 * @param always true if all IDs fit, up to the layout's end
 * @param until the time before which minted IDs fit, if some do and some do not
 */
public record Fit(boolean always, Optional<Instant> until) {
  /**
   * Checks that nothing is null.
   *
   * @param always true if all IDs fit, up to the layout's end
   * @param until the time before which minted IDs fit, if some do and some do not
   */
  public Fit {
    given(until, "until");
  }

  /**
   * Returns true if not even the first IDs fit.
   *
   * @return true if no ID fits
   */
  public boolean never() {
    return !always && until.isEmpty();
  }
}
