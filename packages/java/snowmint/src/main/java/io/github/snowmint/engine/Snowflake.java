package io.github.snowmint.engine;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.Code;
import io.github.snowmint.Layout;
import io.github.snowmint.SequenceStart;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import java.lang.ref.Reference;

/**
 * A snowflake generator without a clock: the caller brings the time, and an ID that cannot be had
 * yet is an exception that says when to ask again. It issues the ticks of its lane; only
 * {@link io.github.snowmint.Snowflake} reserves.
 *
 * <ul>
 *   <li><em>Order</em>: IDs rise strictly in issue order if the time field is above worker and
 *       sequence.
 *   <li><em>Overflow</em>: a full tick carries into the next, up to {@code maxAheadMs} ahead, then
 *       stalls.
 *   <li><em>Clock rollback</em>: goes on above the last ID, within {@code maxAheadMs}; beyond,
 *       stalls.
 *   <li><em>Threads</em>: one call at a time; others wait for it.
 * </ul>
 */
public final class Snowflake {
  private final long handle;

  /**
   * A generator at the floor of its lane.
   *
   * @param layout the layout
   * @param lane who issues, and which ticks; {@link Code#FIELD_OUT_OF_RANGE} for a value that does
   *     not fit
   * @param maxAheadMs how far an ID's time may run ahead of the clock, in milliseconds
   * @param start where a fresh tick's sequence begins
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
   * One ID at a time.
   *
   * @param nowMs the time, Unix milliseconds
   * @return the ID; {@link Code#CLOCK_BEHIND}, {@link Code#SEQUENCE_EXHAUSTED} or
   *     {@link Code#GRANT_EXHAUSTED} with the wait, {@link Code#EPOCH_IN_FUTURE},
   *     {@link Code#LAYOUT_EXPIRED}
   */
  public long nextId(long nowMs) {
    try {
      return Native.machineNextId(handle, nowMs);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * IDs at a time, in contiguous slots, all or none.
   *
   * @param n how many; {@link Code#COUNT_OUT_OF_RANGE} for 0, or more than can ever be had at once
   * @param nowMs the time, Unix milliseconds
   * @return the IDs; other errors as of {@link #nextId}
   */
  public long[] issue(long n, long nowMs) {
    try {
      return Native.machineIssue(handle, n, nowMs);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Moves the end of the grant up; a lower one than before changes nothing.
   *
   * @param reserved the first tick not granted, without a sign
   */
  public void extend(long reserved) {
    Native.machineExtend(handle, reserved);
    Reference.reachabilityFence(this);
  }

  /**
   * Goes on in another lane: a new lease or worker ID. It begins at the lane's floor or in a tick
   * after the last ID's, whichever is later, so that IDs keep rising.
   *
   * @param lane the lane; if it is refused ({@link Code#FIELD_OUT_OF_RANGE}) the old one stays
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
   * @param lane the lane; if it is refused ({@link Code#FIELD_OUT_OF_RANGE}) the old one stays
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
