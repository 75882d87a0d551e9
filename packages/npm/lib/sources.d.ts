// Sources of IDs.

import type { ClockPolicy } from './engine.js'
import type { ErrorCode } from './errors.js'
import type { Ids, Layout } from './layout.js'
import type { Allocator, Store, WorkerStore } from './store.js'
import type { TextForm } from './text.js'

/** A range at hand. */
export interface Bucket {
  /** The count of its numbers that are left. */
  left: bigint
  /** The count of numbers that it had. */
  size: bigint
}

/** A tag with the first number that no range of this process had. */
export interface TagNext {
  /** The tag, with its date if its numbers are of a day. */
  tag: string
  /** The number. Other processes may have reserved higher ones since. */
  next: bigint
}

/** A failure of a store. */
export interface Failure {
  code: ErrorCode
  message: string
  /** The time of the failure by this machine's clock. */
  time: Date
  /** True if the store has answered since. */
  isOver: boolean
}

/**
 * The statistics of a source at one moment. Fields that do not apply to it are absent, or empty.
 */
export interface Stats {
  /** The kind of the source; for a ring, the kind of its source. */
  kind: 'snowflake' | 'segment' | 'daily' | 'sequences' | 'uuid'
  /** True once the source was closed. */
  isClosed: boolean
  /** The worker ID that IDs are minted under. */
  workerId?: number
  /** The time in milliseconds for which this process has had the worker ID. */
  leaseAgeMs?: number
  /**
   * The milliseconds reserved ahead of the clock: IDs can be minted that long without the store. It
   * is 0 or less when that time is used up.
   */
  reservedMs?: number
  /**
   * The milliseconds that the last renewal of a leased worker ID reserved. The next renewal is due
   * once a third of it is used.
   */
  reserveMs?: number
  /**
   * The milliseconds added to the wall clock: its distance from the store's clock, or a step of it
   * that is not followed.
   */
  clockOffsetMs?: number
  /** The milliseconds by which the last ID's time is ahead of the clock. */
  borrowedMs?: number
  /** The number of times that the clock went back and was counted in the layout's rollback bits. */
  rollbacks: number
  /** The ranges at hand, beginning with the range in use. For a ring, its ready IDs come first. */
  buckets: Bucket[]
  /** The count of numbers that the next range will have. */
  step?: bigint
  /**
   * The numbers used per second between the last two ranges, or since the last one if that is
   * longer.
   */
  rate?: number
  /**
   * The milliseconds that the numbers at hand last at that rate, or that the reserved time lasts.
   */
  runwayMs?: number
  /** The last failure of the store. */
  lastFailure?: Failure
  /** The tag's next number after the last range that this process reserved. */
  tagNext?: TagNext
}

/** A class of sources, or a class that extends it and passes its constructor's arguments on. */
type Opening<Own> = new (...given: any[]) => Own

