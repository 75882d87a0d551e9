package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The ways of minting give one rising sequence between them. */
class MintingTest {
  @TempDir Path directory;

  private static void assertRising(long[] ids) {
    for (int at = 1; at < ids.length; at++) {
      assertTrue(ids[at - 1] < ids[at], Arrays.toString(ids));
    }
  }

  private static long[] everyWay(IdSource source) {
    LongStream.Builder ids = LongStream.builder();
    for (int round = 0; round < 3; round++) {
      ids.add(source.nextId());
      ids.add(source.nextIdWithin(Duration.ofSeconds(5)));
      LongStream.of(source.nextIds(3)).forEach(ids);
      long[] block = new long[2];
      source.fill(block);
      LongStream.of(block).forEach(ids);
      source.stream().limit(3).forEach(ids);
      PrimitiveIterator.OfLong iterator = source.iterator();
      assertTrue(iterator.hasNext());
      ids.add(iterator.nextLong());
      int left = 2;
      for (long id : source) {
        ids.add(id);
        if (--left == 0) {
          break;
        }
      }
    }
    return ids.build().toArray();
  }

  @Test
  void noIdIsDatedAheadWhereNothingIsBorrowed() {
    Snowflake.Builder builder = Snowflake.builder().workerId(7).stateDirectory(directory);
    try (Snowflake flake = builder.maxAhead(Duration.ZERO).open()) {
      // As many as 244 ticks have: borrowed, the last would be that far ahead.
      long last = flake.nextIds(1_000_000)[999_999];
      assertTrue(last <= flake.layout().maxId(System.currentTimeMillis() + 100));
    }
  }

  @Test
  void whatIsNeverToBeHadWithoutWaitingIsRefusedWhole() {
    Snowflake.Builder builder = Snowflake.builder().workerId(7).stateDirectory(directory);
    try (Snowflake flake = builder.maxAhead(Duration.ZERO).maxWait(Duration.ZERO).open()) {
      long[] ids = new long[5_000];
      List<Executable> calls = List.of(() -> flake.nextIds(5_000), () -> flake.fill(ids));
      for (Executable mint : calls) {
        SnowmintException refused = assertThrows(SnowmintException.class, mint);
        assertEquals(Code.COUNT_OUT_OF_RANGE, refused.code(), refused::getMessage);
      }
      assertArrayEquals(new long[5_000], ids);
    }
  }

  @Test
  void snowflakes() {
    Instant begun = Instant.now();
    try (Snowflake flake = Snowflake.builder().workerId(7).stateDirectory(directory).open()) {
      assertRising(everyWay(flake));
      long[] many = flake.nextIds(10_000);
      assertRising(many);
      for (long workerId : flake.layout().decode(many).workerIds()) {
        assertEquals(7, workerId);
      }
      Instant minted = flake.layout().decode(many[0]).time();
      Duration apart = Duration.ofMinutes(2);
      assertTrue(minted.isAfter(begun.minus(apart)) && minted.isBefore(Instant.now().plus(apart)));
      assertEquals(Duration.ofSeconds(5), flake.maxWait());
    }
  }

  @Test
  void segments() {
    Store store = Store.memory();
    store.createTag("orders", TagOptions.USUAL.withStep(7));
    try (Segment segment = Segment.builder(store, "orders").step(7).open()) {
      long[] ids = everyWay(segment);
      assertArrayEquals(LongStream.rangeClosed(1, ids.length).toArray(), ids);
      long[] more = new long[5_000];
      segment.fill(more);
      assertArrayEquals(LongStream.range(0, 5_000).map(n -> ids.length + 1 + n).toArray(), more);
    }
  }

  @Test
  void segmentsWithAStride() {
    Store store = Store.memory();
    store.createTag("orders", new TagOptions(3, 5, 10));
    try (Segment segment = Segment.builder(store, "orders").open()) {
      assertArrayEquals(
          LongStream.range(0, 20).map(n -> 3 + 10 * n).toArray(), segment.nextIds(20));
    }
  }

