package io.github.snowmint;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a source is doing, at one moment. Asking changes nothing, calls no store and waits for none.
 * What does not apply to a source is empty.
 *
 * @param kind {@code snowflake}, {@code segment}, {@code daily}, {@code sequences} or
 *     {@code uuid}; of a {@link Ring} that of its source
 * @param isClosed whether it was closed
 * @param workerId the worker ID that IDs are minted under
 * @param leaseAgeMs how long this process has had the worker ID, in milliseconds
 * @param reservedMs how much time is reserved ahead of the clock, in milliseconds: without the
 *     store, IDs can be minted for as long; 0 or less when it is used up
 * @param reserveMs how much time the lease's last renewal reserved, in milliseconds; empty of a fixed
 *     worker ID. The next renewal is due once a third of it is used
 * @param clockOffsetMs what is added to the wall clock, in milliseconds: how far it is off from the
 *     store's clock, or a step of it that is not followed
 * @param borrowedMs how far the last ID's time is ahead of the clock, in milliseconds
 * @param rollbacks how often the clock went back and was counted in the layout's rollback bits
 * @param buckets the numbers at hand, the range in use first, and before it what is ready in a ring
 * @param step how many numbers the next range will have
 * @param rate numbers a second between the last two ranges, or since the last one if that is
 *     longer; empty before there were two
 * @param runwayMs how long what is at hand lasts at that rate, or what is reserved, in milliseconds
 * @param lastFailure the last thing that went wrong with the store
 */
public record Stats(
    String kind,
    boolean isClosed,
    OptionalLong workerId,
    OptionalLong leaseAgeMs,
    OptionalLong reservedMs,
    OptionalLong reserveMs,
    OptionalLong clockOffsetMs,
    OptionalLong borrowedMs,
    long rollbacks,
    List<Bucket> buckets,
    OptionalLong step,
    OptionalDouble rate,
    OptionalLong runwayMs,
    Optional<Failure> lastFailure) {

  /**
   * A range at hand.
   *
   * @param left how many of its numbers are left
   * @param size how many it had
   */
  public record Bucket(long left, long size) {}

  /**
   * Something that went wrong with a store.
   *
   * @param code its code
   * @param message what it said
   * @param time when, by this machine's clock
   * @param isOver whether the store has answered since
   */
  public record Failure(Code code, String message, Instant time, boolean isOver) {}
}
