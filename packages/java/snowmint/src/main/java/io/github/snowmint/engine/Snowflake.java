package io.github.snowmint.engine;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.Code;
import io.github.snowmint.Layout;
import io.github.snowmint.SequenceStart;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import java.lang.ref.Reference;

/**
 * A snowflake generator without a clock. The caller passes the time, and gets an exception with the
 * time to ask again if no ID is available. It issues the ticks of its lane; only
 * {@link io.github.snowmint.Snowflake} reserves.
 *
 * <ul>
 *   <li><em>Order</em>: IDs rise strictly in issue order if the time field is above worker and
 *       sequence.
 *   <li><em>Overflow</em>: a full tick carries into the next, up to {@code maxAheadMs} ahead, then
 *       stalls.
 *   <li><em>Clock rollback</em>: goes on above the last ID, within {@code maxAheadMs}; beyond,
 *       stalls.
 *   <li><em>Threads</em>: one call at a time; others wait.
 * </ul>
 */
public final class Snowflake {
  private final long handle;

  /**
   * Creates a generator at the floor of its lane.
   *
   * @param layout the layout
   * @param lane the issuer and its ticks
   * @param maxAheadMs how far an ID's time may run ahead of the clock, in milliseconds
   * @param start the first sequence number of a fresh tick
   * @throws io.github.snowmint.SnowmintException {@link Code#FIELD_OUT_OF_RANGE} if a value of the
   *     lane does not fit
   */
  public Snowflake(Layout layout, Lane lane, long maxAheadMs, SequenceStart start) {
    given(lane, "lane");
    long on = Native.layoutNamed(given(layout, "layout").toString());
    long[] numbers = {given(start, "start").kind().ordinal(), start.number(), start.seed()};
    handle =
        Native.newMachine(
            on,
            lane.workerId(),
            lane.rollback(),
            lane.floor(),
            lane.reserved(),
            maxAheadMs,
            numbers);
    Reaper.watch(this, handle, Native::freeMachine);
  }

  /**
   * Returns the next ID.
   *
   * @param nowMs the time, Unix milliseconds
   * @return the ID
   * @throws io.github.snowmint.SnowmintException {@link Code#CLOCK_BEHIND},
   *     {@link Code#SEQUENCE_EXHAUSTED} or {@link Code#GRANT_EXHAUSTED} with the wait,
   *     {@link Code#EPOCH_IN_FUTURE}, {@link Code#LAYOUT_EXPIRED}
   */
  public long nextId(long nowMs) {
    try {
      return Native.machineNextId(handle, nowMs);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns several IDs in contiguous slots, all or none.
   *
   * @param n the number of IDs
   * @param nowMs the time, Unix milliseconds
   * @return the IDs
   * @throws io.github.snowmint.SnowmintException {@link Code#COUNT_OUT_OF_RANGE} for 0, or for more
   *     than can ever be available at once; and the codes of {@link #nextId}
   */
  public long[] issue(long n, long nowMs) {
    try {
      return Native.machineIssue(handle, n, nowMs);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Moves the end of the grant up. A lower end than before changes nothing.
   *
   * @param reserved the first tick not granted, unsigned
   */
  public void extend(long reserved) {
    Native.machineExtend(handle, reserved);
    Reference.reachabilityFence(this);
  }

  /**
   * Goes on in another lane: a new lease or worker ID. It begins at the lane's floor or in a tick
   * after the last ID's, whichever is later, so that IDs keep rising.
   *
   * @param lane the lane
   * @throws io.github.snowmint.SnowmintException {@link Code#FIELD_OUT_OF_RANGE} if the lane is
   *     refused; the old one stays
   */
  public void open(Lane lane) {
    given(lane, "lane");
    try {
      Native.machineOpen(
          handle, lane.workerId(), lane.rollback(), lane.floor(), lane.reserved());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Goes on in another lane without regard to the times of IDs issued before. IDs may go down here.
   * Coming back to a worker ID needs ticks disjoint from those it had.
   *
   * @param lane the lane
   * @throws io.github.snowmint.SnowmintException {@link Code#FIELD_OUT_OF_RANGE} if the lane is
   *     refused; the old one stays
   */
  public void jump(Lane lane) {
    given(lane, "lane");
    try {
      Native.machineJump(
          handle, lane.workerId(), lane.rollback(), lane.floor(), lane.reserved());
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
