package io.github.snowmint;

import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Waiting;

/** The library itself: its version, its limits, and the calls for a whole process. */
public final class Snowmint {
  /** The largest number of IDs that one call returns. */
  public static final int MAX_COUNT = Math.toIntExact(Native.maxCount());

  /** The end of a segment's numbers: each is below it. */
  public static final long MAX_NUMBER = Native.maxNumber();

  /** The largest step and the largest stride. */
  public static final long MAX_STEP = Native.maxStep();

  /** The largest number of ranges that a chain keeps ready. */
  public static final int MAX_DISTANCE = Math.toIntExact(Native.maxDistance());

  private Snowmint() {}

  /**
   * Returns the version of the native library.
   *
   * @return three numbers separated by dots
   */
  public static String version() {
    return Native.version();
  }

  /**
   * Tells snowmint that this process is a restored or cloned image: from a snapshot of its machine,
   * by CRaC, SnapStart or CRIU. Another process may have the same leases and numbers, so every
   * source drops what it has, and starts over at its next call.
   *
   * <p>If the application has {@code org.crac}, CRaC and SnapStart call this. Otherwise call it
   * after each restore, before the first ID: a process cannot detect that it was restored. Until
   * then the twins of an image can issue the same IDs, up to the end of the reservations in the
   * image. These are a lease's time (a minute by default), or the rest of a range.
   *
   * <ul>
   *   <li><em>Leased worker IDs</em> and <em>segments</em> go on with another lease and another
   *       range. What was dropped is a gap. The answer to a store call in progress is ignored.
   *   <li><em>Fixed worker IDs</em> and {@linkplain Store#memory() stores in memory} are in every
   *       image, so they fail with {@link Code#FORKED} and {@link Code#STORE_UNAVAILABLE}. If you
   *       open a generator with the same worker ID again, you have to make sure that no twin uses
   *       it.
   *   <li><em>Files</em>: a store whose file is part of the image is cloned with its reservations.
   *       Use a database outside the image. CRaC refuses an image of a process with open files, so
   *       first close sources with a fixed worker ID or on an SQLite file.
   *   <li><em>Threads</em>: any. Once it returns, no source issues what it had before. A call that
   *       another thread had begun may still return such an ID.
   *   <li><em>Class loaders</em>: if several have snowmint, call it in each.
   * </ul>
   */
  public static void onRestore() {
    Waiting.blocking(() -> Native.onRestore());
    Segment.forgetAll();
  }
}
