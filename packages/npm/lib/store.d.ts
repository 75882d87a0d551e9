// Stores.

import type { Time } from './layout.js'

/** A row of a store's table of tags. */
export interface TagRow {
  tag: string
  /** The first number that is not yet reserved. */
  next: bigint
  /** The count of numbers in a range. */
  step: bigint
  /** The distance between two numbers. */
  stride: bigint
  /** The largest number that may be given. */
  max: bigint
  /** The time of the row's last change, by the store's clock, in Unix milliseconds. */
  updatedMs: bigint
}

/** A row of a store's table of worker IDs. */
export interface WorkerRow {
  /** The name of the layout. */
  realm: string
  workerId: number
  /** The current or last holder. */
  owner: string
  /** The number of times that the worker ID was acquired. */
  epoch: bigint
  /** The first Unix millisecond that is not reserved. */
  reservedMs: bigint
  /** The time when the lease ends if it is not renewed, in Unix milliseconds. */
  expiresMs: bigint
  /** True if the worker ID is held, by the store's clock. */
  held: boolean
}

/** The statements that a store needed, or would need. */
export interface Migration {
  /** The place of the tables: the file, or the server and its database. */
  place: string
  /** `made`; `there` if nothing was missing; or `missing`, with `dryRun`. */
  state: 'made' | 'there' | 'missing'
  /**
   * The identity of the key space, for `key_space=` in a URL. It is absent after a dry run, and for a
   * copy that is not yet confirmed.
   */
  keySpace?: string
  /** The statements that create what was missing, in order. It is empty if nothing was. */
  statements: string[]
  /**
   * The text that `npx snowmint migrate` prints. With `dryRun` it is a script for the store's own
   * client.
   */
  report: string
}

/**
 * Creates the tables of a store, as `create=true` in its URL does, or begins its key space. Tables
 * that exist and are right stay as they are. With `dryRun` nothing is changed, and the result has
 * the statements that would run.
 *
 * @throws SnowmintError `store_schema` if only some of the tables exist, or if they differ from
 * what they should be, and nothing is changed; `unsupported` for `memory:`, and in a browser; the
 * store's errors
 */
export declare function migrate(url: string, options?: { dryRun?: boolean }): Promise<Migration>

/** Reserves worker IDs and numbers, durably, in one place. Its calls run off the event loop. */
export declare class Store implements Disposable, AsyncDisposable {
  private constructor()
  /**
   * Opens a store: `sqlite:ids.db`, or `sqlite:ids.db?create=true` to create the file if it is
   * missing; `postgres://user@host/database`, `mysql://user@host/database`, `redis://host:6379/0`,
   * `etcd://host:2379`, `zookeeper://host:2181`. For tests, `memory:NAME` is the store of that name
   * in this process, and `memory:` another one each time.
   */
  static open(url: string): Promise<Store>
  /** Opens a store on this thread. */
  static openSync(url: string): Store
  /**
   * Adds a tag. By default it begins with 1, in steps of 1000. No number is above `max`, for
   * example the largest value of your column. A tag may have a namespace: `shop/orders`.
   *
   * @throws SnowmintError `tag_exists`, `invalid_tag`, `invalid_step`, `invalid_range`
   */
  createTag(tag: string, options?: {
    start?: number | bigint
    step?: number | bigint
    stride?: number | bigint
    max?: number | bigint
  }): Promise<void>
  /**
   * Adds a tag unless it exists; an existing tag keeps its own options. Returns true if it was
   * added.
   *
   * @throws SnowmintError `invalid_tag`, `invalid_step`, `invalid_range`
   */
  ensureTag(tag: string, options?: {
    start?: number | bigint
    step?: number | bigint
    stride?: number | bigint
    max?: number | bigint
  }): Promise<boolean>
  /** Changes a tag. `next` can only be raised, and `max` cannot be below a number already given. */
  changeTag(tag: string, change: {
    next?: number | bigint, step?: number | bigint, max?: number | bigint,
  }): Promise<TagRow>
  /**
   * Lets a server that took another server's place go on with all its rows. By this call you
   * confirm that the rows are all that was given. `server` is the name in the server's refusals;
   * any other server refuses the confirmation. Returns the rows that were raised.
   *
   * First, each tag whose ranges may be lost is raised by `raiseBySteps` steps. A step is as long
   * as the tag's last range if that was longer. If whole tags may be lost, set `newFrom`: tags that
   * are created from now on begin there or above. The largest `newFrom` that was given holds until
   * you give 0. That is safe once each lost tag exists again, or never will.
   *
   * @throws SnowmintError `incarnation_changed` from another server, `invalid_parameter`,
   * `invalid_range`, `unsupported` from other stores
   */
  vouch(server: string, options: {
    raiseBySteps: number | bigint, newFrom?: number | bigint,
  }): Promise<TagRow[]>
  /** Returns one tag, if it exists. */
  tag(tag: string): Promise<TagRow | undefined>
  /** Returns every tag. */
  tags(): Promise<TagRow[]>
  /** Returns every worker ID. */
  workers(): Promise<WorkerRow[]>
  /** Ends the lease of a worker ID, if any. Returns `false` if there is no such row. */
  evict(realm: string, workerId: number): Promise<boolean>
  /**
   * Gives up the file or the connection, once running calls and the sources that were opened on it
   * are done. Other calls throw `closed`. Closing twice is no error.
   */
  close(): void
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}

