package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * The tests that a segment store has to pass.
 *
 * @param <S> the store
 */
abstract class SegmentStoreSuite<S extends WorkerStore & SegmentStore> extends StoreSuite<S> {
  private static final long MAX = Snowmint.MAX_NUMBER;
  private static final long STEP = Snowmint.MAX_STEP;

  private TagRow row(String tag) {
    return store.tag(tag).orElseThrow();
  }

  @Test
  void createOnce() {
    store.createTag("orders");
    assertShape(TagOptions.USUAL, row("orders"));
    assertRange(1, 1001, take("orders"));
    assertContains(refused(Code.TAG_EXISTS, () -> create("orders", 5, 5, 5)), "orders");
    assertFalse(store.ensureTag("orders", TagOptions.USUAL.withStart(5)));
    assertRange(1001, 2001, take("orders"));
    assertTrue(store.ensureTag("bills"));
    assertRange(1, 1001, take("bills"));
    for (String name : List.of("Orders", "a", "-", "A.b:c_d-0", "x".repeat(64))) {
      create(name, 0, 1, 1);
      assertRange(0, 1, take(name));
    }
  }

  @Test
  void unknownTags() {
    assertContains(refused(Code.UNKNOWN_TAG, () -> take("orders")), "orders");
    refused(Code.UNKNOWN_TAG, () -> store.changeTag("orders", NONE, NONE));
    refused(Code.UNKNOWN_TAG, () -> store.changeTag("orders", OptionalLong.of(7), NONE));
    assertEquals(Optional.empty(), store.tag("orders"));
    assertEquals(List.of(), store.tags());
    for (String name : List.of("", "no tag", "ä", "x".repeat(65))) {
      refused(Code.INVALID_TAG, () -> create(name, 1, 1, 1));
      refused(Code.INVALID_TAG, () -> take(name));
    }
  }

  @Test
  void optionsAtTheirLimits() {
    refused(Code.INVALID_STEP, () -> create("wrong", 1, 0, 1));
    refused(Code.INVALID_STEP, () -> create("wrong", 1, STEP + 1, 1));
    refused(Code.INVALID_RANGE, () -> create("wrong", 1, 1000, 0));
    refused(Code.INVALID_RANGE, () -> create("wrong", 1, 1000, STEP + 1));
    refused(Code.INVALID_RANGE, () -> create("wrong", MAX, 1000, 1));
    refused(Code.INVALID_RANGE, () -> create("wrong", -1, 1000, 1));
    assertEquals(List.of(), store.tags());
    create("least", 0, 1, 1);
    create("most", MAX - 1, STEP, STEP);
    assertRange(0, 1, take("least"));
    assertRange(MAX - 1, MAX, take("most"));
  }

  @Test
  void countLimits() {
    create("orders", 1, 10, 1);
    for (long count : new long[] {0, STEP + 1, -1, Long.MIN_VALUE}) {
      refused(Code.INVALID_STEP, () -> take("orders", count));
    }
    assertRange(1, 2, take("orders", 1));
    assertRange(2, 2 + STEP, take("orders", STEP));
  }

  @Test
  void rangesFollowEachOther() {
    create("orders", 7, 10, 1);
    Allocation taken = take("orders");
    assertEquals(10, taken.step());
    assertEquals(10, taken.range().count());
    assertRange(17, 20, take("orders", 3));
    assertEquals(10, take("orders", 3).step());
    assertRange(23, 33, take("orders"));
    assertEquals(33, row("orders").next());
  }

  @Test
  void strideSpreadsNumbers() {
    create("orders", 3, 4, 10);
    assertArrayEquals(new long[] {3, 13, 23, 33}, take("orders").range().numbers());
    assertArrayEquals(new long[] {43, 53}, take("orders", 2).range().numbers());
    assertEquals(63, row("orders").next());
  }

  @Test
  void largestNumberEndsATag() {
    create("orders", MAX - 25, 10, 1);
    assertRange(MAX - 25, MAX - 15, take("orders"));
    assertRange(MAX - 15, MAX, take("orders", STEP));
    assertContains(
        refused(Code.TAG_EXHAUSTED, () -> take("orders")),
        "tag orders has reached 9223372036854775807, ",
        "a new tag begins at 1 again");
    refused(Code.TAG_EXHAUSTED, () -> take("orders", 1));
    refused(Code.TAG_EXHAUSTED, () -> take("orders", STEP));
    assertEquals(MAX, row("orders").next());

    create("exact", MAX - 20, 10, 2);
    assertRange(MAX - 20, MAX, take("exact"));

    create("short", MAX - 19, 10, 2);
    Range range = take("short").range();
    assertEquals(10, range.count());
    assertEquals(MAX, range.end());
  }

  @Test
  void overflowEndsATag() {
    create("wide", 1, STEP, STEP);
    long above = 0;
    for (int n = 0; n < 8; n++) {
      Allocation taken = take("wide");
      assertTrue(taken.start() >= above, taken::toString);
      assertTrue(taken.end() > taken.start() && taken.end() <= MAX, taken::toString);
      above = taken.end();
    }
    assertEquals(MAX, above);
    refused(Code.TAG_EXHAUSTED, () -> take("wide"));
  }

  private static void assertShape(TagOptions expected, TagRow row) {
    assertEquals(expected, new TagOptions(row.next(), row.step(), row.stride()));
  }

  private static void assertShape(long next, long step, TagRow row) {
    assertShape(new TagOptions(next, step, 2), row);
  }

