package io.github.snowmint;

import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Waiting;

/** The library itself: its version, its limits, and what holds for a whole process. */
public final class Snowmint {
  /** How many IDs one call returns at most. */
  public static final int MAX_COUNT = Math.toIntExact(Native.maxCount());

  /** Where the numbers of a segment end: each is below it. */
  public static final long MAX_NUMBER = Native.maxNumber();

  /** The largest step, and the largest stride. */
  public static final long MAX_STEP = Native.maxStep();

  /** The most ranges that a chain keeps ready. */
  public static final int MAX_DISTANCE = Math.toIntExact(Native.maxDistance());

  private Snowmint() {}

  /**
   * The version of the native library.
   *
   * @return three numbers with dots between
   */
  public static String version() {
    return Native.version();
  }

  /**
   * Tells this process that it is an image restored or cloned: from a snapshot of its machine, by
   * CRaC, SnapStart or CRIU. Another process may have the same leases and numbers; so every source
   * drops what it has, and starts over at its next call.
   *
   * <p>Where the application has {@code org.crac}, CRaC and SnapStart call this. Else call it
   * before the first ID after each restore: nothing in a process tells that it was restored. Until
   * then the twins of an image can issue the same IDs, for as long as the time that was reserved
   * when the image was made (a reservation, a minute unless set), or what was left of a range.
   *
   * <ul>
   *   <li><em>Leased worker IDs</em> and <em>segments</em> go on under another lease, with another
   *       range. What was dropped is a gap. A call of a store that is under way counts for nothing.
   *   <li><em>Fixed worker IDs</em> and {@linkplain Store#memory() stores in memory} are in every
   *       image: they fail with {@link Code#FORKED} and {@link Code#STORE_UNAVAILABLE}. A generator
   *       opened afterwards may have the same worker ID again; that no twin has it is your word.
   *   <li><em>Files</em>: a store whose file is part of the image is cloned with it, and so is what
   *       it reserves: use a database outside. CRaC refuses an image of a process that has files
   *       open: close sources with a fixed worker ID or on an SQLite file before.
   *   <li><em>Threads</em>: any. When it returns, no source issues anything that it had before; a
   *       call that another thread had begun may still return such an ID.
   *   <li><em>Class loaders</em>: where several have snowmint, call it in each.
   * </ul>
   */
  public static void onRestore() {
    Waiting.blocking(() -> Native.onRestore());
    Segment.forgetAll();
  }
}
