package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.internal.sharing.Apart;
import java.io.IOException;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how calls wait. Java 17 has no virtual threads, so the tests look in a dump of a platform
 * thread for what would pin one: a monitor, or a native frame below the wait.
 */
@Timeout(600)
class WaitingTest {
  @TempDir Path directory;

  private static final class Waiter {
    final FutureTask<Long> task;
    final Thread thread;

    Waiter(Callable<Long> minting) {
      task = new FutureTask<>(minting);
      thread = new Thread(task, "waiter");
      thread.start();
    }

    /** The thread's state once it is parked. */
    ThreadInfo parked() {
      while (true) {
        ThreadInfo info =
            ManagementFactory.getThreadMXBean()
                .getThreadInfo(new long[] {thread.getId()}, true, true)[0];
        boolean parks =
            Arrays.stream(info.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(LockSupport.class.getName()));
        if (parks && info.getThreadState() == Thread.State.TIMED_WAITING) {
          return info;
        }
        Thread.onSpinWait();
      }
    }

    Code failure() throws InterruptedException {
      return refusal().code();
    }

    SnowmintException refusal() throws InterruptedException {
      ExecutionException failure = assertThrows(ExecutionException.class, task::get);
      return (SnowmintException) failure.getCause();
    }
  }

  private static void assertUnpinned(ThreadInfo info) {
    assertArrayEquals(new MonitorInfo[0], info.getLockedMonitors(), info::toString);
    assertArrayEquals(new LockInfo[0], info.getLockedSynchronizers(), info::toString);
    StackTraceElement[] frames = info.getStackTrace();
    for (int at = 0; at < frames.length; at++) {
      boolean parking = frames[at].getMethodName().equals("park") && at == 0;
      assertTrue(parking || !frames[at].isNativeMethod(), info::toString);
    }
  }

  /** A generator whose half hour is used up. */
  private Snowflake full() {
    Layout layout =
        Layout.of("zero:23,time:30,worker:10,sequence:1", Instant.EPOCH, Duration.ofMinutes(30));
    Snowflake flake =
        Snowflake.builder()
            .workerId(7)
            .layout(layout)
            .maxAhead(Duration.ZERO)
            .start(SequenceStart.ZERO)
            .reserve(Duration.ofHours(1))
            .stateDirectory(directory)
            .maxWait(Duration.ofDays(1))
            .open();
    try {
      while (true) {
        flake.nextIdWithin(Duration.ZERO);
      }
    } catch (SnowmintException stall) {
      assertEquals(Code.SEQUENCE_EXHAUSTED, stall.code(), stall::getMessage);
      assertTrue(stall.waitMs().isPresent());
    }
    return flake;
  }

  /** Should the next half hour begin, it is used up as well. */
  private static long mintToTheEnd(Snowflake flake) {
    while (true) {
      flake.nextId();
    }
  }

  @Test
  void snowflakesWaitInJava() throws Exception {
    try (Snowflake flake = full()) {
      Waiter waiter = new Waiter(() -> mintToTheEnd(flake));
      assertUnpinned(waiter.parked());
      flake.close();
      LockSupport.unpark(waiter.thread);
      assertEquals(Code.CLOSED, waiter.failure());
    }
  }

