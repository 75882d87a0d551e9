package newer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Allocation;
import io.github.snowmint.Code;
import io.github.snowmint.Daily;
import io.github.snowmint.IdSource;
import io.github.snowmint.Layout;
import io.github.snowmint.Segment;
import io.github.snowmint.SegmentStore;
import io.github.snowmint.SequenceStart;
import io.github.snowmint.Sequences;
import io.github.snowmint.Snowflake;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.Store;
import io.github.snowmint.TagOptions;
import io.github.snowmint.TagRow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Thousands of virtual threads on a single carrier. Every wait is for something that another
 * virtual thread does: if one held the carrier, nothing would go on. Java's own recorder is asked,
 * too, whether any pinned it.
 */
class VirtualThreadsTest {
  private static final int WAITERS = 3_000;
  private static final Duration LONG = Duration.ofDays(1);

  @TempDir Path directory;
  private Recording recording;

  @BeforeEach
  void record() {
    assertEquals("1", System.getProperty("jdk.virtualThreadScheduler.maxPoolSize"));
    recording = new Recording();
    recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
    recording.start();
  }

  private List<RecordedEvent> pinned() throws Exception {
    if (recording == null) {
      return List.of();
    }
    Path file = directory.resolve("pinned.jfr");
    recording.stop();
    recording.dump(file);
    recording.close();
    recording = null;
    return RecordingFile.readAllEvents(file);
  }

  @AfterEach
  void nothingWasPinned() throws Exception {
    assertEquals(List.of(), pinned());
  }

  /** Parks in its initializer, below a frame of the virtual machine's own. */
  private static final class Pinning {
    static final long BEGUN = System.nanoTime();

