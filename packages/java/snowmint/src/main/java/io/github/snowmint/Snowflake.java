package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Mints snowflake IDs.
 *
 * <ul>
 *   <li><em>Order</em>: IDs rise strictly in issue order, across threads, clock steps and leases,
 *       if time is the top field and the policy neither changes workers nor counts rollbacks.
 *   <li><em>Overflow</em>: a full tick borrows from the future up to the policy's
 *       {@code maxAheadMs}, then waits without spinning.
 *   <li><em>Clock rollback</em>: as the policy says. The default goes on; no policy repeats an ID.
 *   <li><em>Threads</em>: share it. Minting takes no lock. A virtual thread that waits parks, and
 *       pins no carrier.
 *   <li><em>Crash</em>: the next holder of the worker ID begins above everything issued.
 *   <li><em>Copies</em>: tell a process that continues from an image (CRaC, SnapStart, a machine's
 *       snapshot) by {@link Snowmint#onRestore}. It goes on under another lease, or fails with
 *       {@link Code#FORKED} if its worker ID is fixed.
 * </ul>
 *
 * <p>Calls that mint fail with {@link Code#CLOCK_BEHIND} or {@link Code#SEQUENCE_EXHAUSTED} if the
 * policy does not wait or the wait would exceed the bound. They fail with
 * {@link Code#LEASE_UNAVAILABLE} when the reserved time is used up, {@link Code#LAYOUT_EXPIRED} and
 * {@link Code#CLOSED}.
 */
public final class Snowflake extends MintingSource implements IdSource {
  private final Layout layout;

  Snowflake(long handle, long waitMs, Layout layout) {
    super(handle, waitMs);
    this.layout = layout;
  }

  /**
   * Opens a snowflake source by its URL, like {@link IdSource#open}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#open}
   */
  public static Snowflake open(String url) {
    return Opening.open("snowflake", url, Snowflake.class);
  }

  /**
   * Returns a source that opens at its first use, like {@link IdSource#lazy}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#lazy}
   */
  public static Snowflake lazy(String url) {
    return Opening.lazy("snowflake", url, Snowflake.class);
  }

  /**
   * Starts building a generator. It needs a worker ID: {@link Builder#workerId(long)} or
   * {@link Builder#leaseFrom}.
   *
   * @return a builder with Twitter's layout and the policy {@code snowmint}
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the layout.
   *
   * @return the layout
   */
  public Layout layout() {
    return layout;
  }

  /** Builds a {@link Snowflake}. */
  public static final class Builder extends SourceBuilder {
    private static final long RESERVE_MS_MIN = 100;
    private static final long RESERVE_MS_MAX = 3_600_000;

    private Layout layout = Layout.TWITTER;
    private ClockPolicy policy;
    private SequenceStart start;
    private String workerId;
    private WorkerStore store;
    private String state;
    private long reserveMs = -1;

    private Builder() {}

    /**
     * Sets a fixed worker ID. A file reserves its time, and keeps a second generator with that file
     * from using it. You have to make sure that no generator on another host or with another state
     * directory has the same worker ID. Keep the file over restarts.
     *
     * @param workerId the worker ID
     * @return this
     */
    public Builder workerId(long workerId) {
      this.workerId = Long.toString(workerId);
      return this;
    }

    /**
     * Sets the origin of a fixed worker ID.
     *
     * <ul>
     *   <li>{@code env} or {@code env:NAME}: an environment variable.
     *   <li>{@code ordinal} or {@code ordinal:NAME}: the end of a StatefulSet pod's name, in {@code
     *       POD_NAME} or another variable.
     *   <li>{@code ip:10.0.4.0/22}: the host part of this host's address in a network that holds all
     *       hosts.
     *   <li>A number.
     * </ul>
     *
     * @param workerId the origin
     * @return this
     */
    public Builder workerId(String workerId) {
      this.workerId = given(workerId, "workerId");
      return this;
    }

    /**
     * Leases a worker ID from a store.
     *
     * @param store the store: a {@link Store}, a {@code JdbcStore}, or your own
     * @return this
     */
    public Builder leaseFrom(WorkerStore store) {
      this.store = given(store, "store");
      return this;
    }

    /**
     * Sets the layout. The default is Twitter's.
     *
     * @param layout the layout
     * @return this
     */
    public Builder layout(Layout layout) {
      this.layout = given(layout, "layout");
      return this;
    }

    /**
     * Sets a preset's layout, clock policy and sequence start, so that IDs are as its system mints
     * them.
     *
     * @param preset the preset
     * @return this
     */
    public Builder preset(Preset preset) {
      return layout(given(preset, "preset").layout()).policy(preset.policy()).start(preset.start());
    }

    /**
     * Sets the clock policy. The default is {@code snowmint}.
     *
     * @param policy the policy
     * @return this
     */
    public Builder policy(ClockPolicy policy) {
      this.policy = given(policy, "policy");
      return this;
    }

    /**
     * Sets the clock policy by its name.
     *
     * @param name one of {@link ClockPolicy#names}
     * @return this
     */
    public Builder policy(String name) {
      return policy(ClockPolicy.named(name));
    }

    /**
     * Sets how far to borrow from the future, instead of the policy's bound.
     *
     * @param maxAhead the bound, in whole milliseconds
     * @return this
     * @throws SnowmintException {@link Code#INVALID_PARAMETER} for a fraction of a millisecond
     */
    public Builder maxAhead(Duration maxAhead) {
      ClockPolicy present = policy == null ? ClockPolicy.named("snowmint") : policy;
      return policy(present.withMaxAhead(maxAhead));
    }

    /**
     * Sets where a fresh tick's sequence begins. The default is {@link SequenceStart#ROTATE}.
     *
     * @param start the start
     * @return this
     */
    public Builder start(SequenceStart start) {
      this.start = given(start, "start");
      return this;
    }

    /**
     * Sets how much time a renewal reserves, 100 ms to an hour. The default is a second for a fixed
     * worker ID. For a leased worker ID it is the most, a minute by default, which is reserved once
     * the lease has lived as long. It is at least twice the time that may be borrowed, and at least
     * four ticks. With a lease it is also the longest outage of the store that is bridged. With a
     * fixed worker ID it is the longest wait after a crash.
     *
     * @param reserve the time
     * @return this
     * @throws SnowmintException {@link Code#INVALID_PARAMETER} for another time
     */
    public Builder reserve(Duration reserve) {
      long ms = given(reserve, "reserve").isNegative() ? 0 : Arguments.millis(reserve, "reserve");
      if (ms < RESERVE_MS_MIN || ms > RESERVE_MS_MAX) {
        throw new SnowmintException(
            Code.INVALID_PARAMETER,
            "a reservation of "
                + reserve
                + " is not possible: use 100 ms to an hour ("
                + RESERVE_MS_MIN
                + " to "
                + RESERVE_MS_MAX
                + " ms)");
      }
      reserveMs = ms;
      return this;
    }

    /**
     * Sets the directory of a fixed worker ID's file. The default is the user's state directory.
     *
     * @param directory the directory
     * @return this
     */
    public Builder stateDirectory(Path directory) {
      state = given(directory, "directory").toString();
      return this;
    }

    /**
     * Sets how long a call waits for an ID, and how long opening waits for a store that is down,
     * locked or without a free worker ID. The default is 5 s. A call that the store has begun goes
     * on for up to 5 s, and one of your own {@link WorkerStore} goes on until it answers.
     *
     * @param wait the bound, rounded up to milliseconds
     * @return this
     */
    public Builder maxWait(Duration wait) {
      setMaxWait(wait);
      return this;
    }

    /**
     * Takes the worker ID and opens the generator. Calls the store.
     *
     * @return the generator
     * @throws SnowmintException {@link Code#INVALID_PARAMETER} without a worker ID or with two,
     *     {@link Code#WORKER_IN_USE}, {@link Code#MARK_AHEAD}, {@link Code#WORKERS_EXHAUSTED},
     *     {@link Code#EPOCH_IN_FUTURE}, {@link Code#LAYOUT_EXPIRED}, {@link Code#WAIT_TIMEOUT} if
     *     the thread is interrupted meanwhile, or an error of the store
     */
    public Snowflake open() {
      return opened(
          store,
          () -> {
            long handle =
                Native.openSnowflake(
                    workerId,
                    handle(store),
                    store,
                    layout.handle(),
                    policy == null ? null : policy.numbers(),
                    null,
                    start == null ? null : start.numbers(),
                    reserveMs,
                    state,
                    waitMs);
            return new Snowflake(handle, waitMs, layout);
          });
    }
  }
}
