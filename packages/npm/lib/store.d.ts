// Stores.

import type { Time } from './layout.js'

/** A row of a store's table of tags. */
export interface TagRow {
  tag: string
  /** The first number not yet reserved by anybody. */
  next: bigint
  /** How many numbers a range has. */
  step: bigint
  /** The distance of two numbers. */
  stride: bigint
  /** The largest number that may be given. */
  max: bigint
  /** When the row last changed, by the store's clock, in Unix milliseconds. */
  updatedMs: bigint
}

/** A row of a store's table of worker IDs. */
export interface WorkerRow {
  /** Names the layout. */
  realm: string
  workerId: number
  /** The present or last holder. */
  owner: string
  /** Counts its acquisitions. */
  epoch: bigint
  /** First Unix millisecond not reserved. */
  reservedMs: bigint
  /** When the lease ends if it is not renewed. */
  expiresMs: bigint
  /** Whether it is held, by the store's clock. */
  held: boolean
}

/** Reserves worker IDs and numbers, durably, in one place. Its calls run off the event loop. */
export declare class Store implements Disposable, AsyncDisposable {
  private constructor()
  /**
   * Opens a store: `sqlite:ids.db`, made where there is none by `sqlite:ids.db?create=true`,
   * `postgres://user@host/database`, `mysql://user@host/database`, `redis://host:6379/0`,
   * `etcd://host:2379`, `zookeeper://host:2181`, or `memory:` for one that ends with the process and is not shared.
   */
  static open(url: string): Promise<Store>
  /** The same on this thread. */
  static openSync(url: string): Store
  /**
   * Adds a tag: by default it begins with 1, in steps of 1000. No number is above `max`, as of the
   * column that they are for. A tag may have a namespace: `shop/orders`.
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
   * Adds a tag that may be there already, and is then left as it is, with options of its own. Whether it
   * was added.
   *
   * @throws SnowmintError `invalid_tag`, `invalid_step`, `invalid_range`
   */
  ensureTag(tag: string, options?: {
    start?: number | bigint
    step?: number | bigint
    stride?: number | bigint
    max?: number | bigint
  }): Promise<boolean>
  /** Changes a tag; `next` can only be raised, and `max` is not below what was given. */
  changeTag(tag: string, change: {
    next?: number | bigint, step?: number | bigint, max?: number | bigint,
  }): Promise<TagRow>
  /**
   * Has a server that took another's place go on with all it has, on an operator's word
   * that this is all that was given. It is named as its refusals name it; another one refuses the
   * word. Each tag whose ranges may be lost is raised first by so many steps, each as long as the
   * tag's last range where that was longer. Tags that are made from now on begin at `newFrom` if not
   * above, where tags may be lost: the largest one that was given holds until 0, which is safe once
   * each lost tag is there again, or never comes. The rows that were raised.
   *
   * @throws SnowmintError `incarnation_changed` by another server, `invalid_parameter`,
   * `invalid_range`, `unsupported` by other stores
   */
  vouch(server: string, options: {
    raiseBySteps: number | bigint, newFrom?: number | bigint,
  }): Promise<TagRow[]>
  /** One tag, if it is there. */
  tag(tag: string): Promise<TagRow | undefined>
  /** Every tag. */
  tags(): Promise<TagRow[]>
  /** Every worker ID. */
  workers(): Promise<WorkerRow[]>
  /** Ends whatever lease a worker ID has; `false` if there is no such row. */
  evict(realm: string, workerId: number): Promise<boolean>
  /**
   * Gives up the file or the connection, as soon as the calls that run and the sources that were
   * opened on it are done with it. Other calls throw `closed`; closing twice is no error.
   */
  close(): void
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}

/** What a store of your own is asked for a worker ID with. */
export interface LeaseRequest {
  /** Names the layout: those who share it share worker IDs. */
  realm: string
  maxWorkerId: number
  /** Names the holder. */
  owner: string
  /** The lease's first token, 32 hexadecimal digits. */
  token: string
  /**
   * How much time to reserve ahead of the store's clock, and how long the lease lives: up to an hour, and a day
   * more where the store's clock was set back.
   */
  reserveMs: number
  /** How far ahead of the store's clock the generator can use time. */
  maxAheadMs: number
  /**
   * How far ahead of the store's clock the reserved time of a worker ID may lie for it to be taken: at
   * most `maxAheadMs`, and three quarters of `reserveMs`.
   */
  reachMs: number
  /** A worker ID not to take. */
  avoid?: number
}

