package io.github.snowmint;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A preset that an ID may come from, and what the ID says there. It is a guess: many layouts share
 * their bits.
 *
 * @param preset the preset
 * @param parts the ID's parts in its layout
 */
public record Guess(Preset preset, Parts parts) {
  /**
   * The presets that an ID may come from, now.
   *
   * @param id the ID
   * @return guesses, the likeliest first
   */
  public static List<Guess> of(long id) {
    return of(id, Instant.now());
  }

  /**
   * The presets that an ID may come from at a time: those whose constant bits agree and whose time
   * is not more than a day ahead, not before their system had such IDs, and not in the layout's
   * first month, where every small number is.
   *
   * @param id the ID
   * @param now the time
   * @return guesses, the likeliest first
   */
  public static List<Guess> of(long id, Instant now) {
    long[] rows = Native.guess(id, Arguments.millis(now, "now"));
    List<Guess> guesses = new ArrayList<>(rows.length / 5);
    for (int at = 0; at < rows.length; at += 5) {
      Parts parts =
          new Parts(
              Arguments.instant(rows[at + 1]), rows[at + 2], rows[at + 3], (int) rows[at + 4]);
      guesses.add(new Guess(Preset.all().get((int) rows[at]), parts));
    }
    return List.copyOf(guesses);
  }
}
