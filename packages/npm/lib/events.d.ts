// Events and their listeners.

import type { ErrorCode } from './errors.js'

/** The name of a kind of event; the same in every language. */
export type EventName =
  | 'lease_lost' | 'worker_changed' | 'store_down' | 'store_back' | 'fenced' | 'unfenced'
  | 'expires_soon' | 'state_lost' | 'servers_kept' | 'servers_back' | 'server_refused'

/** Something that happened to a source or its store. */
export interface SnowmintEvent {
  readonly name: EventName
  /** The severity; `info` if the problem is over. */
  readonly severity: 'warning' | 'info'
  /** The kind of the source that noticed it. */
  readonly source: 'snowflake' | 'segment' | 'daily' | 'sequences' | 'service'
  /** The source's tag, if it has one. */
  readonly tag?: string
  /** The source's worker ID, if it has one. For a lost lease, the ID that was lost. */
  readonly workerId?: number
  /** The code of the failure behind the event, if there is one. */
  readonly code?: ErrorCode
  /** A description of what happened and what to do, on one line. */
  readonly message: string
  /** The time of the event by this machine's clock. */
  readonly time: Date
}

/** The name that a listener is registered for: one kind of event, or `event` for all kinds. */
type Heard = EventName | 'event'
type Listener = (event: SnowmintEvent) => void

/** Calls listeners with each event once, under its own name and under `event`. */
export interface Events {
  on(name: Heard, listener: Listener): this
  once(name: Heard, listener: Listener): this
  off(name: Heard, listener: Listener): this
}

/** The other methods of Node's `EventEmitter`, for example for `once` and `on` of `node:events`. */
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

/** The type of the emitter: that of Node if the program has Node's types. */
type EventsHere = typeof globalThis extends { process: { prependListener: unknown } } ? EventsOfNode : Events

/**
 * The events of the process's sources and stores. A worker thread receives the events of the whole
 * process, until it ends. In Node it is an `EventEmitter`, and listening keeps no process alive. In
 * a browser it reports only the page's own sources, each by itself, and only has `on`, `once` and
 * `off`.
 */
export declare const events: EventsHere
