package io.github.snowmint;

/**
 * What many IDs say: one array a part, in the order of the IDs.
 *
 * @param unixMs the starts of their ticks, Unix milliseconds
 * @param workerIds the worker IDs
 * @param sequences the sequence numbers
 * @param rollbacks the rollback counters
 */
public record PartsColumns(long[] unixMs, long[] workerIds, long[] sequences, long[] rollbacks) {}
