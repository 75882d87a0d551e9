package io.github.snowmint;

import java.time.Instant;

/**
 * The parts of an ID.
 *
 * @param time the start of the ID's tick
 * @param workerId the worker ID: all worker fields side by side, the upper first; 0 if there are
 *     none
 * @param sequence the sequence number in its tick
 * @param rollback the rollback counter; 0 if there is none
 */
public record Parts(Instant time, long workerId, long sequence, int rollback) {
  /**
   * Returns the time in Unix milliseconds.
   *
   * @return the start of the ID's tick
   */
  public long unixMs() {
    return time.toEpochMilli();
  }
}
