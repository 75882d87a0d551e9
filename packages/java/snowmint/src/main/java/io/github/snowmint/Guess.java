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
 * @param named whether what stood beside the ID names the system
 */
public record Guess(Preset preset, Parts parts, boolean named) {
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
    return beside(id, now, "");
  }

  /**
   * The presets that an ID may come from, now, beside which a text stood: the key of its value
   * ({@code guild_id}), its link ({@code https://discord.com/…}), a column's name. The systems that
   * it names come first, if they are plausible.
   *
   * @param id the ID
   * @param beside what stood beside it
   * @return guesses, the likeliest first
   */
  public static List<Guess> beside(long id, String beside) {
    return beside(id, Instant.now(), beside);
  }

  /**
   * The same at a time.
   *
   * @param id the ID
   * @param now the time
   * @param beside what stood beside it
   * @return guesses, the likeliest first
   */
  public static List<Guess> beside(long id, Instant now, String beside) {
    long[] rows = Native.guess(id, Arguments.millis(now, "now"), Arguments.text(beside, "beside"));
    List<Guess> guesses = new ArrayList<>(rows.length / 6);
    for (int at = 0; at < rows.length; at += 6) {
      Parts parts =
          new Parts(
              Arguments.instant(rows[at + 1]), rows[at + 2], rows[at + 3], (int) rows[at + 4]);
      guesses.add(new Guess(Preset.all().get((int) rows[at]), parts, rows[at + 5] != 0));
    }
    return List.copyOf(guesses);
  }
}
