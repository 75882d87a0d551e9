package io.github.snowmint.engine;

/**
 * Who issues, and which ticks: from {@code floor} to before {@code reserved}. That nobody else has
 * them is the caller's business.
 *
 * @param workerId the worker ID: all worker fields side by side, the upper first
 * @param rollback the rollback counter; 0 where the layout has none
 * @param floor the first tick granted
 * @param reserved the first tick not granted, without a sign
 */
public record Lane(long workerId, long rollback, long floor, long reserved) {
  /**
   * A worker's whole time: for a worker ID that nobody else ever has.
   *
   * @param workerId the worker ID
   * @return the lane
   */
  public static Lane of(long workerId) {
    return new Lane(workerId, 0, 0, -1);
  }
}
