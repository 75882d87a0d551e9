package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.crac.Context;
import javax.crac.Resource;
import org.crac.Core;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;

/** Images of a process, each of which goes on with what the process had. */
class RestoreTest {
  @TempDir(deletionStrategy = Repeated.class)
  Path directory;

  private Store store;

  @BeforeEach
  void open() {
    store = Store.createSqlite(directory.resolve("ids.db"));
    store.createTag("orders");
  }

  /** The first number that nobody has reserved. */
  private long unreserved() {
    return store.tag("orders").orElseThrow().next();
  }

  private static long workerId(Snowflake flake) {
    return flake.layout().decode(flake.nextId()).workerId();
  }

  @Test
  void aLeasedWorkerIdIsLeftToTheOtherImages() throws Exception {
    try (Snowflake flake = Snowflake.builder().leaseFrom(store).open()) {
      long imaged = workerId(flake);
      Core.checkpointRestore();
      long restored = workerId(flake);
      assertNotEquals(imaged, restored);
      assertEquals(restored, workerId(flake));
    }
  }

  @Test
  void reservedNumbersAreLeftToTheOtherImages() throws Exception {
    try (Segment one = Segment.builder(store, "orders").open();
        Segment two = Segment.builder(store, "orders").open()) {
      for (Segment segment : List.of(one, two)) {
        segment.nextId();
        long reserved = unreserved();
        System.gc(); // Nobody but snowmint holds what CRaC is to tell.
        Core.checkpointRestore();
        assertTrue(segment.nextId() >= reserved);
        reserved = unreserved();
        Snowmint.onRestore();
        assertTrue(segment.nextIds(10)[0] >= reserved);
      }
    }
  }

  @Test
  void otherSourcesGoOnAbove() throws Exception {
    try (Daily daily = Daily.builder(store, "invoices").step(100).open();
        Sequences sequences = Sequences.builder(store, "messages").step(100).open()) {
      long number = daily.nextId();
      long next = sequences.next(5);
      Core.checkpointRestore();
      assertTrue(daily.nextId() >= number + 100);
      assertTrue(sequences.next(5) >= next + 100);
    }
  }

  @Test
  void aFixedWorkerIdIsInEveryImage() throws Exception {
    Snowflake.Builder builder = Snowflake.builder().workerId(7).stateDirectory(directory);
    Snowflake flake = builder.open();
    long id = flake.nextId();
    Core.checkpointRestore();
    Vectors.refused(Code.FORKED, flake::nextId);
    Vectors.refused(Code.FORKED, () -> flake.fill(new long[3]));
    flake.close();
    try (Snowflake opened = builder.open()) {
      assertTrue(opened.nextId() > id);
    }
  }

  @Test
  void aStoreInMemoryIsInEveryImage() throws Exception {
    Store memory = Store.memory();
    memory.createTag("orders");
    try (Segment segment = Segment.builder(memory, "orders").open()) {
      segment.nextId();
      Core.checkpointRestore();
      Vectors.refused(Code.STORE_UNAVAILABLE, segment::nextId);
    }
  }

  /** Another resource, which mints on its way back, before snowmint is told. */
  private static final class Early implements Resource {
    final Segment segment;
    long minted;

    Early(Segment segment) {
      this.segment = segment;
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {}

    @Override
    public void afterRestore(Context<? extends Resource> context) {
      minted = segment.nextId();
    }
  }

  @Test
  void nothingOfTheImageIsMintedOnTheWayBack() throws Exception {
    try (Segment segment = Segment.builder(store, "orders").open()) {
      segment.nextId();
      long reserved = unreserved();
      Early early = new Early(segment);
      javax.crac.Core.RESOURCES.add(0, early);
      try {
        Core.checkpointRestore();
      } finally {
        javax.crac.Core.RESOURCES.remove(early);
      }
      assertTrue(early.minted >= reserved);
    }
  }

  @Test
  void threadsThatMintGoOn() throws Exception {
    Set<Long> ids = ConcurrentHashMap.newKeySet();
    AtomicLong count = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Segment segment = Segment.builder(store, "orders").step(1000).open();
        Snowflake flake = Snowflake.builder().leaseFrom(store).open()) {
      List<Future<?>> minting = new ArrayList<>();
      for (IdSource source : List.of(segment, flake, segment, flake)) {
        minting.add(
            threads.submit(
                () -> {
                  while (!over.get()) {
                    assertTrue(ids.add(source.nextId()));
                    count.incrementAndGet();
                  }
                }));
      }
      for (int restored = 0; restored < 20; restored++) {
        long seen = count.get();
        while (count.get() < seen + 1_000) {
          Thread.onSpinWait();
        }
        Core.checkpointRestore();
      }
      over.set(true);
      for (Future<?> thread : minting) {
        thread.get();
      }
      assertEquals(count.get(), ids.size());
    } finally {
      over.set(true);
      threads.shutdown();
    }
  }

  /** A prefetch may write its journal while the directory is emptied, so this tries again. */
  static final class Repeated implements TempDirDeletionStrategy {
    @Override
    public DeletionResult delete(
        Path directory, AnnotatedElementContext element, ExtensionContext context)
        throws IOException {
      DeletionResult deleted = Standard.INSTANCE.delete(directory, element, context);
      for (int again = 0; again < 100 && !deleted.isSuccessful(); again++) {
        LockSupport.parkNanos(10_000_000);
        deleted = Standard.INSTANCE.delete(directory, element, context);
      }
      return deleted;
    }
  }
}
