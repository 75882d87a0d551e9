package io.github.snowmint;

import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import io.github.snowmint.internal.Rows;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.PrimitiveIterator;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Makes UUIDs of version 4 (random) or 7 (Unix milliseconds, a counter and random bits; rising
 * within a process). Nothing is reserved, and nothing waits. Other images of this process make
 * other UUIDs, because the keys of the random bits come from the system, again after a restore. Any
 * number of threads may share it. Closing it changes nothing.
 */
public final class UuidSource implements IdSource {
  private final long handle;

  UuidSource(long handle) {
    this.handle = handle;
    Reaper.watch(this, handle, Native::freeSource);
  }

  /**
   * Opens a UUID source by its URL, like {@link IdSource#open}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#open}
   */
  public static UuidSource open(String url) {
    return Opening.open("uuid", url, UuidSource.class);
  }

  /**
   * Returns a source that opens at its first use, like {@link IdSource#lazy}.
   *
   * @param url the URL
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} if the URL is of another kind, and the
   *     codes of {@link IdSource#lazy}
   */
  public static UuidSource lazy(String url) {
    return Opening.lazy("uuid", url, UuidSource.class);
  }

  /**
   * Creates a source of one version.
   *
   * @param version 4 or 7
   * @return the source
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for another version
   */
  public static UuidSource of(int version) {
    return new UuidSource(Native.openUuid(version));
  }

  /**
   * Returns the version.
   *
   * @return 4 or 7
   */
  public int version() {
    try {
      return Native.uuidVersion(handle);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Does nothing, because there is nothing to open. */
  @Override
  public void check() {}

  @Override
  public UUID nextUuid() {
    long[] halves = new long[2];
    Native.nextUuid(handle, halves);
    Reference.reachabilityFence(this);
    return new UUID(halves[0], halves[1]);
  }

  private static SnowmintException tooWide() {
    return new SnowmintException(
        Code.UNSUPPORTED, "a UUID has 128 bits: take it with nextUuid");
  }

  @Override
  public long nextId() {
    throw tooWide();
  }

  @Override
  public long nextIdWithin(Duration wait) {
    throw tooWide();
  }

  @Override
  public long[] nextIds(int count) {
    throw tooWide();
  }

  @Override
  public void fill(long[] ids) {
    throw tooWide();
  }

  @Override
  public LongStream stream() {
    throw tooWide();
  }

  @Override
  public PrimitiveIterator.OfLong iterator() {
    throw tooWide();
  }

  /** Returns the kind of the source, for logs and debuggers, as a line whose form may change. */
  @Override
  public String toString() {
    return Rows.line(getClass(), stats());
  }

  @Override
  public Duration maxWait() {
    return Duration.ZERO;
  }

  @Override
  public Stats stats() {
    try {
      return Rows.stats(handle, Native.ABSENT);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void close() {}

  @Override
  public void close(Duration wait) {
    MintingSource.bound(wait);
  }
}
