package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;

/** What an ID looks like from outside. */
public enum PublicIdForm {
  /**
   * The type, an underscore, the key's symbol, and 26 symbols of Crockford's base 32 in lower case.
   */
  TOKEN,
  /** The same with 22 symbols of base64 for URLs. */
  BASE64URL,
  /** A UUID of version 8, in lower case. */
  UUID,
  /** The decimal digits of a number of 64 bits. It is not checked: each number is some ID. */
  NUMBER64,
  /** Likewise of 63 bits, which is positive as a {@code long}. */
  NUMBER63,
  /** Likewise of 53 bits, which is exact as a number of JavaScript's. */
  NUMBER53;

  /**
   * The name that every language has: {@code token}, {@code base64url}, {@code uuid}, ….
   *
   * @return the name
   */
  public String label() {
    return Native.publicIdFormNames()[ordinal()];
  }

  /**
   * The form of a name.
   *
   * @param label such as {@code token}
   * @return the form; {@link Code#UNKNOWN_TEXT_FORM}, with all names, if there is none
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
