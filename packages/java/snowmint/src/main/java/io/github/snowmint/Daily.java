package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Waiting;
import java.lang.ref.Reference;
import java.time.Duration;
import java.time.ZoneId;

/**
 * Mints numbers that begin with the date: {@code yyyymmdd} and a sequence of fixed width, in one
 * integer. With 6 digits the 42nd number of 21 August 2026 is {@code 20260821000042}.
 *
 * <ul>
 *   <li><em>Order</em>: numbers rise strictly in issue order, across threads, ranges and days.
 *   <li><em>Gaps</em>: numbers that are fetched and not minted when the day or the process ends are
 *       lost.
 *   <li><em>Overflow</em>: when a day's numbers are used up, calls fail with
 *       {@link Code#TAG_EXHAUSTED} until the next day.
 *   <li><em>Clock rollback</em>: if the clock goes back over midnight, the later day goes on.
 *       Nothing is ever issued twice.
 *   <li><em>Threads</em>: share it. Minting takes no lock while fetched numbers last.
 * </ul>
 *
 * <p>Calls fail like those of {@link Segment}.
 */
public final class Daily extends MintingSource implements IdSource {
  Daily(long handle, long waitMs) {
    super(handle, waitMs);
  }

  /**
   * Opens a source by its URL, like {@link IdSource#open}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#open}
   */
  public static Daily open(String url) {
    return Opening.open("daily", url, Daily.class);
  }

  /**
   * Returns a source that opens at its first use, like {@link IdSource#lazy}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#lazy}
   */
  public static Daily lazy(String url) {
    return Opening.lazy("daily", url, Daily.class);
  }

  /**
   * Starts building a source of daily numbers over a store.
   *
   * @param store a store that can create tags, because each day has its own tag
   * @param tag the tag, without a day
   * @return a builder with 6 digits, in UTC
   */
  public static Builder builder(SegmentStore store, String tag) {
    return new Builder(given(store, "store"), given(tag, "tag"));
  }

  /**
   * Returns rising numbers, all of one day.
   *
   * @param count 1 to {@link Snowmint#MAX_COUNT}, and no more than a day has
   * @return that many numbers
   */
  @Override
  public long[] nextIds(int count) {
    Native.checkCount(count);
    try {
      return Waiting.blocking(() -> Native.dailyIds(handle, count));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Fills an array with rising numbers, all of one day.
   *
   * @param ids the array
   * @throws SnowmintException {@link Code#COUNT_OUT_OF_RANGE} if a day has fewer numbers
   */
  @Override
  public void fill(long[] ids) {
    given(ids, "ids");
    try {
      Waiting.blocking(() -> Native.dailyFill(handle, ids));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Builds a {@link Daily}. */
  public static final class Builder extends SourceBuilder {
    private final SegmentStore store;
    private final String tag;
    private String zone;
    private long digits = -1;
    private long step = Native.ABSENT;
    private Prefetch prefetch;

    private Builder(SegmentStore store, String tag) {
      this.store = store;
      this.tag = tag;
    }

    /**
     * Sets the time zone of the days. The default is UTC.
     *
     * @param zone the zone
     * @return this
     */
    public Builder zone(ZoneId zone) {
      return zone(given(zone, "zone").getId().equals("Z") ? "UTC" : zone.getId());
    }

    /**
     * Sets the time zone of the days.
     *
     * @param zone {@code UTC}, an offset such as {@code +08:00}, or a name such as
     *     {@code Asia/Shanghai} if the system has the zone database
     * @return this
     */
    public Builder zone(String zone) {
      this.zone = given(zone, "zone");
      return this;
    }

    /**
     * Sets the number of digits after the date. The default is 6.
     *
     * @param digits 1 to 10
     * @return this
     */
    public Builder digits(int digits) {
      this.digits =
          (int) Arguments.unsigned(digits, "digits", Code.INVALID_PARAMETER, 1, 10);
      return this;
    }

    /**
     * Sets the size of a range. The default is a thousandth of a day's numbers, at most 1000.
     *
     * @param step the step
     * @return this
     */
    public Builder step(long step) {
      this.step = Arguments.step(step);
      return this;
    }

    /**
     * Sets when the next range is fetched: once a percentage of the current range is used. The
     * default is 50.
     *
     * @param usedPercent 0 to 100
     * @return this
     */
    public Builder prefetch(int usedPercent) {
      this.prefetch = Prefetch.doubleBucket(usedPercent);
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
     * Opens the source, and creates the day's tag. Calls the store.
     *
     * @return the source
     * @throws SnowmintException {@link Code#INVALID_TIME} for an unknown zone,
     *     {@link Code#INVALID_PARAMETER}, {@link Code#INVALID_TAG}, {@link Code#INVALID_STEP},
     *     {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or an error of the
     *     store
     */
    public Daily open() {
      return opened(
          store,
          () -> {
            long[] numbers = prefetch == null ? null : prefetch.numbers();
            long handle =
                Native.openDaily(handle(store), store, tag, zone, digits, step, numbers, waitMs);
            return new Daily(handle, waitMs);
          });
    }
  }
}