  private TagRow change(OptionalLong next, OptionalLong step) {
    return store.changeTag("orders", next, step);
  }

  @Test
  void changeRules() {
    create("orders", 100, 10, 2);
    assertShape(100, 10, change(NONE, NONE));
    assertShape(100, 20, change(NONE, OptionalLong.of(20)));
    assertShape(100, 20, change(OptionalLong.of(100), NONE));
    assertShape(101, STEP, change(OptionalLong.of(101), OptionalLong.of(STEP)));
    assertContains(
        refused(
            Code.RANGE_REGRESSED, () -> change(OptionalLong.of(100), OptionalLong.of(7))),
        "101");
    refused(Code.INVALID_RANGE, () -> change(OptionalLong.of(Long.MIN_VALUE), NONE));
    refused(Code.INVALID_RANGE, () -> change(OptionalLong.of(-1), NONE));
    refused(Code.INVALID_STEP, () -> change(NONE, OptionalLong.of(0)));
    refused(Code.INVALID_STEP, () -> change(OptionalLong.of(200), OptionalLong.of(STEP + 1)));
    assertShape(101, STEP, row("orders"));
    assertRange(101, 103, take("orders", 1));
    assertShape(MAX, STEP, change(OptionalLong.of(MAX), NONE));
    refused(Code.TAG_EXHAUSTED, () -> take("orders", 1));
  }

  @Test
  void aMaxEndsATag() {
    store.createTag("shop/orders", TagOptions.USUAL.withStart(5).withStep(10).withMax(7));
    assertRange(5, 8, take("shop/orders"));
    assertContains(
        refused(Code.TAG_EXHAUSTED, () -> take("shop/orders")),
        "its max, 7: ",
        "`snowmint segment set STORE shop/orders --max NUMBER`",
        "a new tag begins at 1 again, and is for another column");
    assertEquals(7, row("shop/orders").max());
    refused(Code.INVALID_RANGE, () -> store.changeTag("shop/orders", TagChange.NONE.withMax(6)));
    refused(Code.INVALID_RANGE, () -> store.changeTag("shop/orders", TagChange.NONE.withNext(9)));
    assertEquals(9, store.changeTag("shop/orders", TagChange.NONE.withMax(9)).max());
    assertRange(8, 10, take("shop/orders"));
    refused(
        Code.INVALID_RANGE,
        () -> store.createTag("none", TagOptions.USUAL.withStart(10).withMax(9)));
    refused(Code.INVALID_TAG, () -> store.createTag("../orders"));
    assertEquals(Optional.empty(), store.tag("orders"));
  }

  @Test
  void rowsByTag() {
    for (String name : List.of("b", "a", "a.1", "Z", "_")) {
      create(name, 1, 10, 1);
    }
    List<TagRow> rows = store.tags();
    assertEquals(List.of("Z", "_", "a", "a.1", "b"), rows.stream().map(TagRow::tag).toList());
    for (TagRow row : rows) {
      assertEquals(Optional.of(row), store.tag(row.tag()));
    }
    pass(2);
    take("a");
    assertTrue(row("a").updatedMs() > rows.get(2).updatedMs());
    assertEquals(rows.get(4), row("b"));
    store.changeTag("b", NONE, OptionalLong.of(5));
    assertTrue(row("b").updatedMs() > rows.get(4).updatedMs());
  }

  @Test
  void tagsAreSeparate() {
    create("a", 1, 10, 1);
    create("b", 1, 20, 1);
    assertRange(1, 11, take("a"));
    assertRange(1, 21, take("b"));
    assertRange(11, 21, take("a"));
  }

  /** On a busy machine the server may end the transaction of a thread that stood still. */
  private Allocation insist(int count) {
    for (int attempt = 1; ; attempt++) {
      try {
        return take("orders", count);
      } catch (SnowmintException failure) {
        if (failure.code() != Code.STORE_UNAVAILABLE || attempt == 20) {
          throw failure;
        }
      }
    }
  }

  @Test
  void threadsGetDisjointRanges() throws Exception {
    create("orders", 0, 10, 1);
    int rounds = patience() / 20;
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<List<Allocation>>> results = new ArrayList<>();
    for (int n = 0; n < 8; n++) {
      results.add(
          threads.submit(
              () -> {
                List<Allocation> own = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                  own.add(insist(1 + round % 7));
                }
                return own;
              }));
    }
    List<Allocation> all = new ArrayList<>();
    for (Future<List<Allocation>> result : results) {
      List<Allocation> own = result.get();
      for (int at = 1; at < own.size(); at++) {
        assertTrue(own.get(at).start() >= own.get(at - 1).end());
      }
      all.addAll(own);
    }
    threads.shutdown();
    all.sort(Comparator.comparingLong(Allocation::start));
    long end = 0;
    for (Allocation range : all) {
      assertEquals(end, range.start());
      end = range.end();
    }
  }

  @Test
  void segmentsMintFromIt() {
    create("orders", 1, 10, 1);
    try (Segment segment = Segment.builder(store, "orders").open()) {
      for (long expected = 1; expected <= 100; expected++) {
        assertEquals(expected, segment.nextId());
      }
    }
    try (Daily daily = Daily.builder(store, "invoices").open()) {
      long first = daily.nextId();
      assertEquals(1, first % 1_000_000);
      assertTrue(daily.nextId() > first);
    }
    try (Sequences sequences = Sequences.builder(store, "messages").step(10).open()) {
      assertEquals(1, sequences.next(7));
      assertEquals(1, sequences.next(8));
      assertEquals(2, sequences.next(7));
    }
  }
}
