package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Rows;
import io.github.snowmint.internal.Waiting;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Mints the numbers of a tag, from ranges reserved in a store and fetched ahead.
 *
 * <ul>
 *   <li><em>Order</em>: numbers rise strictly in issue order, across threads, ranges and the ways
 *       of minting. Other processes on the same tag mint from ranges of their own: between
 *       processes there is no order.
 *   <li><em>Gaps</em>: what is fetched and not minted when a process ends is lost.
 *   <li><em>Threads</em>: share it; minting takes no lock while fetched numbers last. A virtual
 *       thread that waits parks, and pins no carrier.
 *   <li><em>Copies</em>: a process that goes on from an image (CRaC, SnapStart, a machine's
 *       snapshot) has to be told, by {@link Snowmint#onRestore}: it goes on with another range.
 *   <li><em>Store down</em>: the fetched numbers are minted to the end, then calls fail within
 *       their bound, and go on by themselves when the store is back.
 * </ul>
 *
 * <p>Calls that mint fail with {@link Code#WAIT_TIMEOUT} or the store's error when none could be
 * fetched in time, {@link Code#TAG_EXHAUSTED}, {@link Code#RANGE_REGRESSED},
 * {@link Code#INVALID_RANGE} and {@link Code#CLOSED}.
 */
public final class Segment extends MintingSource implements IdSource {
  private static final ReentrantLock OPENING = new ReentrantLock();
  private static final Map<Segment, Void> OPENED = new WeakHashMap<>();

  /** Held to put the next block in place, never while waiting or while a store is called. */
  private final ReentrantLock refilling = new ReentrantLock();

  /** The numbers that this side gives out: one addition each. */
  private volatile Block block = Block.NONE;

  Segment(long handle, long waitMs) {
    super(handle, waitMs);
    OPENING.lock();
    try {
      OPENED.put(this, null);
    } finally {
      OPENING.unlock();
    }
  }

  /** Gives up the blocks of all, which other images of this process have, too. */
  static void forgetAll() {
    List<Segment> opened;
    OPENING.lock();
    try {
      opened = List.copyOf(OPENED.keySet());
    } finally {
      OPENING.unlock();
    }
    for (Segment segment : opened) {
      segment.refilling.lock();
      try {
        segment.block.giveUp();
      } finally {
        segment.refilling.unlock();
      }
    }
  }

  /**
   * Opens one by its URL, as {@link IdSource#open} does.
   *
   * @param url the URL
   * @return the source; {@link Code#INVALID_PARAMETER} for the URL of another kind, and those of
   *     {@link IdSource#open}
   */
  public static Segment open(String url) {
    return Opening.open("segment", url, Segment.class);
  }

  /**
   * Starts building a segment over a store's tag.
   *
   * @param store a {@link Store}, a {@code JdbcStore}, or one of your own: a lambda is enough
   * @param tag the tag: 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace:
   *     {@code shop/orders}
   * @return a builder
   */
  public static Builder builder(SegmentStore store, String tag) {
    return new Builder(given(store, "store"), given(tag, "tag"));
  }

  @Override
  public long nextId() {
    Block present = block;
    long place = present.getAndIncrement();
    return place < present.count ? present.number(place) : take(1, waitMs).first();
  }

  @Override
  public long nextIdWithin(Duration wait) {
    return take(1, bound(wait)).first();
  }

  @Override
  public void fill(long[] ids) {
    int filled = 0;
    while (filled < given(ids, "ids").length) {
      int wanted = ids.length - filled;
      Run run = take(wanted, waitMs);
      for (int n = 0; n < run.count; n++) {
        ids[filled + n] = run.first + n * run.stride;
      }
      filled += run.count;
    }
  }

  @Override
  public Stats stats() {
    try {
      return Rows.stats(handle, block.left());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void close() {
    super.close();
    forget();
  }

  @Override
  public void close(Duration wait) {
    super.close(wait);
    forget();
  }

  private void forget() {
    refilling.lock();
    try {
      block = Block.NONE;
    } finally {
      refilling.unlock();
    }
  }

  /** Up to so many numbers that lie together. */
  private Run take(int wanted, long boundMs) {
    Run run = block.take(wanted);
    if (run != null) {
      return run;
    }
    Waiting waiting = new Waiting(boundMs);
    long[] range = new long[3];
    try {
      while (true) {
        long pause;
        refilling.lock();
        try {
          // Another thread may have put the next block in place by now.
          run = block.take(wanted);
          if (run != null) {
            return run;
          }
          pause = Native.pollRange(handle, wanted, range, waiting.leftNs());
          if (pause < 0) {
            Block next = new Block(range[0], range[1], range[2]);
            run = next.take(wanted);
            block = next;
            return run;
          }
        } finally {
          refilling.unlock();
        }
        waiting.pause(pause);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Numbers taken together. */
  private record Run(long first, int count, long stride) {}

  /**
   * Numbers that lie together; this counts those taken, and goes on counting past the end. It is
   * replaced only when all are taken, so whoever gets a number from a later block does so later.
   */
  private static final class Block extends AtomicLong {
    private static final long serialVersionUID = 1L;
    static final Block NONE = new Block(0, 0, 1);

    final long start;
    final long count;
    final long stride;

    Block(long start, long count, long stride) {
      this.start = start;
      this.count = count;
      this.stride = stride;
    }

    /** Leaves none to take, for those who have it in hand either. */
    void giveUp() {
      set(count);
    }

    long number(long place) {
      return start + place * stride;
    }

    long left() {
      return Math.max(count - get(), 0);
    }

    /** Up to so many numbers; null if there are none. */
    Run take(int wanted) {
      if (get() >= count) {
        return null;
      }
      long place = getAndAdd(wanted);
      if (place >= count) {
        return null;
      }
      return new Run(number(place), (int) Math.min(wanted, count - place), stride);
    }
  }

  /** Builds a {@link Segment}. */
  public static final class Builder extends SourceBuilder {
    private final SegmentStore store;
    private final String tag;
    private Step step;
    private long runwayMs = -1;
    private Prefetch prefetch;

    private Builder(SegmentStore store, String tag) {
      this.store = store;
      this.tag = tag;
    }

    /**
     * How many numbers a range has. Unless set, the tag's step, doubled up to a million for as long
     * as ranges last less than 15 minutes.
     *
     * @param step always so many
     * @return this
     */
    public Builder step(long step) {
      return step(Step.fixed(step));
    }

    /**
     * How many numbers a range has, between bounds.
     *
     * @param step the bounds
     * @return this
     */
    public Builder step(Step step) {
      this.step = given(step, "step");
      return this;
    }

    /**
     * How long the numbers at hand are to last, up to a day, so that the store may be away for as
     * long: ranges double from the tag's step on until they do. In place of a step.
     *
     * @param runway the time, rounded up to milliseconds
     * @return this
     */
    public Builder runway(Duration runway) {
      runwayMs = Arguments.millisUp(runway, "runway");
      return this;
    }

    /**
     * When the next range is fetched: once so many percent of the present are used; 10 unless set.
     *
     * @param usedPercent 0 to 100
     * @return this
     */
    public Builder prefetch(int usedPercent) {
      return prefetch(Prefetch.doubleBucket(usedPercent));
    }

    /**
     * When the next range is fetched.
     *
     * @param prefetch the way
     * @return this
     */
    public Builder prefetch(Prefetch prefetch) {
      this.prefetch = given(prefetch, "prefetch");
      return this;
    }

    /**
     * How long a call waits for a number, and opening for a store that is down or locked: 5 s
     * unless set. A question that the store has been asked goes on for up to 5 s, one of a
     * {@link SegmentStore} of your own until that answers.
     *
     * @param wait the bound, rounded up to milliseconds
     * @return this
     */
    public Builder maxWait(Duration wait) {
      setMaxWait(wait);
      return this;
    }

    /**
     * Looks the tag up and opens the segment. Calls the store; the first range is fetched by the
     * first call that mints.
     *
     * @return the segment; {@link Code#UNKNOWN_TAG}, {@link Code#INVALID_TAG},
     *     {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or of the store
     */
    public Segment open() {
      return opened(
          store,
          () -> {
            long handle =
                Native.openSegment(
                    handle(store),
                    store,
                    tag,
                    step == null ? null : new long[] {step.min(), step.max()},
                    runwayMs,
                    prefetch == null ? null : prefetch.numbers(),
                    waitMs);
            return new Segment(handle, waitMs);
          });
    }
  }
}
