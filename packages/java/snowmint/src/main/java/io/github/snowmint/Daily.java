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
 *   <li><em>Gaps</em>: what is fetched and not minted when the day or the process ends is lost.
 *   <li><em>Overflow</em>: when a day's numbers are used up calls fail with
 *       {@link Code#TAG_EXHAUSTED}, and the next day goes on.
 *   <li><em>Clock rollback</em>: if it goes back over midnight, the later day goes on. Nothing is
 *       ever issued twice.
 *   <li><em>Threads</em>: share it; minting takes no lock while fetched numbers last.
 * </ul>
 *
 * <p>Calls fail as those of {@link Segment}.
 */
public final class Daily extends MintingSource implements IdSource {
  Daily(long handle, long waitMs) {
    super(handle, waitMs);
  }

  /**
   * Opens one by its URL, as {@link IdSource#open} does.
   *
   * @param url the URL
   * @return the source; {@link Code#INVALID_PARAMETER} for the URL of another kind, and those of
   *     {@link IdSource#open}
   */
  public static Daily open(String url) {
    return Opening.open("daily", url, Daily.class);
  }

  /**
   * Starts building a source of daily numbers over a store.
   *
   * @param store a store that can create tags: each day has one of its own
   * @param tag the tag, without a day
   * @return a builder: of 6 digits, in UTC
   */
  public static Builder builder(SegmentStore store, String tag) {
    return new Builder(given(store, "store"), given(tag, "tag"));
  }

  /**
   * Rising numbers, all of one day.
   *
   * @param count 1 to {@link Snowmint#MAX_COUNT}, and no more than a day has
   * @return so many
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
   * @param ids the array; {@link Code#COUNT_OUT_OF_RANGE} if a day has not so many
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
     * The time zone whose days count; UTC unless set.
     *
     * @param zone the zone
     * @return this
     */
    public Builder zone(ZoneId zone) {
      return zone(given(zone, "zone").getId().equals("Z") ? "UTC" : zone.getId());
    }

    /**
     * The time zone whose days count.
     *
     * @param zone {@code UTC}, an offset such as {@code +08:00}, or a name such as
     *     {@code Asia/Shanghai} where the system has the zone database
     * @return this
     */
    public Builder zone(String zone) {
      this.zone = given(zone, "zone");
      return this;
    }

    /**
     * How many digits follow the date; 6 unless set.
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
     * How many numbers a range has; a thousandth of a day's unless set, at most 1000.
     *
     * @param step the step
     * @return this
     */
    public Builder step(long step) {
      this.step = Arguments.step(step);
      return this;
    }

    /**
     * When the next range is fetched: once so many percent of the present are used; 50 unless set.
     *
     * @param usedPercent 0 to 100
     * @return this
     */
    public Builder prefetch(int usedPercent) {
      this.prefetch = Prefetch.doubleBucket(usedPercent);
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
     * Opens the source, and creates the day's tag. Calls the store.
     *
     * @return the source; {@link Code#INVALID_TIME} for an unknown zone,
     *     {@link Code#INVALID_PARAMETER}, {@link Code#INVALID_TAG}, {@link Code#INVALID_STEP},
     *     {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or of the store
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