/** The common interface of all sources of 64-bit IDs. */
export interface IdSource
  extends Iterable<bigint>, AsyncIterable<bigint>, Disposable, AsyncDisposable {
  /**
   * The longest wait of a call that ends in `Async`, in milliseconds, unless the call sets its own.
   */
  readonly waitMs: number
  /** True once the source was closed. */
  readonly closed: boolean
  /**
   * Resolves once the source is open. It opens a source of {@link lazy} that nothing has used, and
   * waits up to `waitMs`. Rejects with the errors of {@link open}; the next use tries again. In a
   * browser only segments have it.
   */
  ready(waitMs?: number): Promise<void>
  /**
   * Returns the source's statistics. It changes nothing, and waits for no store. `borrowedMs`,
   * `step`, `rate` and `runwayMs` are not known in a browser.
   */
  stats(): Stats

  /**
   * Returns the next ID. Never waits.
   *
   * @throws SnowmintError if no ID is ready: `sequence_exhausted`, `clock_behind` (with `waitMs`),
   * `grant_exhausted` (a renewal is late; in a browser `lease_unavailable`), `wait_timeout`,
   * `lease_unavailable`, `tag_exhausted`, the store's errors, `closed`
   */
  nextId(): bigint
  /** Returns the next ID as text, by default decimal. Otherwise like {@link nextId}. */
  nextIdString(form?: TextForm): string
  /**
   * Returns `count` rising IDs, 1 to 2^24. Never waits: a snowflake has at most the IDs of the
   * present tick and those that its policy borrows, 4,100,096 with Twitter's layout, and refuses
   * more. A fixed worker ID without a state file, for example at its first start, has already
   * borrowed, so `sequence_exhausted` comes sooner. If the call fails half-way, the IDs that it
   * took are a gap. A segment's numbers are no gap: they come first in the next call.
   *
   * @throws SnowmintError `count_out_of_range`, the errors of {@link nextId}
   */
  nextIds(count: number): Ids
  /**
   * Fills an array with rising IDs and returns it. Otherwise like {@link nextIds}. Memory that
   * threads share is filled ID by ID, and each ID is written atomically.
   */
  fill<A extends BigUint64Array>(array: A): A

  /**
   * Returns the next ID, waiting off the event loop for up to `waitMs`. Rejects with the errors of
   * {@link nextId}.
   */
  nextIdAsync(waitMs?: number): Promise<bigint>
  /**
   * Returns `count` rising IDs, waiting if needed. If the call fails, the IDs that it took are a
   * gap.
   */
  nextIdsAsync(count: number, waitMs?: number): Promise<Ids>
  /**
   * Fills an array, waiting if needed. An array that grows meanwhile is filled to its end. If it
   * becomes shorter, this throws a `RangeError`, and the IDs that it took are a gap.
   */
  fillAsync<A extends BigUint64Array>(array: A, waitMs?: number): Promise<A>

  /**
   * Stops minting and gives up the reservations. Closing twice is no error.
   *
   * A leased worker ID is given back without waiting for the store, and {@link closeAsync} waits.
   * The store then lists it as resting, not as held. Given back or not, another process takes it
   * once its reserved time is over, after two seconds to a minute.
   */
  close(): void
  /**
   * Closes the source off the event loop. It waits until the store knows, up to `waitMs`; in a
   * browser as long as a request may take.
   *
   * @throws SnowmintError `wait_timeout`, the store's errors: the source is closed all the same,
   * and the lease ends by itself
   */
  closeAsync(waitMs?: number): Promise<void>
  /** Iterates over endless IDs, by {@link nextId}. */
  [Symbol.iterator](): IterableIterator<bigint>
  /** Iterates over endless IDs, by {@link nextIdAsync}. */
  [Symbol.asyncIterator](): AsyncIterableIterator<bigint>
}

/**
 * A worker ID that you fix: a number, `env`, `env:NAME`, `ordinal` (StatefulSet), `ordinal:NAME` or
 * `ip:10.0.4.0/22`, a network that contains all hosts.
 *
 * In a browser only `random` is supported: each generator draws a new one. IDs are then unique only
 * with a probability, for which the layout needs 16 worker bits or more. Any other is `unsupported`
 * there, because a page cannot store the time that it has used.
 */
export type WorkerId =
  number | 'env' | `env:${string}` | 'ordinal' | `ordinal:${string}` | `ip:${string}` | 'random' | (string & {})

/** Clocks that replace the browser's, in milliseconds, for simulation. */
export interface Clocks {
  /** Returns Unix time. */
  wall?: () => number
  /** Returns the time since some moment, from a clock that nobody can set. */
  mono?: () => number
}

/** The options of a generator. It needs `workerId` or `store`. */
export interface SnowflakeOptions {
  /**
   * A worker ID that you fix. Its time is reserved in a state file, which keeps a second generator
   * with that file from using it. You have to make sure that no other generator has it. In a
   * browser `random`.
   */
  workerId?: WorkerId
  /** A store to lease a worker ID from; in a browser an {@link IdService}, or your own store. */
  store?: Store | WorkerStore
  /**
   * The layout, a preset's name, or fields (default: Twitter's). For a random worker ID, the
   * default is 41 bits of milliseconds since 2024, 21 of worker ID and 1 of sequence.
   */
  layout?: Layout | string
  /**
   * A clock policy, or a name from {@link engine.policies} (default `snowmint`). In a browser,
   * policies that change workers or count rollbacks are not supported, because time does not go
   * back there.
   */
  policy?: ClockPolicy | string
  /**
   * The most milliseconds to borrow from the future, in place of the policy's: 0 (never) to
   * 3,600,000.
   */
  maxAheadMs?: number
  /**
   * The rule for where a tick's sequence begins: `zero`, `vibrate:MAX`, `random:BELOW`, `rotate`
   * (default).
   */
  start?: string
  /**
   * The time that a renewal reserves: 100 to 3,600,000 ms, and at least twice `maxAheadMs` and four
   * ticks. A fixed worker ID always reserves it (default 1000). A leased one reserves at most it
   * (default 60,000), and all of it once the lease has lived as long, or always in a browser.
   */
  reserveMs?: number
  /** The longest wait of a call in milliseconds (default 5000). */
  waitMs?: number
  /**
   * The directory of a fixed worker ID's state file, which must survive restarts (default: the
   * user's). Not in a browser.
   */
  stateDirectory?: string
  /** The clocks; only in a browser. */
  clock?: Clocks
}