  @Test
  void segmentsWaitInJava() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch allowed = new CountDownLatch(1);
    AtomicLong next = new AtomicLong(1);
    SegmentStore slow =
        (tag, count) -> {
          asked.countDown();
          awaitQuietly(allowed);
          long start = next.getAndAdd(count.orElse(1000));
          return Allocation.of(start, next.get());
        };
    try (Segment segment =
        Segment.builder(slow, "orders").maxWait(Duration.ofMinutes(1)).open()) {
      Waiter waiter = new Waiter(segment::nextId);
      asked.await();
      assertUnpinned(waiter.parked());
      allowed.countDown();
      assertEquals(1, waiter.task.get());
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException signal) {
      throw new IllegalStateException(signal);
    }
  }

  @Test
  void interruptionEndsAWait() throws Exception {
    try (Snowflake flake = full()) {
      Waiter waiter = new Waiter(() -> mintToTheEnd(flake));
      waiter.parked();
      waiter.thread.interrupt();
      assertEquals(Code.SEQUENCE_EXHAUSTED, waiter.failure());
    }
  }

  @Test
  void anInterruptedWaitIsCalledSo() throws Exception {
    CountDownLatch allowed = new CountDownLatch(1);
    SegmentStore slow =
        (tag, count) -> {
          awaitQuietly(allowed);
          return Allocation.of(1, 2);
        };
    try (Segment segment =
        Segment.builder(slow, "orders").maxWait(Duration.ofMinutes(10)).open()) {
      Waiter waiter = new Waiter(segment::nextId);
      waiter.parked();
      waiter.thread.interrupt();
      SnowmintException refusal = waiter.refusal();
      assertEquals(Code.WAIT_TIMEOUT, refusal.code());
      assertTrue(refusal.getMessage().contains("was interrupted"), refusal::getMessage);
      allowed.countDown();
    }
  }

  /** A server that takes connections, and never says a word. */
  private static final class Silent implements AutoCloseable {
    final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    final List<Socket> held = new CopyOnWriteArrayList<>();
    final CountDownLatch asked = new CountDownLatch(1);

    Silent() throws IOException {
      Thread thread = new Thread(this::listen, "silent");
      thread.setDaemon(true);
      thread.start();
    }

    private void listen() {
      try {
        while (true) {
          held.add(listener.accept());
          asked.countDown();
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    String url() {
      return "postgres://nobody@127.0.0.1:" + listener.getLocalPort() + "/shop?sslmode=disable";
    }

    /** Its clients learn that nobody is there. */
    @Override
    public void close() throws IOException {
      listener.close();
      for (Socket socket : held) {
        socket.close();
      }
    }
  }

  @Test
  void interruptionEndsAnOpening() throws Exception {
    for (String form : List.of("snowflake+%s", "segment+%s&tag=orders")) {
      try (Silent silent = new Silent()) {
        AtomicBoolean stays = new AtomicBoolean();
        Waiter waiter =
            new Waiter(
                () -> {
                  try {
                    return IdSource.open(String.format(form, silent.url())).nextId();
                  } finally {
                    stays.set(Thread.currentThread().isInterrupted());
                  }
                });
        silent.asked.await();
        waiter.thread.interrupt();
        SnowmintException refusal = waiter.refusal();
        assertEquals(Code.WAIT_TIMEOUT, refusal.code(), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("was interrupted"), refusal::getMessage);
        assertTrue(stays.get());
      }
    }
  }

  @Test
  void whatOpensTooLateIsClosed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch allowed = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Waiter waiter =
        new Waiter(
            () ->
                Apart.open(
                    () -> {
                      begun.countDown();
                      awaitQuietly(allowed);
                      return 7L;
                    },
                    late -> closed.countDown()));
    begun.await();
    waiter.thread.interrupt();
    assertEquals(Code.WAIT_TIMEOUT, waiter.failure());
    assertEquals(1, closed.getCount());
    allowed.countDown();
    closed.await();
  }

  /** A failed opening is reported with the stack of the thread that asked for it. */
  @Test
  void aFailedOpeningHasTheCallersStack() {
    Store store = Store.memory();
    SnowmintException refused =
        Vectors.refused(Code.UNKNOWN_TAG, Segment.builder(store, "orders")::open);
    String own = getClass().getName();
    assertTrue(
        Arrays.stream(refused.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(own)),
        () -> Arrays.toString(refused.getStackTrace()));
  }

  @Test
  void anInterruptedThreadTakesWhatIsThere() {
    Store store = Store.memory();
    store.createTag("orders");
    try (Segment segment = Segment.builder(store, "orders").open()) {
      segment.nextId();
      Thread.currentThread().interrupt();
      assertEquals(2, segment.nextId());
      assertTrue(Thread.interrupted());
      assertFalse(Thread.interrupted());
    }
  }
}
