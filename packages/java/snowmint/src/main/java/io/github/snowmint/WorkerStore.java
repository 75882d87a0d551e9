package io.github.snowmint;

import java.util.List;

/**
 * Leases worker IDs. For one realm and worker ID the intervals {@code [floorMs, reservedMs)} of all
 * leases are disjoint and rise, whatever any clock does: the floor is at or above every
 * {@code reservedMs} before it. The store's clock decides only who may take a worker ID that is not
 * renewed.
 *
 * <p>It is called from a thread of the generator's, and by the call that opens it. What it throws
 * is the cause of a {@link Code#STORE_UNAVAILABLE}, or keeps its own code if it is a
 * {@link SnowmintException}; nonsense, {@code null} too, is {@link Code#INVALID_ANSWER}.
 */
public interface WorkerStore {
  /**
   * Takes a free worker ID: another one each time, even for the same owner and token, which two
   * copies of a process may have.
   *
   * @param request for what
   * @return the lease; {@link Code#WORKERS_EXHAUSTED} if none is free, {@link Code#REALM_MISMATCH}
   *     where the key space makes IDs of another layout
   */
  Lease acquire(LeaseRequest request);

  /**
   * Reserves {@code reserveMs} from the store's clock on, and replaces the token. A repeat of the same
   * renewal (the same {@code next}) succeeds again: its first answer may have been lost.
   *
   * @param lease the lease held
   * @param next its next token, 16 bytes
   * @param reserveMs how much time to reserve, in milliseconds
   * @return the lease with the new token; {@link Code#LEASE_LOST} if epoch, owner or token are not
   *     the row's
   */
  Lease renew(Lease lease, byte[] next, int reserveMs);

  /**
   * Ends a lease for good. One that is lost already is no error.
   *
   * @param lease the lease held
   */
  void release(Lease lease);

  /**
   * Every row, by realm and worker ID. Generators do not ask for it.
   *
   * @return the rows
   */
  default List<WorkerRow> workers() {
    throw new SnowmintException(Code.UNSUPPORTED, "this store cannot list its worker IDs");
  }

  /**
   * Ends whatever lease a worker ID has, for an operator who knows that its holder is gone; its
   * reserved time stays reserved.
   *
   * @param realm the realm
   * @param workerId the worker ID
   * @return false if there is no such row
   */
  default boolean evict(String realm, long workerId) {
    throw new SnowmintException(Code.UNSUPPORTED, "this store cannot evict");
  }
}
