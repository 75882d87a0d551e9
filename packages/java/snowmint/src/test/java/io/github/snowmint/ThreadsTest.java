package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight threads, ten million IDs, none twice. */
class ThreadsTest {
  private static final int THREADS = 8;
  private static final int IDS = 10_000_000;
  private static final int SHARE = IDS / THREADS;

  @TempDir Path directory;

  /** Some of a share one by one, the rest by blocks. */
  private static void mint(IdSource source, long[] ids, int from) {
    int at = from;
    long[] block = new long[997];
    while (at < from + SHARE) {
      for (int n = 0; n < block.length && at < from + SHARE; n++) {
        ids[at++] = source.nextId();
      }
      int count = Math.min(block.length, from + SHARE - at);
      long[] taken = count == block.length ? block : new long[count];
      source.fill(taken);
      System.arraycopy(taken, 0, ids, at, count);
      at += count;
    }
  }

  private static void assertUnique(IdSource source) throws Exception {
    long[] ids = new long[IDS];
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> shares = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int from = thread * SHARE;
      shares.add(threads.submit(() -> mint(source, ids, from)));
    }
    for (int thread = 0; thread < THREADS; thread++) {
      shares.get(thread).get();
      for (int at = thread * SHARE + 1; at < (thread + 1) * SHARE; at++) {
        assertTrue(ids[at - 1] < ids[at], "a thread's IDs rise");
      }
    }
    threads.shutdown();
    Arrays.parallelSort(ids);
    long twice = 0;
    for (int at = 1; at < IDS; at++) {
      twice += ids[at - 1] == ids[at] ? 1 : 0;
    }
    assertEquals(0, twice);
  }

  @Test
  void snowflakesAreUnique() throws Exception {
    try (Snowflake flake = Snowflake.builder().workerId(7).stateDirectory(directory).open()) {
      assertUnique(flake);
    }
  }

  @Test
  void numbersAreUnique() throws Exception {
    Store store = Store.memory();
    store.createTag("orders");
    try (Segment segment = Segment.builder(store, "orders").open()) {
      assertUnique(segment);
    }
  }
}
