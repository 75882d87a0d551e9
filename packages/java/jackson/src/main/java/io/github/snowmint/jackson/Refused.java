package io.github.snowmint.jackson;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;

/** The errors of JSON values that cannot be public IDs, whatever their text. */
final class Refused {
  private static final String RIGHT = "a public ID is a string, as it was written";

  private Refused() {}

  /** Returns the error of a number or another JSON value that is not a string. */
  static SnowmintException noText(String begin) {
    return new SnowmintException(
        Code.INVALID_PARAMETER, "no string, but " + begin + ": " + RIGHT);
  }

  /** Returns the error of a primitive without a value. */
  static SnowmintException missing() {
    return new SnowmintException(
        Code.INVALID_PARAMETER,
        "null, or nothing: " + RIGHT + "; where there may be none, make it a Long");
  }
}
