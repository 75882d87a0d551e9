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
 *   <li><em>Clock rollback</em>: as the policy says; the default goes on, and never repeats an ID.
 *   <li><em>Threads</em>: share it; minting takes no lock. A virtual thread that waits parks, and
 *       pins no carrier.
 *   <li><em>Crash</em>: the next holder of the worker ID begins above everything issued.
 *   <li><em>Copies</em>: a process that goes on from an image (CRaC, SnapStart, a machine's
 *       snapshot) has to be told, by {@link Snowmint#onRestore}: it goes on under another lease,
 *       and fails with {@link Code#FORKED} if its worker ID is a fixed one.
 * </ul>
 *
 * <p>Calls that mint fail with {@link Code#CLOCK_BEHIND} and {@link Code#SEQUENCE_EXHAUSTED} where
 * the policy does not wait or the wait would pass the bound, {@link Code#LEASE_UNAVAILABLE} when
 * the reserved time is used up, {@link Code#LAYOUT_EXPIRED} and {@link Code#CLOSED}.
 */
public final class Snowflake extends MintingSource implements IdSource {
  private final Layout layout;

  Snowflake(long handle, long waitMs, Layout layout) {
    super(handle, waitMs);
    this.layout = layout;
  }

  /**
   * Opens one by its URL, as {@link IdSource#open} does.
   *
   * @param url the URL
   * @return the source; {@link Code#INVALID_PARAMETER} for the URL of another kind, and those of
   *     {@link IdSource#open}
   */
  public static Snowflake open(String url) {
    return Opening.open("snowflake", url, Snowflake.class);
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
   * The layout.
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
     * A worker ID that is fixed from outside: its time is reserved in a file, which also keeps a
     * second generator with that file from using it. That no other has it, on another host or with
     * another state directory, is your word. Keep the file over restarts.
     *
     * @param workerId the worker ID
     * @return this
     */
    public Builder workerId(long workerId) {
      this.workerId = Long.toString(workerId);
      return this;
    }

    /**
     * A worker ID found in the surroundings.
     *
     * @param workerId {@code env} or {@code env:NAME} (an environment variable), {@code ordinal}
     *     or {@code ordinal:NAME} (the end of a StatefulSet pod's name, in {@code POD_NAME} or another
     *     variable), {@code ip:10.0.4.0/22} (the host part of this host's address in a network that
     *     holds all hosts), or a number
     * @return this
     */
    public Builder workerId(String workerId) {
      this.workerId = given(workerId, "workerId");
      return this;
    }

    /**
     * A worker ID leased from a store.
     *
     * @param store the store: a {@link Store}, a {@code JdbcStore}, or one of your own
     * @return this
     */
    public Builder leaseFrom(WorkerStore store) {
      this.store = given(store, "store");
      return this;
    }

    /**
     * The layout; Twitter's unless set.
     *
     * @param layout the layout
     * @return this
     */
    public Builder layout(Layout layout) {
      this.layout = given(layout, "layout");
      return this;
    }

    /**
     * A preset's layout, clock policy and sequence start: IDs as its system mints them.
     *
     * @param preset the preset
     * @return this
     */
    public Builder preset(Preset preset) {
      return layout(given(preset, "preset").layout()).policy(preset.policy()).start(preset.start());
    }

    /**
     * The clock policy; {@code snowmint} unless set.
     *
     * @param policy the policy
     * @return this
     */
    public Builder policy(ClockPolicy policy) {
      this.policy = given(policy, "policy");
      return this;
    }

    /**
     * The clock policy by its name.
     *
     * @param name one of {@link ClockPolicy#names}
     * @return this
     */
    public Builder policy(String name) {
      return policy(ClockPolicy.named(name));
    }

    /**
     * How far to borrow from the future, in place of the policy's.
     *
     * @param maxAhead the bound, in whole milliseconds; {@link Code#INVALID_PARAMETER} for a part
     *     of one
     * @return this
     */
    public Builder maxAhead(Duration maxAhead) {
      ClockPolicy present = policy == null ? ClockPolicy.named("snowmint") : policy;
      return policy(present.withMaxAhead(maxAhead));
    }

    /**
     * Where a fresh tick's sequence begins; {@link SequenceStart#ROTATE} unless set.
     *
     * @param start the start
     * @return this
     */
    public Builder start(SequenceStart start) {
      this.start = given(start, "start");
      return this;
    }

    /**
     * How much time a renewal reserves, 100 ms to an hour: of a fixed worker ID always (a second
     * unless set), of a leased one at most (a minute), once it has lived as long. At least twice
     * what is borrowed from the future, and four ticks. With a lease it is also the outage of the
     * store that can be bridged, with a fixed worker ID the longest wait after a crash.
     *
     * @param reserve the time; {@link Code#INVALID_PARAMETER} for another
     * @return this
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
     * The directory of a fixed worker ID's file; the user's state directory unless set.
     *
     * @param directory the directory
     * @return this
     */
    public Builder stateDirectory(Path directory) {
      state = given(directory, "directory").toString();
      return this;
    }

    /**
     * How long a call waits for an ID, and opening for a store that is down or locked, or for a
     * worker ID: 5 s unless set. A question that the store has been asked goes on for up to 5 s,
     * one of a {@link WorkerStore} of your own until that answers.
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
     * @return the generator; {@link Code#INVALID_PARAMETER} without a worker ID or with two,
     *     {@link Code#WORKER_IN_USE}, {@link Code#MARK_AHEAD}, {@link Code#WORKERS_EXHAUSTED},
     *     {@link Code#EPOCH_IN_FUTURE}, {@link Code#LAYOUT_EXPIRED},
     *     {@link Code#WAIT_TIMEOUT} if the thread is interrupted meanwhile, or of the store
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
