package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;
import static io.github.snowmint.internal.Arguments.instant;
import static io.github.snowmint.internal.Arguments.millis;
import static io.github.snowmint.internal.Arguments.wholeMillis;

import io.github.snowmint.internal.Native;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the 64 bits of an ID are divided: fields of any order and width, an epoch and a tick. It is
 * checked once, when built; a built one is valid. Immutable, and equal by fields, epoch and tick.
 *
 * <p>Each distinct layout takes some hundred bytes for as long as the process runs.
 */
public final class Layout {
  /** The layout of the preset {@code twitter}. */
  public static final Layout TWITTER = of("twitter");

  /** The layout of the preset {@code discord}. */
  public static final Layout DISCORD = of("discord");

  /** The layout of the preset {@code instagram}. */
  public static final Layout INSTAGRAM = of("instagram");

  /** The layout of the preset {@code mastodon}. */
  public static final Layout MASTODON = of("mastodon");

  /** The layout of the preset {@code leaf}. */
  public static final Layout LEAF = of("leaf");

  /** The layout of the preset {@code bwmarrin}. */
  public static final Layout BWMARRIN = of("bwmarrin");

  /** The layout of the preset {@code shardingsphere}. */
  public static final Layout SHARDINGSPHERE = of("shardingsphere");

  /** The layout of the preset {@code shardingsphere-cst}. */
  public static final Layout SHARDINGSPHERE_CST = of("shardingsphere-cst");

  /** The layout of the preset {@code sonyflake-v2}. */
  public static final Layout SONYFLAKE_V2 = of("sonyflake-v2");

  /** The layout of the preset {@code sonyflake-v1}. */
  public static final Layout SONYFLAKE_V1 = of("sonyflake-v1");

  /** The layout of the preset {@code cosid-ms}. */
  public static final Layout COSID_MS = of("cosid-ms");

  /** The layout of the preset {@code baidu-readme}. */
  public static final Layout BAIDU_README = of("baidu-readme");

  /** The layout of the preset {@code baidu-default}. */
  public static final Layout BAIDU_DEFAULT = of("baidu-default");

  /** The layout of the preset {@code yitter}. */
  public static final Layout YITTER = of("yitter");

  /** The layout of the preset {@code netease}. */
  public static final Layout NETEASE = of("netease");

  /** The layout of the preset {@code seata}. */
  public static final Layout SEATA = of("seata");

  /** The layout of the preset {@code hazelcast}. */
  public static final Layout HAZELCAST = of("hazelcast");

  /** The layout of the preset {@code cosid-s}. */
  public static final Layout COSID_S = of("cosid-s");

  /** The layout of the preset {@code cosid-js-ms}. */
  public static final Layout COSID_JS_MS = of("cosid-js-ms");

  /** The layout of the preset {@code cosid-js-s}. */
  public static final Layout COSID_JS_S = of("cosid-js-s");

  /** The layout of the preset {@code lingdu}. */
  public static final Layout LINGDU = of("lingdu");

  /** The layout of the preset {@code influx}. */
  public static final Layout INFLUX = of("influx");

  /** The layout of the preset {@code rollback-bits}. */
  public static final Layout ROLLBACK_BITS = of("rollback-bits");

  private final long handle;
  private final long[] facts;

  private Layout(long handle) {
    this.handle = handle;
    this.facts = Native.layoutNumbers(handle);
  }

  static Layout at(long handle) {
    return new Layout(handle);
  }

  long handle() {
    return handle;
  }

  /**
   * The layout of a preset's name ({@code twitter}), of fields from the top bit down
   * ({@code time:41,worker:10,sequence:12}) since 1970 in ms, or of {@link #toString()}.
   *
   * @param text the name, the fields, or the layout's text
   * @return the layout; {@link Code#UNKNOWN_LAYOUT} or {@link Code#INVALID_LAYOUT} for another text
   */
  public static Layout of(String text) {
    return new Layout(Native.layoutNamed(given(text, "layout")));
  }

  /**
   * The layout of fields written from the top bit down: {@code time:41,worker:10,sequence:12};
   * {@code zero:N} and {@code constant:N=V} are constants.
   *
   * @param fields the fields
   * @param epoch the time that ticks are counted from, in whole milliseconds
   * @param tick the length of a tick, in whole milliseconds
   * @return the layout; {@link Code#INVALID_LAYOUT} with what is wrong
   */
  public static Layout of(String fields, Instant epoch, Duration tick) {
    String own = Preset.unlessNamed(given(fields, "fields"));
    return new Layout(Native.layoutOf(own, wholeMillis(epoch, "epoch"), wholeMillis(tick, "tick")));
  }

