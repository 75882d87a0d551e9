package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Further tests of a store, on a server that may take another's place. */
abstract class JdbcServerSuite extends JdbcStoreSuite {
  /** Runs statements, each of its own. */
  abstract void run(String... statements) throws Exception;

  /** As a failover leaves it: what is there was granted by another server. */
  void becomeAnother() throws Exception {
    run(
        "UPDATE snowmint_schema SET incarnation = 'another', longest_reserve_ms = 1",
        "UPDATE snowmint_segment SET incarnation = 'another'");
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aServerThatTookAnothersPlaceWaitsForWhatItMayLack() throws Exception {
    Lease held = store.acquire(request("a", 9, 10_000, 0));
    Lease over = store.acquire(request("b", 9, 1, 0));
    becomeAnother();
    LeaseRequest next = request("c", 9, 1, 0);
    String message = refused(Code.WORKERS_EXHAUSTED, () -> store.acquire(next));
    assertContains(message, "took another's place");
    assertContains(message, "are 1 ms: where all leases are shorter by now, UPDATE");
    refused(Code.LEASE_LOST, () -> store.renew(over, token(2), 1));
    store.renew(held, token(3), 1);
    Lease taken = null;
    while (taken == null) {
      try {
        taken = store.acquire(next);
      } catch (SnowmintException refusal) {
        assertEquals(Code.WORKERS_EXHAUSTED, refusal.code());
        pass(50);
      }
    }
    store.acquire(request("d", 9));
  }

  @Test
  void idsOfALayoutBeginWhereAnOperatorChangedToIt() throws Exception {
    long nowMs = store.acquire(request("a", 9)).nowMs();
    List<WorkerRow> before = store.workers();
    run("UPDATE snowmint_schema SET layout_from_ms = " + (nowMs + HOUR_MS));
    LeaseRequest next = request("b", 9);
    assertContains(
        refused(Code.WORKERS_EXHAUSTED, () -> store.acquire(next)), "has had this layout since");
    assertEquals(before, store.workers());
    run("UPDATE snowmint_schema SET layout_from_ms = " + nowMs);
    store.acquire(next);
    run("DELETE FROM snowmint_schema");
    assertContains(
        refused(Code.STORE_SCHEMA, () -> store.acquire(next)), "lost its row. Put it back by");
  }

  @Test
  void aTagThatMovedGivesNoNumber() throws Exception {
    create("orders", 1, 10, 1);
    run("UPDATE snowmint_segment SET moved_to = 'there'");
    assertContains(refused(Code.TAG_MOVED, () -> take("orders")), "goes on at there");
    refused(Code.TAG_MOVED, () -> store.changeTag("orders", OptionalLong.of(20), NONE));
    refused(Code.TAG_MOVED, () -> store.changeTag("orders", NONE, OptionalLong.of(20)));
    refused(Code.TAG_MOVED, () -> store.changeTag("orders", NONE, NONE));
  }

  @Test
  void aServerThatTookAnothersPlaceGivesRangesOnceTheirTagIsRaised() throws Exception {
    create("orders", 1, 10, 1);
    assertRange(1, 11, take("orders"));
    becomeAnother();
    String message = refused(Code.INCARNATION_CHANGED, () -> take("orders"));
    assertContains(message, "may lack some", "recover --server ");
    store.changeTag("orders", OptionalLong.of(100), NONE);
    assertRange(100, 110, take("orders"));
    assertRange(110, 120, take("orders"));
  }
}