/**
 * Mints snowflake IDs: time, worker ID and sequence.
 *
 * - *Order*: IDs rise strictly in issue order, if time is the top field and the policy neither
 *   changes workers nor counts rollbacks.
 * - *Overflow*: a full tick borrows from the future up to the policy's `maxAheadMs`, then stalls.
 * - *Clock rollback*: as the policy says. The default goes on; no policy repeats an ID.
 * - *Threads*: a generator belongs to the thread that opened it. Each worker thread or process
 *   opens its own and gets its own worker ID, or `worker_in_use`.
 * - *Crash*: the next holder of the worker ID begins above everything issued.
 * - *Subclass*: a subclass's constructor must pass its argument to `super` unchanged, because
 *   `open` passes the opened source in it. Set options in a static `open` of the subclass.
 * - *In a browser*: each tab and worker has its own lease. It is given back when the page is left,
 *   and taken anew when the page comes back. A tab that wakes after its reserved time mints nothing
 *   until it has more. IDs have the store's time.
 */
export declare class Snowflake {
  /**
   * Opens a generator on this thread: it reads and writes the state file, or asks the store, which
   * takes milliseconds. {@link Snowflake.open} does it off the event loop. In a browser it waits
   * for nothing: until the lease is there, calls throw `lease_unavailable`, and calls that end in
   * `Async` wait.
   */
  constructor(options: SnowflakeOptions)
  /**
   * Leases a worker ID from the user's own file, as the command line does. {@link Snowflake.file}
   * names the file. Not in browsers.
   */
  constructor()
  /**
   * Opens a generator, by its options or by its URL.
   *
   * @throws SnowmintError `invalid_parameter` for the URL of another kind, `worker_in_use`,
   * `workers_exhausted`, `mark_ahead`, `worker_not_configured`, `field_out_of_range`,
   * `epoch_in_future`, `layout_expired`, the store's errors
   */
  static open<Own extends Snowflake>(this: Opening<Own>, options: SnowflakeOptions | string): Promise<Own>
  /** Opens a generator from the user's own file. Not in browsers. */
  static open<Own extends Snowflake>(this: Opening<Own>): Promise<Own>
  /**
   * Returns a source that opens at its first use: see {@link lazy}. Not in browsers.
   *
   * @throws SnowmintError `invalid_parameter` for the URL of another kind, the errors of {@link lazy}
   */
  static lazy<Own extends Snowflake>(this: Opening<Own>, url: string): Own
  readonly kind: 'snowflake'
  /** The layout. */
  readonly layout: Layout
  /**
   * The file that the worker ID is leased from if you gave neither options nor a URL; otherwise
   * `undefined`. Each user of a machine has one, so no two programs of one user mint the same ID.
   * Other users, machines and containers have other files, and can mint the same IDs.
   */
  readonly file: string | undefined
}
export interface Snowflake extends IdSource {}

