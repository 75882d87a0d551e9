// What listeners hear of.

import type { ErrorCode } from './errors.js'

/** The name of a kind of event; the same in every language. */
export type EventName =
  | 'lease_lost' | 'worker_changed' | 'store_down' | 'store_back' | 'fenced' | 'unfenced'
  | 'expires_soon' | 'state_lost' | 'servers_kept' | 'servers_back' | 'server_refused'

/** Something that happened to a source or its store. */
export interface SnowmintEvent {
  readonly name: EventName
  /** `info` of what is over. */
  readonly severity: 'warning' | 'info'
  /** The kind of the source that saw it. */
  readonly source: 'snowflake' | 'segment' | 'daily' | 'sequences' | 'service'
  /** Its tag, where it has one. */
  readonly tag?: string
  /** Its worker ID, where it has one: of a lease lost, the one that was lost. */
  readonly workerId?: number
  /** The failure behind it, where there is one. */
  readonly code?: ErrorCode
  /** What happened and what to do, on one line. */
  readonly message: string
  /** When, by this machine's clock. */
  readonly time: Date
}

/** What listeners can be called for: one kind of events, or all of them. */
type Heard = EventName | 'event'
type Listener = (event: SnowmintEvent) => void

/** Calls listeners with events, each once a change: under their names, and all under `event`. */
export interface Events {
  on(name: Heard, listener: Listener): this
  once(name: Heard, listener: Listener): this
  off(name: Heard, listener: Listener): this
}

/** What Node's `EventEmitter` has besides, for `once` and `on` of `node:events` and the like. */
export interface EventsOfNode extends Events {
  addListener(name: Heard, listener: Listener): this
  removeListener(name: Heard, listener: Listener): this
  removeAllListeners(name?: Heard): this
  prependListener(name: Heard, listener: Listener): this
  prependOnceListener(name: Heard, listener: Listener): this
  setMaxListeners(count: number): this
  getMaxListeners(): number
  listeners(name: Heard): ((...given: any[]) => void)[]
  rawListeners(name: Heard): ((...given: any[]) => void)[]
  listenerCount(name: Heard, listener?: (...given: any[]) => void): number
  eventNames(): (string | symbol)[]
  emit(name: Heard, event: SnowmintEvent): boolean
}

/** By whether the program has Node's types. */
type EventsHere = typeof globalThis extends { process: { prependListener: unknown } } ? EventsOfNode : Events

/**
 * What happens to the process's sources and stores. A worker thread hears of all of the process's,
 * until it ends. In Node it is an `EventEmitter`; listening keeps no process alive. In a browser it
 * tells of the page's own sources, each by itself, and has `on`, `once` and `off` alone.
 */
export declare const events: EventsHere
