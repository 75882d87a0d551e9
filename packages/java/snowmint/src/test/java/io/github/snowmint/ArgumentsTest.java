package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.engine.Lane;
import io.github.snowmint.engine.SegmentBuffer;
import io.github.snowmint.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sqlite.SQLiteDataSource;
import org.junit.jupiter.api.io.TempDir;

/** An impossible argument gives an error with a code, and everything goes on working. */
class ArgumentsTest {
  /** Half of a pair: no text in UTF-8. */
  private static final String LONE = "a\uD800b";

  private static final Instant FAR = Instant.MAX;

  @TempDir Path directory;
  private final Store store = Store.memory();
  private Snowflake flake;
  private Segment segment;

  @BeforeEach
  void open() {
    store.createTag("orders");
    flake = Snowflake.builder().workerId(7).stateDirectory(directory).open();
    segment = Segment.builder(store, "orders").open();
  }

  @AfterEach
  void stillUsable() {
    flake.nextId();
    segment.nextId();
    flake.close();
    segment.close();
  }

  private static void refused(Code code, Executable... calls) {
    for (Executable call : calls) {
      Vectors.refused(code, call);
    }
  }

  @Test
  void whatOthersWroteDoesNothingToATerminal() {
    String wild = "\u001b[2J\u009b31m\u202egpj.exe\n\u007f";
    List<Executable> calls =
        List.of(
            () -> IdSource.open("uuid:?" + wild + "=1"),
            () -> IdSource.open("segment+sqlite:" + directory + "/" + wild + "/ids.db?tag=orders"),
            () -> Layout.of(wild),
            () -> TextForm.named(wild),
            () -> {
              throw new SnowmintException(Code.CLOSED, wild);
            });
    for (Executable call : calls) {
      String message = assertThrows(SnowmintException.class, call).getMessage();
      boolean isPlain =
          message.codePoints().noneMatch(sign -> Character.isISOControl(sign) || sign == 0x202e);
      assertTrue(isPlain, message);
      assertTrue(message.contains("\\u{"), message);
    }
  }

  @Test
  void nullOfSources() {
    refused(
        Code.INVALID_PARAMETER,
        () -> IdSource.open(null),
        () -> flake.fill(null),
        () -> segment.fill(null),
        () -> flake.nextIdWithin(null),
        () -> Snowflake.builder().workerId((String) null),
        () -> Snowflake.builder().leaseFrom(null),
        () -> Snowflake.builder().layout(null),
        () -> Snowflake.builder().preset(null),
        () -> Snowflake.builder().policy((ClockPolicy) null),
        () -> Snowflake.builder().policy((String) null),
        () -> Snowflake.builder().start(null),
        () -> Snowflake.builder().reserve(null),
        () -> Snowflake.builder().maxAhead(null),
        () -> Snowflake.builder().stateDirectory(null),
        () -> Snowflake.builder().maxWait(null),
        () -> Segment.builder(null, "orders"),
        () -> Segment.builder(store, null),
        () -> Segment.builder(store, "orders").step(null),
        () -> Segment.builder(store, "orders").prefetch(null),
        () -> Daily.builder(store, null),
        () -> Daily.builder(store, "orders").zone((String) null),
        () -> Sequences.builder(null, "orders"));
  }

  @Test
  void nullOfStores() {
    LeaseRequest empty = new LeaseRequest(null, 1, null, null, 1, 0, null);
    LeaseRequest without = new LeaseRequest("r", 1, "o", new byte[16], 1, 0, null);
    Lease lease = new Lease(null, 0, 0, null, null, 0, 0, 0);
    refused(
        Code.INVALID_PARAMETER,
        () -> Store.open(null),
        () -> Store.sqlite(null),
        () -> Store.createSqlite(null),
        () -> new JdbcStore(null),
        () -> new JdbcStore(null, Duration.ofSeconds(1)),
        () -> new JdbcStore(new SQLiteDataSource(), null),
        () -> store.createTag(null),
        () -> store.createTag("a", null),
        () -> store.allocate(null, OptionalLong.empty()),
        () -> store.allocate("orders", null),
        () -> store.changeTag("orders", null, OptionalLong.empty()),
        () -> store.tag(null),
        () -> store.acquire(null),
        () -> store.acquire(empty),
        () -> store.acquire(without),
        () -> new JdbcStore(new SQLiteDataSource()).acquire(without),
        () -> store.renew(null, new byte[16], 1),
        () -> store.renew(lease, new byte[16], 1),
        () -> store.renew(lease, null, 1),
        () -> store.release(null),
        () -> store.release(lease),
        () -> store.evict(null, 0));
  }