/** The request for a worker ID that your own store receives. */
export interface LeaseRequest {
  /** The name of the layout. Generators with the same realm share worker IDs. */
  realm: string
  maxWorkerId: number
  /** The name of the holder. */
  owner: string
  /** The lease's first token, 32 hexadecimal digits. */
  token: string
  /**
   * The milliseconds to reserve ahead of the store's clock, for which the lease also lives: up to
   * an hour, and a day more if the store's clock was set back.
   */
  reserveMs: number
  /** The most milliseconds by which the generator's time can be ahead of the store's clock. */
  maxAheadMs: number
  /**
   * The most milliseconds by which the reserved time of a worker ID may be ahead of the store's
   * clock when you lease it: at most `maxAheadMs`, and three quarters of `reserveMs`.
   */
  reachMs: number
  /** A worker ID that you should not lease. */
  avoid?: number
}

/** A worker ID with the time reserved for it, as your own store returns it. */
export interface Lease {
  workerId: number
  /** The number of times that this worker ID was acquired. */
  epoch: number | bigint
  /** The first Unix millisecond that the holder may use: at or above every earlier `reservedMs`. */
  floorMs: Time
  /** The first Unix millisecond that the holder may not use. */
  reservedMs: Time
  /** The store's clock. */
  nowMs: Time
}

/** A lease to renew or release. */
export interface HeldLease {
  realm: string
  workerId: number
  epoch: bigint
  owner: string
  token: string
  floorMs: bigint
  reservedMs: bigint
}

/**
 * Your own store of worker IDs.
 *
 * For one realm and worker ID, the intervals `[floorMs, reservedMs)` of all leases must be disjoint
 * and rise, and be durable before you return them. Uniqueness depends on that. Refuse with a
 * {@link SnowmintError} (`workers_exhausted`, `lease_lost`). Anything else that you throw becomes
 * the cause of `store_unavailable`.
 *
 * A promise has to settle. The addon waits 5 s for it (`outcome_unknown`), and then asks the store
 * again. A browser waits for it without a limit, because it asks a store one question at a time.
 */
export interface WorkerStore {
  /** Leases a free worker ID: another one each time, even for the same owner and token. */
  acquire(request: LeaseRequest): Lease | Promise<Lease>
  /** Reserves `reserveMs` from the store's clock on, and replaces the token. */
  renew(lease: HeldLease, nextToken: string, reserveMs: number): Lease | Promise<Lease>
  /** Ends a lease. */
  release(lease: HeldLease): void | Promise<void>
}

/** A number of a range. Database drivers return a `BIGINT` as its decimal digits. */
type Numeral = bigint | number | string

/**
 * A range that a function may return: `[start, end)`, half-open, and the distance between two
 * numbers.
 */
export type RangeLike =
  | readonly [start: Numeral, end: Numeral]
  | readonly [start: Numeral, end: Numeral, stride: Numeral]
  | { start: Numeral, end: Numeral, stride?: Numeral }

/** Reserves the next `count` numbers of a tag, durably. */
export type Allocator = (tag: string, count: number) => RangeLike | Promise<RangeLike>

/**
 * An ID service over `fetch`: a store of worker IDs, and a source of ranges of numbers. The server
 * is `snowmint serve`, or another one that implements its protocol:
 * https://github.com/snowmint/snowmint/blob/main/docs/reference/protocol.md
 *
 * Its calls reject with a {@link SnowmintError}: the service's own, or `store_unavailable` if there
 * is no answer, with the server, the reason and the cause. Generators and segments ask again by
 * themselves.
 *
 * Separate several servers of one store by commas: `https://a:8064,b:8064`. A server that fails is
 * skipped for a while. A server of another store is refused by name (`server_refused`).
 */
export declare class IdService implements WorkerStore {
  /**
   * Creates a client for the service at a URL, which its paths begin with.
   *
   * - `headers` are sent with every request.
   * - `fetch` replaces the global one.
   * - `timeoutMs` is how long a request waits for an answer (default 5000). Several servers share
   *   it.
   * - `keySpace` pins the key space, the 32 hexadecimal digits that `snowmint doctor` prints.
   *   Servers of another key space are refused. By default the first answer sets it.
   *
   * In a page the URL may be relative to the page's: `/ids`.
   *
   * @throws TypeError if `url` is neither a string nor a URL
   * @throws SnowmintError `invalid_url` if it is no `http:` or `https:` address, or if a server in
   * a list has no name; `invalid_parameter` if `keySpace` is no key space
   */
  constructor(url: string | { readonly href: string }, options?: {
    headers?: Record<string, string>
    fetch?: (url: string, request: ServiceRequest) => Promise<ServiceResponse>
    timeoutMs?: number
    keySpace?: string
  })
  /** Leases a free worker ID: another one each time, even for the same owner and token. */
  acquire(request: Omit<LeaseRequest, 'reachMs'>): Promise<Lease>
  /** Reserves `reserveMs` from the service's clock on, and replaces the token. */
  renew(lease: HeldLease, nextToken: string, reserveMs: number): Promise<Lease>
  /** Ends a lease, also while the page is being left. */
  release(lease: HeldLease): Promise<void>
  /**
   * Reserves the next `count` numbers of a tag; `step` is how many numbers the tag gives at once.
   */
  allocate(tag: string, count: number): Promise<{ start: bigint, end: bigint, stride: bigint, step?: bigint }>
}

/**
 * The second argument of `fetch`, declared here because not every program has the browser's
 * library.
 */
export interface ServiceRequest {
  method: string
  headers: Record<string, string>
  body: string
  cache: 'no-store'
  keepalive: boolean
  signal: Signal
}

/** The parts of a `Response` that are used. */
export interface ServiceResponse {
  readonly ok: boolean
  readonly status: number
  text(): Promise<string>
}

/** An `AbortSignal`, if the program has its type. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Type } } ? Type : unknown
