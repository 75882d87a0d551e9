package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class ClosingTest {
  @TempDir Path directory;
  private final Store store = Store.memory();

  private Snowflake flake() {
    return Snowflake.builder().workerId(7).stateDirectory(directory).open();
  }

  private Segment segment() {
    if (store.tag("orders").isEmpty()) {
      store.createTag("orders");
    }
    return Segment.builder(store, "orders").open();
  }

  private static void assertClosed(IdSource source) {
    Vectors.refused(Code.CLOSED, source::nextId);
    Vectors.refused(Code.CLOSED, () -> source.nextIdWithin(Duration.ZERO));
    Vectors.refused(Code.CLOSED, () -> source.nextIds(3));
    Vectors.refused(Code.CLOSED, () -> source.fill(new long[3]));
    Vectors.refused(Code.CLOSED, () -> source.stream().limit(1).sum());
    Vectors.refused(Code.CLOSED, () -> source.iterator().nextLong());
  }

  @Test
  void aClosedSourceThrows() {
    Daily daily = Daily.builder(store, "invoices").open();
    for (IdSource source : List.of(flake(), segment(), daily)) {
      source.nextId();
      source.close();
      assertClosed(source);
      source.close();
      assertClosed(source);
    }
    Sequences sequences = Sequences.builder(store, "messages").open();
    sequences.next(1);
    sequences.close();
    Vectors.refused(Code.CLOSED, () -> sequences.next(1));
    sequences.close();
  }

  /** Mints until the source is closed. */
  private static void mint(IdSource source, Set<Long> ids, AtomicLong count) {
    try {
      while (true) {
        assertTrue(ids.add(source.nextId()));
        count.incrementAndGet();
      }
    } catch (SnowmintException end) {
      assertEquals(Code.CLOSED, end.code(), end::getMessage);
    }
  }

  private static void closeWhileMinting(IdSource source) throws Exception {
    Set<Long> ids = ConcurrentHashMap.newKeySet();
    AtomicLong count = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> minting = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      minting.add(threads.submit(() -> mint(source, ids, count)));
    }
    while (count.get() < 10_000) {
      Thread.onSpinWait();
    }
    source.close();
    for (Future<?> thread : minting) {
      thread.get();
    }
    threads.shutdown();
    assertClosed(source);
    assertEquals(count.get(), ids.size());
  }

  @Test
  void anotherThreadClosesASnowflake() throws Exception {
    for (int round = 0; round < 3; round++) {
      closeWhileMinting(flake());
    }
  }

  @Test
  void anotherThreadClosesASegment() throws Exception {
    for (int round = 0; round < 3; round++) {
      closeWhileMinting(segment());
    }
  }

  @Test
  void anotherThreadClosesARing() throws Exception {
    String url = "snowflake:?worker_id=7&state=" + directory + "&ring=1024";
    for (int round = 0; round < 3; round++) {
      closeWhileMinting(IdSource.open(url));
    }
  }

  @Test
  void aRingTellsWhatIsReadyBeforeItsSource() {
    Ring ring = Ring.open("snowflake:?worker_id=7&state=" + directory + "&ring=64");
    ring.nextId();
    Stats stats = ring.stats();
    assertEquals("snowflake", stats.kind());
    assertEquals(List.of(64L), stats.buckets().stream().map(Stats.Bucket::size).toList());
    assertEquals(Layout.TWITTER, ring.layout().orElseThrow());
    ring.close(Duration.ofSeconds(5));
    assertTrue(ring.stats().isClosed());
    String url = "daily+sqlite:" + directory + "/ids.db?create=true&tag=a&ring=64";
    try (Ring numbers = Ring.open(url)) {
      assertTrue(numbers.layout().isEmpty());
    }
  }

  @Test
  void closingGivesTheWorkerIdBack() {
    Snowflake first = Snowflake.builder().leaseFrom(store).open();
    long workerId = first.layout().decode(first.nextId()).workerId();
    WorkerRow row = store.workers().get(0);
    assertEquals(workerId, row.workerId());
    assertTrue(row.held());
    first.close(Duration.ofMinutes(5));
    assertFalse(store.workers().get(0).held());
    first.close(Duration.ZERO);
  }

  @Test
  void closingWaitsForNoStore() throws Exception {
    Store leases = Store.memory();
    CountDownLatch allowed = new CountDownLatch(1);
    WorkerStore slow =
        new WorkerStore() {
          @Override
          public Lease acquire(LeaseRequest request) {
            return leases.acquire(request);
          }

          @Override
          public Lease renew(Lease lease, byte[] next, int reserveMs) {
            return leases.renew(lease, next, reserveMs);
          }

          @Override
          public void release(Lease lease) {
            try {
              allowed.await();
            } catch (InterruptedException signal) {
              throw new IllegalStateException(signal);
            }
            leases.release(lease);
          }
        };
    Snowflake bounded = Snowflake.builder().leaseFrom(slow).open();
    Vectors.refused(Code.WAIT_TIMEOUT, () -> bounded.close(Duration.ofMillis(20)));
    Vectors.refused(Code.CLOSED, bounded::nextId);
    bounded.close();
    assertTrue(leases.workers().get(0).held());
    allowed.countDown();
    while (leases.workers().get(0).held()) {
      Thread.sleep(1);
    }
  }

  @Test
  void aFixedWorkerIdIsOneSourcesAlone() {
    try (Snowflake first = flake()) {
      first.nextId();
      Vectors.refused(Code.WORKER_IN_USE, this::flake);
    }
  }

  @Test
  void whatIsForgottenIsFreed() throws Exception {
    Snowflake.builder().leaseFrom(store).open().nextId();
    while (store.workers().get(0).held()) {
      System.gc();
      Thread.sleep(20);
    }
  }

  @Test
  void aForgottenFixedWorkerIdIsFree() throws Exception {
    flake().nextId();
    for (Snowflake next = null; next == null; ) {
      System.gc();
      Thread.sleep(20);
      try {
        next = flake();
        next.close();
      } catch (SnowmintException error) {
        assertEquals(Code.WORKER_IN_USE, error.code(), error::getMessage);
      }
    }
  }

  @Test
  void aSourceOutlivesItsStoresObject() {
    Segment segment = segment();
    for (int n = 1; n <= 5_000; n++) {
      if (n % 1000 == 0) {
        System.gc();
      }
      assertEquals(n, segment.nextId());
    }
    segment.close();
  }
}
