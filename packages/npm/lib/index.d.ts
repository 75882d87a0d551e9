/// <reference lib="esnext.disposable" />
/**
 * Unique 64-bit IDs, minted anywhere.
 *
 * Every ID was durably reserved before it is issued. So restarts, pauses, worker threads and clocks
 * that go back cannot repeat an ID. IDs are `bigint`s of 64 bits, unsigned.
 *
 * No call blocks the event loop to wait for an ID. Calls whose names end in `Async` wait, up to
 * `waitMs`. The others throw a {@link SnowmintError} if no ID is ready.
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
 * The deterministic form: time is an argument, waiting is a result. Nothing in it reads a clock,
 * waits or does I/O.
 */
export * as engine from './engine.js'
