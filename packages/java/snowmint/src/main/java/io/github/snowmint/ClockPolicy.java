package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import java.time.Duration;
import java.util.List;

/**
 * What a generator does when an ID cannot be had at once. A policy decides how true an ID's time is
 * and how long a caller waits; no policy decides whether IDs are unique: all are.
 *
 * @param maxAheadMs how far an ID's time may run ahead of the clock, in milliseconds
 * @param whenBehind what to do when the clock is further behind than that
 * @param maxWaitMs how long {@link WhenBehind#WAIT} and {@link WhenBehind#CHANGE_WORKER} wait at
 *     most, in milliseconds
 * @param whenFull what to do when every sequence number of the tick is issued
 */
public record ClockPolicy(
    long maxAheadMs, WhenBehind whenBehind, long maxWaitMs, WhenFull whenFull) {

  /** What to do when the clock is behind an ID already issued. */
  public enum WhenBehind {
    /** Fail at once. */
    FAIL,
    /** Wait if it takes no more than {@code maxWaitMs}, else fail at once. */
    WAIT,
    /** Count the rollback in the layout's rollback bits and go on at the clock's time. */
    COUNT_ROLLBACK,
    /** Wait if it takes no more than {@code maxWaitMs}, else go on as another worker. */
    CHANGE_WORKER
  }

  /** What to do when every sequence number of the tick is issued. */
  public enum WhenFull {
    /** Wait for the next tick. */
    WAIT,
    /** Fail at once. */
    FAIL
  }

  /** What a policy makes of a stall; then ask again, unless it is {@link #FAIL}. */
  public enum Action {
    /** Hand the stall to the caller. */
    FAIL,
    /** Wait for as long as the stall says. */
    WAIT,
    /** Raise the rollback counter by one, cyclically. */
    COUNT_ROLLBACK,
    /** Take another worker ID. */
    CHANGE_WORKER,
    /** Have the grant extended. */
    EXTEND_GRANT
  }

  /**
   * Checks that nothing is null.
   *
   * @param maxAheadMs how far an ID's time may run ahead of the clock, in milliseconds
   * @param whenBehind what to do when the clock is further behind than that
   * @param maxWaitMs how long {@link WhenBehind#WAIT} and {@link WhenBehind#CHANGE_WORKER} wait at
   *     most, in milliseconds
   * @param whenFull what to do when every sequence number of the tick is issued
   */
  public ClockPolicy {
    given(whenBehind, "whenBehind");
    given(whenFull, "whenFull");
  }

  /**
   * The policy of a name: {@code snowmint}, {@code twitter}, {@code leaf}, {@code hazelcast}, ….
   *
   * @param name one of {@link #names}
   * @return the policy; {@link Code#INVALID_PARAMETER} if there is none
   */
  public static ClockPolicy named(String name) {
    return of(Native.policyNamed(given(name, "policy")));
  }

  /**
   * The names of all named policies.
   *
   * @return the names
   */
  public static List<String> names() {
    return List.of(Native.policyNames());
  }

  /**
   * The same with another bound for borrowing from the future.
   *
   * @param maxAhead how far an ID's time may run ahead of the clock, in whole milliseconds
   * @return the policy; {@link Code#INVALID_PARAMETER} for a part of a millisecond
   */
  public ClockPolicy withMaxAhead(Duration maxAhead) {
    long ms = Arguments.wholeMillis(maxAhead, "maxAhead", Code.INVALID_PARAMETER);
    return new ClockPolicy(ms, whenBehind, maxWaitMs, whenFull);
  }

  /**
   * What to do with a stall.
   *
   * @param stall what {@code engine.Snowflake} threw
   * @return what to do; {@link Code#INVALID_PARAMETER} for another error than a stall
   */
  public Action action(SnowmintException stall) {
    int number = given(stall, "stall").code().number();
    return Action.values()[
        Native.policyAction(numbers(), number, stall.waitMs().orElse(-1))];
  }

  long[] numbers() {
    return new long[] {
      maxAheadMs, whenBehind.ordinal(), maxWaitMs, whenFull == WhenFull.FAIL ? 1 : 0
    };
  }

  static ClockPolicy of(long[] numbers) {
    WhenFull whenFull = numbers[3] == 0 ? WhenFull.WAIT : WhenFull.FAIL;
    return new ClockPolicy(
        numbers[0], WhenBehind.values()[(int) numbers[1]], numbers[2], whenFull);
  }
}
