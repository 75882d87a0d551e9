package io.github.snowmint;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The state of a source at one moment. Reading it changes nothing, and calls or waits for no store.
 * A value that does not apply to a source is empty.
 *
 * @param kind {@code snowflake}, {@code segment}, {@code daily}, {@code sequences} or {@code uuid};
 *     for a {@link Ring}, the kind of its source
 * @param isClosed true once the source was closed
 * @param workerId the worker ID that IDs are minted under
 * @param leaseAgeMs the time that this process has had the worker ID, in milliseconds
 * @param reservedMs the time reserved ahead of the clock, in milliseconds: IDs can be minted that
 *     long without the store; 0 or less when it is used up
 * @param reserveMs the time that the lease's last renewal reserved, in milliseconds; empty for a
 *     fixed worker ID. The next renewal is due once a third of it is used
 * @param clockOffsetMs the milliseconds added to the wall clock: its distance from the store's
 *     clock, or a step of it that is not followed
 * @param borrowedMs the lead of the last ID's time over the clock, in milliseconds
 * @param rollbacks the number of times that the clock went back and was counted in the layout's
 *     rollback bits
 * @param buckets the ranges at hand, beginning with the range in use; for a ring, its ready IDs
 *     come first
 * @param step the size of the next range
 * @param rate numbers used per second between the last two ranges, or since the last one if that is
 *     longer; empty before there were two
 * @param runwayMs the time that the numbers at hand last at that rate, or the reserved time, in
 *     milliseconds
 * @param lastFailure the last failure of the store
 * @param tagNext the tag's next number after the last range that this process reserved; empty before
 *     there was one
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
    Optional<Failure> lastFailure,
    Optional<TagNext> tagNext) {

  /**
   * A range at hand.
   *
   * @param left the count of its numbers that are left
   * @param size the count of numbers that it had
   */
  public record Bucket(long left, long size) {}

  /**
   * A tag with the first number that no range of this process had.
   *
   * @param tag the tag, with its date if its numbers are of a day
   * @param next the number; other processes may have reserved higher ones since
   */
  public record TagNext(String tag, long next) {}

  /**
   * A failure of a store.
   *
   * @param code its code
   * @param message its message
   * @param time the time of the failure, by this machine's clock
   * @param isOver true if the store has answered since
   */
  public record Failure(Code code, String message, Instant time, boolean isOver) {}
}
