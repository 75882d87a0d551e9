package io.github.snowmint.engine;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.Code;
import io.github.snowmint.Prefetch;
import io.github.snowmint.Range;
import io.github.snowmint.Step;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import java.lang.ref.Reference;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Ready ranges of one tag, in the order of supply. It also decides when to request more, and how
 * many numbers. Numbers rise strictly, across ranges too. It runs one call at a time; others wait.
 */
public final class SegmentBuffer {
  private final long handle;

  /**
   * Creates an empty buffer. Its first {@link #wants} requests a range.
   *
   * @param prefetch the rule for requesting the next range
   * @param step the size of a range
   * @param above the lowest number that a range may begin with
   */
  public SegmentBuffer(Prefetch prefetch, Step step, long above) {
    long[] fetch = {given(prefetch, "prefetch").kind().ordinal(), prefetch.number()};
    handle = Native.newBuffer(fetch, numbers(step), above);
    Reaper.watch(this, handle, Native::freeBuffer);
  }

  private static long[] numbers(Step step) {
    return new long[] {given(step, "step").min(), step.max()};
  }

  /**
   * Returns how many numbers to request from the store now. There is no other request until
   * {@link #supply} or {@link #failed}.
   *
   * @param nowMs the time, in milliseconds of any clock that does not go back
   * @return the count, or nothing
   */
  public OptionalLong wants(long nowMs) {
    try {
      long wanted = Native.bufferWants(handle, nowMs);
      return wanted < 0 ? OptionalLong.empty() : OptionalLong.of(wanted);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private static Optional<Range> range(long[] taken) {
    return taken.length == 0
        ? Optional.empty()
        : Optional.of(new Range(taken[0], taken[1], taken[2]));
  }

  /**
   * Takes numbers that lie together.
   *
   * @param n the maximum count
   * @return the numbers; nothing if the buffer is empty or {@code n} is 0
   */
  public Optional<Range> take(long n) {
    try {
      return range(Native.bufferTake(handle, n));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Takes the numbers up to the buffer's next request.
   *
   * @return the numbers; nothing if the buffer is empty
   */
  public Optional<Range> takeUntilRequest() {
    try {
      return range(Native.bufferTakeUntilRequest(handle));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Adds a range.
   *
   * @param range the range
   * @param nowMs the time, as for {@link #wants}
   * @throws io.github.snowmint.SnowmintException {@link Code#RANGE_REGRESSED} if the range does not
   *     lie above everything supplied before, {@link Code#COUNT_OUT_OF_RANGE} if it was not
   *     requested and the buffer is full. Then the range is not used, and the buffer may request
   *     again
   */
  public void supply(Range range, long nowMs) {
    given(range, "range");
    try {
      Native.bufferSupply(handle, range.start(), range.end(), range.stride(), nowMs);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Ends a request that failed, so that the buffer may request again. */
  public void failed() {
    Native.bufferFailed(handle);
    Reference.reachabilityFence(this);
  }

  /**
   * Changes the step from the next request on.
   *
   * @param step the step
   */
  public void resize(Step step) {
    Native.bufferResize(handle, numbers(step));
    Reference.reachabilityFence(this);
  }

  private long number(int which) {
    try {
      return Native.bufferNumbers(handle)[which];
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns how many numbers are ready.
   *
   * @return the count
   */
  public long remaining() {
    return number(0);
  }

  /**
   * Returns the step of the last range supplied.
   *
   * @return the step
   */
  public long step() {
    return number(1);
  }

  /**
   * Returns the lowest number that a further range may begin with.
   *
   * @return the floor
   */
  public long floor() {
    return number(2);
  }
}
