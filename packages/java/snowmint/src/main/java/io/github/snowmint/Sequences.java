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
 * Mints a sequence for each of many keys, with little to persist, in the manner of WeChat's seqsvr:
 * keys are grouped in sections, and only a section's maximum is in the store.
 *
 * <ul>
 *   <li><em>Order</em>: the numbers of a key rise strictly in issue order, across threads, ranges
 *       and restarts. Two keys can have the same number; one key never has a number twice.
 *   <li><em>Gaps</em>: a restart begins at the section's maximum: each of its keys leaps by up to
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
   * Opens one by its URL, as {@link IdSource#open} does.
   *
   * @param url the URL
   * @return the source; {@link Code#INVALID_PARAMETER} for the URL of another kind, and those of
   *     {@link IdSource#open}
   */
  public static Sequences open(String url) {
    return Opening.open("sequences", url, Sequences.class);
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

  /**
   * The next number of a key, waiting up to the sequences' bound.
   *
   * @param key the key, 64 bits without a sign
   * @return the number
   */
  public long next(long key) {
    return next(key, waitMs);
  }

  /**
   * The next number of a key, waiting up to a bound.
   *
   * @param key the key, 64 bits without a sign
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
   * What they are doing; of single sections nothing is told. Asking changes nothing and waits for no
   * store.
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

  /** What they are, for logs and debuggers: no text to rely on. */
  @Override
  public String toString() {
    return Rows.line(getClass(), stats());
  }

  @Override
  public Duration maxWait() {
    return Duration.ofMillis(waitMs);
  }

  /** Closes, and has no worker ID that a store would have to know of. */
  @Override
  public void close(Duration wait) {
    MintingSource.bound(wait);
    close();
  }

  /** Stops minting; what is left of the fetched ranges is lost. Closing twice is no error. */
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
     * How many keys share a persisted maximum: 100,000 unless set. It can never be changed for a
     * tag.
     *
     * @param keys how many
     * @return this
     */
    public Builder keysPerSection(long keys) {
      this.keys =
          Arguments.unsigned(keys, "keysPerSection", Code.INVALID_PARAMETER, 1, Snowmint.MAX_STEP);
      return this;
    }

    /**
     * By how much a section's maximum is raised at a time: 10,000 unless set.
     *
     * @param step by how much
     * @return this
     */
    public Builder step(long step) {
      this.step = Arguments.step(step);
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
     * Opens the sequences, and records how many keys a section has. Calls the store.
     *
     * @return the sequences; {@link Code#INVALID_PARAMETER} for 0 keys a section, too many, or
     *     other than recorded; {@link Code#INVALID_STEP}, {@link Code#INVALID_TAG},
     *     {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or of the store
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
