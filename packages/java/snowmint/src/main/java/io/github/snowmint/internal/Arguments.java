package io.github.snowmint.internal;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/** Arguments as the native side takes them. */
public final class Arguments {
  private Arguments() {}

  /** The value, which must not be null. */
  public static <T> T given(T value, String name) {
    if (value == null) {
      throw new SnowmintException(Code.INVALID_PARAMETER, name + " is null");
    }
    return value;
  }

  /** A text that names something, which must be one in UTF-8, too. */
  public static String text(String value, String name) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(given(value, name))) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER, name + " has half of a surrogate pair: it is no text in UTF-8");
    }
    return value;
  }

  /**
   * Milliseconds, rounded down; -1 for less than nothing, and the longest for a length out of
   * range.
   */
  public static long millis(Duration length, String name) {
    if (given(length, name).isNegative()) {
      return -1;
    }
    try {
      return length.toMillis();
    } catch (ArithmeticException tooLong) {
      return Long.MAX_VALUE;
    }
  }

  /** Unix milliseconds, rounded down. */
  public static long millis(Instant time, String name) {
    try {
      return given(time, name).toEpochMilli();
    } catch (ArithmeticException tooFar) {
      throw new SnowmintException(
          Code.INVALID_TIME, name + " " + time + " is not possible: it passes 64-bit milliseconds");
    }
  }

  /** The moment of Unix milliseconds. */
  public static Instant instant(long unixMs) {
    try {
      return Instant.ofEpochMilli(unixMs);
    } catch (DateTimeException outOfRange) {
      throw new SnowmintException(Code.INVALID_TIME, unixMs + " ms is no moment in Java");
    }
  }

  /** The number, or what stands for none. */
  public static long orAbsent(OptionalLong number, String name) {
    OptionalLong given = given(number, name);
    if (given.isEmpty()) {
      return Native.ABSENT;
    }
    // As unsigned numbers both are above every limit.
    return given.getAsLong() == Native.ABSENT ? -1 : given.getAsLong();
  }
}