/** The options for fetching a tag's numbers. */
export interface SegmentOptions {
  /** The tag: 1 to 64 of `A-Z a-z 0-9 _ . : -`, or such a tag in a namespace: `shop/orders`. */
  tag: string
  /** The store that has the tag. */
  store?: Store
  /**
   * A function in place of a store, or an {@link IdService}. It durably reserves the next `count`
   * numbers of the tag and returns them.
   *
   * If a range is not above the last one, the segment stops (`range_regressed`). Open it anew once
   * the function's ranges are above all numbers ever issued. Nobody can raise the tag of a
   * function, and the next segment does not know which numbers this one had.
   *
   * The segment asks again after other errors: `invalid_range` for nonsense, `invalid_answer` for a
   * range of more than 2^30 numbers, and `store_unavailable` with the cause if the function throws.
   */
  allocate?: Allocator | { allocate: Allocator }
  /**
   * The count of numbers in a range. By default it is the tag's own, adapted to the rate of use.
   */
  step?: number | bigint
  /**
   * In place of `step`: the milliseconds that the numbers at hand should last, up to a day, so that
   * the store may be away as long. Ranges double from the tag's step on until they do. Not in
   * browsers.
   */
  runwayMs?: number
  /** The percentage of a range that is used when the next range is fetched (default 10). */
  prefetch?: number
  /** The longest wait of a call in milliseconds (default 5000). */
  waitMs?: number
}

/**
 * Mints the numbers of a tag, from ranges fetched ahead.
 *
 * - *Order*: numbers rise strictly in issue order. Other threads and processes on the tag mint from
 *   their own ranges.
 * - *Gaps*: numbers that are fetched and not minted when a segment is closed are lost.
 * - *Store down*: the fetched numbers are minted to the end. Then calls fail within their bound,
 *   and succeed again by themselves once the store is back.
 */
export declare class Segment {
  /**
   * Opens a segment on this thread. It asks a store for the tag, but does not call an `allocate`
   * function yet. The first call fetches the first numbers, so it should wait: use
   * {@link nextIdAsync} or {@link ready}.
   */
  constructor(options: SegmentOptions)
  /**
   * Opens a segment, by its options or by its URL, and fetches its first numbers, if that is
   * possible in time. A temporary failure of the store is no error yet.
   *
   * @throws SnowmintError `unknown_tag`, `invalid_tag`, `invalid_step`, `tag_exhausted`, and other
   * errors of the store or of `allocate` that waiting does not mend
   */
  static open<Own extends Segment>(this: Opening<Own>, options: SegmentOptions | string): Promise<Own>
  /** Returns a segment that opens at its first use: see {@link lazy}. Not in browsers. */
  static lazy<Own extends Segment>(this: Opening<Own>, url: string): Own
  readonly kind: 'segment'
  /** The tag. */
  readonly tag: string
  /** Resolves once the segment is open and numbers are at hand for {@link nextId}. */
  ready(waitMs?: number): Promise<void>
}
export interface Segment extends IdSource {}

/** The options of daily numbers. */
export interface DailyOptions {
  /**
   * The tag, for example in a namespace: `shop/invoice`. Each day has its own tag,
   * `{tag}:{yyyymmdd}`, which is created at its first use.
   */
  tag: string
  /** The store that has the tags. */
  store: Store
  /** The time zone: `UTC` (default), an offset such as `+08:00`, or an IANA name. */
  zone?: string
  /** The number of digits after the date: 1 to 10 (default 6). */
  digits?: number
  /**
   * The count of numbers in a range. The default is a thousandth of a day's numbers, at most 1000.
   */
  step?: number | bigint
  /** The percentage of a range that is used when the next range is fetched (default 50). */
  prefetch?: number
  /** The longest wait of a call in milliseconds (default 5000). */
  waitMs?: number
}

/**
 * Mints numbers that begin with the date: `20260821000042`.
 *
 * The first number of a range or day has to be fetched, so prefer {@link nextIdAsync}. When a day's
 * numbers are used up, calls fail with `tag_exhausted` until the next day.
 */
export declare class Daily {
  /** Opens a source on this thread. It asks the store for the day's tag. */
  constructor(options: DailyOptions)
  /**
   * Opens a source, by its options or by its URL.
   *
   * @throws SnowmintError `invalid_time` for an unknown zone, `invalid_parameter`, `invalid_step`,
   * `invalid_tag`, the store's errors
   */
  static open<Own extends Daily>(this: Opening<Own>, options: DailyOptions | string): Promise<Own>
  /** Returns a source that opens at its first use: see {@link lazy}. */
  static lazy<Own extends Daily>(this: Opening<Own>, url: string): Own
  readonly kind: 'daily'
  /** The tag, without a day. */
  readonly tag: string
}
export interface Daily extends IdSource {}

