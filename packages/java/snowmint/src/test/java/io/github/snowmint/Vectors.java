package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.function.Executable;

/** Reads {@code tests/vectors}. What a document lacks fails the test. */
final class Vectors {
  private Vectors() {}

  static JsonNode document(String name) {
    try {
      return new ObjectMapper().readTree(Path.of(System.getProperty("vectors"), name).toFile());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static JsonNode list(JsonNode value, String key) {
    JsonNode list = value.get(key);
    if (list == null || !list.isArray()) {
      throw new AssertionError("no list " + key + " in " + value);
    }
    return list;
  }

  static String text(JsonNode value, String key) {
    JsonNode text = value.get(key);
    if (text == null || !text.isTextual()) {
      throw new AssertionError("no text " + key + " in " + value);
    }
    return text.textValue();
  }

  /** A text, or null where there is none. */
  static String optional(JsonNode value, String key) {
    return value.hasNonNull(key) ? text(value, key) : null;
  }

  static long signed(JsonNode value, String key) {
    return Long.parseLong(text(value, key));
  }

  /** A decimal text of 64 bits without a sign. */
  static long wide(JsonNode value, String key) {
    return Long.parseUnsignedLong(text(value, key));
  }

  /** A plain JSON number. */
  static long narrow(JsonNode value, String key) {
    JsonNode number = value.get(key);
    if (number == null || !number.isIntegralNumber()) {
      throw new AssertionError("no number " + key + " in " + value);
    }
    return number.longValue();
  }

  static Layout build(JsonNode value) {
    Instant epoch = Instant.ofEpochMilli(signed(value, "epoch_ms"));
    Duration tick = Duration.ofMillis(narrow(value, "tick_ms"));
    return Layout.of(text(value, "fields"), epoch, tick);
  }

  /** A layout written as a preset's name or as its parts. */
  static Layout layout(JsonNode value) {
    String preset = optional(value, "preset");
    return preset == null ? build(value) : Preset.named(preset).layout();
  }

  static SnowmintException refused(Code code, Executable call) {
    SnowmintException error = assertThrows(SnowmintException.class, call);
    assertEquals(code, error.code(), error::getMessage);
    return error;
  }

  /** Calls, and expects the row's error, or else a result to check. */
  static void judge(JsonNode row, LongSupplier call, LongConsumer check) {
    String error = optional(row, "error");
    if (error == null) {
      check.accept(call.getAsLong());
    } else {
      refused(Code.valueOf(error.toUpperCase(Locale.ROOT)), call::getAsLong);
    }
  }

  /** Calls what has no result to look at. */
  static void judge(JsonNode row, Runnable call) {
    LongSupplier returning =
        () -> {
          call.run();
          return 0;
        };
    judge(row, returning, nothing -> {});
  }
}
