/// <reference lib="esnext.disposable" />
/**
 * Unique 64-bit IDs, minted anywhere.
 *
 * Nothing is issued that was not reserved before, durably: restarts, pauses, worker threads and
 * clocks that go back cannot repeat an ID. IDs are `bigint`s of 64 bits, unsigned.
 *
 * No call blocks the event loop to wait for an ID. What ends in `Async` waits, up to `waitMs`; the
 * others throw a {@link SnowmintError} when there is no ID at once.
 *
 * @packageDocumentation
 */

/** The version of the package. */
export declare const version: string

export * from './errors.js'
export * from './events.js'
export * from './layout.js'
export * from './loading.js'
export * from './public-ids.js'
export * from './text.js'
export * from './sources.js'
export * from './store.js'
/**
 * The deterministic form: time is an argument, waiting is a result. Nothing there reads a clock,
 * waits or does I/O.
 */
export * as engine from './engine.js'
