package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How an ID is written as text, each number in one spelling. Every form covers all 64 bits. */
public enum TextForm {
  /** Decimal without leading zeros, 1 to 20 digits. */
  DECIMAL,
  /** Lower-case hexadecimal, always 16 digits, sortable. */
  HEX,
  /** Crockford's base 32 in upper case, always 13 symbols, sortable. */
  BASE32,
  /** The same with Crockford's check symbol, always 14 symbols, sortable. */
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
   * The name that every language has: {@code dec}, {@code hex}, {@code base32}, ….
   *
   * @return the name
   */
  public String label() {
    return ((String[]) Native.textForms()[0])[2 * ordinal()];
  }

  /**
   * The digits' symbols, that of 0 first.
   *
   * @return the alphabet
   */
  public String alphabet() {
    return ((String[]) Native.textForms()[0])[2 * ordinal() + 1];
  }

  /**
   * The number of symbols, where every text of the form has the same. Such texts sort as their IDs.
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
   * Reads an ID: what {@link #format} writes, and other spellings that can mean only one: padded
   * with zeros, and in the other case where the form has one.
   *
   * @param text the text
   * @return the ID; {@link Code#INVALID_TEXT}, {@link Code#TEXT_LENGTH},
   *     {@link Code#TEXT_OVERFLOW} or {@link Code#TEXT_CHECK} for another text
   */
  public long parse(String text) {
    return Native.textParse(ordinal(), given(text, "text"));
  }

  /**
   * The form of a name.
   *
   * @param label such as {@code base32}
   * @return the form; {@link Code#UNKNOWN_TEXT_FORM}, with all names, if there is none
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
   * The form that a bare text most likely has. A guess: z-base-32, base 36 and base 58 are never
   * guessed, nor base 62 where base 58 writes the same text.
   *
   * @param text the text
   * @return the form, if one can be told
   */
  public static Optional<TextForm> detect(String text) {
    int form = Native.textDetect(given(text, "text"));
    return form < 0 ? Optional.empty() : Optional.of(values()[form]);
  }

  /**
   * Reads an ID in the form that {@link #detect} tells.
   *
   * @param text the text
   * @return the ID; {@link Code#UNKNOWN_TEXT_FORM} if no form can be told
   */
  public static long parseAny(String text) {
    TextForm form =
        detect(text)
            .orElseThrow(
                () ->
                    new SnowmintException(
                        Code.UNKNOWN_TEXT_FORM,
                        "the text is in no form that can be told: name the form"));
    return form.parse(text);
  }
}