/**
 * IDs of a snowflake, a segment or a source of daily numbers, made ahead by a thread of the ring. A
 * call takes a ready ID, whatever the clock and the store do, and even during a full tick. You can
 * only open it by URL: `await open('snowflake:?worker_id=7&ring=1024')`.
 *
 * - *Parameters*: `ring` is how many IDs can be ready, a power of two up to 1,048,576. The ring is
 *   filled when fewer than `ring_refill` percent of it are ready (default 30), and every
 *   `ring_every_ms` while IDs are taken (default 1000).
 * - *Order*: IDs rise strictly in issue order, as the source's do.
 * - *Age*: a snowflake that has been ready for `ring_every_ms` is discarded. So its time can be
 *   that much older than the time of a fresh one, or twice that if the clock is set back meanwhile.
 *   Daily numbers are discarded at the end of their day. A segment's numbers do not age.
 * - *Empty*: the ring is empty before the first call, and after a while without calls. Calls that
 *   never wait then throw `empty`, or the error that keeps the source from making more. `nextIds`
 *   and `fill` get no more IDs than are ready, and discard them if they are too few. Prefer
 *   {@link nextIdAsync} and {@link nextIdsAsync}, which cost no more while IDs are ready.
 * - *Gaps*: discarded IDs, and IDs that are ready when the ring is closed. Closing it closes the
 *   source.
 */
export declare class Ring {
  private constructor()
  /** Opens a ring by its URL, which must contain `ring=`. */
  static open(url: string): Promise<Ring>
  /** Returns a ring that opens at its first use: see {@link lazy}. */
  static lazy(url: string): Ring
  readonly kind: 'ring'
  /** The layout, if its IDs are snowflakes. */
  readonly layout?: Layout
}
export interface Ring extends IdSource {}

/** The options of sequences. */
export interface SequencesOptions {
  /**
   * The tag, for example in a namespace: `shop/chat`. Each section of keys has its own tag,
   * `{tag}:{section}`.
   */
  tag: string
  /** The store that has the tags. */
  store: Store
  /**
   * The number of keys that share a persisted maximum (default 100,000). It can never be changed
   * for a tag.
   */
  keysPerSection?: number | bigint
  /** The amount by which a maximum is raised at a time (default 10,000). */
  step?: number | bigint
  /** The longest wait of a call in milliseconds (default 5000). */
  waitMs?: number
}

/**
 * Mints a rising sequence for each of many keys, with one persisted maximum for a section of keys.
 * A key never has a number twice; two keys can have the same. After a restart a key skips up to two
 * steps.
 */
