package io.github.snowmint.jackson;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;

/** What is no ID before its text is looked at. */
final class Refused {
  private static final String RIGHT = "a public ID is a string, as it was written";

  private Refused() {}

  /** A number, or whatever else begins as this does. */
  static SnowmintException noText(String begin) {
    return new SnowmintException(
        Code.INVALID_PARAMETER, "no string, but " + begin + ": " + RIGHT);
  }

  /** Of a primitive. */
  static SnowmintException missing() {
    return new SnowmintException(
        Code.INVALID_PARAMETER,
        "null, or nothing: " + RIGHT + "; where there may be none, make it a Long");
  }
}