  /** The next number; a segment asks for a range again a moment after a refusal. */
  private static long onceItGoesOn(Segment segment) {
    Instant deadline = Instant.now().plusSeconds(60);
    while (true) {
      try {
        return segment.nextId();
      } catch (SnowmintException error) {
        assertEquals(Code.TAG_EXHAUSTED, error.code(), error::getMessage);
        assertTrue(Instant.now().isBefore(deadline));
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aMaxEndsATagUntilItIsWidened() {
    Store store = Store.memory();
    store.createTag("small", TagOptions.USUAL.withStart(5).withStep(10).withMax(7));
    try (Segment small = Segment.builder(store, "small").open()) {
      assertArrayEquals(new long[] {5, 6, 7}, small.nextIds(3));
      Vectors.refused(Code.TAG_EXHAUSTED, small::nextId);
      assertEquals(9, store.changeTag("small", TagChange.NONE.withMax(9)).max());
      assertEquals(8, onceItGoesOn(small));
      assertEquals(9, small.nextId());
      Vectors.refused(Code.TAG_EXHAUSTED, small::nextId);
    }
    Vectors.refused(
        Code.INVALID_RANGE, () -> store.changeTag("small", TagChange.NONE.withMax(-1)));
  }

  @Test
  void tagsOfOneNameInTwoNamespaces() {
    Store store = Store.memory();
    long start = 0;
    for (String name : List.of("orders", "mall/orders", "shop/orders")) {
      store.createTag(name, TagOptions.USUAL.withStart(start));
      try (Segment segment = Segment.builder(store, name).open();
          Daily daily = Daily.builder(store, name).open();
          Sequences chat = Sequences.builder(store, name).open()) {
        assertEquals(start, segment.nextId(), name);
        assertEquals(1, daily.nextId() % 1_000_000, name);
        assertEquals(1, chat.next(7), name);
      }
      start += 100;
    }
    for (String wrong : List.of("/orders", "shop/", "a/b/c", "shop/" + "x".repeat(60))) {
      Vectors.refused(Code.INVALID_TAG, () -> store.createTag(wrong));
    }
  }

  @Test
  void presetsMintAsTheirSystemsDo() {
    for (Preset preset : Preset.all()) {
      if (!preset.layout().expires().isAfter(Instant.now())) {
        continue;
      }
      long workerId = Math.min(1, preset.layout().maxWorkerId());
      Path own = directory.resolve(preset.name());
      try (Snowflake flake =
          Snowflake.builder().preset(preset).workerId(workerId).stateDirectory(own).open()) {
        assertEquals(workerId, flake.layout().decode(flake.nextId()).workerId(), preset::name);
      }
    }
  }

  @Test
  void uuids() {
    try (UuidSource rising = UuidSource.of(7);
        UuidSource random = UuidSource.of(4)) {
      UUID first = rising.nextUuid();
      assertEquals(7, first.version());
      assertEquals(2, first.variant());
      assertTrue(first.toString().compareTo(rising.nextUuid().toString()) < 0);
      assertEquals(4, random.nextUuid().version());
      assertFalse(random.nextUuid().equals(random.nextUuid()));
      Vectors.refused(Code.UNSUPPORTED, rising::nextId);
      Vectors.refused(Code.UNSUPPORTED, () -> rising.nextIds(1));
      Vectors.refused(Code.UNSUPPORTED, () -> rising.fill(new long[1]));
      Vectors.refused(Code.UNSUPPORTED, rising::stream);
      Vectors.refused(Code.UNSUPPORTED, rising::iterator);
    }
    Store store = Store.memory();
    store.createTag("orders");
    try (Segment segment = Segment.builder(store, "orders").open()) {
      Vectors.refused(Code.UNSUPPORTED, segment::nextUuid);
    }
  }
}
