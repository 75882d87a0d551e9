package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;

/** The public form of an ID. */
public enum PublicIdForm {
  /**
   * The type, an underscore, the key's symbol, and 26 symbols of Crockford's base 32 in lower case.
   */
  TOKEN,
  /** Like {@link #TOKEN}, with 22 symbols of base64 for URLs. */
  BASE64URL,
  /** A UUID of version 8, in lower case. */
  UUID,
  /** The decimal digits of a 64-bit number. It is not checked, because each number is some ID. */
  NUMBER64,
  /** Like {@link #NUMBER64} with 63 bits, which is positive as a {@code long}. */
  NUMBER63,
  /** Like {@link #NUMBER64} with 53 bits, which is exact as a number in JavaScript. */
  NUMBER53;

  /**
   * Returns the name that every language has: {@code token}, {@code base64url}, {@code uuid}, ….
   *
   * @return the name
   */
  public String label() {
    return Native.publicIdFormNames()[ordinal()];
  }

  /**
   * Returns the form of a name.
   *
   * @param label a name such as {@code token}
   * @return the form
   * @throws SnowmintException {@link Code#UNKNOWN_TEXT_FORM}, with all names, if there is none
   */
  public static PublicIdForm named(String label) {
    String[] names = Native.publicIdFormNames();
    for (PublicIdForm form : values()) {
      if (names[form.ordinal()].equals(given(label, "label"))) {
        return form;
      }
    }
    throw new SnowmintException(
        Code.UNKNOWN_TEXT_FORM,
        "no public form is called \"" + label + "\"; there are " + String.join(", ", names));
  }
}