  /**
   * Starts a layout: fields are added from the top bit down. The epoch is 1970 and the tick 1 ms
   * unless set; bits left over are zeros on top.
   *
   * @return a builder without fields
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The fields, from the top bit down.
   *
   * @return the fields, constants included
   */
  public List<Field> fields() {
    return Field.list(Native.layoutFields(handle));
  }

  /**
   * The time that ticks are counted from.
   *
   * @return the epoch
   */
  public Instant epoch() {
    return instant(facts[0]);
  }

  /**
   * The length of a tick.
   *
   * @return whole milliseconds
   */
  public Duration tick() {
    return Duration.ofMillis(facts[1]);
  }

  /**
   * The width of the worker ID: all worker fields side by side.
   *
   * @return 0 to 32
   */
  public int workerBits() {
    return (int) facts[2];
  }

  /**
   * The largest worker ID.
   *
   * @return a number of 32 bits
   */
  public long maxWorkerId() {
    return facts[3];
  }

  /**
   * The IDs one worker can mint in a tick.
   *
   * @return at least 1
   */
  public long idsPerTick() {
    return facts[4];
  }

  /**
   * The IDs one worker can mint in a second, over a long time.
   *
   * @return how many
   */
  public long idsPerSecond() {
    return facts[5];
  }

  /**
   * How many ticks the time field counts.
   *
   * @return how many
   */
  public long ticks() {
    return facts[6];
  }

  /**
   * The first moment the layout cannot express.
   *
   * @return Unix milliseconds
   */
  public long expiresMs() {
    return facts[7];
  }

  /**
   * The first moment the layout cannot express.
   *
   * @return the moment
   */
  public Instant expires() {
    return instant(facts[7]);
  }

  /**
   * Whether its IDs fit so many bits: 63 for a {@code long} that is never negative, 53 for a
   * JavaScript number.
   *
   * @param bits how many
   * @return whether, and until when
   */
  public Fit fits(int bits) {
    long[] until = new long[1];
    int fit = Native.layoutFits(handle, bits, until);
    return new Fit(fit == 0, fit == 1 ? Optional.of(instant(until[0])) : Optional.empty());
  }

  /**
   * Takes an ID apart.
   *
   * @param id the ID
   * @return its parts; {@link Code#ID_NOT_IN_LAYOUT} where constant bits differ
   */
  public Parts decode(long id) {
    long[] parts = new long[4];
    Native.layoutDecode(handle, id, parts);
    return new Parts(instant(parts[0]), parts[1], parts[2], (int) parts[3]);
  }

  /**
   * Takes an ID apart that stands as text.
   *
   * @param id its decimal digits
   * @return its parts; {@link Code#ID_NOT_IN_LAYOUT} where constant bits differ, and the codes of
   *     {@link TextForm#parse} for what is no ID
   */
  public Parts decode(String id) {
    return decode(TextForm.DECIMAL.parse(id));
  }

  /**
   * Takes many IDs apart.
   *
   * @param ids the IDs
   * @return their parts, an array each; {@link Code#ID_NOT_IN_LAYOUT} where constant bits differ,
   *     with the index of the first such ID
   */
  public PartsColumns decode(long[] ids) {
    return PartsColumns.of(this, given(ids, "ids"));
  }

  /**
   * Puts an ID together; the time is rounded down to its tick.
   *
   * @param parts the parts
   * @return the ID; {@link Code#TIME_OUT_OF_RANGE}, or {@link Code#FIELD_OUT_OF_RANGE} for the
   *     first value that does not fit
   */
  public long encode(Parts parts) {
    long unixMs = millis(given(parts, "parts").time(), "time");
    return encode(unixMs, parts.workerId(), parts.sequence(), parts.rollback());
  }

  /**
   * Puts an ID together from numbers.
   *
   * @param unixMs the time, Unix milliseconds, rounded down to its tick
   * @param workerId the worker ID
   * @param sequence the sequence number
   * @param rollback the rollback counter
   * @return the ID; errors as of {@link #encode(Parts)}
   */
  public long encode(long unixMs, long workerId, long sequence, long rollback) {
    return Native.layoutEncode(handle, unixMs, workerId, sequence, rollback);
  }

