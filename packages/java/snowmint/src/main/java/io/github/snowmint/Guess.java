package io.github.snowmint;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A preset that an ID may come from, with the ID's parts in its layout. It is a guess, because many
 * layouts share their bits.
 *
 * @param preset the preset
 * @param parts the ID's parts in its layout
 * @param named true if the text beside the ID names the system
 * @param doubt the reason why the guess is not likely, or empty if it is; all likely guesses of an
 *     ID have the same time
 */
public record Guess(Preset preset, Parts parts, boolean named, Optional<Doubt> doubt) {
  private static final int NUMBERS = 7;

  /**
   * Returns the presets that an ID may come from, judged by the present time.
   *
   * @param id the ID
   * @return guesses, likely ones first
   */
  public static List<Guess> of(long id) {
    return of(id, Instant.now());
  }

  /**
   * Returns the presets that an ID may come from, judged by a given time. Likely guesses come first.
   * If the first one has a doubt, or there is none, no preset is likely.
   *
   * <p>The constant bits of all agree with the ID. The ID's time is at most a day ahead, and not
   * before their system had such IDs. It is not in the layout's first day, which holds every small
   * number.
   *
   * @param id the ID
   * @param now the time
   * @return guesses, likely ones first
   */
  public static List<Guess> of(long id, Instant now) {
    return beside(id, now, "");
  }

  /**
   * Returns the presets that an ID may come from, with a text that stood beside it: the key of its
   * value ({@code guild_id}), its link ({@code https://discord.com/…}) or a column's name. The
   * systems that the text names are likely, if they are plausible.
   *
   * @param id the ID
   * @param beside the text beside it
   * @return guesses, likely ones first
   */
  public static List<Guess> beside(long id, String beside) {
    return beside(id, Instant.now(), beside);
  }

  /**
   * Returns the same presets, judged by a given time.
   *
   * @param id the ID
   * @param now the time
   * @param beside the text beside it
   * @return guesses, likely ones first
   */
  public static List<Guess> beside(long id, Instant now, String beside) {
    long[] rows = Native.guess(id, Arguments.millis(now, "now"), Arguments.text(beside, "beside"));
    List<Guess> guesses = new ArrayList<>(rows.length / NUMBERS);
    for (int at = 0; at < rows.length; at += NUMBERS) {
      Parts parts =
          new Parts(
              Arguments.instant(rows[at + 1]), rows[at + 2], rows[at + 3], (int) rows[at + 4]);
      Preset preset = Preset.all().get((int) rows[at]);
      guesses.add(new Guess(preset, parts, rows[at + 5] != 0, doubt((int) rows[at + 6])));
    }
    return List.copyOf(guesses);
  }

  private static Optional<Doubt> doubt(int number) {
    return number == 0 ? Optional.empty() : Optional.of(Doubt.values()[number - 1]);
  }
}
