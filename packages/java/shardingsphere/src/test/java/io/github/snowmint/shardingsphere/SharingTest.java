package io.github.snowmint.shardingsphere;

import static io.github.snowmint.shardingsphere.Generators.key;
import static io.github.snowmint.shardingsphere.Generators.open;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Code;
import io.github.snowmint.Layout;
import io.github.snowmint.SnowmintException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generators of the same properties have one source. */
class SharingTest {
  @TempDir Path directory;

  private Generator worker(int vibration) {
    return open(
        "SNOWMINT_SNOWFLAKE",
        "worker-id", 7,
        "state-directory", directory.toString(),
        "max-vibration-offset", vibration);
  }

  private static Code refusal(Callable<Generator> opener) {
    return assertThrows(SnowmintException.class, opener::call).code();
  }

  @Test
  void theLastClosesIt() {
    Generator first = worker(3);
    Generator second = worker(3);
    long key = key(first);
    assertTrue(key(second) > key);
    assertEquals(Code.WORKER_IN_USE, refusal(() -> worker(1)));
    first.close();
    first.close();
    assertTrue(key(second) > key);
    assertEquals(Code.WORKER_IN_USE, refusal(() -> worker(1)));
    long last = key(second);
    second.close();
    try (Generator other = worker(1)) {
      assertTrue(key(other) > last);
    }
  }

  @Test
  void initAgainTakesTheOther() {
    try (Generator keys = worker(3)) {
      keys.init(
          Generators.properties(
              "worker-id", 8,
              "state-directory", directory.toString()));
      assertEquals(8, Layout.SHARDINGSPHERE.decode(key(keys)).workerId());
      worker(1).close();
    }
  }

  @Test
  void oneThatFailedToOpenIsOpenedLater() {
    Generator other = worker(1);
    assertEquals(Code.WORKER_IN_USE, refusal(() -> worker(3)));
    other.close();
    worker(3).close();
  }

  @Test
  void oneThatCannotBeReachedLetsGo() throws Exception {
    key(worker(3));
    for (int tried = 1; ; tried++) {
      System.gc();
      try (Generator other = worker(1)) {
        key(other);
        return;
      } catch (SnowmintException failure) {
        if (tried == 1_000) {
          throw failure;
        }
        assertEquals(Code.WORKER_IN_USE, failure.code());
        Thread.sleep(10);
      }
    }
  }

  @Test
  void theNextProcessGoesOnAtOnce() throws Exception {
    long last = HaltedProcess.run(directory.toString());
    try (Generator next = worker(3)) {
      assertTrue(key(next) > last);
    }
  }

  @Test
  void manyAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Long>> calls = new ArrayList<>();
      for (int call = 0; call < 400; call++) {
        calls.add(
            () -> {
              try (Generator keys = worker(3)) {
                return key(keys);
              }
            });
      }
      List<Long> keys = new ArrayList<>();
      for (var result : threads.invokeAll(calls)) {
        keys.add(result.get());
      }
      assertEquals(calls.size(), keys.stream().distinct().count());
    } finally {
      threads.shutdown();
    }
  }
}
