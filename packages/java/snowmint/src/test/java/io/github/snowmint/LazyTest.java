package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Sources that open at their first use. */
class LazyTest {
  @TempDir Path directory;

  private static Code code(Executable call) {
    return assertThrows(SnowmintException.class, call).code();
  }

  /** Calls until nothing is missing: a failure is repeated for up to half a second. */
  private static void untilThere(IdSource source) throws InterruptedException {
    for (int n = 0; n < 200; n++) {
      try {
        source.check();
        return;
      } catch (SnowmintException e) {
        assertEquals(Code.STORE_MISSING, e.code());
        Thread.sleep(20);
      }
    }
    throw new AssertionError("the file is missing for ever");
  }

  private String url(String kind, String query) {
    return kind + "+sqlite:" + directory.resolve("ids.db") + query;
  }

  @Test
  void aWrongUrlIsRefusedAtOnce() {
    assertEquals(Code.INVALID_URL, code(() -> IdSource.lazy("nonsense")));
    assertEquals(Code.UNKNOWN_SCHEME, code(() -> IdSource.lazy("segment+oracle:x")));
    assertEquals(Code.UNKNOWN_PARAMETER, code(() -> IdSource.lazy(url("segment", "?tga=a"))));
    assertEquals(Code.INVALID_PARAMETER, code(() -> Segment.lazy("snowflake:?worker_id=7")));
    assertEquals(Code.INVALID_PARAMETER, code(() -> IdSource.lazy(null)));
  }

  @Test
  void everyKindOpensAtItsFirstUse() throws InterruptedException {
    Map<String, Class<? extends IdSource>> kinds =
        Map.of(
            url("snowflake", ""), Snowflake.class,
            url("segment", "?tag=orders"), Segment.class,
            url("daily", "?tag=orders"), Daily.class,
            url("snowflake", "?ring=64"), Ring.class);
    List<IdSource> sources = kinds.keySet().stream().map(IdSource::lazy).toList();
    for (IdSource source : sources) {
      assertEquals(Code.STORE_MISSING, code(source::nextId));
      assertFalse(source.stats().isClosed());
    }
    assertEquals(Layout.TWITTER, Snowflake.lazy(url("snowflake", "")).layout());
    assertFalse(Files.exists(directory.resolve("ids.db")));
    Store.createSqlite(directory.resolve("ids.db")).createTag("orders");
    for (IdSource source : sources) {
      untilThere(source);
      assertTrue(source.nextId() < source.nextId());
      source.close();
      assertEquals(Code.CLOSED, code(source::nextId));
    }
    int n = 0;
    for (Class<? extends IdSource> type : kinds.values()) {
      assertInstanceOf(type, sources.get(n++));
    }
    try (Sequences chat = Sequences.lazy(url("sequences", "?tag=chat"))) {
      assertTrue(chat.next(7) < chat.next(7));
    }
    UuidSource uuids = UuidSource.lazy("uuid:?version=4");
    uuids.check();
    assertEquals(4, uuids.nextUuid().version());
  }

  @Test
  void threadsOpenItOnce() {
    // A second generator with this worker ID would be refused.
    try (Snowflake flake = Snowflake.lazy("snowflake:?worker_id=7&state=" + directory)) {
      LongStream ids = IntStream.range(0, 400).parallel().mapToLong(n -> flake.nextId());
      assertEquals(400, ids.distinct().count());
    }
  }

  @Test
  void oneThatIsClosedBeforeItsFirstUseIsNeverOpened() {
    IdSource source = IdSource.lazy(url("snowflake", "?create=true"));
    source.close();
    assertEquals(Code.CLOSED, code(source::nextId));
    assertEquals(Code.CLOSED, code(source::check));
    assertFalse(Files.exists(directory.resolve("ids.db")));
  }

  @Test
  void aSecondSourceOfThisProcessIsToldSo() {
    String url = "snowflake:?worker_id=7&state=" + directory;
    try (IdSource first = IdSource.open(url)) {
      first.check();
      var refused = assertThrows(SnowmintException.class, () -> IdSource.open(url));
      assertEquals(Code.WORKER_IN_USE, refused.code());
      assertTrue(refused.getMessage().contains("this process itself holds worker 7 since"));
    }
  }
}
