package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import io.github.snowmint.internal.Rows;
import io.github.snowmint.internal.Waiting;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.PrimitiveIterator;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Mints a sequence for each of many keys, and persists little, like WeChat's seqsvr: keys are
 * grouped in sections, and only a section's maximum is in the store.
 *
 * <ul>
 *   <li><em>Order</em>: the numbers of a key rise strictly in issue order, across threads, ranges
 *       and restarts. Two keys can have the same number; one key never has a number twice.
 *   <li><em>Gaps</em>: a restart begins at the section's maximum, so each of its keys skips up to
 *       two steps.
 *   <li><em>Threads</em>: share it.
 * </ul>
 *
 * <p>Calls fail with {@link Code#WAIT_TIMEOUT} or the store's error when no number could be fetched
 * in time, {@link Code#INVALID_KEY}, {@link Code#TAG_EXHAUSTED} and {@link Code#CLOSED}.
 */
public final class Sequences implements IdSource {
  private final long handle;
  private final long waitMs;

  Sequences(long handle, long waitMs) {
    this.handle = handle;
    this.waitMs = waitMs;
    Reaper.watch(this, handle, Native::freeSource);
  }

  /**
   * Opens sequences by their URL, like {@link IdSource#open}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#open}
   */
  public static Sequences open(String url) {
    return Opening.open("sequences", url, Sequences.class);
  }

  /**
   * Returns a source that opens at its first use, like {@link IdSource#lazy}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#lazy}
   */
  public static Sequences lazy(String url) {
    return Opening.lazy("sequences", url, Sequences.class);
  }

  /**
   * Starts building sequences over a store.
   *
   * @param store a store that can create tags
   * @param tag the tag, without a section
   * @return a builder
   */
  public static Builder builder(SegmentStore store, String tag) {
    return new Builder(given(store, "store"), given(tag, "tag"));
  }

  @Override
  public void check() {
    try {
      Opening.check(handle, waitMs);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the next number of a key, waiting up to the sequences' bound.
   *
   * @param key the key, an unsigned number of 64 bits
   * @return the number
   */
  public long next(long key) {
    return next(key, waitMs);
  }

  /**
   * Returns the next number of a key, waiting up to a bound.
   *
   * @param key the key, an unsigned number of 64 bits
   * @param wait the bound, rounded up to milliseconds; {@link Duration#ZERO} takes a fetched number
   *     or fails
   * @return the number
   */
  public long nextWithin(long key, Duration wait) {
    return next(key, MintingSource.bound(wait));
  }

  private long next(long key, long boundMs) {
    long[] number = new long[1];
    Waiting waiting = new Waiting(boundMs);
    try {
      while (true) {
        long pause = Native.pollKey(handle, key, number, waiting.leftNs());
        if (pause < 0) {
          return number[0];
        }
        waiting.pause(pause);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the state of the sequences, but not of single sections. Reading it changes nothing and
   * waits for no store.
   *
   * @return their state at this moment
   */
  @Override
  public Stats stats() {
    try {
      return Rows.stats(handle, Native.ABSENT);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private static SnowmintException needsKey() {
    return new SnowmintException(
        Code.UNSUPPORTED, "each key has a sequence: take its numbers with next(key)");
  }

  @Override
  public long nextId() {
    throw needsKey();
  }

  @Override
  public long nextIdWithin(Duration wait) {
    throw needsKey();
  }

  @Override
  public long[] nextIds(int count) {
    throw needsKey();
  }

  @Override
  public void fill(long[] ids) {
    throw needsKey();
  }

  @Override
  public LongStream stream() {
    throw needsKey();
  }

  @Override
  public PrimitiveIterator.OfLong iterator() {
    throw needsKey();
  }

  @Override
  public UUID nextUuid() {
    throw needsKey();
  }

  /**
   * Returns the state of the sequences, for logs and debuggers, as a line whose form may change.
   */
  @Override
  public String toString() {
    return Rows.line(getClass(), stats());
  }

  @Override
  public Duration maxWait() {
    return Duration.ofMillis(waitMs);
  }

  /** Closes at once, because sequences have no worker ID to release. */
  @Override
  public void close(Duration wait) {
    MintingSource.bound(wait);
    close();
  }

  /** Stops minting. The rest of the fetched ranges is lost. Closing twice is no error. */
  @Override
  public void close() {
    try {
      Waiting.blocking(() -> Native.closeSource(handle));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Builds {@link Sequences}. */
  public static final class Builder extends SourceBuilder {
    private final SegmentStore store;
    private final String tag;
    private long keys = Native.ABSENT;
    private long step = Native.ABSENT;

    private Builder(SegmentStore store, String tag) {
      this.store = store;
      this.tag = tag;
    }

    /**
     * Sets how many keys share a persisted maximum. The default is 100,000. It can never be changed
     * for a tag.
     *
     * @param keys the number of keys
     * @return this
     */
    public Builder keysPerSection(long keys) {
      this.keys =
          Arguments.unsigned(keys, "keysPerSection", Code.INVALID_PARAMETER, 1, Snowmint.MAX_STEP);
      return this;
    }

    /**
     * Sets by how much a section's maximum is raised at a time. The default is 10,000.
     *
     * @param step the step
     * @return this
     */
    public Builder step(long step) {
      this.step = Arguments.step(step);
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
     * Opens the sequences, and records the number of keys in a section. Calls the store.
     *
     * @return the sequences
     * @throws SnowmintException {@link Code#INVALID_PARAMETER} for 0 keys in a section, too many,
     *     or another number than recorded; {@link Code#INVALID_STEP}; {@link Code#INVALID_TAG};
     *     {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile; or an error of the
     *     store
     */
    public Sequences open() {
      return opened(
          store,
          () -> {
            long handle = Native.openSequences(handle(store), store, tag, keys, step, waitMs);
            return new Sequences(handle, waitMs);
          });
    }
  }
}
