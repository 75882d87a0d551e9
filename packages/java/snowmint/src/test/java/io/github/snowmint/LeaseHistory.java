package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/**
 * Holders that acquire, renew, release, crash and are copied in any order, with answers that get
 * lost; what the store grants is checked against all it granted before.
 */
final class LeaseHistory {
  private static final int HOLDERS = 8;
  private static final long MAX_WORKER_ID = 4;

  private final WorkerStore store;
  private final Random dice;
  private final Lease[] holders = new Lease[HOLDERS];
  private final Map<Long, Lease> latest = new HashMap<>();
  private long tokens;
  int grants;
  int renewals;
  int losses;

  LeaseHistory(WorkerStore store, long seed) {
    this.store = store;
    this.dice = new Random(seed);
  }

  void step() {
    int holder = dice.nextInt(HOLDERS);
    Lease lease = holders[holder];
    if (lease == null) {
      acquire(holder);
      return;
    }
    int face = dice.nextInt(16);
    if (face < 9) {
      renew(holder, lease);
    } else if (face < 12) {
      store.release(lease);
      if (dice.nextInt(4) != 0) {
        holders[holder] = null;
      }
    } else if (face == 12) {
      holders[holder] = null; // A crash.
    } else if (face == 13) {
      store.evict(StoreSuite.REALM, lease.workerId());
    } else if (face == 14) {
      holders[(holder + 1) % HOLDERS] = lease; // A copy.
    }
  }

  private byte[] token() {
    return ByteBuffer.allocate(16).putLong(++tokens).array();
  }

  private void acquire(int holder) {
    long avoid = dice.nextInt(8);
    LeaseRequest request =
        new LeaseRequest(
            StoreSuite.REALM,
            MAX_WORKER_ID,
            "holder-" + dice.nextInt(3),
            token(),
            1 + dice.nextInt(12),
            dice.nextInt(16),
            avoid > MAX_WORKER_ID ? OptionalLong.empty() : OptionalLong.of(avoid));
    Lease lease;
    try {
      lease = store.acquire(request);
    } catch (SnowmintException error) {
      assertEquals(Code.WORKERS_EXHAUSTED, error.code(), error::getMessage);
      return;
    }
    grants++;
    assertTrue(lease.workerId() <= MAX_WORKER_ID);
    assertNotEquals(request.avoid().orElse(-1), lease.workerId());
    assertTrue(lease.floorMs() >= lease.nowMs(), lease::toString);
    assertTrue(lease.floorMs() - lease.nowMs() <= request.maxAheadMs(), lease::toString);
    long grantedMs = lease.reservedMs() - lease.floorMs();
    assertTrue(4 * grantedMs >= request.reserveMs(), lease::toString);
    Lease before = latest.put(lease.workerId(), lease);
    if (before != null) {
      StoreSuite.assertAbove(lease, before);
    }
    boolean answerLost = dice.nextInt(8) == 0;
    holders[holder] = answerLost ? null : lease;
  }

  private void renew(int holder, Lease lease) {
    byte[] next = token();
    int reserveMs = 1 + dice.nextInt(12);
    boolean answerLost = dice.nextInt(8) == 0;
    Lease renewed;
    try {
      renewed = store.renew(lease, next, reserveMs);
      if (answerLost) {
        renewed = store.renew(lease, next, reserveMs);
      }
    } catch (SnowmintException error) {
      assertEquals(Code.LEASE_LOST, error.code(), error::getMessage);
      losses++;
      holders[holder] = null;
      return;
    }
    renewals++;
    Lease known = latest.put(lease.workerId(), renewed);
    assertEquals(known.epoch(), renewed.epoch());
    assertEquals(lease.floorMs(), renewed.floorMs());
    assertTrue(renewed.reservedMs() >= known.reservedMs());
    holders[holder] = renewed;
  }
}
