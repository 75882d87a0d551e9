package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import java.time.Duration;
import java.util.List;

/**
 * The reaction of a generator when an ID is not available at once. A policy decides how accurate an
 * ID's time is and how long a caller waits. No policy affects uniqueness.
 *
 * @param maxAheadMs how far an ID's time may run ahead of the clock, in milliseconds
 * @param whenBehind the reaction to a clock that is further behind than that
 * @param maxWaitMs the longest wait of {@link WhenBehind#WAIT} and
 *     {@link WhenBehind#CHANGE_WORKER}, in milliseconds
 * @param whenFull the reaction when every sequence number of the tick is issued
 */
public record ClockPolicy(
    long maxAheadMs, WhenBehind whenBehind, long maxWaitMs, WhenFull whenFull) {

  /** The reaction to a clock that is behind an ID already issued. */
  public enum WhenBehind {
    /** Fail at once. */
    FAIL,
    /** Wait if that takes at most {@code maxWaitMs}, otherwise fail at once. */
    WAIT,
    /** Count the rollback in the layout's rollback bits, and continue at the clock's time. */
    COUNT_ROLLBACK,
    /** Wait if that takes at most {@code maxWaitMs}, otherwise continue as another worker. */
    CHANGE_WORKER
  }

  /** The reaction when every sequence number of the tick is issued. */
  public enum WhenFull {
    /** Wait for the next tick. */
    WAIT,
    /** Fail at once. */
    FAIL
  }

  /** The caller's next step after a stall. Ask again after each of them except {@link #FAIL}. */
  public enum Action {
    /** Return the stall to the caller. */
    FAIL,
    /** Wait for as long as the stall says. */
    WAIT,
    /** Raise the rollback counter by one, cyclically. */
    COUNT_ROLLBACK,
    /** Take another worker ID. */
    CHANGE_WORKER,
    /** Extend the grant. */
    EXTEND_GRANT
  }

  /**
   * Checks that nothing is null.
   *
   * @param maxAheadMs how far an ID's time may run ahead of the clock, in milliseconds
   * @param whenBehind the reaction to a clock that is further behind than that
   * @param maxWaitMs the longest wait of {@link WhenBehind#WAIT} and
   *     {@link WhenBehind#CHANGE_WORKER}, in milliseconds
   * @param whenFull the reaction when every sequence number of the tick is issued
   */
  public ClockPolicy {
    given(whenBehind, "whenBehind");
    given(whenFull, "whenFull");
  }

  /**
   * Returns the policy of a name: {@code snowmint}, {@code twitter}, {@code leaf},
   * {@code hazelcast}, ….
   *
   * @param name one of {@link #names}
   * @return the policy
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if there is none
   */
  public static ClockPolicy named(String name) {
    return of(Native.policyNamed(given(name, "policy")));
  }

  /**
   * Returns the names of all named policies.
   *
   * @return the names
   */
  public static List<String> names() {
    return List.of(Native.policyNames());
  }

  /**
   * Returns this policy with another bound for borrowing from the future.
   *
   * @param maxAhead how far an ID's time may run ahead of the clock, in whole milliseconds
   * @return the policy
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for a fraction of a millisecond
   */
  public ClockPolicy withMaxAhead(Duration maxAhead) {
    long ms = Arguments.wholeMillis(maxAhead, "maxAhead", Code.INVALID_PARAMETER);
    return new ClockPolicy(ms, whenBehind, maxWaitMs, whenFull);
  }

  /**
   * Returns the next step after a stall.
   *
   * @param stall the exception that {@code engine.Snowflake} threw
   * @return the action
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the exception is not a stall
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
