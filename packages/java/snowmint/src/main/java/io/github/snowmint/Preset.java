package io.github.snowmint;

import io.github.snowmint.internal.Native;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A named layout, and the way its system uses it.
 *
 * @param name the name in URLs
 * @param note one line on its origin and its peculiarities
 * @param layout the layout
 * @param policy the system's reaction when the clock goes back or a tick is full
 * @param start the system's first sequence number of a fresh tick
 */
public record Preset(
    String name, String note, Layout layout, ClockPolicy policy, SequenceStart start) {
  private static final int NUMBERS = 8;

  /**
   * Returns every preset.
   *
   * @return the presets, in the order in which guesses prefer them
   */
  public static List<Preset> all() {
    return All.PRESETS;
  }

  /**
   * Returns the preset of a name.
   *
   * @param name a name such as {@code twitter}
   * @return the preset
   * @throws SnowmintException {@link Code#UNKNOWN_LAYOUT} if there is none
   */
  public static Preset named(String name) {
    for (Preset preset : All.PRESETS) {
      if (preset.name.equals(name)) {
        return preset;
      }
    }
    Layout.of(name); // Fails with the names that exist.
    throw new SnowmintException(Code.UNKNOWN_LAYOUT, "no layout is called " + name);
  }

  /** Returns the text of fields. Fails if it is the name of a preset. */
  static String unlessNamed(String text) {
    for (Preset preset : All.PRESETS) {
      if (preset.name.equals(text)) {
        String message = text + " is a preset's name: use Layout.of(\"" + text + "\") alone";
        throw new SnowmintException(Code.INVALID_LAYOUT, message);
      }
    }
    return text;
  }

  private static final class All {
    static final List<Preset> PRESETS = read();

    private static List<Preset> read() {
      Object[] rows = Native.presets();
      String[] texts = (String[]) rows[0];
      long[] numbers = (long[]) rows[1];
      List<Preset> presets = new ArrayList<>(texts.length / 2);
      for (int n = 0; n < texts.length / 2; n++) {
        int at = NUMBERS * n;
        presets.add(
            new Preset(
                texts[2 * n],
                texts[2 * n + 1],
                Layout.at(numbers[at]),
                ClockPolicy.of(Arrays.copyOfRange(numbers, at + 1, at + 5)),
                SequenceStart.of(Arrays.copyOfRange(numbers, at + 5, at + 8))));
      }
      return List.copyOf(presets);
    }
  }
}
