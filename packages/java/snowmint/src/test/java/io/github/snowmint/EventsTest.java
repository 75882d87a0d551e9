package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events that an operator hears of by {@code System.Logger}. */
@Timeout(600)
class EventsTest {
  private static final Logger LOGGER = Logger.getLogger("snowmint");

  private final BlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();

  /** A thread that logs waits for a permit of this. */
  private final Semaphore gate = new Semaphore(Integer.MAX_VALUE);

  private volatile boolean isDown;
  private volatile boolean throwsAtOnce;
  private long next = 1;

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          gate.acquireUninterruptibly();
          gate.release();
          records.add(record);
          if (throwsAtOnce) {
            throw new IllegalStateException("a handler of no use");
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void leave() {
    LOGGER.removeHandler(handler);
  }

  private synchronized Allocation allocate(String tag, OptionalLong count) {
    if (isDown) {
      throw new SnowmintException(Code.STORE_LOCKED, "busy \u001b[31m{0}");
    }
    long start = next;
    next += count.orElse(1);
    return new Allocation(start, next, 1, 1);
  }

  private Segment open() {
    return Segment.builder(this::allocate, "events").step(Step.fixed(1)).open();
  }

  /** Mints until that fails for good, or no longer does. */
  private static Code until(Segment segment, boolean fails) {
    while (true) {
      try {
        segment.nextIdWithin(Duration.ofMillis(20));
        if (!fails) {
          return null;
        }
      } catch (SnowmintException error) {
        if (fails && error.code() != Code.WAIT_TIMEOUT) {
          return error.code();
        }
      }
    }
  }

  /** The next record, which is of that event; its level is that of the table. */
  private LogRecord heard(String event) throws InterruptedException {
    LogRecord record = records.poll(300, TimeUnit.SECONDS);
    assertTrue(record.getMessage().startsWith(event + ": "), record.getMessage());
    for (JsonNode row : Vectors.list(Vectors.document("events.json"), "events")) {
      if (Vectors.text(row, "name").equals(event)) {
        boolean warns = Vectors.text(row, "severity").equals("warning");
        assertEquals(warns ? Level.WARNING : Level.INFO, record.getLevel());
        return record;
      }
    }
    throw new AssertionError(event + " is not in the table");
  }

  @Test
  void aStoreThatFailsComesBackAndGoesBack() throws InterruptedException {
    try (Segment segment = open()) {
      segment.nextId();
      isDown = true;
      assertEquals(Code.STORE_LOCKED, until(segment, true));
      isDown = false;
      until(segment, false);
      String down = heard("store_down").getMessage();
      assertTrue(down.contains("busy \\u{1b}[31m{0}"), down);
      assertTrue(down.endsWith("(source=segment, tag=events, code=store_locked)"), down);
      heard("store_back");
      synchronized (this) {
        next = 1;
      }
      assertEquals(Code.RANGE_REGRESSED, until(segment, true));
      String fenced = heard("fenced").getMessage();
      assertTrue(fenced.contains("raise what is next where the tag is kept"), fenced);
      assertTrue(fenced.contains("open the segment anew"), fenced);
      assertEquals(List.of(), List.copyOf(records));
    }
  }

  @Test
  void aLayoutThatEndsWithinAYear() throws InterruptedException {
    long ends = System.currentTimeMillis() + Duration.ofDays(30).toMillis();
    Instant epoch = Instant.ofEpochMilli(ends - (1L << 34));
    Layout layout = Layout.of("time:34,worker:10,sequence:12", epoch, Duration.ofMillis(1));
    try (Snowflake flake =
        Snowflake.builder().leaseFrom(Store.memory()).layout(layout).open()) {
      long workerId = layout.decode(flake.nextId()).workerId();
      String message = heard("expires_soon").getMessage();
      assertTrue(message.endsWith("(source=snowflake, worker_id=" + workerId + ")"), message);
    }
  }

  @Test
  void aHandlerThatHangsOrThrowsKeepsNothingFromGoingOn() throws InterruptedException {
    gate.drainPermits();
    throwsAtOnce = true;
    try (Segment segment = open()) {
      for (int times = 0; times < 3; times++) {
        segment.nextIdWithin(Duration.ofMinutes(5));
        isDown = true;
        until(segment, true);
        isDown = false;
        until(segment, false);
      }
      assertEquals(List.of(), List.copyOf(records));
      gate.release(Integer.MAX_VALUE);
      for (int times = 0; times < 3; times++) {
        heard("store_down");
        heard("store_back");
      }
    }
  }
}