  /**
   * The tick of a time.
   *
   * @param time the time
   * @return ticks since the epoch; {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long tickAt(Instant time) {
    return Native.layoutTickAt(handle, millis(time, "time"));
  }

  /**
   * The smallest ID with the tick of a time; one minted later can be up to 10 ms below, on Linux.
   *
   * @param time the time
   * @return the ID; {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long minId(Instant time) {
    return minId(millis(time, "time"));
  }

  /**
   * The smallest ID with the tick of a time.
   *
   * @param unixMs the time, Unix milliseconds
   * @return the ID; {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long minId(long unixMs) {
    return Native.layoutMinId(handle, unixMs);
  }

  /**
   * The largest ID with the tick of a time; one minted by then can be {@code maxAhead} above.
   *
   * @param time the time
   * @return the ID; {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long maxId(Instant time) {
    return maxId(millis(time, "time"));
  }

  /**
   * The largest ID with the tick of a time; one minted by then can be {@code maxAhead} above.
   *
   * @param unixMs the time, Unix milliseconds
   * @return the ID; {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long maxId(long unixMs) {
    return Native.layoutMaxId(handle, unixMs);
  }

  /**
   * The worker ID of its parts, 0 unless given: 378 of datacenter 11 and worker 26 (Twitter).
   *
   * @param parts the values of the worker fields
   * @return the worker ID; {@link Code#FIELD_OUT_OF_RANGE} for what does not fit, or is of
   *     none of the layout's worker fields
   */
  public long workerId(Map<FieldKind, Long> parts) {
    FieldKind.checkParts(given(parts, "parts"), workerParts(0).keySet());
    int[] kinds = parts.keySet().stream().mapToInt(FieldKind::ordinal).toArray();
    long[] values = parts.values().stream().mapToLong(Long::longValue).toArray();
    return Native.layoutWorkerId(handle, kinds, values);
  }

  /**
   * A worker ID's parts, the upper first: of 32 worker 1 and process 0 in Discord's layout.
   *
   * @param workerId the worker ID, as {@link Parts#workerId()} has it
   * @return the values, unmodifiable; {@link Code#FIELD_OUT_OF_RANGE} above the largest worker ID
   */
  public Map<FieldKind, Long> workerParts(long workerId) {
    return Field.values(Native.layoutWorkerParts(handle, workerId));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Layout layout && handle == layout.handle;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(handle);
  }

  /**
   * All of it, as {@link #of(String)} reads it: fields, epoch and tick in milliseconds.
   *
   * @return such as {@code zero:1,time:41,worker:10,sequence:12@1288834974657/1}
   */
  @Override
  public String toString() {
    return Native.layoutText(handle);
  }

  /** Collects the fields of a layout, from the top bit down. */
  public static final class Builder {
    private final StringBuilder fields = new StringBuilder();
    private Instant epoch = Instant.EPOCH;
    private Duration tick = Duration.ofMillis(1);

    private Builder() {}

    private Builder add(String field) {
      fields.append(fields.isEmpty() ? "" : ",").append(field);
      return this;
    }

    /**
     * Adds a field below those there.
     *
     * @param kind what it holds; for constants there is {@link #constant}
     * @param bits its width
     * @return this
     */
    public Builder field(FieldKind kind, int bits) {
      return add(given(kind, "kind").label() + ":" + bits);
    }

    /**
     * Adds bits that are 0 in every ID.
     *
     * @param bits how many
     * @return this
     */
    public Builder zero(int bits) {
      return add("zero:" + bits);
    }

    /**
     * Adds bits that are the same in every ID.
     *
     * @param bits how many
     * @param value what they are
     * @return this
     */
    public Builder constant(int bits, long value) {
      return add("constant:" + bits + "=" + Long.toUnsignedString(value));
    }

    /**
     * Adds the time field.
     *
     * @param bits its width
     * @return this
     */
    public Builder time(int bits) {
      return field(FieldKind.TIME, bits);
    }

    /**
     * Adds the worker ID, or its part beside a datacenter.
     *
     * @param bits its width
     * @return this
     */
    public Builder worker(int bits) {
      return field(FieldKind.WORKER, bits);
    }

    /**
     * Adds the sequence.
     *
     * @param bits its width
     * @return this
     */
    public Builder sequence(int bits) {
      return field(FieldKind.SEQUENCE, bits);
    }

    /**
     * Sets the time that ticks are counted from.
     *
     * @param epoch a time of whole milliseconds
     * @return this
     */
    public Builder epoch(Instant epoch) {
      this.epoch = given(epoch, "epoch");
      return this;
    }

    /**
     * Sets the length of a tick.
     *
     * @param tick whole milliseconds
     * @return this
     */
    public Builder tick(Duration tick) {
      this.tick = given(tick, "tick");
      return this;
    }

    /**
     * Checks everything.
     *
     * @return the layout; {@link Code#INVALID_LAYOUT} with what is wrong
     */
    public Layout build() {
      return Layout.of(fields.toString(), epoch, tick);
    }
  }
}
