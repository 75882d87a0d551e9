package io.github.snowmint;

import io.github.snowmint.internal.Native;

/**
 * The parts of many IDs: an array for each part, in the order of the IDs.
 *
 * @param unixMs the starts of their ticks, Unix milliseconds
 * @param workerIds the worker IDs
 * @param sequences the sequence numbers
 * @param rollbacks the rollback counters
 */
public record PartsColumns(long[] unixMs, long[] workerIds, long[] sequences, long[] rollbacks) {
  /** Decodes the IDs of a layout. */
  static PartsColumns of(Layout layout, long[] ids) {
    int count = ids.length;
    PartsColumns columns =
        new PartsColumns(new long[count], new long[count], new long[count], new long[count]);
    try {
      Native.layoutDecodeAll(
          layout.handle(),
          ids,
          columns.unixMs,
          columns.workerIds,
          columns.sequences,
          columns.rollbacks);
    } catch (SnowmintException failure) {
      throw withIndex(layout, ids, failure);
    }
    return columns;
  }

  private static SnowmintException withIndex(
      Layout layout, long[] ids, SnowmintException failure) {
    for (int at = 0; at < ids.length; at++) {
      try {
        layout.decode(ids[at]);
      } catch (SnowmintException first) {
        return new SnowmintException(first.code(), first.getMessage() + "; it has index " + at);
      }
    }
    return failure;
  }
}