export declare class Sequences {
  private constructor()
  /** Opens sequences, by their options or by their URL. */
  static open(options: SequencesOptions | string): Promise<Sequences>
  /** Returns sequences that open at their first use: see {@link lazy}. */
  static lazy(url: string): Sequences
  readonly kind: 'sequences'
  /** The tag, without a section. */
  readonly tag: string
  /** The longest wait of a call in milliseconds. */
  readonly waitMs: number
  /**
   * Returns the next number of a key, which is an integer or its decimal digits. Never waits; a
   * section's first number has to be fetched.
   *
   * @throws SnowmintError `wait_timeout`, `invalid_key`, `tag_exhausted`, the store's errors,
   * `closed`
   */
  next(key: number | bigint | string): bigint
  /** Returns the next number of a key, waiting if needed. */
  nextAsync(key: number | bigint | string, waitMs?: number): Promise<bigint>
  /** Resolves once the sequences are open, as other sources do. */
  ready(waitMs?: number): Promise<void>
  /** Returns the statistics, as other sources do. */
  stats(): Stats
  /** Stops minting. Closing twice is no error. */
  close(): void
  /** Does the same, because no store holds a worker ID for them. */
  closeAsync(waitMs?: number): Promise<void>
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Makes UUIDs of version 7 (rising within a process) or 4 (random). Never waits. */
export declare class UuidSource implements Iterable<string>, Disposable, AsyncDisposable {
  constructor(version?: 4 | 7)
  /** Opens a source by its URL, `uuid:` or `uuid:?version=4`. Not in browsers. */
  static open<Own extends UuidSource>(this: Opening<Own>, url: string): Promise<Own>
  /** Does the same without a promise: there is nothing to open. Not in browsers. */
  static lazy<Own extends UuidSource>(this: Opening<Own>, url: string): Own
  readonly kind: 'uuid'
  readonly version: 4 | 7
  /** Resolves at once. Not in browsers. */
  ready(waitMs?: number): Promise<void>
  /** Returns the next UUID. */
  nextUuid(): string
  /** Returns the statistics, which contain nothing but the kind. */
  stats(): Stats
  /** Does nothing, because the source holds nothing. The source goes on working. */
  close(): void
  closeAsync(waitMs?: number): Promise<void>
  [Symbol.iterator](): IterableIterator<string>
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A source that {@link open} returns. If the URL is a literal, or a template that begins with the
 * kind, its type names the class: `open(`segment+${store}?tag=orders`)`. For any other text, `kind`
 * narrows it: `source.kind === 'segment'`. `'nextId' in source` narrows it to all sources of 64-bit
 * IDs. Sequences mint by key, and UUIDs are texts. If you know the class, use its own `open`.
 */
export type Source = Snowflake | Segment | Daily | Sequences | UuidSource | Ring

type Opened<U extends string> =
  U extends `${string}${'?' | '&'}ring=${string}` ? Ring
  : U extends `snowflake${string}` ? Snowflake
  : U extends `segment${string}` ? Segment
  : U extends `daily${string}` ? Daily
  : U extends `sequences${string}` ? Sequences
  : U extends `uuid${string}` ? UuidSource
  : U extends `http${'' | 's'}://${string}` ? Segment
  : Source

/**
 * Opens any source: `snowflake:?worker_id=7`, `snowflake+sqlite:ids.db?create=true`,
 * `segment+sqlite:ids.db?tag=orders`, `daily+sqlite:ids.db?tag=invoices&zone=UTC`,
 * `sequences+sqlite:ids.db?tag=chat`, `uuid:?version=7`, or `http://host:8064/orders`, a segment of
 * an ID service. With `ring=1024` in the query, it opens a {@link Ring}, which makes snowflakes,
 * numbers of a segment or daily numbers ahead. Opening takes as long as the store does; `wait_ms`
 * bounds the calls on the source.
 *
 * Without a URL it is `Snowflake.open()`: a worker ID leased from the user's own file.
 *
 * In a browser: `snowflake+https://ids.example?layout=twitter`,
 * `segment+https://ids.example?tag=orders`, `snowflake:?worker_id=random`, `uuid:?version=7`;
 * others are `unsupported`.
 *
 * @throws SnowmintError `invalid_url`, `unknown_scheme`, `unknown_parameter`, `invalid_parameter`,
 * `unknown_layout`; the source's errors
 */
export declare function open<U extends string>(url: U): Promise<Opened<U>>
export declare function open(): Promise<Snowflake>
/** Opens a source on this thread, which waits for the store's answer. */
export declare function openSync<U extends string>(url: U): Opened<U>
export declare function openSync(): Snowflake

/**
 * Returns a source that opens at its first use, so that a module can be imported without its store.
 * Only the URL is read. Not in browsers.
 *
 * Calls that end in `Async`, and `ready`, open the source off the event loop and wait for it. All
 * others begin to open it, and throw `wait_timeout` until it is open: await `ready()` once, for
 * example when your server starts. If opening fails, the use fails with the error. The next use
 * tries again, after at most half a second.
 *
 * @throws SnowmintError `invalid_url`, `unknown_scheme`, `unknown_parameter`, `invalid_parameter`,
 * `unknown_layout`
 */
export declare function lazy<U extends string>(url: U): Opened<U>

/**
 * Tells snowmint that this process is a restored or cloned image: from a snapshot of its virtual
 * machine, by SnapStart or CRIU. Another process may have the same leases and numbers, so every
 * source drops what it has and starts over at its next call.
 *
 * Call it after each restore, before the first ID, in each worker thread that mints from a segment:
 * a process cannot detect that it was restored. Until then the twins of an image can issue the same
 * IDs, up to the end of the reservations in the image. These are a lease's time (a minute by
 * default), or the rest of a range. A promise that was made before may still give an earlier ID.
 *
 * Leased worker IDs and segments go on with another lease and another range. Calls have to wait for
 * the first ID after that. Fixed worker IDs and stores in memory are in every image: they throw
 * `forked` and `store_unavailable`, and you have to open them anew.
 *
 * @throws SnowmintError `unsupported` in a browser, which needs no such call for a page that comes
 * back
 */
export declare function onRestore(): void
