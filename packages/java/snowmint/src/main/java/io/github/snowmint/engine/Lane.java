package io.github.snowmint.engine;

/**
 * The issuer and its ticks: from {@code floor} to before {@code reserved}. The caller has to make
 * sure that no other generator has them.
 *
 * @param workerId the worker ID: all worker fields side by side, the upper first
 * @param rollback the rollback counter; 0 if the layout has none
 * @param floor the first tick granted
 * @param reserved the first tick not granted, unsigned
 */
public record Lane(long workerId, long rollback, long floor, long reserved) {
  /**
   * Returns a worker's whole time, for a worker ID that no other generator ever has.
   *
   * @param workerId the worker ID
   * @return the lane
   */
  public static Lane of(long workerId) {
    return new Lane(workerId, 0, 0, -1);
  }
}
