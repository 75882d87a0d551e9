package io.github.snowmint.internal;

import io.github.snowmint.Code;
import io.github.snowmint.Snowmint;
import io.github.snowmint.SnowmintException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** Functions that check arguments and convert them for the native side. */
public final class Arguments {
  private Arguments() {}

  /** Returns the value. Fails if it is null. */
  public static <T> T given(T value, String name) {
    if (value == null) {
      throw new SnowmintException(Code.INVALID_PARAMETER, name + " is null");
    }
    return value;
  }

  /** Returns a text that names something. Fails if it cannot be encoded in UTF-8. */
  public static String text(String value, String name) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(given(value, name))) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER, name + " has half of a surrogate pair: it is no text in UTF-8");
    }
    return value;
  }

  /** Returns milliseconds, rounded down, or the largest {@code long} for a longer time. */
  public static long millis(Duration length, String name) {
    return millis(length, 0, name);
  }

  /** Returns milliseconds, rounded up, so that a short time does not become 0. */
  public static long millisUp(Duration length, String name) {
    return millis(length, 999_999, name);
  }

  private static long millis(Duration length, long plusNanos, String name) {
    if (given(length, name).isNegative()) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER, name + " " + length + " is not possible: use 0 or more");
    }
    try {
      return length.plusNanos(plusNanos).toMillis();
    } catch (ArithmeticException tooLong) {
      return Long.MAX_VALUE;
    }
  }

  /** Returns Unix milliseconds, rounded down. */
  public static long millis(Instant time, String name) {
    try {
      return given(time, name).toEpochMilli();
    } catch (ArithmeticException tooFar) {
      throw new SnowmintException(
          Code.INVALID_TIME, name + " " + time + " is not possible: it passes 64-bit milliseconds");
    }
  }

  /** Returns the milliseconds of a layout's duration. Fails unless they are whole. */
  public static long wholeMillis(Duration length, String name) {
    return wholeMillis(length, name, Code.INVALID_LAYOUT);
  }

  /** Returns the milliseconds of a duration. Fails with the code unless they are whole. */
  public static long wholeMillis(Duration length, String name, Code code) {
    checkWhole(length, given(length, name).getNano(), name, code);
    return millis(length, name);
  }

  /** Returns the Unix milliseconds of a layout's time. Fails unless they are whole. */
  public static long wholeMillis(Instant time, String name) {
    long millis = millis(time, name);
    checkWhole(time, time.getNano(), name, Code.INVALID_LAYOUT);
    return millis;
  }

  private static void checkWhole(Object given, int nanos, String name, Code code) {
    if (nanos % 1_000_000 != 0) {
      throw new SnowmintException(
          code, name + " " + given + " is not possible: use whole milliseconds");
    }
  }

  /** Returns the moment of Unix milliseconds. */
  public static Instant instant(long unixMs) {
    try {
      return Instant.ofEpochMilli(unixMs);
    } catch (DateTimeException outOfRange) {
      throw new SnowmintException(Code.INVALID_TIME, unixMs + " ms is no moment in Java");
    }
  }

  /**
   * Returns a number that the native side takes as unsigned. Fails if it is negative, because the
   * native side would name another number in its refusal.
   */
  public static long unsigned(long number, String name, Code code, long least, long most) {
    if (number < 0) {
      throw new SnowmintException(
          code, name + " " + number + " is not possible: use " + least + " to " + most);
    }
    return number;
  }

  /** Returns a step. Fails if it is negative. */
  public static long step(long step) {
    return unsigned(step, "a step of", Code.INVALID_STEP, 1, Snowmint.MAX_STEP);
  }

  /** Returns the first number that is not reserved. Fails if it is negative. */
  public static long next(long next) {
    return unsigned(next, "next", Code.INVALID_RANGE, 0, Snowmint.MAX_NUMBER);
  }

  /** Returns the largest number of a tag. Fails if it is negative. */
  public static long max(long max) {
    return unsigned(max, "max", Code.INVALID_RANGE, 0, Snowmint.MAX_NUMBER - 1);
  }

  /** Fails if a number of a range is negative. */
  public static void checkRange(long start, long end, long stride) {
    if (start < 0 || end < 0 || stride < 0) {
      throw new SnowmintException(
          Code.INVALID_RANGE,
          "[" + start + ", " + end + ") with stride " + stride + " is no range: it needs"
              + " 0 <= start < end <= " + Snowmint.MAX_NUMBER
              + " and a stride of 1 to " + Snowmint.MAX_STEP);
    }
  }

  /** Returns the checked number, or {@link Native#ABSENT} if there is none. */
  public static long orAbsent(OptionalLong number, String name, LongUnaryOperator check) {
    OptionalLong given = given(number, name);
    return given.isEmpty() ? Native.ABSENT : check.applyAsLong(given.getAsLong());
  }
}
