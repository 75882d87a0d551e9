package io.github.snowmint;

import java.util.List;

/**
 * Leases worker IDs. For one realm and worker ID the intervals {@code [floorMs, reservedMs)} of all
 * leases are disjoint and rise, whatever any clock does: the floor is at or above every earlier
 * {@code reservedMs}. The store's clock only decides who may take a worker ID that is not renewed.
 *
 * <p>A thread of the generator calls it, and so does the call that opens the generator. If it
 * throws a {@link SnowmintException}, that error's code is kept. Any other exception becomes the
 * cause of a {@link Code#STORE_UNAVAILABLE}. An impossible answer, also {@code null}, is
 * {@link Code#INVALID_ANSWER}.
 */
public interface WorkerStore {
  /**
   * Takes a free worker ID. Each call takes a worker ID of its own, even for the same owner and
   * token, because two copies of a process may have them.
   *
   * @param request the request
   * @return the lease
   * @throws SnowmintException {@link Code#WORKERS_EXHAUSTED} if none is free, or
   *     {@link Code#REALM_MISMATCH} if the key space makes IDs of another layout
   */
  Lease acquire(LeaseRequest request);

  /**
   * Reserves {@code reserveMs} from the store's clock on, and replaces the token. A repeat of the
   * same renewal (the same {@code next}) succeeds again, because the first answer may have been
   * lost.
   *
   * @param lease the lease held
   * @param next its next token, 16 bytes
   * @param reserveMs the time to reserve, in milliseconds
   * @return the lease with the new token
   * @throws SnowmintException {@link Code#LEASE_LOST} if epoch, owner or token differ from the
   *     row's
   */
  Lease renew(Lease lease, byte[] next, int reserveMs);

  /**
   * Ends a lease for good. Releasing a lease that is already lost is not an error.
   *
   * @param lease the lease held
   */
  void release(Lease lease);

  /**
   * Returns every row, by realm and worker ID. Generators do not call it.
   *
   * @return the rows
   */
  default List<WorkerRow> workers() {
    throw new SnowmintException(Code.UNSUPPORTED, "this store cannot list its worker IDs");
  }

  /**
   * Ends the lease of a worker ID, if it has one, for an operator who knows that its holder is
   * gone. Its reserved time stays reserved.
   *
   * @param realm the realm
   * @param workerId the worker ID
   * @return false if there is no such row
   */
  default boolean evict(String realm, long workerId) {
    throw new SnowmintException(Code.UNSUPPORTED, "this store cannot evict");
  }
}