    static {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void aPinWouldBeRecorded() throws Exception {
    assertNotEquals(0, VirtualThread.start(() -> Pinning.BEGUN).result());
    assertNotEquals(List.of(), pinned());
  }

  /** Until each was seen waiting, by a virtual thread that runs meanwhile. */
  private static void awaitParked(List<? extends VirtualThread<?>> waiters) throws Exception {
    VirtualThread<Boolean> watch =
        VirtualThread.start(
            () -> {
              for (VirtualThread<?> waiter : waiters) {
                while (!waiter.isParked()) {
                  Thread.yield();
                }
              }
              return true;
            });
    assertTrue(watch.result());
  }

  private static void assertDistinct(LongStream ids, long count) {
    assertEquals(count, ids.distinct().count());
  }

  private Snowflake flake(String fields, Duration tick) {
    return Snowflake.builder()
        .workerId(7)
        .layout(Layout.of(fields, Instant.EPOCH, tick))
        .maxAhead(Duration.ZERO)
        .start(SequenceStart.ZERO)
        .reserve(Duration.ofHours(1))
        .stateDirectory(directory)
        .maxWait(LONG)
        .open();
  }

  /** The code of what ended it; should the next half hour begin, it is used up as well. */
  private static Code mintToTheEnd(Snowflake flake) {
    try {
      while (true) {
        flake.nextId();
      }
    } catch (SnowmintException end) {
      return end.code();
    }
  }

  @Test
  void aFullTickIsWaitedForOffTheCarrier() throws Exception {
    Snowflake flake = flake("zero:23,time:30,worker:10,sequence:1", Duration.ofMinutes(30));
    List<VirtualThread<Code>> waiters = VirtualThread.start(WAITERS, n -> mintToTheEnd(flake));
    awaitParked(waiters);
    VirtualThread.start(
            () -> {
              flake.close();
              waiters.forEach(waiter -> LockSupport.unpark(waiter.thread()));
              return true;
            })
        .result();
    for (VirtualThread<Code> waiter : waiters) {
      assertEquals(Code.CLOSED, waiter.result());
    }
  }

  @Test
  void ticksAreSharedByThousands() throws Exception {
    int each = 8;
    try (Snowflake flake = flake("zero:2,time:42,worker:10,sequence:10", Duration.ofMillis(100))) {
      List<VirtualThread<long[]>> minting =
          VirtualThread.start(
              WAITERS,
              n -> {
                long[] ids = new long[each];
                for (int at = 0; at < each; at++) {
                  ids[at] = flake.nextId();
                }
                return ids;
              });
      assertDistinct(
          minting.stream().flatMapToLong(thread -> LongStream.of(thread.result())),
          WAITERS * each);
    }
  }

  /** A store that answers once it is allowed to. */
  private static final class Withheld implements SegmentStore {
    private final Store store = Store.memory();
    private final CountDownLatch allowed = new CountDownLatch(1);

    Withheld() {
      store.createTag("orders", TagOptions.USUAL.withStep(WAITERS));
    }

    @Override
    public Allocation allocate(String tag, OptionalLong count) {
      try {
        allowed.await();
      } catch (InterruptedException signal) {
        throw new IllegalStateException(signal);
      }
      return store.allocate(tag, count);
    }

    @Override
    public void createTag(String tag, TagOptions options) {
      store.createTag(tag, options);
    }

    @Override
    public Optional<TagRow> tag(String tag) {
      return store.tag(tag);
    }
  }

  private static void waitForNumbers(Withheld store, int count, LongSupplier minting)
      throws Exception {
    List<VirtualThread<Long>> waiters =
        VirtualThread.start(count, n -> minting.getAsLong());
    awaitParked(waiters);
    VirtualThread.start(
            () -> {
              store.allowed.countDown();
              return true;
            })
        .result();
    assertDistinct(waiters.stream().mapToLong(VirtualThread::result), count);
  }

  @Test
  void anEmptySegmentIsWaitedForOffTheCarrier() throws Exception {
    Withheld store = new Withheld();
    try (Segment segment = Segment.builder(store, "orders").maxWait(LONG).open()) {
      waitForNumbers(store, WAITERS, segment::nextId);
    }
  }

  @Test
  void soAreArraysOfNumbers() throws Exception {
    Withheld store = new Withheld();
    try (Segment segment = Segment.builder(store, "orders").maxWait(LONG).open()) {
      waitForNumbers(store, 100, () -> segment.nextIds(10)[9]);
    }
  }

  @Test
  void soAreDailyNumbers() throws Exception {
    Withheld store = new Withheld();
    try (Daily daily = Daily.builder(store, "invoices").maxWait(LONG).open()) {
      waitForNumbers(store, 100, daily::nextId);
    }
  }

  @Test
  void soAreArraysOfDailyNumbers() throws Exception {
    Withheld store = new Withheld();
    try (Daily daily = Daily.builder(store, "invoices").maxWait(LONG).open()) {
      waitForNumbers(store, 100, () -> daily.nextIds(10)[9]);
    }
  }

  @Test
  void soAreSequences() throws Exception {
    Withheld store = new Withheld();
    try (Sequences sequences = Sequences.builder(store, "messages").maxWait(LONG).open()) {
      waitForNumbers(store, 100, () -> sequences.next(5));
    }
  }

  @Test
  void openingLeavesTheCarrier() throws Exception {
    String url = "snowflake+sqlite:" + directory.resolve("ids.db") + "?create=true";
    Set<Boolean> overtaken = new HashSet<>();
    for (int round = 0; round < 10; round++) {
      overtaken.add(
          VirtualThread.start(
                  () -> {
                    AtomicBoolean ran = new AtomicBoolean();
                    other(ran);
                    IdSource source = IdSource.open(url);
                    boolean before = ran.get();
                    source.close();
                    return before;
                  })
              .result());
    }
    // One that is quick enough never leaves; not every time.
    assertTrue(overtaken.contains(true));
  }

  private static void other(AtomicBoolean ran) {
    try {
      VirtualThread.start(
          () -> {
            ran.set(true);
            return true;
          });
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
