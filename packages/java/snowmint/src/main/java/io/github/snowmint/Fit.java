package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether the IDs of a layout fit a number of bits.
 *
 * @param always whether all of them do, to the layout's end
 * @param until before when they are minted that do, if not all and not none
 */
public record Fit(boolean always, Optional<Instant> until) {
  /**
   * Checks that nothing is null.
   *
   * @param always whether all of them do, to the layout's end
   * @param until before when they are minted that do, if not all and not none
   */
  public Fit {
    given(until, "until");
  }

  /**
   * Whether not even the first do.
   *
   * @return true if none fits
   */
  public boolean never() {
    return !always && until.isEmpty();
  }
}
