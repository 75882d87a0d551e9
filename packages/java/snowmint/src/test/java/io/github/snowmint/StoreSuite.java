package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/**
 * The common parts of the tests of all stores.
 *
 * @param <S> the store
 */
abstract class StoreSuite<S extends WorkerStore & SegmentStore> {
  static final String REALM = "time:41,worker:10,sequence:12@2010-11-04T01:42:54.657Z";
  static final int MINUTE_MS = 60_000;
  static final int HOUR_MS = 3_600_000;
  static final int RESERVE_MS_MAX = 25 * HOUR_MS;
  static final long ANY_AHEAD = 0xFFFF_FFFFL;
  static final OptionalLong NONE = OptionalLong.empty();
  private static final AtomicInteger ATTEMPTS = new AtomicInteger(1_000);

  S store;

  /** A store without tags or leases. */
  abstract S make() throws Exception;

  /** Returns the number of steps of a long test for which the store is quick enough. */
  abstract int patience();

  @BeforeEach
  void begin() throws Exception {
    store = make();
  }

  /** Lets the store's clock go on. */
  static void pass(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException signal) {
      throw new AssertionError(signal);
    }
  }

  static byte[] token(int n) {
    // Stores derive a realm's first worker ID from the token, and tests need it to be 0.
    return ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN).putLong(8, 15L * n).array();
  }

  /** A token that no attempt before has had. */
  static byte[] freshToken() {
    return token(ATTEMPTS.incrementAndGet());
  }

  static LeaseRequest request(String owner, long maxWorkerId) {
    return request(owner, maxWorkerId, MINUTE_MS, 0);
  }

  static LeaseRequest request(String owner, long maxWorkerId, int reserveMs, long maxAheadMs) {
    return request(REALM, owner, maxWorkerId, reserveMs, maxAheadMs, NONE);
  }

  static LeaseRequest request(
      String realm,
      String owner,
      long maxWorkerId,
      int reserveMs,
      long maxAheadMs,
      OptionalLong avoid) {
    return new LeaseRequest(realm, maxWorkerId, owner, freshToken(), reserveMs, maxAheadMs, avoid);
  }

  /** The same from a given attempt. */
  static LeaseRequest attempt(byte[] token, String owner, long maxWorkerId) {
    return new LeaseRequest(REALM, maxWorkerId, owner, token, MINUTE_MS, 0, NONE);
  }

  /** Expects an error, and gives its message. */
  static String refused(Code code, Executable call) {
    return Vectors.refused(code, call).getMessage();
  }

  static void assertContains(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), () -> "no " + part + " in " + message);
    }
  }

  /** A lease begins where the one before it has reserved to, or later. */
  static void assertAbove(Lease lease, Lease before) {
    assertEquals(before.workerId(), lease.workerId());
    assertTrue(
        lease.floorMs() >= before.reservedMs(), () -> lease + " reaches into " + before);
    assertTrue(lease.reservedMs() > lease.floorMs(), lease::toString);
    assertTrue(lease.epoch() > before.epoch(), () -> lease + " after " + before);
  }

  void assertHeld(boolean held) {
    assertEquals(held, store.workers().get(0).held());
  }

  void create(String tag, long start, long step, long stride) {
    store.createTag(tag, new TagOptions(start, step, stride));
  }

  Allocation take(String tag, long count) {
    return store.allocate(tag, OptionalLong.of(count));
  }

  Allocation take(String tag) {
    return store.allocate(tag, NONE);
  }

  static void assertRange(long start, long end, Allocation taken) {
    assertArrayEquals(new long[] {start, end}, new long[] {taken.start(), taken.end()});
  }
}
