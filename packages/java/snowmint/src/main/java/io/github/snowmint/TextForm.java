package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The text form of an ID. Each number has one spelling, and every form covers all 64 bits. */
public enum TextForm {
  /** Decimal without leading zeros, 1 to 20 digits. */
  DECIMAL,
  /** Lower-case hexadecimal, always 16 digits, sortable. */
  HEX,
  /** Crockford's base 32 in upper case, always 13 symbols, sortable. */
  BASE32,
  /** Like {@link #BASE32} with Crockford's check symbol, always 14 symbols, sortable. */
  BASE32_CHECK,
  /** z-base-32's alphabet over the number, as bwmarrin's {@code snowflake} writes it. */
  Z_BASE32,
  /** Digits and lower-case letters, 1 to 13 symbols. */
  BASE36,
  /** The number in Bitcoin's alphabet, 1 to 11 symbols. */
  BASE58,
  /** The number in Flickr's alphabet, 1 to 11 symbols. */
  BASE58_FLICKR,
  /** Digits, upper-case, then lower-case letters, always 11 symbols, sortable. */
  BASE62;

  /**
   * Returns the name that every language has: {@code dec}, {@code hex}, {@code base32}, ….
   *
   * @return the name
   */
  public String label() {
    return ((String[]) Native.textForms()[0])[2 * ordinal()];
  }

  /**
   * Returns the symbols of the digits, beginning with 0.
   *
   * @return the alphabet
   */
  public String alphabet() {
    return ((String[]) Native.textForms()[0])[2 * ordinal() + 1];
  }

  /**
   * Returns the number of symbols, if all texts of the form have the same. Such texts sort as their
   * IDs.
   *
   * @return the width, or nothing
   */
  public OptionalInt width() {
    int width = (int) ((long[]) Native.textForms()[1])[ordinal()];
    return width == 0 ? OptionalInt.empty() : OptionalInt.of(width);
  }

  /**
   * Writes an ID.
   *
   * @param id any 64 bits
   * @return its one spelling in this form
   */
  public String format(long id) {
    return Native.textFormat(ordinal(), id);
  }

  /**
   * Reads an ID, as {@link #format} writes it or in another unambiguous spelling: padded with
   * zeros, or in the other case if the form has only one.
   *
   * @param text the text
   * @return the ID
   * @throws SnowmintException {@link Code#INVALID_TEXT}, {@link Code#TEXT_LENGTH},
   *     {@link Code#TEXT_OVERFLOW} or {@link Code#TEXT_CHECK} for another text
   */
  public long parse(String text) {
    return Native.textParse(ordinal(), given(text, "text"));
  }

  /**
   * Returns the form of a name.
   *
   * @param label a name such as {@code base32}
   * @return the form
   * @throws SnowmintException {@link Code#UNKNOWN_TEXT_FORM}, with all names, if there is none
   */
  public static TextForm named(String label) {
    for (TextForm form : values()) {
      if (form.label().equals(given(label, "label"))) {
        return form;
      }
    }
    String known = Stream.of(values()).map(TextForm::label).collect(Collectors.joining(", "));
    throw new SnowmintException(
        Code.UNKNOWN_TEXT_FORM, "no text form is called \"" + label + "\"; there are " + known);
  }

  /**
   * Returns the form that a bare text most likely has. It never guesses z-base-32, base 36 or base
   * 58, nor base 62 if base 58 writes the same text.
   *
   * @param text the text
   * @return the form, if it can be detected
   */
  public static Optional<TextForm> detect(String text) {
    int form = Native.textDetect(given(text, "text"));
    return form < 0 ? Optional.empty() : Optional.of(values()[form]);
  }

  /**
   * Reads an ID in the form that {@link #detect} returns.
   *
   * @param text the text
   * @return the ID
   * @throws SnowmintException {@link Code#UNKNOWN_TEXT_FORM} if no form is detected
   */
  public static long parseAny(String text) {
    return Native.textParse(-1, given(text, "text"));
  }
}
