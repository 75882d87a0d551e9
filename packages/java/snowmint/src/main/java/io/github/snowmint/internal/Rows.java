package io.github.snowmint.internal;

import io.github.snowmint.Code;
import io.github.snowmint.Lease;
import io.github.snowmint.LeaseRequest;
import io.github.snowmint.Snowmint;
import io.github.snowmint.Stats;
import io.github.snowmint.TagChange;
import io.github.snowmint.TagOptions;
import io.github.snowmint.TagRow;
import io.github.snowmint.WorkerRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Functions that convert rows to and from the native side's arrays of texts and numbers. */
public final class Rows {
  private Rows() {}

  /** Returns the numbers of a tag. */
  public static long[] numbers(TagRow row) {
    return new long[] {row.next(), row.step(), row.stride(), row.updatedMs(), row.max()};
  }

  /** Returns the numbers of a new tag. */
  public static long[] numbers(TagOptions options) {
    return new long[] {
      Arguments.unsigned(
          options.start(), "start", Code.INVALID_RANGE, 0, Snowmint.MAX_NUMBER - 1),
      Arguments.step(options.step()),
      Arguments.unsigned(options.stride(), "stride", Code.INVALID_RANGE, 1, Snowmint.MAX_STEP),
      Arguments.max(options.max())
    };
  }

  /** Returns the numbers of a change. */
  public static long[] numbers(TagChange change) {
    return new long[] {
      Arguments.orAbsent(change.next(), "next", Arguments::next),
      Arguments.orAbsent(change.step(), "step", Arguments::step),
      Arguments.orAbsent(change.max(), "max", Arguments::max)
    };
  }

  /**
   * Returns the numbers of a vouch: by how many steps tags are raised, and where new tags begin.
   */
  public static long[] vouch(long raiseBySteps, OptionalLong newFrom) {
    return new long[] {
      Arguments.unsigned(
          raiseBySteps, "raiseBySteps", Code.INVALID_PARAMETER, 0, Snowmint.MAX_STEP),
      Arguments.orAbsent(
          newFrom,
          "newFrom",
          from ->
              Arguments.unsigned(from, "newFrom", Code.INVALID_RANGE, 0, Snowmint.MAX_NUMBER))
    };
  }

  /** Returns the numbers of a lease. */
  public static long[] numbers(Lease lease) {
    return new long[] {
      lease.workerId(), lease.epoch(), lease.floorMs(), lease.reservedMs(), lease.nowMs()
    };
  }

  /** Returns the numbers of a request. */
  public static long[] numbers(LeaseRequest request) {
    return new long[] {
      request.maxWorkerId(),
      request.reserveMs(),
      request.maxAheadMs(),
      Arguments.given(request.avoid(), "avoid").orElse(-1)
    };
  }

  /** Builds a lease from its parts. */
  public static Lease lease(String realm, String owner, byte[] token, long[] fields) {
    return new Lease(
        realm, fields[0], fields[1], owner, token, fields[2], fields[3], fields[4]);
  }

  /** Builds a lease request from its parts. */
  public static LeaseRequest request(String realm, String owner, byte[] token, long[] fields) {
    OptionalLong avoid = fields[3] < 0 ? OptionalLong.empty() : OptionalLong.of(fields[3]);
    return new LeaseRequest(realm, fields[0], owner, token, (int) fields[1], fields[2], avoid);
  }

  /** Builds a tag's row. */
  public static TagRow tag(String name, long[] numbers, int at) {
    return new TagRow(
        name, numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3], numbers[at + 4]);
  }

  /** Builds the rows of tags. */
  public static List<TagRow> tags(Object[] rows) {
    String[] names = (String[]) rows[0];
    List<TagRow> tags = new ArrayList<>(names.length);
    for (int n = 0; n < names.length; n++) {
      tags.add(tag(names[n], (long[]) rows[1], 5 * n));
    }
    return List.copyOf(tags);
  }

  /** Returns the state of a source. Java holds {@code held} of its numbers. */
  public static Stats stats(long handle, long held) {
    Object[] rows = Native.sourceStats(handle, held);
    String[] texts = (String[]) rows[0];
    long[] numbers = (long[]) rows[1];
    List<Stats.Bucket> buckets = new ArrayList<>();
    for (int at = 15; at < numbers.length; at += 2) {
      buckets.add(new Stats.Bucket(numbers[at], numbers[at + 1]));
    }
    OptionalLong rate = optional(numbers[9]);
    return new Stats(
        texts[0],
        numbers[0] != 0,
        optional(numbers[1]),
        optional(numbers[2]),
        optional(numbers[3]),
        optional(numbers[4]),
        optional(numbers[5]),
        optional(numbers[6]),
        numbers[7],
        List.copyOf(buckets),
        optional(numbers[8]),
        rate.isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(Double.longBitsToDouble(rate.getAsLong())),
        optional(numbers[10]),
        failure(texts[1], numbers),
        tagNext(texts[2], optional(numbers[14])));
  }

  private static Optional<Stats.TagNext> tagNext(String tag, OptionalLong next) {
    return next.isEmpty()
        ? Optional.empty()
        : Optional.of(new Stats.TagNext(tag, next.getAsLong()));
  }

  private static Optional<Stats.Failure> failure(String message, long[] numbers) {
    if (numbers[11] == Native.ABSENT) {
      return Optional.empty();
    }
    Instant time = Instant.ofEpochMilli(numbers[12]);
    Code code = Code.of((int) numbers[11]);
    return Optional.of(new Stats.Failure(code, message, time, numbers[13] != 0));
  }

  private static OptionalLong optional(long number) {
    return number == Native.ABSENT ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** Builds the rows of worker IDs. */
  public static List<WorkerRow> workers(Object[] rows) {
    String[] texts = (String[]) rows[0];
    long[] numbers = (long[]) rows[1];
    List<WorkerRow> workers = new ArrayList<>(texts.length / 2);
    for (int n = 0; n < texts.length / 2; n++) {
      int at = 5 * n;
      workers.add(
          new WorkerRow(
              texts[2 * n],
              numbers[at],
              texts[2 * n + 1],
              numbers[at + 1],
              numbers[at + 2],
              numbers[at + 3],
              numbers[at + 4] != 0));
    }
    return List.copyOf(workers);
  }

  /** Returns a line with the kind and the state of a source. */
  public static String line(Class<?> type, Stats stats) {
    StringBuilder line = new StringBuilder(type.getSimpleName()).append('[').append(stats.kind());
    stats.workerId().ifPresent(id -> line.append(", workerId=").append(id));
    stats.reservedMs().ifPresent(ms -> line.append(", reservedMs=").append(ms));
    if (!stats.buckets().isEmpty()) {
      line.append(", left=").append(stats.buckets().stream().mapToLong(Stats.Bucket::left).sum());
    }
    stats
        .lastFailure()
        .filter(failure -> !failure.isOver())
        .ifPresent(failure -> line.append(", failing=").append(failure.code().label()));
    return line.append(stats.isClosed() ? ", closed]" : "]").toString();
  }
}
