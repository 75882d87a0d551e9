package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import io.github.snowmint.internal.Rows;
import io.github.snowmint.internal.Waiting;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

/**
 * The base of the sources of 64-bit IDs. The native source is freed when this object is
 * unreachable. Closing ends it and frees nothing, so that no call meets freed memory.
 */
abstract sealed class MintingSource permits Snowflake, Segment, Daily, Ring {
  final long handle;
  final long waitMs;

  MintingSource(long handle, long waitMs) {
    this.handle = handle;
    this.waitMs = waitMs;
    Reaper.watch(this, handle, Native::freeSource);
  }

  /** Opens the source if it is lazy and nothing has used it. Waits up to the source's bound. */
  public void check() {
    try {
      Opening.check(handle, waitMs);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the next ID, waiting up to the source's bound.
   *
   * @return the ID, an unsigned number of 64 bits
   */
  public long nextId() {
    return mint(waitMs);
  }

  /**
   * Returns the next ID, waiting up to a bound.
   *
   * @param wait the bound, rounded up to milliseconds; {@link Duration#ZERO} never waits
   * @return the ID, an unsigned number of 64 bits
   */
  public long nextIdWithin(Duration wait) {
    return mint(bound(wait));
  }

  private long mint(long boundMs) {
    long id = Native.tryId(handle);
    if (id != Native.NONE) {
      Reference.reachabilityFence(this);
      return id;
    }
    return await(boundMs);
  }

  private long await(long boundMs) {
    long[] id = new long[1];
    Waiting waiting = new Waiting(boundMs);
    try {
      while (true) {
        long pause = Native.pollId(handle, id, waiting.leftNs());
        if (pause < 0) {
          return id[0];
        }
        waiting.pause(pause);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  static long bound(Duration wait) {
    return Arguments.millisUp(wait, "wait");
  }

  /**
   * Returns rising IDs. The wait bound applies to each block of them.
   *
   * @param count 1 to {@link Snowmint#MAX_COUNT}; without waiting, no more snowflakes than can ever
   *     be available at once
   * @return that many IDs
   */
  public long[] nextIds(int count) {
    Native.checkCount(count);
    long[] ids = new long[count];
    fill(ids);
    return ids;
  }

  /**
   * Fills an array with rising IDs. The wait bound applies to each block of them.
   *
   * @param ids the array
   * @throws SnowmintException {@link Code#COUNT_OUT_OF_RANGE} as for {@link #nextIds}
   */
  public void fill(long[] ids) {
    if (waitMs == 0) {
      checkAtOnce(given(ids, "ids").length);
    }
    int at = 0;
    Waiting waiting = null;
    try {
      while (at < given(ids, "ids").length) {
        long left = waiting == null ? Waiting.nanos(waitMs) : waiting.leftNs();
        long count = Native.pollFill(handle, ids, at, ids.length, left);
        if (count > 0) {
          at += (int) count;
          waiting = null; // The wait bound applies to each block.
          continue;
        }
        if (waiting == null) {
          waiting = new Waiting(waitMs);
        }
        waiting.pause(-count);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Refuses a count that is never available without waiting, because IDs taken for it would be a
   * gap.
   */
  private void checkAtOnce(int count) {
    try {
      Native.checkAtOnce(handle, count);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the IDs one by one, without an end, for one consumer.
   *
   * @return a stream that mints as it is consumed
   */
  public LongStream stream() {
    int traits = Spliterator.DISTINCT | Spliterator.IMMUTABLE | Spliterator.NONNULL;
    Spliterator.OfLong ids =
        new Spliterators.AbstractLongSpliterator(Long.MAX_VALUE, traits | Spliterator.ORDERED) {
          @Override
          public boolean tryAdvance(LongConsumer action) {
            action.accept(nextId());
            return true;
          }
        };
    return StreamSupport.longStream(ids, false);
  }

  /**
   * Returns the IDs one by one, without an end.
   *
   * @return an iterator that mints as it is asked
   */
  public PrimitiveIterator.OfLong iterator() {
    return new PrimitiveIterator.OfLong() {
      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public long nextLong() {
        return nextId();
      }
    };
  }

  /**
   * Fails, because only sources of UUIDs support it.
   *
   * @return never
   * @throws SnowmintException {@link Code#UNSUPPORTED}
   */
  public UUID nextUuid() {
    throw new SnowmintException(
        Code.UNSUPPORTED, "this source makes 64-bit IDs; open uuid:?version=7 for UUIDs");
  }

  /**
   * Returns how long a call waits for an ID.
   *
   * @return the bound
   */
  public Duration maxWait() {
    return Duration.ofMillis(waitMs);
  }

  /**
   * Returns the state of the source. Reading it changes nothing and waits for no store.
   *
   * @return its state at this moment
   */
  public Stats stats() {
    try {
      return Rows.stats(handle, Native.ABSENT);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the kind and the state of the source, for logs and debuggers.
   *
   * @return a line whose form may change
   */
  @Override
  public String toString() {
    return Rows.line(getClass(), stats());
  }

  /**
   * Stops minting and gives up the reservation, without waiting for a store. Closing twice is no
   * error.
   */
  public void close() {
    try {
      Waiting.blocking(() -> Native.closeSource(handle));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Closes like {@link #close()}, and waits until the store knows.
   *
   * @param wait the bound
   */
  public void close(Duration wait) {
    long boundMs = bound(wait);
    try {
      Waiting.blocking(() -> Native.closeSourceWithin(handle, boundMs));
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
