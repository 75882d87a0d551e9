package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class LayoutsTest {
  private static final JsonNode LAYOUTS = Vectors.document("layouts.json");

  @Test
  void facts() {
    for (JsonNode row : Vectors.list(LAYOUTS, "layouts")) {
      Layout layout = Vectors.build(row);
      String time = "@" + Vectors.signed(row, "epoch_ms") + "/" + Vectors.narrow(row, "tick_ms");
      assertEquals(Vectors.text(row, "fields") + time, layout.toString());
      assertEquals(layout, Layout.of(layout.toString()));
      assertEquals(Vectors.narrow(row, "worker_bits"), layout.workerBits());
      assertEquals(Vectors.narrow(row, "max_worker_id"), layout.maxWorkerId());
      assertEquals(Vectors.wide(row, "ids_per_tick"), layout.idsPerTick());
      assertEquals(Vectors.wide(row, "ids_per_second"), layout.idsPerSecond());
      assertEquals(Vectors.wide(row, "ticks"), layout.ticks());
      assertEquals(Vectors.signed(row, "expires_ms"), layout.expiresMs());
      assertEquals(Vectors.text(row, "fits_53"), shown(layout.fits(53)));
      assertEquals(Vectors.text(row, "fits_63"), shown(layout.fits(63)));
      assertTrue(layout.fits(64).always());
      assertEquals(layout, Vectors.build(row));
      assertEquals(layout.hashCode(), Vectors.build(row).hashCode());
    }
  }

  private static String shown(Fit fit) {
    if (fit.always()) {
      return "always";
    }
    return fit.never() ? "never" : "until " + fit.until().orElseThrow().toEpochMilli();
  }

  @Test
  void encoding() {
    for (JsonNode facts : Vectors.list(LAYOUTS, "layouts")) {
      Layout layout = Vectors.build(facts);
      for (JsonNode row : Vectors.list(facts, "encode")) {
        Vectors.judge(
            row,
            () ->
                layout.encode(
                    Vectors.signed(row, "unix_ms"),
                    Vectors.narrow(row, "worker_id"),
                    Vectors.narrow(row, "sequence"),
                    Vectors.narrow(row, "rollback")),
            id -> assertEquals(Vectors.wide(row, "id"), id));
      }
    }
  }

  @Test
  void decoding() {
    for (JsonNode facts : Vectors.list(LAYOUTS, "layouts")) {
      Layout layout = Vectors.build(facts);
      for (JsonNode row : Vectors.list(facts, "decode")) {
        long id = Vectors.wide(row, "id");
        Vectors.judge(row, () -> layout.decode(new long[] {id, id}));
        Vectors.judge(
            row,
            () -> {
              Parts parts = layout.decode(id);
              assertEquals(parts, layout.decode(Long.toUnsignedString(id)));
              assertParts(row, parts);
              assertColumn(parts, layout.decode(new long[] {id, id}), 1);
              return layout.encode(parts);
            },
            again -> assertEquals(id, again));
      }
    }
  }

  private static void assertParts(JsonNode row, Parts parts) {
    assertEquals(Vectors.signed(row, "unix_ms"), parts.unixMs());
    assertEquals(Vectors.narrow(row, "worker_id"), parts.workerId());
    assertEquals(Vectors.narrow(row, "sequence"), parts.sequence());
    assertEquals(Vectors.narrow(row, "rollback"), parts.rollback());
  }

  private static void assertColumn(Parts parts, PartsColumns columns, int at) {
    assertEquals(parts.unixMs(), columns.unixMs()[at]);
    assertEquals(parts.workerId(), columns.workerIds()[at]);
    assertEquals(parts.sequence(), columns.sequences()[at]);
    assertEquals(parts.rollback(), columns.rollbacks()[at]);
  }

  @Test
  void bounds() {
    for (JsonNode facts : Vectors.list(LAYOUTS, "layouts")) {
      Layout layout = Vectors.build(facts);
      for (JsonNode row : Vectors.list(facts, "bounds")) {
        long unixMs = Vectors.signed(row, "unix_ms");
        Vectors.judge(
            row,
            () -> layout.minId(unixMs),
            id -> assertEquals(Vectors.wide(row, "min_id"), id));
        Vectors.judge(
            row,
            () -> layout.maxId(unixMs),
            id -> assertEquals(Vectors.wide(row, "max_id"), id));
      }
    }
  }

  @Test
  void workerIds() {
    for (JsonNode facts : Vectors.list(LAYOUTS, "layouts")) {
      Layout layout = Vectors.build(facts);
      for (JsonNode row : Vectors.list(facts, "worker_ids")) {
        Map<FieldKind, Long> parts = new EnumMap<>(FieldKind.class);
        for (Map.Entry<String, JsonNode> part : row.get("parts").properties()) {
          FieldKind kind = FieldKind.valueOf(part.getKey().toUpperCase(Locale.ROOT));
          parts.put(kind, part.getValue().longValue());
        }
        Vectors.judge(
            row,
            () -> layout.workerId(parts),
            id -> assertEquals(Vectors.narrow(row, "worker_id"), id));
      }
    }
  }

  @Test
  void partsOfWorkerIds() {
    Map<FieldKind, Long> ofTwitter = Map.of(FieldKind.DATACENTER, 11L, FieldKind.WORKER, 26L);
    assertEquals(ofTwitter, Layout.TWITTER.workerParts(378));
    assertEquals(378, Layout.TWITTER.workerId(ofTwitter));
    long workerId = Layout.DISCORD.decode(175928847299117063L).workerId();
    assertEquals("{WORKER=1, PROCESS=0}", Layout.DISCORD.workerParts(workerId).toString());
    SnowmintException error =
        assertThrows(SnowmintException.class, () -> Layout.DISCORD.workerParts(1024));
    assertEquals(Code.FIELD_OUT_OF_RANGE, error.code());
    assertEquals(0, Layout.TWITTER.workerId(Map.of(FieldKind.TIME, 0L)));
    error =
        assertThrows(
            SnowmintException.class, () -> Layout.TWITTER.workerId(Map.of(FieldKind.TIME, 5L)));
    assertEquals(Code.FIELD_OUT_OF_RANGE, error.code());
    assertEquals(
        "TIME is no worker field of this layout: use DATACENTER, WORKER", error.getMessage());
  }

  @Test
  void ofManyIdsTheFirstThatIsNoneIsSaid() {
    long[] ids = new long[5_000];
    ids[4_097] = -1;
    ids[4_099] = -2;
    SnowmintException error =
        assertThrows(SnowmintException.class, () -> Layout.TWITTER.decode(ids));
    assertEquals(Code.ID_NOT_IN_LAYOUT, error.code());
    assertTrue(error.getMessage().endsWith("; it has index 4097"), error::getMessage);
  }

  @Test
  void invalid() {
    for (JsonNode row : Vectors.list(LAYOUTS, "invalid")) {
      Vectors.judge(row, () -> fail(Vectors.build(row).toString()));
    }
  }

  @Test
  void presets() throws ReflectiveOperationException {
    List<Preset> presets = Preset.all();
    int at = 0;
    for (JsonNode row : Vectors.list(LAYOUTS, "layouts")) {
      JsonNode facts = row.path("preset");
      if (!facts.isObject()) {
        continue;
      }
      Preset preset = presets.get(at++);
      assertEquals(Vectors.text(row, "name"), preset.name());
      assertEquals(Vectors.build(row), preset.layout());
      assertEquals(SnowflakesTest.policy(facts.get("policy")), preset.policy());
      assertEquals(SnowflakesTest.start(facts.get("start")), preset.start());
      String constant = preset.name().toUpperCase(Locale.ROOT).replace('-', '_');
      assertEquals(preset.layout(), Layout.class.getField(constant).get(null));
    }
    assertEquals(presets.size(), at);
  }

  @Test
  void knownIds() {
    JsonNode ids = Vectors.list(Vectors.document("known-ids.json"), "ids");
    assertTrue(ids.size() >= 30);
    for (JsonNode row : ids) {
      Layout layout = Preset.named(Vectors.text(row, "preset")).layout();
      long id = Vectors.wide(row, "id");
      Parts parts = layout.decode(id);
      assertEquals(Vectors.signed(row, "unix_ms"), parts.time().toEpochMilli());
      assertEquals(Instant.parse(Vectors.text(row, "time")), parts.time());
      assertEquals(id, layout.encode(parts));
      JsonNode values = row.get("fields");
      for (Field field : layout.fields()) {
        if (field.kind() != FieldKind.CONSTANT) {
          String value = values.get(field.kind().label()).asText();
          assertEquals(value, Long.toUnsignedString(field.of(id)));
        }
      }
      assertEquals(values.get("time").asText(), Long.toString(layout.tickAt(parts.time())));
    }
  }

  @Test
  void guesses() {
    Instant then = Instant.parse("2022-07-01T00:00:00Z");
    Parts parts =
        Guess.of(1541815603606036480L, then).stream()
            .filter(guess -> guess.preset().name().equals("twitter"))
            .findFirst()
            .orElseThrow()
            .parts();
    assertEquals(Instant.parse("2022-06-28T16:07:40.105Z"), parts.time());
    assertEquals(378, parts.workerId());
  }

  @Test
  void guessesOfPublishedIds() {
    JsonNode document = Vectors.document("guesses.json");
    Instant now = Instant.ofEpochMilli(Vectors.signed(document, "now_ms"));
    for (JsonNode row : Vectors.list(document, "guesses")) {
      JsonNode expected = Vectors.list(row, "guesses");
      List<Guess> found = Guess.beside(Vectors.wide(row, "id"), now, Vectors.text(row, "beside"));
      assertEquals(expected.size(), found.size(), row::toString);
      for (int at = 0; at < found.size(); at++) {
        Guess guess = found.get(at);
        JsonNode wanted = expected.get(at);
        String doubt =
            guess.doubt().map(known -> known.name().toLowerCase(Locale.ROOT)).orElse(null);
        assertEquals(Vectors.text(wanted, "preset"), guess.preset().name(), row::toString);
        assertEquals(Vectors.signed(wanted, "unix_ms"), guess.parts().time().toEpochMilli());
        assertEquals(wanted.get("named").booleanValue(), guess.named());
        assertEquals(Vectors.optional(wanted, "doubt"), doubt, row::toString);
      }
    }
  }

  @Test
  void whatStoodBesideAnIdNamesItsSystem() {
    Instant then = Instant.parse("2022-07-01T00:00:00Z");
    Guess first = Guess.beside(175928847299117063L, then, "guild_id").get(0);
    assertEquals("discord", first.preset().name());
    assertTrue(first.named());
    assertFalse(Guess.of(175928847299117063L, then).get(0).named());
    assertTrue(Guess.beside(175928847299117063L, "https://discord.com/channels/1").get(0).named());
  }

  @Test
  void whatIsNoWholeMillisecondIsRefused() {
    Duration tick = Duration.ofNanos(1_500_000);
    Instant epoch = Instant.parse("2026-01-01T00:00:00.0005Z");
    String fields = "time:41,worker:10,sequence:12";
    assertSays(
        "tick PT0.0015S is not possible: use whole milliseconds",
        () -> Layout.of(fields, Instant.EPOCH, tick));
    assertSays("tick PT0.0015S", Layout.builder().time(41).sequence(12).tick(tick)::build);
    assertSays(
        "epoch 2026-01-01T00:00:00.000500Z is not possible: use whole milliseconds",
        () -> Layout.of(fields, epoch, Duration.ofMillis(1)));
    assertSays(
        "discord is a preset's name: use Layout.of(\"discord\") alone",
        () -> Layout.of("discord", Instant.EPOCH, Duration.ofMillis(1)));
  }

  private static void assertSays(String part, Executable call) {
    String message = Vectors.refused(Code.INVALID_LAYOUT, call).getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void builtFromFields() {
    Layout built =
        Layout.builder()
            .zero(1)
            .time(41)
            .field(FieldKind.DATACENTER, 5)
            .worker(5)
            .sequence(12)
            .epoch(Instant.ofEpochMilli(1288834974657L))
            .build();
    assertEquals(Layout.TWITTER, built);
    assertEquals(1023, built.maxWorkerId());
    int[] widths = built.fields().stream().mapToInt(Field::bits).toArray();
    assertArrayEquals(new int[] {1, 41, 5, 5, 12}, widths);
  }
}
