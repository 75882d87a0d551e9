package io.github.snowmint;

import java.util.OptionalLong;

/**
 * A request for a lease.
 *
 * @param realm the realm: the layout's canonical text
 * @param maxWorkerId the largest worker ID of the layout
 * @param owner the name of the holder: host, process and a random part
 * @param token the lease's first token, 16 bytes
 * @param reserveMs the time to reserve ahead of the store's clock, after which an unrenewed lease
 *     ends; at most 3,600,000, and a day more if the store's clock was set back
 * @param maxAheadMs how far ahead of the store's clock the floor may lie; three quarters of the
 *     reservation are a further bound, and a store uses {@link #reachMs()}
 * @param avoid a worker ID not to take, because it was just left over a clock that went back
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
   * @param owner the name of the holder: host, process and a random part
   * @param token the lease's first token, 16 bytes
   * @param reserveMs the time to reserve ahead of the store's clock, after which an unrenewed lease
   *     ends; at most 3,600,000, and a day more if the store's clock was set back
   * @param maxAheadMs how far ahead of the store's clock the floor may lie; three quarters of the
   *     reservation are a further bound, and a store uses {@link #reachMs()}
   * @param avoid a worker ID not to take, because it was just left over a clock that went back
   */
  public LeaseRequest {
    token = token == null ? null : token.clone();
  }

  /**
   * Returns the token.
   *
   * @return a copy
   */
  @Override
  public byte[] token() {
    return token == null ? null : token.clone();
  }

  /**
   * Returns how far a worker ID's reserved time may lie ahead of the store's clock for the store to
   * give it: at most {@code maxAheadMs}, and at most three quarters of the reservation. If its time
   * went further, the lease would begin where it ends.
   *
   * @return milliseconds
   */
  public long reachMs() {
    return Math.min(maxAheadMs, reserveMs * 3L / 4);
  }
}
