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
 *       of minting. Other processes on the same tag mint from their own ranges, so there is no
 *       order between processes.
 *   <li><em>Gaps</em>: numbers that are fetched and not minted when a process ends are lost.
 *   <li><em>Threads</em>: share it. Minting takes no lock while fetched numbers last. A virtual
 *       thread that waits parks, and pins no carrier.
 *   <li><em>Copies</em>: tell a process that continues from an image (CRaC, SnapStart, a machine's
 *       snapshot) by {@link Snowmint#onRestore}. It goes on with another range.
 *   <li><em>Store down</em>: the fetched numbers are minted to the end. Then calls fail within
 *       their bound, and succeed again by themselves once the store is back.
 * </ul>
 *
 * <p>Calls that mint fail with {@link Code#WAIT_TIMEOUT} or the store's error when none could be
 * fetched in time, {@link Code#TAG_EXHAUSTED}, {@link Code#RANGE_REGRESSED},
 * {@link Code#INVALID_RANGE} and {@link Code#CLOSED}.
 */
public final class Segment extends MintingSource implements IdSource {
  private static final ReentrantLock OPENING = new ReentrantLock();
  private static final Map<Segment, Void> OPENED = new WeakHashMap<>();

  /** Held to put the next block in place, and not while waiting or during a call of the store. */
  private final ReentrantLock refilling = new ReentrantLock();

  /** The numbers that Java gives out, at the cost of one addition each. */
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

  /** Gives up the blocks of all segments, because other images of this process have them too. */
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
   * Opens a segment by its URL, like {@link IdSource#open}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#open}
   */
  public static Segment open(String url) {
    return Opening.open("segment", url, Segment.class);
  }

  /**
   * Returns a source that opens at its first use, like {@link IdSource#lazy}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#lazy}
   */
  public static Segment lazy(String url) {
    return Opening.lazy("segment", url, Segment.class);
  }

  /**
   * Starts building a segment over a store's tag.
   *
   * @param store a {@link Store}, a {@code JdbcStore}, or your own, for which a lambda is enough
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

  /** Takes up to {@code wanted} numbers that lie together, and waits for some if there are none. */
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

  /** Numbers that were taken together. */
  private record Run(long first, int count, long stride) {}

  /**
   * Numbers that lie together. The value counts those taken, and goes on counting past the end. A
   * block is replaced only when all are taken, so a number from a later block is always taken
   * later.
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

    /** Leaves no number to take, not even for a thread that holds this block. */
    void giveUp() {
      set(count);
    }

    long number(long place) {
      return start + place * stride;
    }

    long left() {
      return Math.max(count - get(), 0);
    }

    /** Takes up to {@code wanted} numbers, or returns null if there are none. */
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
     * Sets a fixed size of ranges. The default is the tag's step, which doubles, up to a million,
     * while ranges last less than 15 minutes.
     *
     * @param step the size of each range
     * @return this
     */
    public Builder step(long step) {
      return step(Step.fixed(step));
    }

    /**
     * Sets the bounds of a range's size.
     *
     * @param step the bounds
     * @return this
     */
    public Builder step(Step step) {
      this.step = given(step, "step");
      return this;
    }

    /**
     * Sets how long the numbers at hand should last while the store is away, up to a day, instead
     * of a step. Ranges begin with the tag's step, and double until they last that long.
     *
     * @param runway the time, rounded up to milliseconds
     * @return this
     */
    public Builder runway(Duration runway) {
      runwayMs = Arguments.millisUp(runway, "runway");
      return this;
    }

    /**
     * Sets when the next range is fetched: once a percentage of the current range is used. The
     * default is 10.
     *
     * @param usedPercent 0 to 100
     * @return this
     */
    public Builder prefetch(int usedPercent) {
      return prefetch(Prefetch.doubleBucket(usedPercent));
    }

    /**
     * Sets when the next range is fetched.
     *
     * @param prefetch the rule
     * @return this
     */
    public Builder prefetch(Prefetch prefetch) {
      this.prefetch = given(prefetch, "prefetch");
      return this;
    }

    /**
     * Sets how long a call waits for a number, and how long opening waits for a store that is down
     * or locked. The default is 5 s. A call that the store has begun goes on for up to 5 s, and one
     * of your own {@link SegmentStore} goes on until it answers.
     *
     * @param wait the bound, rounded up to milliseconds
     * @return this
     */
    public Builder maxWait(Duration wait) {
      setMaxWait(wait);
      return this;
    }

    /**
     * Looks the tag up and opens the segment. Calls the store. The first call that mints fetches
     * the first range.
     *
     * @return the segment
     * @throws SnowmintException {@link Code#UNKNOWN_TAG}, {@link Code#INVALID_TAG},
     *     {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or an error of the
     *     store
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