  @Test
  void nullOfTheRest() {
    refused(
        Code.INVALID_PARAMETER,
        () -> Layout.of(null),
        () -> Layout.of("time:41", null, Duration.ofMillis(1)),
        () -> Layout.of("time:41", Instant.EPOCH, null),
        () -> Layout.TWITTER.decode((long[]) null),
        () -> Layout.TWITTER.encode(null),
        () -> Layout.TWITTER.minId((Instant) null),
        () -> Layout.TWITTER.workerId(null),
        () -> Layout.TWITTER.workerId(Collections.singletonMap(null, 1L)),
        () -> Layout.TWITTER.workerId(Collections.singletonMap(FieldKind.WORKER, null)),
        () -> new Fit(false, null),
        () -> Guess.of(1, null),
        () -> Guess.beside(1, null),
        () -> TextForm.detect(null),
        () -> TextForm.BASE32.parse(null),
        () -> TextForm.named(null),
        () -> ClockPolicy.named(null),
        () -> new io.github.snowmint.engine.Snowflake(null, Lane.of(1), 0, SequenceStart.ZERO),
        () -> new SegmentBuffer(null, Step.fixed(1), 0));
  }

  @Test
  void boundsOnAnswers() {
    SQLiteDataSource source = new SQLiteDataSource();
    for (Duration right : List.of(Duration.ofMillis(1), Duration.ofHours(1))) {
      new JdbcStore(source, right);
    }
    for (Duration wrong :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(999_999),
            Duration.ofSeconds(-1),
            Duration.ofHours(1).plusMillis(1),
            Duration.ofSeconds(Long.MAX_VALUE))) {
      refused(Code.INVALID_PARAMETER, () -> new JdbcStore(source, wrong));
    }
  }

  @Test
  void reachOfALease() {
    for (long[] expected :
        new long[][] {{1, 99, 0}, {4, 99, 3}, {5, 99, 3}, {60_000, 0, 0}, {60_000, 44_999, 44_999},
          {60_000, 45_001, 45_000}, {3_600_000, 0xFFFF_FFFFL, 2_700_000}}) {
      OptionalLong none = OptionalLong.empty();
      LeaseRequest request =
          new LeaseRequest("r", 1, "o", new byte[16], (int) expected[0], expected[1], none);
      assertEquals(expected[2], request.reachMs(), request::toString);
    }
  }

  @Test
  void loneSurrogates() {
    refused(Code.INVALID_TAG, () -> store.createTag(LONE), () -> store.tag(LONE));
    refused(Code.INVALID_TEXT, () -> TextForm.BASE58.parse(LONE));
    assertEquals(Optional.empty(), TextForm.detect(LONE));
    LeaseRequest wrong =
        new LeaseRequest(LONE, 1, "owner", new byte[16], 1, 0, OptionalLong.empty());
    refused(
        Code.INVALID_PARAMETER,
        () -> IdSource.open("segment+sqlite:" + directory.resolve("a") + LONE + "?tag=a"),
        () -> Store.open("sqlite:" + directory.resolve("a") + LONE),
        () -> store.acquire(wrong),
        () -> store.evict(LONE, 0));
    for (Executable call :
        List.<Executable>of(
            () -> Layout.of(LONE),
            () -> Snowflake.builder().workerId(LONE).open(),
            () -> Daily.builder(store, "days").zone(LONE).open())) {
      assertThrows(SnowmintException.class, call);
    }
  }

  @Test
  void counts() {
    for (int count : new int[] {0, -1, Integer.MIN_VALUE, Snowmint.MAX_COUNT + 1}) {
      refused(
          Code.COUNT_OUT_OF_RANGE,
          () -> flake.nextIds(count),
          () -> segment.nextIds(count),
          () -> Daily.builder(store, "days").open().nextIds(count));
    }
    flake.fill(new long[0]);
    segment.fill(new long[0]);
    assertEquals(0, Layout.TWITTER.decode(new long[0]).unixMs().length);
    long[] ids = segment.nextIds(Snowmint.MAX_COUNT);
    assertEquals(Snowmint.MAX_COUNT, ids.length);
    for (int at = 1; at < ids.length; at++) {
      assertEquals(ids[at - 1] + 1, ids[at]);
    }
  }

  private static void says(String message, Code code, Executable call) {
    assertEquals(message, Vectors.refused(code, call).getMessage());
  }

  @Test
  void numbersAreSaidAsTheyWereGiven() {
    String step = "a step of -1 is not possible: use 1 to 1073741824";
    String count = "-1 is out of range: use 1 to 16777216";
    says(count, Code.COUNT_OUT_OF_RANGE, () -> flake.nextIds(-1));
    says(count, Code.COUNT_OUT_OF_RANGE, () -> segment.nextIds(-1));
    says(step, Code.INVALID_STEP, () -> Segment.builder(store, "orders").step(-1));
    says(step, Code.INVALID_STEP, () -> Daily.builder(store, "days").step(-1));
    says(step, Code.INVALID_STEP, () -> Sequences.builder(store, "keys").step(-1));
    says(step, Code.INVALID_STEP, () -> store.createTag("a", TagOptions.USUAL.withStep(-1)));
    says(step, Code.INVALID_STEP, () -> store.allocate("orders", OptionalLong.of(-1)));
    says(
        "a reservation of PT-0.001S is not possible: use 100 ms to an hour (100 to 3600000 ms)",
        Code.INVALID_PARAMETER,
        () -> Snowflake.builder().reserve(Duration.ofMillis(-1)));
    says(
        "a reservation of PT2400H is not possible: use 100 ms to an hour (100 to 3600000 ms)",
        Code.INVALID_PARAMETER,
        () -> Snowflake.builder().reserve(Duration.ofDays(100)));
    says(
        "wait PT-0.5S is not possible: use 0 or more",
        Code.INVALID_PARAMETER,
        () -> flake.nextIdWithin(Duration.ofMillis(-500)));
    says(
        "digits -1 is not possible: use 1 to 10",
        Code.INVALID_PARAMETER,
        () -> Daily.builder(store, "days").digits(-1));
    says(
        "keysPerSection -1 is not possible: use 1 to 1073741824",
        Code.INVALID_PARAMETER,
        () -> Sequences.builder(store, "keys").keysPerSection(-1));
    for (int distance : new int[] {-1, 0, 17, 99_999}) {
      says(
          "distance=" + distance + " is not possible: use 1 to 16",
          Code.INVALID_PARAMETER,
          () -> Prefetch.chain(distance));
    }
    says(
        "prefetch=101 is not possible: use 0 to 100 percent",
        Code.INVALID_PARAMETER,
        () -> Prefetch.doubleBucket(101));
    says(
        "[-5, 5) with stride 1 is no range: it needs 0 <= start < end <= 9223372036854775807 and a"
            + " stride of 1 to 1073741824",
        Code.INVALID_RANGE,
        () -> Allocation.of(-5, 5).range());
    says(
        "[1, 2) with stride 0 is no range: it needs start < end <= 9223372036854775807 and a stride"
            + " of 1 to 1073741824",
        Code.INVALID_RANGE,
        () -> new Range(1, 2, 0));
  }

  @Test
  void numbersOfTagsAreSaidAsTheyWereGiven() {
    JdbcStore jdbc = new JdbcStore(new SQLiteDataSource());
    String max = "max -1 is not possible: use 0 to 9223372036854775806";
    for (SegmentStore asked : List.of(store, jdbc)) {
      says(
          max,
          Code.INVALID_RANGE,
          () -> asked.createTag("a", TagOptions.USUAL.withMax(-1)));
      says(
          max,
          Code.INVALID_RANGE,
          () -> asked.changeTag("orders", TagChange.NONE.withMax(-1)));
      says(
          "max 9223372036854775807 is above the largest number, 9223372036854775806",
          Code.INVALID_RANGE,
          () -> asked.createTag("a", TagOptions.USUAL.withMax(Snowmint.MAX_NUMBER)));
      says(
          "next -9223372036854775808 is not possible: use 0 to 9223372036854775807",
          Code.INVALID_RANGE,
          () -> asked.changeTag("orders", TagChange.NONE.withNext(Long.MIN_VALUE)));
      says(
          "start -7 is not possible: use 0 to 9223372036854775806",
          Code.INVALID_RANGE,
          () -> asked.createTag("a", TagOptions.USUAL.withStart(-7)));
      says(
          "stride -7 is not possible: use 1 to 1073741824",
          Code.INVALID_RANGE,
          () -> asked.createTag("a", TagOptions.USUAL.withStride(-7)));
      says(
          "a step of -7 is not possible: use 1 to 1073741824",
          Code.INVALID_STEP,
          () -> asked.allocate("orders", OptionalLong.of(-7)));
    }
    says(
        "raiseBySteps -2 is not possible: use 0 to 1073741824",
        Code.INVALID_PARAMETER,
        () -> jdbc.vouch("server", -2, OptionalLong.empty()));
  }

  @Test
  void waits() {
    for (Duration wait :
        List.of(
            Duration.ofMillis(-1),
            Duration.ofNanos(-1),
            Duration.ofSeconds(Long.MIN_VALUE))) {
      refused(
          Code.INVALID_PARAMETER,
          () -> flake.nextIdWithin(wait),
          () -> segment.nextIdWithin(wait),
          () -> Snowflake.builder().maxWait(wait),
          () -> Segment.builder(store, "orders").maxWait(wait));
    }
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    flake.nextIdWithin(longest);
    segment.nextIdWithin(longest);
    try (Segment patient = Segment.builder(store, "orders").maxWait(longest).open()) {
      patient.fill(new long[5000]);
    }
  }

  @Test
  void waitsAreRoundedUp() {
    Duration least = Duration.ofNanos(1);
    Duration more = Duration.ofMillis(2).plusNanos(1);
    try (Segment shortly = Segment.builder(store, "orders").maxWait(least).open();
        Segment longer = Segment.builder(store, "orders").maxWait(more).open();
        Segment ready = Segment.builder(store, "orders").runway(least).open()) {
      assertEquals(Duration.ofMillis(1), shortly.maxWait());
      assertEquals(Duration.ofMillis(3), longer.maxWait());
      assertEquals(1, ready.nextId());
    }
    // Longer than any: the sum of its nanoseconds is none.
    flake.nextIdWithin(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
  }

  @Test
  void aheadOfTheClockByWholeMilliseconds() {
    for (long micros : new long[] {1, 500, 1_500}) {
      Duration maxAhead = Duration.ofNanos(1_000 * micros);
      says(
          "maxAhead " + maxAhead + " is not possible: use whole milliseconds",
          Code.INVALID_PARAMETER,
          () -> Snowflake.builder().maxAhead(maxAhead));
    }
    ClockPolicy usual = ClockPolicy.named("snowmint");
    assertEquals(0, usual.withMaxAhead(Duration.ZERO).maxAheadMs());
    assertEquals(2, usual.withMaxAhead(Duration.ofMillis(2)).maxAheadMs());
  }

  @Test
  void starts() {
    for (long wrong : new long[] {-1, 1L << 32, Long.MIN_VALUE}) {
      says(
          "maxOffset " + wrong + " is not possible: use 0 to 4294967295",
          Code.INVALID_PARAMETER,
          () -> SequenceStart.vibrate(wrong));
      says(
          "below " + wrong + " is not possible: use 1 to 4294967295",
          Code.INVALID_PARAMETER,
          () -> SequenceStart.random(wrong, 0));
    }
    refused(
        Code.INVALID_PARAMETER,
        () -> SequenceStart.random(0, 0),
        () -> SequenceStart.of("random:0"));
    // Above a layout's last sequence number they mean that one.
    Layout narrow = Layout.of("time:41,worker:10,sequence:2");
    Snowflake.Builder builder =
        Snowflake.builder().layout(narrow).stateDirectory(directory.resolve("narrow"));
    for (SequenceStart start :
        List.of(SequenceStart.vibrate(0xFFFF_FFFFL), SequenceStart.random(0xFFFF_FFFFL, 7))) {
      try (Snowflake starting = builder.workerId(8).start(start).open()) {
        long id = starting.nextId();
        assertTrue(starting.nextId() > id);
      }
    }
  }

  @Test
  void workerIds() {
    Snowflake.Builder builder = Snowflake.builder().stateDirectory(directory);
    for (long workerId : new long[] {-1, Long.MIN_VALUE, 1024, Long.MAX_VALUE}) {
      assertThrows(
          SnowmintException.class, () -> builder.workerId(workerId).open());
    }
    refused(
        Code.INVALID_PARAMETER,
        () -> Snowflake.builder().open(),
        () -> Snowflake.builder().workerId(1).leaseFrom(store).open(),
        () -> Snowflake.builder().workerId("").open(),
        () -> Snowflake.builder().workerId("seven").open(),
        () -> Snowflake.builder().workerId(1).reserve(Duration.ofMillis(99)).open(),
        () -> Snowflake.builder().workerId(1).reserve(Duration.ofMillis(-1)).open(),
        () -> Snowflake.builder().workerId(1).reserve(Duration.ofHours(2)).open());
    try (Snowflake last = builder.workerId(1023).open()) {
      assertEquals(1023, Layout.TWITTER.decode(last.nextId()).workerId());
    }
  }

  @Test
  void steps() {
    refused(
        Code.INVALID_STEP,
        () -> Segment.builder(store, "orders").step(0),
        () -> Segment.builder(store, "orders").step(Snowmint.MAX_STEP + 1),
        () -> Segment.builder(store, "orders").step(-1),
        () -> Sequences.builder(store, "keys").step(0).open());
    refused(
        Code.INVALID_PARAMETER,
        () -> Segment.builder(store, "orders").prefetch(101),
        () -> Segment.builder(store, "orders").prefetch(-1),
        () -> Segment.builder(store, "orders").runway(Duration.ZERO).open(),
        () -> Segment.builder(store, "orders").runway(Duration.ofMillis(-1)).open(),
        () -> Segment.builder(store, "orders").runway(Duration.ofHours(1)).step(1).open(),
        () -> Daily.builder(store, "days").digits(0).open(),
        () -> Daily.builder(store, "days").digits(-1).open(),
        () -> Daily.builder(store, "days").digits(11).open(),
        () -> Sequences.builder(store, "keys").keysPerSection(0).open());
    refused(Code.UNKNOWN_TAG, () -> Segment.builder(store, "nothing").open());
  }

  @Test
  void times() {
    refused(
        Code.INVALID_TIME,
        () -> Layout.TWITTER.minId(FAR),
        () -> Layout.of("time:41,worker:10,sequence:12", FAR, Duration.ofMillis(1)),
        () -> Guess.of(1, FAR),
        () -> Daily.builder(store, "days").zone("Mars/Olympus").open());
  }

  @Test
  void ranges() {
    refused(
        Code.INVALID_RANGE,
        () -> new Range(1, 1, 1),
        () -> new Range(2, 1, 1),
        () -> new Range(1, 2, 0),
        () -> new Range(-1, 2, 1));
    refused(Code.COUNT_OUT_OF_RANGE, () -> new Range(0, Snowmint.MAX_NUMBER, 1).numbers());
    assertArrayEquals(new long[] {0, 2}, new Range(0, 3, 2).numbers());
  }

  @Test
  void urls() {
    refused(Code.UNKNOWN_SCHEME, () -> IdSource.open("nothing:?a=b"));
    refused(Code.INVALID_PARAMETER, () -> Snowflake.open("uuid:"));
    refused(Code.INVALID_PARAMETER, () -> UuidSource.open("snowflake:?worker_id=7"));
    refused(Code.UNKNOWN_PARAMETER, () -> IdSource.open("uuid:?version=7&speed=9"));
    refused(Code.INVALID_PARAMETER, () -> UuidSource.of(5), () -> UuidSource.of(-1));
  }
}
