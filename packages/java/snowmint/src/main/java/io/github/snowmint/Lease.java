package io.github.snowmint;

import java.util.Arrays;
import java.util.Objects;

/**
 * A worker ID with its reserved time. The holder may issue IDs whose time lies in
 * {@code [floorMs, reservedMs)}, and no other process ever may under that worker ID. Times are Unix
 * milliseconds.
 *
 * @param realm the realm: the layout's canonical text
 * @param workerId the worker ID
 * @param epoch the count of acquisitions of this worker ID
 * @param owner the name of the holder, for operators and for the store
 * @param token 16 bytes that change at every renewal, so only one of two process copies can renew
 * @param floorMs the first millisecond the holder may use
 * @param reservedMs the first millisecond it may not use
 * @param nowMs the store's clock when it granted this
 */
public record Lease(
    String realm,
    long workerId,
    long epoch,
    String owner,
    byte[] token,
    long floorMs,
    long reservedMs,
    long nowMs) {
  /**
   * Takes a copy of the token.
   *
   * @param realm the realm: the layout's canonical text
   * @param workerId the worker ID
   * @param epoch the count of acquisitions of this worker ID
   * @param owner the name of the holder, for operators and for the store
   * @param token 16 bytes that change at every renewal, so only one of two process copies can renew
   * @param floorMs the first millisecond the holder may use
   * @param reservedMs the first millisecond it may not use
   * @param nowMs the store's clock when it granted this
   */
  public Lease {
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

  @Override
  public boolean equals(Object other) {
    return other instanceof Lease lease
        && Objects.equals(realm, lease.realm)
        && workerId == lease.workerId
        && epoch == lease.epoch
        && Objects.equals(owner, lease.owner)
        && Arrays.equals(token, lease.token)
        && floorMs == lease.floorMs
        && reservedMs == lease.reservedMs
        && nowMs == lease.nowMs;
  }

  @Override
  public int hashCode() {
    return Objects.hash(realm, workerId, epoch, owner, floorMs, reservedMs, nowMs);
  }

  @Override
  public String toString() {
    return "Lease[worker "
        + workerId
        + " of "
        + realm
        + ", epoch "
        + epoch
        + ", by "
        + owner
        + ", ["
        + floorMs
        + ", "
        + reservedMs
        + ") at "
        + nowMs
        + "]";
  }
}
