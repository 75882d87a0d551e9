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
 * The division of an ID's 64 bits: fields of any order and width, an epoch and a tick. A layout is
 * checked when it is built, so every layout is valid. It is immutable, and equal by fields, epoch
 * and tick.
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

  /** The layout of the preset {@code unix-ms}. */
  public static final Layout UNIX_MS = of("unix-ms");

  /** The layout of the preset {@code tiktok}. */
  public static final Layout TIKTOK = of("tiktok");

  /** The layout of the preset {@code weibo}. */
  public static final Layout WEIBO = of("weibo");

  /** The layout of the preset {@code bilibili}. */
  public static final Layout BILIBILI = of("bilibili");

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
   * Returns the layout of a preset's name ({@code twitter}), of fields from the top bit down
   * ({@code time:41,worker:10,sequence:12}), or of the text of {@link #toString()}. Fields count ms
   * since 1970.
   *
   * @param text the name, the fields, or the layout's text
   * @return the layout
   * @throws SnowmintException {@link Code#UNKNOWN_LAYOUT} or {@link Code#INVALID_LAYOUT} for
   *     another text
   */
  public static Layout of(String text) {
    return new Layout(Native.layoutNamed(given(text, "layout")));
  }

  /**
   * Returns the layout of fields from the top bit down: {@code time:41,worker:10,sequence:12}.
   * {@code zero:N} and {@code constant:N=V} are constants.
   *
   * @param fields the fields
   * @param epoch the time that ticks are counted from, in whole milliseconds
   * @param tick the length of a tick, in whole milliseconds
   * @return the layout
   * @throws SnowmintException {@link Code#INVALID_LAYOUT}, with the reason
   */
  public static Layout of(String fields, Instant epoch, Duration tick) {
    String own = Preset.unlessNamed(given(fields, "fields"));
    return new Layout(Native.layoutOf(own, wholeMillis(epoch, "epoch"), wholeMillis(tick, "tick")));
  }

  /**
   * Starts a layout, to which you add fields from the top bit down. The defaults are the epoch 1970
   * and a tick of 1 ms. Bits left over are zeros on top.
   *
   * @return a builder without fields
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the fields, from the top bit down.
   *
   * @return the fields, constants included
   */
  public List<Field> fields() {
    return Field.list(Native.layoutFields(handle));
  }

  /**
   * Returns the time that ticks are counted from.
   *
   * @return the epoch
   */
  public Instant epoch() {
    return instant(facts[0]);
  }

  /**
   * Returns the length of a tick.
   *
   * @return whole milliseconds
   */
  public Duration tick() {
    return Duration.ofMillis(facts[1]);
  }

  /**
   * Returns the width of the worker ID: all worker fields side by side.
   *
   * @return 0 to 32
   */
  public int workerBits() {
    return (int) facts[2];
  }

  /**
   * Returns the largest worker ID.
   *
   * @return a number of 32 bits
   */
  public long maxWorkerId() {
    return facts[3];
  }

  /**
   * Returns the IDs one worker can mint in a tick.
   *
   * @return at least 1
   */
  public long idsPerTick() {
    return facts[4];
  }

  /**
   * Returns the IDs one worker can mint in a second, over a long time.
   *
   * @return the number of IDs
   */
  public long idsPerSecond() {
    return facts[5];
  }

  /**
   * Returns the number of ticks that the time field counts.
   *
   * @return the number of ticks
   */
  public long ticks() {
    return facts[6];
  }

  /**
   * Returns the first moment the layout cannot express.
   *
   * @return Unix milliseconds
   */
  public long expiresMs() {
    return facts[7];
  }

  /**
   * Returns the first moment the layout cannot express.
   *
   * @return the moment
   */
  public Instant expires() {
    return instant(facts[7]);
  }

  /**
   * Returns whether the layout's IDs fit a number of bits: 63 for a {@code long} that is never
   * negative, 53 for a JavaScript number.
   *
   * @param bits the number of bits
   * @return whether they fit, and until when
   */
  public Fit fits(int bits) {
    long[] until = new long[1];
    int fit = Native.layoutFits(handle, bits, until);
    return new Fit(fit == 0, fit == 1 ? Optional.of(instant(until[0])) : Optional.empty());
  }

  /**
   * Decodes an ID.
   *
   * @param id the ID
   * @return its parts
   * @throws SnowmintException {@link Code#ID_NOT_IN_LAYOUT} if constant bits differ
   */
  public Parts decode(long id) {
    long[] parts = new long[4];
    Native.layoutDecode(handle, id, parts);
    return new Parts(instant(parts[0]), parts[1], parts[2], (int) parts[3]);
  }

  /**
   * Decodes an ID that is text.
   *
   * @param id its decimal digits
   * @return its parts
   * @throws SnowmintException {@link Code#ID_NOT_IN_LAYOUT} if constant bits differ, or a code of
   *     {@link TextForm#parse} if the text is not an ID
   */
  public Parts decode(String id) {
    return decode(TextForm.DECIMAL.parse(id));
  }

  /**
   * Decodes many IDs.
   *
   * @param ids the IDs
   * @return their parts, with an array for each part
   * @throws SnowmintException {@link Code#ID_NOT_IN_LAYOUT} if constant bits differ, with the index
   *     of the first such ID
   */
  public PartsColumns decode(long[] ids) {
    return PartsColumns.of(this, given(ids, "ids"));
  }

  /**
   * Encodes an ID. The time is rounded down to its tick.
   *
   * @param parts the parts
   * @return the ID
   * @throws SnowmintException {@link Code#TIME_OUT_OF_RANGE}, or {@link Code#FIELD_OUT_OF_RANGE}
   *     for the first value that does not fit
   */
  public long encode(Parts parts) {
    long unixMs = millis(given(parts, "parts").time(), "time");
    return encode(unixMs, parts.workerId(), parts.sequence(), parts.rollback());
  }

  /**
   * Encodes an ID from numbers.
   *
   * @param unixMs the time, Unix milliseconds, rounded down to its tick
   * @param workerId the worker ID
   * @param sequence the sequence number
   * @param rollback the rollback counter
   * @return the ID
   * @throws SnowmintException the codes of {@link #encode(Parts)}
   */
  public long encode(long unixMs, long workerId, long sequence, long rollback) {
    return Native.layoutEncode(handle, unixMs, workerId, sequence, rollback);
  }

  /**
   * Returns the tick of a time.
   *
   * @param time the time
   * @return ticks since the epoch
   * @throws SnowmintException {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long tickAt(Instant time) {
    return Native.layoutTickAt(handle, millis(time, "time"));
  }

  /**
   * Returns the smallest ID with the tick of a time. On Linux, an ID that is minted later can be up
   * to 10 ms lower.
   *
   * @param time the time
   * @return the ID
   * @throws SnowmintException {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long minId(Instant time) {
    return minId(millis(time, "time"));
  }

  /**
   * Returns the smallest ID with the tick of a time.
   *
   * @param unixMs the time, Unix milliseconds
   * @return the ID
   * @throws SnowmintException {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long minId(long unixMs) {
    return Native.layoutMinId(handle, unixMs);
  }

  /**
   * Returns the largest ID with the tick of a time. An ID that is minted by then can be
   * {@code maxAhead} higher.
   *
   * @param time the time
   * @return the ID
   * @throws SnowmintException {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long maxId(Instant time) {
    return maxId(millis(time, "time"));
  }

  /**
   * Returns the largest ID with the tick of a time. An ID that is minted by then can be
   * {@code maxAhead} higher.
   *
   * @param unixMs the time, Unix milliseconds
   * @return the ID
   * @throws SnowmintException {@link Code#TIME_OUT_OF_RANGE} outside the layout
   */
  public long maxId(long unixMs) {
    return Native.layoutMaxId(handle, unixMs);
  }

  /**
   * Returns the worker ID of its parts, which are 0 unless given. For example, datacenter 11 and
   * worker 26 in Twitter's layout make 378.
   *
   * @param parts the values of the worker fields
   * @return the worker ID
   * @throws SnowmintException {@link Code#FIELD_OUT_OF_RANGE} if a value does not fit, or the
   *     layout has no such worker field
   */
  public long workerId(Map<FieldKind, Long> parts) {
    FieldKind.checkParts(given(parts, "parts"), workerParts(0).keySet());
    int[] kinds = parts.keySet().stream().mapToInt(FieldKind::ordinal).toArray();
    long[] values = parts.values().stream().mapToLong(Long::longValue).toArray();
    return Native.layoutWorkerId(handle, kinds, values);
  }

  /**
   * Returns a worker ID's parts, the upper first. For example, 32 in Discord's layout is worker 1
   * and process 0.
   *
   * @param workerId the worker ID, as in {@link Parts#workerId()}
   * @return the values, unmodifiable
   * @throws SnowmintException {@link Code#FIELD_OUT_OF_RANGE} above the largest worker ID
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
   * Returns the layout as {@link #of(String)} reads it: fields, epoch and tick in milliseconds.
   *
   * @return a text such as {@code zero:1,time:41,worker:10,sequence:12@1288834974657/1}
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
     * Adds a field below the others.
     *
     * @param kind the field's kind; for constants use {@link #constant}
     * @param bits its width
     * @return this
     */
    public Builder field(FieldKind kind, int bits) {
      return add(given(kind, "kind").label() + ":" + bits);
    }

    /**
     * Adds bits that are 0 in every ID.
     *
     * @param bits the number of bits
     * @return this
     */
    public Builder zero(int bits) {
      return add("zero:" + bits);
    }

    /**
     * Adds bits that are the same in every ID.
     *
     * @param bits the number of bits
     * @param value their value
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
     * Checks the layout and builds it.
     *
     * @return the layout
     * @throws SnowmintException {@link Code#INVALID_LAYOUT}, with the reason
     */
    public Layout build() {
      return Layout.of(fields.toString(), epoch, tick);
    }
  }
}
