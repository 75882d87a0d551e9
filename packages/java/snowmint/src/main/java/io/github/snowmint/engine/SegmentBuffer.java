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
 * Ready ranges of one tag, in the order they were supplied, and the decision when to get more, and
 * how large. Numbers rise strictly, across ranges too. One call at a time; others wait for it.
 */
public final class SegmentBuffer {
  private final long handle;

  /**
   * An empty buffer: its first {@link #wants} asks for a range.
   *
   * @param prefetch when the next range is asked for
   * @param step how many numbers a range has
   * @param above refuses every range that begins below this number
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
   * How many numbers to ask the store for now. It asks once: until {@link #supply} or
   * {@link #failed} there is no other request.
   *
   * @param nowMs the time, in milliseconds of any clock that does not go back
   * @return how many, or nothing
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
   * @param n how many at most
   * @return them; nothing if the buffer is empty or {@code n} is 0
   */
  public Optional<Range> take(long n) {
    try {
      return range(Native.bufferTake(handle, n));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Takes the numbers up to where the buffer next wants to be asked.
   *
   * @return them; nothing if the buffer is empty
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
   * @param range the range; {@link Code#RANGE_REGRESSED} if it does not lie above everything
   *     supplied before, {@link Code#COUNT_OUT_OF_RANGE} if nobody asked and the buffer is full: it
   *     is not used, and the buffer may ask again
   * @param nowMs the time, as of {@link #wants}
   */
  public void supply(Range range, long nowMs) {
    given(range, "range");
    try {
      Native.bufferSupply(handle, range.start(), range.end(), range.stride(), nowMs);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** The request came to nothing; the buffer may ask again. */
  public void failed() {
    Native.bufferFailed(handle);
    Reference.reachabilityFence(this);
  }

  /**
   * Goes by another step from the next request on.
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
   * How many numbers are ready.
   *
   * @return how many
   */
  public long remaining() {
    return number(0);
  }

  /**
   * The step of the last range supplied.
   *
   * @return the step
   */
  public long step() {
    return number(1);
  }

  /**
   * The lowest number a further range may begin with.
   *
   * @return the floor
   */
  public long floor() {
    return number(2);
  }
}
