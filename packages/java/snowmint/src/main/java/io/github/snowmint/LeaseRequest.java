package io.github.snowmint;

import java.util.OptionalLong;

/**
 * What a lease is asked for with.
 *
 * @param realm the realm: the layout's canonical text
 * @param maxWorkerId the largest worker ID of the layout
 * @param owner names the holder: host, process and a random part
 * @param token the lease's first token, 16 bytes
 * @param reserveMs how much time to reserve ahead of the store's clock, and how long the lease lives
 *     without renewal; up to 3,600,000, and a day more where the store's clock was set back
 * @param maxAheadMs how far ahead of the store's clock the floor may lie: never further than three
 *     quarters of the reservation, whatever this says; a store goes by {@link #reachMs()}
 * @param avoid a worker ID not to take: the one just left because of the clock
 */
public record LeaseRequest(
    String realm,
    long maxWorkerId,
    String owner,
    byte[] token,
    int reserveMs,
    long maxAheadMs,
    OptionalLong avoid) {
  /**
   * Takes a copy of the token.
   *
   * @param realm the realm: the layout's canonical text
   * @param maxWorkerId the largest worker ID of the layout
   * @param owner names the holder: host, process and a random part
   * @param token the lease's first token, 16 bytes
   * @param reserveMs how much time to reserve ahead of the store's clock, and how long the lease lives
   *     without renewal; up to 3,600,000, and a day more where the store's clock was set back
   * @param maxAheadMs how far ahead of the store's clock the floor may lie: never further than three
   *     quarters of the reservation, whatever this says; a store goes by {@link #reachMs()}
   * @param avoid a worker ID not to take: the one just left because of the clock
   */
  public LeaseRequest {
    token = token == null ? null : token.clone();
  }

  /**
   * The token.
   *
   * @return a copy
   */
  @Override
  public byte[] token() {
    return token == null ? null : token.clone();
  }

  /**
   * How far ahead of the store's clock the reserved time of a worker ID may go for it to be taken:
   * at most {@code maxAheadMs}, and at most three quarters of the reservation. Of one whose time goes
   * further the lease would begin where it ends.
   *
   * @return milliseconds
   */
  public long reachMs() {
    return Math.min(maxAheadMs, reserveMs * 3L / 4);
  }
}
