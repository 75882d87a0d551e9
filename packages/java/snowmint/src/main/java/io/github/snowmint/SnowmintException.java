package io.github.snowmint;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The error of a call. Nothing was issued, and the source goes on working. Open the source again if
 * it is closed, its ranges went back ({@link Code#RANGE_REGRESSED}), its state file is gone
 * ({@link Code#STATE_MISSING}), or its worker ID belongs to another process ({@link Code#FORKED}).
 *
 * <p>The code is the same in every language. The message says on one line what was wrong and what
 * would be right. Control characters from users and databases are escaped. Your own store may throw
 * such an exception, and its code is kept.
 */
@SuppressWarnings("exports") // A reader without these annotations ignores them.
public final class SnowmintException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The code of the error. */
  private final Code code;

  /** The wait in milliseconds, or -1 if it is not known. */
  private final long waitMs;

  /**
   * Creates an error with a code and a message.
   *
   * @param code the code
   * @param message what was wrong, and what would be right
   */
  public SnowmintException(Code code, String message) {
    this(code, message, -1, null);
  }

  /**
   * Creates an error with a cause.
   *
   * @param code the code
   * @param message what was wrong, and what would be right
   * @param cause the cause
   */
  public SnowmintException(Code code, String message, @Nullable Throwable cause) {
    this(code, message, -1, cause);
  }

  /**
   * Creates a stall or any other error.
   *
   * @param code the code
   * @param message what was wrong, and what would be right
   * @param waitMs the time until the call can succeed, in milliseconds; below 0 if it is not known
   * @param cause the cause, or {@code null}
   */
  public SnowmintException(Code code, String message, long waitMs, @Nullable Throwable cause) {
    super(message == null ? null : escaped(message), cause);
    this.code = code == null ? Code.INTERNAL : code;
    this.waitMs = waitMs;
  }

  /**
   * Returns the code.
   *
   * @return a code of the table that all languages share
   */
  public Code code() {
    return code;
  }

  /**
   * Returns the time until the call can succeed if the clock goes on, in milliseconds. Only stalls
   * have one.
   *
   * @return milliseconds, or nothing
   */
  public OptionalLong waitMs() {
    return waitMs < 0 ? OptionalLong.empty() : OptionalLong.of(waitMs);
  }

  /**
   * Returns the class, the code's name and the message.
   *
   * @return one line
   */
  @Override
  public String toString() {
    return getClass().getName() + ": " + code.label() + ": " + getMessage();
  }

  /** Escapes foreign text into one line that cannot affect a terminal or a log. */
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
