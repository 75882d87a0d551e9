package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
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
    assertRefused(Code.STORE_UNAVAILABLE, () -> null);
    assertRefused(Code.INVALID_RANGE, () -> Allocation.of(5, 5));
    assertRefused(Code.INVALID_RANGE, () -> Allocation.of(9, 5));
    assertRefused(Code.INVALID_RANGE, () -> Allocation.of(-9, 5));
    assertRefused(Code.INVALID_RANGE, () -> new Allocation(1, 5, 0, 10));
    assertRefused(Code.INVALID_RANGE, () -> new Allocation(1, 5, -1, 10));
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
      assertEquals(number + 1, recovered(segment));
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
    public Lease renew(Lease lease, byte[] next, int slabMs) {
      answer();
      return store.renew(lease, next, slabMs);
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
    assertEquals(0, flake.layout().decode(flake.nextId()).workerId());

    leases.failure = new IllegalStateException("down");
    SnowmintException unreleased = Vectors.refused(Code.STORE_UNAVAILABLE, flake::close);
    assertSame(leases.failure, unreleased.getCause());
    Vectors.refused(Code.CLOSED, flake::nextId);
    leases.failure = null;
    assertTrue(leases.store.workers().get(0).held());
  }

  @Test
  void renewalsGoOnAfterAnOutage() throws Exception {
    Unreliable leases = new Unreliable();
    Duration slab = Duration.ofMillis(100);
    try (Snowflake flake =
        Snowflake.builder().leaseFrom(leases).slab(slab).maxAhead(Duration.ZERO).open()) {
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
