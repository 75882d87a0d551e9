package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.snowmint.engine.SegmentBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SegmentsTest {
  private static final JsonNode SEGMENTS = Vectors.document("segments.json");

  private static Range range(JsonNode row) {
    return new Range(
        Vectors.wide(row, "start"), Vectors.wide(row, "end"), Vectors.wide(row, "stride"));
  }

  private static Step step(JsonNode row) {
    return new Step(Vectors.wide(row, "min"), Vectors.wide(row, "max"));
  }

  private static Prefetch prefetch(JsonNode row) {
    return switch (Vectors.text(row, "kind")) {
      case "double_bucket" -> Prefetch.doubleBucket((int) Vectors.narrow(row, "used_percent"));
      case "chain" -> Prefetch.chain(distance(Vectors.narrow(row, "distance")));
      default -> throw new AssertionError(row);
    };
  }

  /** The one that the engine takes another for, which Java refuses. */
  private static int distance(long distance) {
    return (int) Math.min(Math.max(distance, 1), Snowmint.MAX_DISTANCE);
  }

  @Test
  void limits() {
    for (JsonNode row : Vectors.list(SEGMENTS, "limits")) {
      long limit =
          switch (Vectors.text(row, "name")) {
            case "max_number" -> Snowmint.MAX_NUMBER;
            case "max_step" -> Snowmint.MAX_STEP;
            case "max_distance" -> Snowmint.MAX_DISTANCE;
            default -> throw new AssertionError(row);
          };
      assertEquals(Vectors.wide(row, "value"), limit);
    }
  }

  @Test
  void ranges() {
    for (JsonNode row : Vectors.list(SEGMENTS, "ranges")) {
      Vectors.judge(
          row,
          () -> range(row).count(),
          count -> assertEquals(Vectors.wide(row, "count"), count));
      if (!row.hasNonNull("error") && range(row).count() <= 1000) {
        long[] numbers = range(row).numbers();
        assertEquals(Vectors.wide(row, "last"), numbers[numbers.length - 1]);
      }
    }
  }

  @Test
  void steps() {
    for (JsonNode row : Vectors.list(SEGMENTS, "steps")) {
      Vectors.judge(row, () -> step(row));
    }
  }

  @Test
  void traces() {
    for (JsonNode trace : Vectors.list(SEGMENTS, "traces")) {
      SegmentBuffer buffer =
          new SegmentBuffer(
              prefetch(trace.get("prefetch")),
              step(trace.get("step")),
              Vectors.wide(trace, "above"));
      for (JsonNode row : Vectors.list(trace, "steps")) {
        follow(buffer, row);
        if (row.hasNonNull("remaining")) {
          assertEquals(Vectors.wide(row, "remaining"), buffer.remaining(), row::toString);
        }
      }
    }
  }

  private static void follow(SegmentBuffer buffer, JsonNode row) {
    switch (Vectors.text(row, "op")) {
      case "wants" -> {
        OptionalLong wanted = buffer.wants(Vectors.signed(row, "now_ms"));
        String shown = wanted.isPresent() ? Long.toString(wanted.getAsLong()) : null;
        assertEquals(Vectors.optional(row, "step"), shown, row::toString);
      }
      case "take" -> assertTaken(row, buffer.take(Vectors.wide(row, "n")));
      case "take_until_request" -> assertTaken(row, buffer.takeUntilRequest());
      case "supply" -> {
        Vectors.judge(row, () -> buffer.supply(range(row), Vectors.signed(row, "now_ms")));
        assertEquals(Vectors.wide(row, "floor"), buffer.floor(), row::toString);
      }
      case "failed" -> buffer.failed();
      case "resize" -> buffer.resize(step(row));
      default -> fail(row.toString());
    }
  }

  private static void assertTaken(JsonNode row, Optional<Range> taken) {
    Optional<Range> expected =
        row.hasNonNull("range") ? Optional.of(range(row.get("range"))) : Optional.empty();
    assertEquals(expected, taken, row::toString);
  }
}