/** A worker ID with the time reserved for it, as a store of your own returns it. */
export interface Lease {
  workerId: number
  /** Counts the acquisitions of this worker ID. */
  epoch: number | bigint
  /** First Unix millisecond the holder may use: at or above every `reservedMs` before. */
  floorMs: Time
  /** First Unix millisecond it may not use. */
  reservedMs: Time
  /** The store's clock. */
  nowMs: Time
}

/** A lease that is to be renewed or released. */
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
 * A store of worker IDs of your own.
 *
 * For one realm and worker ID the intervals `[floorMs, reservedMs)` of all leases must be disjoint
 * and rise, and be durable before they are returned: uniqueness rests on that. Refuse with a
 * {@link SnowmintError} (`workers_exhausted`, `lease_lost`); anything else thrown is the cause of
 * `store_unavailable`.
 *
 * A promise has to settle. With the addon it is waited for 5 s (`outcome_unknown`), and the store is
 * asked again; in a browser it is waited for however long that takes, as a store
 * is asked one thing at a time.
 */
export interface WorkerStore {
  /** Takes a free worker ID: another one each time, even for the same owner and token. */
  acquire(request: LeaseRequest): Lease | Promise<Lease>
  /** Reserves `reserveMs` from the store's clock on, and replaces the token. */
  renew(lease: HeldLease, nextToken: string, reserveMs: number): Lease | Promise<Lease>
  /** Ends a lease. */
  release(lease: HeldLease): void | Promise<void>
}

/** A number of a range: drivers of databases give a `BIGINT` as its decimal digits. */
type Numeral = bigint | number | string

/** A range as a function may give it: `[start, end)`, half-open, and the distance of two numbers. */
export type RangeLike =
  | readonly [start: Numeral, end: Numeral]
  | readonly [start: Numeral, end: Numeral, stride: Numeral]
  | { start: Numeral, end: Numeral, stride?: Numeral }

/** Reserves the next `count` numbers of a tag, durably. */
export type Allocator = (tag: string, count: number) => RangeLike | Promise<RangeLike>

/**
 * An ID service over `fetch`: a store of worker IDs, and a source of ranges of numbers. That is
 * `snowmint serve`, or another that keeps its protocol:
 * https://github.com/snowmint/snowmint/blob/main/core/server/PROTOCOL.md
 *
 * Its calls reject with a {@link SnowmintError}: the service's own, or `store_unavailable` where
 * there is no answer, with the server, the reason and the cause. Generators and segments ask again by themselves.
 *
 * Several servers of one store have commas between them: `https://a:8064,b:8064`. One that fails is
 * passed over for a while, and one of another store is refused by name (`server_refused`).
 */
export declare class IdService implements WorkerStore {
  /**
   * A service by the URL that its paths begin with.
   *
   * `headers` go with every request, `fetch` is used in place of the global one, and an answer is
   * given up after `timeoutMs`: 5000 unless set; each of several servers has its share of that.
   * `keySpace` pins the key space, whose 32 hexadecimal digits `snowmint doctor` prints: a server of
   * another one is refused. Unless set, it is that of the first answer.
   *
   * In a page the URL may begin where that is: `/ids`.
   *
   * @throws TypeError for what is neither a string nor a URL
   * @throws SnowmintError `invalid_url` for what is no `http:` or `https:` address, and of a list in which
   * a server has no name; `invalid_parameter` for what is no key space
   */
  constructor(url: string | { readonly href: string }, options?: {
    headers?: Record<string, string>
    fetch?: (url: string, request: ServiceRequest) => Promise<ServiceResponse>
    timeoutMs?: number
    keySpace?: string
  })
  /** Takes a free worker ID: another one each time, even for the same owner and token. */
  acquire(request: Omit<LeaseRequest, 'reachMs'>): Promise<Lease>
  /** Reserves `reserveMs` from the service's clock on, and replaces the token. */
  renew(lease: HeldLease, nextToken: string, reserveMs: number): Promise<Lease>
  /** Ends a lease, also while the page is being left. */
  release(lease: HeldLease): Promise<void>
  /** Reserves the next `count` numbers of a tag; `step` is how many the tag gives at once. */
  allocate(tag: string, count: number): Promise<{ start: bigint, end: bigint, stride: bigint, step?: bigint }>
}

/** What `fetch` is given: named by shape, as not every program has the browser's library. */
export interface ServiceRequest {
  method: string
  headers: Record<string, string>
  body: string
  cache: 'no-store'
  keepalive: boolean
  signal: Signal
}

/** What is looked at of a `Response`. */
export interface ServiceResponse {
  readonly ok: boolean
  readonly status: number
  text(): Promise<string>
}

/** An `AbortSignal`, where the program has its type. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Type } } ? Type : unknown
