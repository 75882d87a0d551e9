package io.github.snowmint;

/**
 * A row of the worker table, for operators. Times are Unix milliseconds.
 *
 * @param realm the realm: a layout's canonical text
 * @param workerId the worker ID
 * @param owner its present or last holder
 * @param epoch the count of its acquisitions
 * @param reservedMs the first millisecond not reserved
 * @param expiresMs the time when the lease ends unless it is renewed
 * @param held true if it is held, by the store's clock
 */
public record WorkerRow(
    String realm,
    long workerId,
    String owner,
    long epoch,
    long reservedMs,
    long expiresMs,
    boolean held) {}
