package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.snowmint.engine.Lane;
import io.github.snowmint.engine.Snowflake;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SnowflakesTest {
  private static final JsonNode SNOWFLAKES = Vectors.document("snowflakes.json");

  static ClockPolicy policy(JsonNode row) {
    String[] behind = Vectors.text(row, "when_behind").split(" ");
    return new ClockPolicy(
        Vectors.narrow(row, "max_ahead_ms"),
        ClockPolicy.WhenBehind.valueOf(behind[0].toUpperCase(Locale.ROOT)),
        behind.length > 1 ? Long.parseLong(behind[1]) : 0,
        ClockPolicy.WhenFull.valueOf(Vectors.text(row, "when_full").toUpperCase(Locale.ROOT)));
  }

  static SequenceStart start(JsonNode row) {
    return switch (Vectors.text(row, "kind")) {
      case "zero" -> SequenceStart.ZERO;
      case "rotate" -> SequenceStart.ROTATE;
      case "vibrate" -> SequenceStart.vibrate(Vectors.narrow(row, "max_offset"));
      // The engine takes a bound of 0, which Java refuses, for 1.
      case "random" ->
          SequenceStart.random(
              Math.max(Vectors.narrow(row, "below"), 1), Vectors.wide(row, "seed"));
      default -> throw new AssertionError(row);
    };
  }

  private static Lane lane(JsonNode row) {
    return new Lane(
        Vectors.narrow(row, "worker_id"),
        Vectors.narrow(row, "rollback"),
        Vectors.wide(row, "floor"),
        Vectors.wide(row, "reserved"));
  }

  @Test
  void policies() {
    List<String> names = new ArrayList<>();
    for (JsonNode row : Vectors.list(SNOWFLAKES, "policies")) {
      names.add(Vectors.text(row, "name"));
      assertEquals(policy(row), ClockPolicy.named(Vectors.text(row, "name")));
    }
    assertEquals(names, ClockPolicy.names());
  }

  @Test
  void refused() {
    for (JsonNode row : Vectors.list(SNOWFLAKES, "refused")) {
      Layout layout = Vectors.layout(row.get("layout"));
      Lane lane = lane(row.get("lane"));
      Vectors.judge(
          row, () -> fail(new Snowflake(layout, lane, 0, SequenceStart.ZERO).toString()));
    }
  }

  @Test
  void traces() {
    for (JsonNode trace : Vectors.list(SNOWFLAKES, "traces")) {
      Snowflake machine =
          new Snowflake(
              Vectors.layout(trace.get("layout")),
              lane(trace.get("lane")),
              Vectors.narrow(trace, "max_ahead_ms"),
              start(trace.get("start")));
      String name = Vectors.optional(trace, "policy");
      ClockPolicy policy = name == null ? null : ClockPolicy.named(name);
      for (JsonNode row : Vectors.list(trace, "steps")) {
        follow(machine, policy, row);
      }
    }
  }

  private static void follow(Snowflake machine, ClockPolicy policy, JsonNode row) {
    switch (Vectors.text(row, "op")) {
      case "issue" -> {
        if (row.hasNonNull("error")) {
          assertStall(machine, policy, row);
        } else {
          assertIssued(machine, row);
        }
      }
      case "extend" -> machine.extend(Vectors.wide(row, "reserved"));
      case "open" -> Vectors.judge(row, () -> machine.open(lane(row)));
      case "jump" -> Vectors.judge(row, () -> machine.jump(lane(row)));
      default -> fail(row.toString());
    }
  }

  private static void assertIssued(Snowflake machine, JsonNode row) {
    long n = Vectors.narrow(row, "n");
    long nowMs = Vectors.signed(row, "now_ms");
    long[] ids = n == 1 ? new long[] {machine.nextId(nowMs)} : machine.issue(n, nowMs);
    assertEquals(n, ids.length);
    assertEquals(Vectors.wide(row, "first"), ids[0]);
    assertEquals(Vectors.wide(row, "last"), ids[ids.length - 1]);
    if (row.has("ids")) {
      for (int at = 0; at < n; at++) {
        assertEquals(row.get("ids").get(at).textValue(), Long.toUnsignedString(ids[at]));
      }
    }
  }

  private static void assertStall(Snowflake machine, ClockPolicy policy, JsonNode row) {
    long n = Vectors.narrow(row, "n");
    long nowMs = Vectors.signed(row, "now_ms");
    SnowmintException error =
        assertThrows(SnowmintException.class, () -> machine.issue(n, nowMs), row::toString);
    assertEquals(Vectors.text(row, "error"), error.code().label());
    String waitMs = Vectors.optional(row, "wait_ms");
    OptionalLong expected =
        waitMs == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(waitMs));
    assertEquals(expected, error.waitMs());
    if (policy != null && waitMs != null) {
      ClockPolicy.Action action = policy.action(error);
      String shown = action.name().toLowerCase(Locale.ROOT);
      boolean waits = action == ClockPolicy.Action.WAIT;
      assertEquals(Vectors.text(row, "action"), waits ? shown + " " + waitMs : shown);
    }
  }
}
