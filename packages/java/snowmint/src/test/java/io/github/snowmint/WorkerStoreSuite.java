package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The tests that a store of worker IDs has to pass.
 *
 * @param <S> the store
 */
abstract class WorkerStoreSuite<S extends WorkerStore & SegmentStore>
    extends SegmentStoreSuite<S> {

  /** A lease of worker ID 0 whose time has run out. */
  private Lease rested(String owner) {
    Lease lease = store.acquire(request(owner, 0, 1, 0));
    pass(3);
    return lease;
  }

  @Test
  void firstLease() {
    Lease lease = store.acquire(attempt(token(1), "a", 1023));
    assertEquals(0, lease.workerId());
    assertEquals(1, lease.epoch());
    assertEquals(REALM, lease.realm());
    assertEquals("a", lease.owner());
    assertArrayEquals(token(1), lease.token());
    assertEquals(lease.nowMs(), lease.floorMs());
    assertEquals(lease.nowMs() + MINUTE_MS, lease.reservedMs());
  }

  @Test
  void lowestUnusedFirst() {
    for (int expected = 0; expected < 5; expected++) {
      assertEquals(expected, store.acquire(request("a", 4)).workerId());
    }
  }

  @Test
  void renewalExtends() {
    Lease first = store.acquire(request("a", 0));
    pass(2);
    Lease second = store.renew(first, token(2), MINUTE_MS);
    assertTrue(second.nowMs() >= first.nowMs() + 2);
    assertEquals(second.nowMs() + MINUTE_MS, second.reservedMs());
    Lease expected =
        new Lease(
            first.realm(),
            first.workerId(),
            first.epoch(),
            first.owner(),
            token(2),
            first.floorMs(),
            second.reservedMs(),
            second.nowMs());
    assertEquals(expected, second);
    assertEquals(second.reservedMs(), store.workers().get(0).reservedMs());
  }

  @Test
  void renewalCanBeRepeated() {
    Lease first = store.acquire(request("a", 0));
    Lease answerLost = store.renew(first, token(2), MINUTE_MS);
    pass(2);
    Lease again = store.renew(first, token(2), MINUTE_MS);
    assertArrayEquals(token(2), again.token());
    assertEquals(first.floorMs(), again.floorMs());
    assertTrue(again.reservedMs() >= answerLost.reservedMs());
    store.renew(again, token(3), MINUTE_MS);
  }

  @Test
  void onlyOneTwinRenews() {
    Lease copied = store.acquire(request("a", 0));
    Lease twin = store.renew(copied, token(2), MINUTE_MS);
    refused(Code.LEASE_LOST, () -> store.renew(copied, token(3), MINUTE_MS));
    store.renew(twin, token(4), MINUTE_MS);
    refused(Code.LEASE_LOST, () -> store.renew(copied, token(2), MINUTE_MS));
  }

  /** Two clones of a machine have the same random bits: they ask by one name and one token. */
  @Test
  void twinsGetTwoWorkerIds() {
    Lease first = store.acquire(attempt(token(1), "a", 7));
    Lease second = store.acquire(attempt(token(1), "a", 7));
    assertNotEquals(first.workerId(), second.workerId());
    Lease renewed = store.renew(first, token(2), MINUTE_MS);
    store.renew(second, token(2), MINUTE_MS);
    store.release(renewed);
    refused(Code.LEASE_LOST, () -> store.renew(renewed, token(3), MINUTE_MS));
  }

  @Test
  void unusedIdsAreLookedForFromWhereTheAttemptSays() {
    byte[] token = new byte[16];
    token[0] = 77;
    token[15] = (byte) 0x80; // Even 2^127 is a multiple of 1024.
    assertEquals(77, store.acquire(attempt(token, "a", 1023)).workerId());
    assertEquals(78, store.acquire(attempt(token, "a", 1023)).workerId());
    assertEquals(0, store.acquire(request("a", 1023)).workerId());
    byte[] largest = new byte[16];
    Arrays.fill(largest, (byte) 0xFF); // One of three is 0.
    OptionalLong avoid = OptionalLong.of(1);
    LeaseRequest avoiding = new LeaseRequest(REALM, 2, "a", largest, MINUTE_MS, 0, avoid);
    assertEquals(2, store.acquire(avoiding).workerId());
  }

  private static Lease stranger(
      Lease lease, String realm, long workerId, long epoch, String owner, byte[] token) {
    return new Lease(
        realm,
        workerId,
        epoch,
        owner,
        token,
        lease.floorMs(),
        lease.reservedMs(),
        lease.nowMs());
  }

  @Test
  void strangersCannotRenew() {
    Lease lease = store.acquire(request("a", 3));
    List<WorkerRow> before = store.workers();
    long epoch = lease.epoch();
    for (Lease stranger :
        List.of(
            stranger(lease, REALM, 0, epoch + 1, "a", lease.token()),
            stranger(lease, REALM, 0, -1, "a", lease.token()),
            stranger(lease, REALM, 0, epoch, "b", lease.token()),
            stranger(lease, REALM, 0, epoch, "a", token(9)),
            stranger(lease, REALM, 1, epoch, "a", lease.token()),
            stranger(lease, "other", 0, epoch, "a", lease.token()))) {
      String message =
          refused(Code.LEASE_LOST, () -> store.renew(stranger, token(2), HOUR_MS));
      assertContains(message, stranger.owner());
      store.release(stranger);
    }
    assertEquals(before, store.workers());
    store.renew(lease, token(2), MINUTE_MS);
  }

  @Test
  void renewalLowersNothing() {
    Lease first = store.acquire(request("a", 0, HOUR_MS, 0));
    List<WorkerRow> before = store.workers();
    Lease second = store.renew(first, token(2), 1);
    assertEquals(first.reservedMs(), second.reservedMs());
    assertEquals(before, store.workers());
    for (int reserveMs : new int[] {0, RESERVE_MS_MAX + 1, -1}) {
      refused(Code.INVALID_PARAMETER, () -> store.renew(second, token(3), reserveMs));
    }
    Lease most = store.renew(second, token(3), RESERVE_MS_MAX);
    assertEquals(most.nowMs() + RESERVE_MS_MAX, most.reservedMs());
  }

  @Test
  void expiredButUntakenCanBeRenewed() {
    Lease lease = rested("a");
    assertHeld(false);
    Lease renewed = store.renew(lease, token(2), MINUTE_MS);
    assertEquals(lease.floorMs(), renewed.floorMs());
    assertEquals(lease.epoch(), renewed.epoch());
    assertHeld(true);
  }

  @Test
  void takenOverIsLost() {
    Lease old = rested("a");
    Lease taken = store.acquire(request("a", 0));
    assertAbove(taken, old);
    refused(Code.LEASE_LOST, () -> store.renew(old, token(2), MINUTE_MS));
    store.release(old);
    assertHeld(true);
    store.renew(taken, token(2), MINUTE_MS);
  }

  @Test
  void releaseEndsTheLease() {
    Lease lease = store.acquire(request("a", 0));
    pass(2);
    store.release(lease);
    WorkerRow row = store.workers().get(0);
    assertFalse(row.held());
    assertEquals(lease.reservedMs(), row.reservedMs());
    assertEquals(1, row.epoch());
    assertEquals("a", row.owner());
    assertTrue(row.expiresMs() < row.reservedMs());
    List<WorkerRow> before = store.workers();
    pass(2);
    store.release(lease);
    refused(Code.LEASE_LOST, () -> store.renew(lease, token(2), MINUTE_MS));
    assertEquals(before, store.workers());
  }

  @Test
  void releaseOfALostLeaseIsNothing() {
    Lease stale = store.acquire(request("a", 0));
    store.renew(stale, token(2), MINUTE_MS);
    store.release(stale);
    assertHeld(true);
    store.release(stranger(stale, REALM, 7, 1, "a", stale.token()));
  }

  @Test
  void exhaustionSaysWhoAndWhen() {
    for (String owner : List.of("first-host", "second-host")) {
      store.acquire(request(owner, 1));
      pass(2);
    }
    List<WorkerRow> before = store.workers();
    String message =
        refused(Code.WORKERS_EXHAUSTED, () -> store.acquire(request("third", 1)));
    for (String part : List.of("2 held", "first-host", " ms", REALM)) {
      assertContains(message, part);
    }
    assertEquals(before, store.workers());
    assertEquals(2, store.acquire(request("third", 2)).workerId());
  }

  @Test
  void restedIdsAreTakenAgain() {
    Lease before = rested("a");
    for (int epoch = 2; epoch < 6; epoch++) {
      Lease lease = rested("b");
      assertAbove(lease, before);
      assertEquals(epoch, lease.epoch());
      assertEquals(lease.nowMs(), lease.floorMs());
      before = lease;
    }
  }

  @Test
  void reservedTimeIsSkipped() {
    Lease old = store.acquire(request("a", 0));
    store.release(old);
    Lease taken = store.acquire(request("b", 0, HOUR_MS, HOUR_MS));
    assertAbove(taken, old);
    assertEquals(old.reservedMs(), taken.floorMs());
    assertEquals(taken.nowMs() + HOUR_MS, taken.reservedMs());
  }

  @Test
  void tooFarAheadIsNotTaken() {
    store.release(store.acquire(request("a", 0, HOUR_MS, 0)));
    for (LeaseRequest request :
        List.of(
            request("b", 0, HOUR_MS, 0),
            request("b", 0, HOUR_MS, HOUR_MS / 2),
            request("b", 0, HOUR_MS, ANY_AHEAD),
            request("b", 0, MINUTE_MS, ANY_AHEAD),
            request("b", 0, 1, ANY_AHEAD))) {
      assertContains(refused(Code.WORKERS_EXHAUSTED, () -> store.acquire(request)), "0 held");
    }
  }

  @Test
  void heldIsNeverTaken() {
    Lease lease = store.acquire(request("a", 0));
    refused(
        Code.WORKERS_EXHAUSTED, () -> store.acquire(request("b", 0, HOUR_MS, ANY_AHEAD)));
    store.renew(lease, token(2), MINUTE_MS);
  }

  private long avoiding(long avoid, long maxWorkerId, int reserveMs) {
    OptionalLong avoided = OptionalLong.of(avoid);
    return store.acquire(request(REALM, "a", maxWorkerId, reserveMs, 0, avoided)).workerId();
  }

  @Test
  void avoidedIsNeverTaken() {
    refused(Code.WORKERS_EXHAUSTED, () -> avoiding(0, 0, 1));
    assertEquals(1, avoiding(0, 9, 1));
    pass(3);
    assertEquals(0, avoiding(1, 9, MINUTE_MS));
    assertEquals(2, avoiding(1, 9, MINUTE_MS));
    assertEquals(1, avoiding(3, 4, MINUTE_MS));
    assertEquals(4, avoiding(3, 4, 1));
    pass(3);
    assertEquals(4, avoiding(0xFFFF_FFFFL, 0xFFFF_FFFFL, 1));
  }

  @Test
  void evictionEndsTheLease() {
    assertFalse(store.evict(REALM, 0));
    Lease lease = store.acquire(request("a", 0));
    assertFalse(store.evict(REALM, 1));
    assertFalse(store.evict("other", 0));
    assertTrue(store.evict(REALM, 0));
    assertHeld(false);
    assertEquals(lease.reservedMs(), store.workers().get(0).reservedMs());
    refused(Code.LEASE_LOST, () -> store.renew(lease, token(2), MINUTE_MS));
    store.release(lease);
    refused(Code.WORKERS_EXHAUSTED, () -> store.acquire(request("b", 0)));
    assertAbove(store.acquire(request("b", 0, HOUR_MS, HOUR_MS)), lease);
  }

  private Lease patient(int reserveMs) {
    return store.acquire(request("a", 4, reserveMs, ANY_AHEAD));
  }

  @Test
  void preferenceOrder() {
    Lease longest = patient(MINUTE_MS);
    Lease shorter = patient(MINUTE_MS / 2);
    Lease early = patient(1);
    pass(3);
    OptionalLong other = OptionalLong.of(early.workerId());
    Lease late = store.acquire(request(REALM, "a", 4, 1, 0, other));
    pass(3);
    store.release(longest);
    store.release(shorter);
    List<Long> order = new ArrayList<>();
    for (int n = 0; n < 5; n++) {
      order.add(patient(HOUR_MS).workerId());
    }
    // The rested ones, the longest first; an unused one; those whose time must be skipped.
    assertEquals(
        List.of(early.workerId(), late.workerId(), 4L, shorter.workerId(), longest.workerId()),
        order);
  }

  @Test
  void aKeySpaceHasOneLayout() {
    String other = "time:41,worker:3@0/1";
    Lease first = store.acquire(request("a", 9));
    for (int round = 0; round < 2; round++) {
      LeaseRequest wrong = request(other, "b", 7, MINUTE_MS, 0, NONE);
      String message = refused(Code.REALM_MISMATCH, () -> store.acquire(wrong));
      assertContains(message, " makes IDs of layout " + REALM, " has " + other + ":");
      store.release(first);
    }
    assertEquals(REALM, store.acquire(request("c", 9)).realm());
  }

  @Test
  void rowsTellEverything() {
    assertEquals(List.of(), store.workers());
    List<WorkerRow> expected = new ArrayList<>();
    for (String owner : List.of("a", "b")) {
      Lease lease = store.acquire(request(owner, 9));
      expected.add(
          new WorkerRow(
              REALM,
              lease.workerId(),
              owner,
              lease.epoch(),
              lease.reservedMs(),
              lease.reservedMs(),
              true));
    }
    assertEquals(expected, store.workers());
  }

  /** A text of so many bytes as UTF-8. */
  private static String wide(int bytes) {
    return "ä".repeat(bytes / 2) + (bytes % 2 == 1 ? "x" : "");
  }

  @Test
  void requestLimits() {
    for (LeaseRequest wrong :
        List.of(
            request("a", 9, 0, 0),
            request("a", 9, RESERVE_MS_MAX + 1, 0),
            request("", "a", 9, MINUTE_MS, 0, NONE),
            request(wide(256), "a", 9, MINUTE_MS, 0, NONE),
            request("a\0b", "a", 9, MINUTE_MS, 0, NONE),
            request("", 9),
            request(wide(256), 9),
            request("a", -1),
            request("a", 0x1_0000_0000L))) {
      refused(Code.INVALID_PARAMETER, () -> store.acquire(wrong));
    }
    assertEquals(List.of(), store.workers());
    for (LeaseRequest right :
        List.of(
            request("a", 0, 1, 0),
            request("a", 0xFFFF_FFFFL, HOUR_MS, 0),
            request("a'; --", 9),
            request(wide(255), 9))) {
      Lease lease = store.acquire(right);
      assertEquals(right.realm(), lease.realm());
      assertEquals(right.owner(), lease.owner());
      pass(3);
    }
  }

  @Test
  void threadsGetDifferentIds() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<long[]>> results = new ArrayList<>();
    for (int n = 0; n < 8; n++) {
      String owner = "thread-" + n;
      results.add(
          threads.submit(
              () ->
                  LongStream.range(0, 4)
                      .map(round -> store.acquire(request(owner, 31)).workerId())
                      .toArray()));
    }
    List<Long> ids = new ArrayList<>();
    for (Future<long[]> result : results) {
      LongStream.of(result.get()).forEach(ids::add);
    }
    threads.shutdown();
    ids.sort(null);
    assertEquals(LongStream.range(0, 32).boxed().toList(), ids);
    refused(Code.WORKERS_EXHAUSTED, () -> store.acquire(request("late", 31)));
  }

  @Test
  void snowflakesMintFromIt() {
    try (Snowflake one = Snowflake.builder().leaseFrom(store).open();
        Snowflake two = Snowflake.builder().leaseFrom(store).open()) {
      assertNotEquals(
          Layout.TWITTER.decode(one.nextId()).workerId(),
          Layout.TWITTER.decode(two.nextId()).workerId());
      assertNotEquals(one.nextId(), two.nextId());
    }
    // Given back by a thread of theirs.
    while (store.workers().stream().anyMatch(WorkerRow::held)) {
      pass(1);
    }
  }

  @Test
  void leasesNeverOverlap() {
    LeaseHistory history = new LeaseHistory(store, 7);
    for (int step = 0; step < patience(); step++) {
      history.step();
      if (step % 3 == 0) {
        pass(step % 5);
      }
    }
    int some = patience() / 100;
    assertTrue(history.grants > 5 * some, () -> history.grants + " grants");
    assertTrue(history.renewals > 5 * some, () -> history.renewals + " renewals");
    assertTrue(history.losses > some / 2, () -> history.losses + " losses");
  }
}
