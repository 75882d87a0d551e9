package io.github.snowmint;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong. Nothing was issued, and the source goes on working, unless it is closed, its
 * ranges went back ({@link Code#RANGE_REGRESSED}), its state file is gone ({@link
 * Code#STATE_MISSING}) or its worker ID belongs to another process ({@link Code#FORKED}): open it
 * anew then.
 *
 * <p>The code is the same in every language; the message says what was wrong and what would be
 * right, on one line: control characters that users and databases put into it are escaped. A store
 * of your own may throw one: its code is kept.
 */
@SuppressWarnings("exports") // Who has no such annotations reads none.
public final class SnowmintException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The code. */
  private final Code code;

  /** How long to wait, or -1. */
  private final long waitMs;

  /**
   * An error with a code and a message.
   *
   * @param code the code
   * @param message what was wrong, and what would be right
   */
  public SnowmintException(Code code, String message) {
    this(code, message, -1, null);
  }

  /**
   * An error with what caused it.
   *
   * @param code the code
   * @param message what was wrong, and what would be right
   * @param cause what caused it
   */
  public SnowmintException(Code code, String message, @Nullable Throwable cause) {
    this(code, message, -1, cause);
  }

  /**
   * A stall, or any other error.
   *
   * @param code the code
   * @param message what was wrong, and what would be right
   * @param waitMs how long until the call can succeed, in milliseconds; below 0 where that is not
   *     known
   * @param cause what caused it, or {@code null}
   */
  public SnowmintException(Code code, String message, long waitMs, @Nullable Throwable cause) {
    super(message == null ? null : escaped(message), cause);
    this.code = code == null ? Code.INTERNAL : code;
    this.waitMs = waitMs;
  }

  /**
   * The code.
   *
   * @return one of the table that all languages share
   */
  public Code code() {
    return code;
  }

  /**
   * How long until the call can succeed if the clock goes on, in milliseconds, where that is known:
   * of stalls.
   *
   * @return milliseconds, or nothing
   */
  public OptionalLong waitMs() {
    return waitMs < 0 ? OptionalLong.empty() : OptionalLong.of(waitMs);
  }

  /**
   * The class, the code's name and the message.
   *
   * @return one line
   */
  @Override
  public String toString() {
    return getClass().getName() + ": " + code.label() + ": " + getMessage();
  }

  /** Text of others as one line that does nothing to a terminal or a log. */
  private static String escaped(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            sign -> {
              switch (Character.getType(sign)) {
                case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    line.append("\\u{").append(Integer.toHexString(sign)).append('}');
                default -> line.appendCodePoint(sign);
              }
            });
    return line.toString();
  }
}
