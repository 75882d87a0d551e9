package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The scenarios that every language runs. */
class SourcesTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> scenarios() {
    JsonNode scenarios = Vectors.list(Vectors.document("sources.json"), "scenarios");
    return StreamSupport.stream(scenarios.spliterator(), false)
        .map(row -> DynamicTest.dynamicTest(Vectors.text(row, "name"), () -> run(row)));
  }

  private void run(JsonNode scenario) throws IOException {
    Scenario run = new Scenario(Files.createTempDirectory(directory, "scenario"));
    for (JsonNode step : Vectors.list(scenario, "steps")) {
      String error = null;
      try {
        run.step(step);
      } catch (SnowmintException failure) {
        error = failure.code().label();
      }
      assertEquals(Vectors.optional(step, "error"), error, step::toString);
    }
    run.sources.values().forEach(IdSource::close);
  }

  private static final class Scenario {
    final Path directory;
    final Map<String, IdSource> sources = new HashMap<>();
    final Map<String, Long> last = new HashMap<>();
    final Set<Long> seen = new HashSet<>();

    Scenario(Path directory) {
      this.directory = directory;
    }

    void step(JsonNode step) {
      switch (Vectors.text(step, "op")) {
        case "create_tag" -> createTag(step);
        case "open" -> open(step);
        case "close" -> source(step).close();
        case "next_uuid" ->
            assertEquals(Vectors.narrow(step, "version"), source(step).nextUuid().version());
        case "next_of" -> {
          long number = ((Sequences) source(step)).next(Vectors.wide(step, "key"));
          assertEquals(Vectors.wide(step, "number"), number);
        }
        case "next_id" -> note(step, source(step).nextId());
        case "next_ids" -> {
          long[] ids = source(step).nextIds((int) Vectors.narrow(step, "count"));
          assertEquals(Vectors.narrow(step, "count"), ids.length);
          note(step, ids);
        }
        case "fill" -> {
          long[] ids = new long[(int) Vectors.narrow(step, "count")];
          source(step).fill(ids);
          note(step, ids);
        }
        default -> throw new AssertionError(step);
      }
    }

    private IdSource source(JsonNode step) {
      return sources.get(Vectors.text(step, "of"));
    }

    private String placed(JsonNode step, String key) {
      return Vectors.text(step, key).replace("{dir}", directory.toString());
    }

    private void createTag(JsonNode step) {
      TagOptions options = TagOptions.USUAL;
      if (step.has("start")) {
        options = options.withStart(Vectors.wide(step, "start"));
      }
      if (step.has("step")) {
        options = options.withStep(Vectors.wide(step, "step"));
      }
      if (step.has("stride")) {
        options = options.withStride(Vectors.wide(step, "stride"));
      }
      if (step.has("max")) {
        options = options.withMax(Vectors.wide(step, "max"));
      }
      Store.open(placed(step, "store")).createTag(Vectors.text(step, "tag"), options);
    }

    private void open(JsonNode step) {
      IdSource source = IdSource.open(placed(step, "url"));
      String kind = source.getClass().getSimpleName().toLowerCase(Locale.ROOT);
      assertEquals(Vectors.text(step, "kind"), kind.replace("source", ""));
      sources.put(Vectors.text(step, "as"), source);
    }

    /** IDs differ in a scenario, rise in a source, and are those that the step names. */
    private void note(JsonNode step, long... ids) {
      List<String> shown = new ArrayList<>();
      long before = last.getOrDefault(Vectors.text(step, "of"), 0L);
      for (long id : ids) {
        assertTrue(Long.compareUnsigned(id, before) > 0, () -> id + " in " + step);
        assertTrue(seen.add(id), () -> id + " again in " + step);
        before = id;
        shown.add(Long.toUnsignedString(id));
      }
      last.put(Vectors.text(step, "of"), before);
      if (step.hasNonNull("ids")) {
        List<String> expected = new ArrayList<>();
        step.get("ids").forEach(id -> expected.add(id.textValue()));
        assertEquals(expected, shown);
      }
      if (step.hasNonNull("id")) {
        assertEquals(List.of(Vectors.text(step, "id")), shown);
      }
      if (step.hasNonNull("layout")) {
        Parts parts = Layout.of(Vectors.text(step, "layout")).decode(ids[0]);
        assertEquals(Vectors.narrow(step, "worker_id"), parts.workerId());
      }
    }
  }
}
