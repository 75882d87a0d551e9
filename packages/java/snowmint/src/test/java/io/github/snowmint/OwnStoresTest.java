package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stores that users write, and what they may do wrong. */
@Timeout(600)
class OwnStoresTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** The answers that come before the right ones. */
  private final Queue<Supplier<Allocation>> answers = new ConcurrentLinkedQueue<>();

  private volatile long next = 1;

  private synchronized Allocation allocate(String tag, OptionalLong count) {
    Supplier<Allocation> answer = answers.poll();
    if (answer != null) {
      return answer.get();
    }
    long start = next;
    next += count.orElse(10);
    return new Allocation(start, next, 1, 10);
  }

  private Segment open() {
    return Segment.builder(this::allocate, "orders").prefetch(100).maxWait(SOON).open();
  }

  /** A store in memory, which keeps what it was told of new tags. */
  private static final class Told implements SegmentStore {
    private final Store memory = Store.memory();
    private final Queue<TagOptions> made = new ConcurrentLinkedQueue<>();

    @Override
    public Allocation allocate(String tag, OptionalLong count) {
      return memory.allocate(tag, count);
    }

    @Override
    public void createTag(String tag, TagOptions options) {
      made.add(options);
      memory.createTag(tag, options);
    }

    @Override
    public Optional<TagRow> tag(String tag) {
      return memory.tag(tag);
    }
  }

  @Test
  void aMaxAndANamespaceReachAStoreOfOnesOwn() {
    Told store = new Told();
    store.memory.createTag("shop/orders", TagOptions.USUAL.withMax(2));
    try (Segment orders = Segment.builder(store, "shop/orders").open();
        Daily daily = Daily.builder(store, "shop/daily").open()) {
      assertEquals(3, orders.nextId() + orders.nextId());
      failure(orders, Code.TAG_EXHAUSTED);
      assertEquals(1, daily.nextId() % 1_000_000);
      assertEquals(TagOptions.USUAL.max(), store.made.remove().max());
    }
  }

  /** Asks until the store's answer is known. */
  private static SnowmintException failure(Segment segment, Code code) {
    while (true) {
      try {
        fail("minted " + segment.nextIdWithin(Duration.ZERO));
      } catch (SnowmintException error) {
        if (error.code() != Code.WAIT_TIMEOUT) {
          assertEquals(code, error.code(), error::getMessage);
          return error;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** Asks until the store has answered rightly. */
  private static long recovered(Segment segment) {
    while (true) {
      try {
        return segment.nextId();
      } catch (SnowmintException notYet) {
        Thread.onSpinWait();
      }
    }
  }

  /** An answer fails calls, loses no number and does not end the segment. */
  private SnowmintException assertRefused(Code code, Supplier<Allocation> answer) {
    answers.add(answer);
    long expected = next;
    try (Segment segment = open()) {
      SnowmintException failure = failure(segment, code);
      assertEquals(expected, recovered(segment));
      return failure;
    }
  }

  private static Supplier<Allocation> throwing(Throwable thrown) {
    return () -> {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    };
  }

  @Test
  void aLambdaIsAStore() {
    try (Segment segment = open()) {
      for (int n = 1; n <= 100; n++) {
        assertEquals(n, segment.nextId());
      }
    }
  }

  @Test
  void whatItThrowsIsTheCause() {
    for (Throwable thrown : List.of(new IllegalStateException("down"), new StackOverflowError())) {
      SnowmintException failure = assertRefused(Code.STORE_UNAVAILABLE, throwing(thrown));
      assertSame(thrown, failure.getCause());
      assertTrue(failure.getMessage().contains(thrown.toString()), failure::getMessage);
    }
  }

  @Test
  void aCallerWaitsUntilItIsBack() {
    answers.add(throwing(new IllegalStateException("down")));
    try (Segment segment = open()) {
      assertEquals(1, segment.nextId());
    }
  }

  @Test
  void itsOwnCodeIsKept() {
    SnowmintException thrown = new SnowmintException(Code.STORE_READ_ONLY, "a replica");
    assertRefused(Code.STORE_READ_ONLY, throwing(thrown));
  }

  @Test
  void nonsenseIsRefused() {
    assertSays("the store's allocate gave null", assertRefused(Code.INVALID_RANGE, () -> null));
    assertRefused(Code.INVALID_RANGE, () -> Allocation.of(5, 5));
    assertRefused(Code.INVALID_RANGE, () -> Allocation.of(9, 5));
    assertSays(
        "[-9, 5) with stride 1",
        assertRefused(Code.INVALID_RANGE, () -> Allocation.of(-9, 5)));
    assertRefused(Code.INVALID_RANGE, () -> new Allocation(1, 5, 0, 10));
    assertRefused(Code.INVALID_RANGE, () -> new Allocation(1, 5, -1, 10));
    assertRefused(Code.INVALID_ANSWER, () -> new Allocation(1, 5, 1, -1));
    long longer = Snowmint.MAX_STEP + 1;
    assertRefused(Code.INVALID_ANSWER, () -> Allocation.of(1, 1 + longer));
  }

  private static void assertSays(String part, SnowmintException failure) {
    assertTrue(failure.getMessage().contains(part), failure::getMessage);
  }

  @Test
  void aTagThatIsNullIsRefused() {
    SegmentStore store =
        new SegmentStore() {
          @Override
          public Allocation allocate(String tag, OptionalLong count) {
            return Allocation.of(1, 2);
          }

          @Override
          public Optional<TagRow> tag(String tag) {
            return null;
          }
        };
    assertSays(
        "the store's tag gave null",
        Vectors.refused(Code.INVALID_ANSWER, Segment.builder(store, "orders")::open));
  }

  @Test
  void aStoreThatWentBackIsRefused() {
    try (Segment segment = open()) {
      for (int n = 1; n <= 10; n++) {
        assertEquals(n, segment.nextId());
      }
      answers.add(() -> Allocation.of(5, 15));
      long number = 10;
      Code code = null;
      while (code == null) {
        try {
          long before = number;
          number = segment.nextIdWithin(Duration.ZERO);
          assertEquals(before + 1, number);
        } catch (SnowmintException error) {
          code = error.code() == Code.WAIT_TIMEOUT ? null : error.code();
        }
      }
      assertEquals(Code.RANGE_REGRESSED, code);
      // Later numbers may be another's, so it gives none until it is opened anew.
      for (int round = 0; round < 5; round++) {
        Vectors.refused(
            Code.RANGE_REGRESSED, () -> segment.nextIdWithin(Duration.ofMillis(200)));
      }
    }
    try (Segment anew = open()) {
      assertTrue(anew.nextId() > 10);
    }
  }

  @Test
  void strideIsTheStores() {
    answers.add(() -> new Allocation(3, 33, 10, 3));
    try (Segment segment = open()) {
      assertEquals(3, segment.nextId());
      assertEquals(13, segment.nextId());
      assertEquals(23, segment.nextId());
    }
  }

  /** Leases of a real store, and failures when they are asked for. */
  private static final class Unreliable implements WorkerStore {
    final Store store = Store.memory();
    volatile RuntimeException failure;

    private void answer() {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public Lease acquire(LeaseRequest request) {
      answer();
      return store.acquire(request);
    }

    @Override
    public Lease renew(Lease lease, byte[] next, int reserveMs) {
      answer();
      return store.renew(lease, next, reserveMs);
    }

    @Override
    public void release(Lease lease) {
      answer();
      store.release(lease);
    }
  }

  @Test
  void workerIdsFromAStoreOfOnesOwn() {
    Unreliable leases = new Unreliable();
    leases.failure = new IllegalStateException("down");
    Snowflake.Builder builder = Snowflake.builder().leaseFrom(leases);
    SnowmintException refused = Vectors.refused(Code.STORE_UNAVAILABLE, builder::open);
    assertSame(leases.failure, refused.getCause());

    leases.failure = null;
    Snowflake flake = builder.open();
    long workerId = flake.layout().decode(flake.nextId()).workerId();
    assertEquals(leases.store.workers().get(0).workerId(), workerId);

    leases.failure = new IllegalStateException("down");
    SnowmintException unreleased =
        Vectors.refused(Code.STORE_UNAVAILABLE, () -> flake.close(SOON));
    assertSame(leases.failure, unreleased.getCause());
    Vectors.refused(Code.CLOSED, flake::nextId);
    leases.failure = null;
    assertTrue(leases.store.workers().get(0).held());
  }

  @Test
  void nonsenseOfAWorkerStoreIsRefused() {
    Store store = Store.memory();
    List<UnaryOperator<Lease>> wrongs =
        List.of(
            leased(1024, 1),
            leased(7, 0),
            leased(7, -9),
            leased(-1, 1),
            lease -> null,
            lease -> with(lease, null, lease.token()),
            lease -> with(lease, lease.owner(), null),
            lease -> with(lease, lease.owner(), new byte[3]));
    for (UnaryOperator<Lease> wrong : wrongs) {
      WorkerStore nonsense =
          new WorkerStore() {
            @Override
            public Lease acquire(LeaseRequest request) {
              return wrong.apply(store.acquire(request));
            }

            @Override
            public Lease renew(Lease lease, byte[] next, int reserveMs) {
              throw new IllegalStateException("nothing to renew");
            }

            @Override
            public void release(Lease lease) {}
          };
      Vectors.refused(Code.INVALID_ANSWER, Snowflake.builder().leaseFrom(nonsense)::open);
    }
  }

  private static Lease with(Lease lease, String owner, byte[] token) {
    return new Lease(
        lease.realm(),
        lease.workerId(),
        lease.epoch(),
        owner,
        token,
        lease.floorMs(),
        lease.reservedMs(),
        lease.nowMs());
  }

  /** A lease with another worker ID, and so many milliseconds in it. */
  private static UnaryOperator<Lease> leased(long workerId, long ms) {
    return lease ->
        new Lease(
            lease.realm(),
            workerId,
            lease.epoch(),
            lease.owner(),
            lease.token(),
            lease.floorMs(),
            lease.floorMs() + ms,
            lease.nowMs());
  }

  /** Until this is so. */
  private static void until(BooleanSupplier ready) {
    while (!ready.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aSegmentTellsItsRangesItsPaceAndItsFailure() {
    Segment segment =
        Segment.builder(this::allocate, "orders").step(100).prefetch(100).maxWait(SOON).open();
    Stats stats = segment.stats();
    assertEquals("segment", stats.kind());
    assertEquals(List.of(), stats.buckets());
    assertEquals(OptionalLong.empty(), stats.workerId());
    assertEquals(Optional.empty(), stats.lastFailure());
    assertEquals(Optional.empty(), stats.tagNext());
    segment.nextIds(30);
    stats = segment.stats();
    assertEquals(List.of(new Stats.Bucket(70, 100)), stats.buckets());
    assertEquals(OptionalLong.of(100), stats.step());
    assertEquals(Optional.of(new Stats.TagNext("orders", 101)), stats.tagNext());
    assertEquals(stats, segment.stats(), "a question changes nothing");
    segment.nextIds(100);
    stats = segment.stats();
    assertEquals(List.of(new Stats.Bucket(70, 100)), stats.buckets());
    assertTrue(stats.rate().getAsDouble() > 0);
    double runwayMs = 70 / stats.rate().getAsDouble() * 1_000;
    assertEquals((long) runwayMs, stats.runwayMs().getAsLong());

    segment.nextIds(70);
    answers.add(throwing(new IllegalStateException("down\n")));
    failure(segment, Code.STORE_UNAVAILABLE);
    Stats.Failure failure = segment.stats().lastFailure().orElseThrow();
    assertEquals(Code.STORE_UNAVAILABLE, failure.code());
    assertTrue(failure.message().contains("down\\n"), failure::message);
    assertTrue(failure.time().isAfter(Instant.parse("2024-01-01T00:00:00Z")));
    recovered(segment);
    until(() -> segment.stats().lastFailure().orElseThrow().isOver());
    segment.close();
    assertTrue(segment.stats().isClosed());
  }

  @Test
  void aFailureIsNotOverBeforeTheStoreAnswers() {
    AtomicBoolean down = new AtomicBoolean(true);
    SegmentStore store =
        (tag, count) -> {
          if (down.get()) {
            throw new IllegalStateException("down");
          }
          return allocate(tag, count);
        };
    try (Segment segment = Segment.builder(store, "orders").maxWait(SOON).open()) {
      failure(segment, Code.STORE_UNAVAILABLE);
      assertFalse(segment.stats().lastFailure().orElseThrow().isOver());
      down.set(false);
      recovered(segment);
      until(() -> segment.stats().lastFailure().orElseThrow().isOver());
    }
  }

  @Test
  void aGeneratorTellsItsLeaseAndItsTime() {
    Store store = Store.memory();
    Snowflake flake = Snowflake.builder().leaseFrom(store).open();
    long workerId = flake.layout().decode(flake.nextId()).workerId();
    Stats stats = flake.stats();
    assertEquals("snowflake", stats.kind());
    assertEquals(OptionalLong.of(workerId), stats.workerId());
    assertTrue(stats.reservedMs().getAsLong() > 0, stats::toString);
    assertTrue(stats.leaseAgeMs().isPresent() && stats.clockOffsetMs().isPresent());
    assertTrue(stats.reserveMs().getAsLong() >= 100, stats::toString);
    assertEquals(0, stats.rollbacks());
    // More than the present millisecond has.
    flake.nextIds(400_000);
    assertTrue(flake.stats().borrowedMs().getAsLong() > 0);
    flake.close();
    assertTrue(flake.stats().isClosed());
    assertEquals(OptionalLong.empty(), flake.stats().workerId());
  }

  @Test
  void otherSourcesTellWhatTheyAre() {
    Store store = Store.memory();
    assertEquals("uuid", UuidSource.of(7).stats().kind());
    Daily daily = Daily.builder(store, "invoices").open();
    daily.nextId();
    assertEquals("daily", daily.stats().kind());
    assertFalse(daily.stats().buckets().isEmpty());
    daily.close(Duration.ZERO);
    assertTrue(daily.stats().isClosed());
    Sequences sequences = Sequences.builder(store, "messages").open();
    assertEquals("sequences", sequences.stats().kind());
    sequences.close();
    assertTrue(sequences.stats().isClosed());
  }

  @Test
  void renewalsGoOnAfterAnOutage() throws Exception {
    Unreliable leases = new Unreliable();
    Duration reserve = Duration.ofMillis(100);
    try (Snowflake flake =
        Snowflake.builder().leaseFrom(leases).reserve(reserve).maxAhead(Duration.ZERO).open()) {
      long before = flake.nextId();
      leases.failure = new IllegalStateException("down");
      SnowmintException failure = null;
      while (failure == null) {
        try {
          before = flake.nextIdWithin(Duration.ZERO);
        } catch (SnowmintException error) {
          if (error.code() == Code.LEASE_UNAVAILABLE) {
            failure = error;
          } else if (error.code() != Code.GRANT_EXHAUSTED) { // A renewal is on its way.
            assertEquals(Code.SEQUENCE_EXHAUSTED, error.code(), error::getMessage);
          }
        }
        Thread.onSpinWait();
      }
      leases.failure = null;
      assertTrue(flake.nextIdWithin(SOON) > before);
      assertFalse(leases.store.workers().isEmpty());
    }
  }
}
