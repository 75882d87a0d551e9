// Sources of IDs.

import type { ClockPolicy } from './engine.js'
import type { ErrorCode } from './errors.js'
import type { Ids, Layout } from './layout.js'
import type { Allocator, Store, WorkerStore } from './store.js'
import type { TextForm } from './text.js'

/** A range at hand. */
export interface Bucket {
  /** How many of its numbers are left. */
  left: bigint
  /** How many it had. */
  size: bigint
}

/** Something that went wrong with a store. */
export interface Failure {
  code: ErrorCode
  message: string
  /** When, by this machine's clock. */
  time: Date
  /** Whether the store has answered since. */
  isOver: boolean
}

/** What a source is doing, at one moment. What does not apply to it is absent, or empty. */
export interface Stats {
  /** Of a ring that of its source. */
  kind: 'snowflake' | 'segment' | 'daily' | 'sequences' | 'uuid'
  /** Whether it was closed. */
  isClosed: boolean
  /** The worker ID that IDs are minted under. */
  workerId?: number
  /** How long this process has had the worker ID. */
  leaseAgeMs?: number
  /**
   * How much time is reserved ahead of the clock: without the store, IDs can be minted for as long.
   * 0 or less when it is used up.
   */
  reservedMs?: number
  /**
   * How much time the last renewal of a leased worker ID reserved; once a third of it is used the next
   * is due.
   */
  reserveMs?: number
  /** What is added to the wall clock: how far it is off from the store's, or a step not followed. */
  clockOffsetMs?: number
  /** How far the last ID's time is ahead of the clock. */
  borrowedMs?: number
  /** How often the clock went back and was counted in the layout's rollback bits. */
  rollbacks: number
  /** The numbers at hand, the range in use first, and before it what is ready in a ring. */
  buckets: Bucket[]
  /** How many numbers the next range will have. */
  step?: bigint
  /** Numbers a second between the last two ranges, or since the last one if that is longer. */
  rate?: number
  /** How long what is at hand lasts at that rate, or what is reserved. */
  runwayMs?: number
  /** The last thing that went wrong with the store. */
  lastFailure?: Failure
}

/** A class of sources, or one that extends it and passes on whatever its constructor is given. */
type Opening<Own> = new (...given: any[]) => Own

/** What all sources of 64-bit IDs have in common. */
export interface IdSource
  extends Iterable<bigint>, AsyncIterable<bigint>, Disposable, AsyncDisposable {
  /** How long a call that ends in `Async` waits unless told otherwise, in milliseconds. */
  readonly waitMs: number
  /** Whether it was closed. */
  readonly closed: boolean
  /**
   * What it is doing. Asking changes nothing, and waits for no store. `borrowedMs`, `step`,
   * `rate` and `runwayMs` are not known in a browser.
   */
  stats(): Stats

  /**
   * The next ID. Never waits.
   *
   * @throws SnowmintError when there is none at once: `sequence_exhausted`, `clock_behind` (with
   * `waitMs`), `grant_exhausted` (a renewal is late; in a browser `lease_unavailable`),
   * `wait_timeout`, `lease_unavailable`, `tag_exhausted`, of the store, `closed`
   */
  nextId(): bigint
  /** The next ID as text, decimal unless told otherwise. As {@link nextId}. */
  nextIdString(form?: TextForm): string
  /**
   * `count` rising IDs, 1 to 2^24. Never waits: a snowflake has at most those of the present tick and
   * of what its policy borrows, 4,100,096 with Twitter's layout, and refuses more. A fixed worker ID
   * without a state file, as at its first start, has borrowed already: `sequence_exhausted` comes
   * sooner. What its block had taken when it fails half-way is given up: a gap; a segment's comes first
   * in the next call.
   *
   * @throws SnowmintError `count_out_of_range`; as {@link nextId}
   */
  nextIds(count: number): Ids
  /**
   * Fills an array with rising IDs and returns it. As {@link nextIds}. Memory that threads share is
   * filled ID by ID, each in one piece.
   */
  fill<A extends BigUint64Array>(array: A): A

  /** The next ID, waiting off the event loop for up to `waitMs`. Rejects as {@link nextId} throws. */
  nextIdAsync(waitMs?: number): Promise<bigint>
  /** `count` rising IDs, waiting. What they had taken when they fail is given up: a gap. */
  nextIdsAsync(count: number, waitMs?: number): Promise<Ids>
  /**
   * Fills an array, waiting. One that grows meanwhile is filled to its end; one that becomes shorter
   * is a `RangeError`, and what was taken for it a gap.
   */
  fillAsync<A extends BigUint64Array>(array: A, waitMs?: number): Promise<A>

  /**
   * Stops minting and gives up what is reserved. Closing twice is no error.
   *
   * A leased worker ID is given back without waiting for the store: a process that ends before the
   * store was told leaves it to the lease's end, two seconds to a minute. {@link closeAsync} waits
   * for that.
   */
  close(): void
  /**
   * The same off the event loop. It waits until the store knows, up to `waitMs`; in a browser for
   * as long as a request may take.
   *
   * @throws SnowmintError `wait_timeout`, of the store: it is closed all the same, and the lease ends
   * by itself
   */
  closeAsync(waitMs?: number): Promise<void>
  /** IDs without end, by {@link nextId}. */
  [Symbol.iterator](): IterableIterator<bigint>
  /** IDs without end, by {@link nextIdAsync}. */
  [Symbol.asyncIterator](): AsyncIterableIterator<bigint>
}

/**
 * A worker ID fixed from outside: a number, `env`, `env:NAME`, `ordinal` (StatefulSet),
 * `ordinal:NAME` or `ip:10.0.4.0/22`, a network that holds all hosts.
 *
 * In a browser only `random`: drawn anew for each generator, so that IDs are unique with a
 * probability, for which the layout needs 16 worker bits or more. Any other is `unsupported` there,
 * for nothing keeps the time that it has used.
 */
export type WorkerId =
  number | 'env' | `env:${string}` | 'ordinal' | `ordinal:${string}` | `ip:${string}` | 'random' | (string & {})

/** Clocks to go by in place of the browser's, in milliseconds: for simulation. */
export interface Clocks {
  /** Unix time. */
  wall?: () => number
  /** Since some moment; nobody can set it. */
  mono?: () => number
}

/** How a generator mints. It needs `workerId` or `store`. */
export interface SnowflakeOptions {
  /**
   * A worker ID fixed from outside; its time is reserved in a state file, which keeps a second
   * generator with that file from using it. That no other has it is your word. In a browser
   * `random`.
   */
  workerId?: WorkerId
  /** A store to lease a worker ID from; in a browser an {@link IdService}, or one of your own. */
  store?: Store | WorkerStore
  /**
   * The layout, a preset's name, or fields; Twitter's unless set. With a random worker ID, unless
   * set, 41 bits of milliseconds since 2024, 21 of worker ID and 1 of sequence.
   */
  layout?: Layout | string
  /**
   * A clock policy, or the name of one ({@link engine.policies}); `snowmint` unless set. In a browser
   * none that changes workers or counts rollbacks: time does not go back there.
   */
  policy?: ClockPolicy | string
  /** How far to borrow from the future, in place of the policy's: up to 3,600,000 ms; 0 never. */
  maxAheadMs?: number
  /** Where a tick's sequence begins: `zero`, `vibrate:MAX`, `random:BELOW`, `rotate` (unless set). */
  start?: string
  /**
   * How much time a renewal reserves, 100 to 3,600,000 ms: of a fixed worker ID always (1000 unless
   * set), of a leased one at most (60,000), once it has lived as long, and in a browser always. At
   * least twice `maxAheadMs`, and four ticks.
   */
  reserveMs?: number
  /** How long a call that waits waits: 5000 unless set. */
  waitMs?: number
  /**
   * Directory of a fixed worker ID's state file, to be kept over restarts; the user's unless set.
   * Not in a browser.
   */
  stateDirectory?: string
  /** Only in a browser. */
  clock?: Clocks
}

/**
 * Mints snowflake IDs: time, worker ID and sequence.
 *
 * - *Order*: IDs rise strictly in issue order, if time is the top field and the policy neither
 *   changes workers nor counts rollbacks.
 * - *Overflow*: a full tick borrows from the future up to the policy's `maxAheadMs`, then stalls.
 * - *Clock rollback*: as the policy says; the default goes on, and never repeats an ID.
 * - *Threads*: belongs to the thread that opened it; each worker thread or process opens its own
 *   and gets a worker ID of its own, or `worker_in_use`.
 * - *Crash*: the next holder of the worker ID begins above everything issued.
 * - *Subclass*: a constructor of its own hands what it was given to `super` as it is, for `open` gives
 *   it what was opened; options are set in a static `open` of its own.
 * - *In a browser*: each tab and worker has a lease of its own, which is given back when the page is
 *   left, and taken anew when it comes back. A tab that wakes after its reserved time mints nothing
 *   until it has more. IDs have the time of the store.
 */
export declare class Snowflake {
  /**
   * Opens a generator on this thread: reads and writes the state file or asks the store, which
   * takes milliseconds. {@link Snowflake.open} does it off the event loop. In a browser it waits for
   * nothing: until the lease is there calls throw `lease_unavailable`, and those that wait wait.
   */
  constructor(options: SnowflakeOptions)
  /**
   * Leases a worker ID from the user's own file, as the command line does: {@link Snowflake.file} says
   * which. Not in browsers.
   */
  constructor()
  /**
   * Opens a generator, by its options or by its URL.
   *
   * @throws SnowmintError `invalid_parameter` for the URL of another kind, `worker_in_use`, `workers_exhausted`, `mark_ahead`,
   * `worker_not_configured`, `field_out_of_range`, `epoch_in_future`, `layout_expired`, of the store
   */
  static open<Own extends Snowflake>(this: Opening<Own>, options: SnowflakeOptions | string): Promise<Own>
  /** The same from the user's own file. Not in browsers. */
  static open<Own extends Snowflake>(this: Opening<Own>): Promise<Own>
  /** The layout. */
  readonly layout: Layout
  /**
   * The file that the worker ID is leased from, where nothing was said: one for each user of a
   * machine, so that no two of his programs mint the same ID. Other users, machines and containers
   * have others, and can. `undefined` where options or a URL said it.
   */
  readonly file: string | undefined
}
export interface Snowflake extends IdSource {}

/** How a tag's numbers are fetched. */
export interface SegmentOptions {
  /** The tag: 1 to 64 of `A-Z a-z 0-9 _ . : -`, or such a tag in a namespace: `shop/orders`. */
  tag: string
  /** Where the tag is. */
  store?: Store
  /**
   * In place of a store: reserves the next `count` numbers of the tag, durably, and returns them. A
   * range that is not above the last one is refused, and the segment gives no more numbers
   * (`range_regressed`): nonsense is `invalid_range`, a range of more than 2^30 numbers
   * `invalid_answer`, and what it throws the cause of `store_unavailable`, and the segment asks again. After `range_regressed` open it anew, once what
   * gives the ranges is above all that was ever issued: nobody can raise the tag of a function, and
   * the next segment over one does not know which numbers this one had.
   *
   * An {@link IdService} will do, too.
   */
  allocate?: Allocator | { allocate: Allocator }
  /** Numbers a range; unless set the tag's own, adapted to how fast they are used. */
  step?: number | bigint
  /**
   * In place of `step`: how long the numbers at hand are to last, up to a day, so that the store may
   * be away for as long: ranges double from the tag's step on until they do. Not in browsers.
   */
  runwayMs?: number
  /** Percent of a range used when the next is fetched: 10 unless set. */
  prefetch?: number
  /** How long a call that waits waits: 5000 unless set. */
  waitMs?: number
}

/**
 * Mints the numbers of a tag, from ranges fetched ahead.
 *
 * - *Order*: numbers rise strictly in issue order. Other threads and processes on the tag mint from
 *   ranges of their own.
 * - *Gaps*: what is fetched and not minted when a segment is closed is lost.
 * - *Store down*: the fetched numbers are minted to the end, then calls fail within their bound, and
 *   go on by themselves when the store is back.
 */
export declare class Segment {
  /**
   * Opens a segment on this thread: the store is asked for the tag, an `allocate` function for
   * nothing yet. The first numbers are fetched by the first call, so that one should wait:
   * {@link nextIdAsync}, or {@link ready}.
   */
  constructor(options: SegmentOptions)
  /**
   * Opens a segment, by its options or by its URL, and fetches its first numbers, if that is possible in time. A store that fails for
   * the moment is no error yet.
   *
   * @throws SnowmintError `unknown_tag`, `invalid_tag`, `invalid_step`, `tag_exhausted`, and what else of
   * the store, or of `allocate`, no waiting mends
   */
  static open<Own extends Segment>(this: Opening<Own>, options: SegmentOptions | string): Promise<Own>
  /** The tag. */
  readonly tag: string
  /** Resolves once numbers are at hand for {@link nextId}. */
  ready(waitMs?: number): Promise<void>
}
export interface Segment extends IdSource {}

/** How daily numbers are made. */
export interface DailyOptions {
  /**
   * The tag, in a namespace `shop/invoice`; each day has one of its own, `{tag}:{yyyymmdd}`, made at
   * its first use.
   */
  tag: string
  /** Where the tags are. */
  store: Store
  /** `UTC` (unless set), an offset such as `+08:00`, or an IANA name. */
  zone?: string
  /** Digits after the date, 1 to 10: 6 unless set. */
  digits?: number
  /** Numbers a range; a thousandth of a day's, at most 1000, unless set. */
  step?: number | bigint
  /** Percent of a range used when the next is fetched: 50 unless set. */
  prefetch?: number
  /** How long a call that waits waits: 5000 unless set. */
  waitMs?: number
}

/**
 * Mints numbers that begin with the date: `20260821000042`.
 *
 * The first number of a range or day has to be fetched: prefer {@link nextIdAsync}. When a day's
 * numbers are used up calls fail with `tag_exhausted`, and the next day goes on.
 */
export declare class Daily {
  /** Opens a source on this thread: the store is asked for the day's tag. */
  constructor(options: DailyOptions)
  /**
   * Opens a source, by its options or by its URL.
   *
   * @throws SnowmintError `invalid_time` for an unknown zone, `invalid_parameter`, `invalid_step`,
   * `invalid_tag`, of the store
   */
  static open<Own extends Daily>(this: Opening<Own>, options: DailyOptions | string): Promise<Own>
  /** The tag, without a day. */
  readonly tag: string
}
export interface Daily extends IdSource {}

/**
 * IDs of a snowflake, a segment or a source of daily numbers, made ahead by a thread of the ring's
 * own: a call takes what is ready, whatever the clock, the store or a full tick are at. It is opened
 * by URL alone: `await open('snowflake:?worker_id=7&ring=1024')`.
 *
 * - *Measures*: `ring` is how many IDs can be ready, a power of two up to 1,048,576. The ring is
 *   filled up when fewer than `ring_refill` percent of it are ready, 30 unless set, and every
 *   `ring_every_ms` while IDs are taken, 1000 unless set.
 * - *Order*: IDs rise strictly in issue order, as the source's do.
 * - *Age*: a snowflake that has been ready for `ring_every_ms` is thrown away: by so much its time
 *   can be older than that of one made at once; by twice that where the clock is set back meanwhile.
 *   Daily numbers are thrown away when their day ends. A segment's numbers have no age.
 * - *Empty*: the ring is empty before the first call, and when nobody has taken from it for a while.
 *   What never waits then throws `empty`, or what keeps the source from making more; `nextIds` and
 *   `fill` get no more than is ready, and give it up where that is too few. Prefer
 *   {@link nextIdAsync} and {@link nextIdsAsync}, which cost no more while IDs are ready.
 * - *Gaps*: what is thrown away, and what is ready when the ring is closed. Closing it closes the
 *   source.
 */
export declare class Ring {
  private constructor()
  /** Opens a ring by its URL, which has `ring=`. */
  static open(url: string): Promise<Ring>
  /** The layout, if its IDs are snowflakes. */
  readonly layout?: Layout
}
export interface Ring extends IdSource {}

/** How sequences are kept. */
export interface SequencesOptions {
  /** The tag, in a namespace `shop/chat`; each section of keys has one of its own, `{tag}:{section}`. */
  tag: string
  /** Where the tags are. */
  store: Store
  /** How many keys share a persisted maximum: 100,000 unless set; can never be changed for a tag. */
  keysPerSection?: number | bigint
  /** By how much a maximum is raised at a time: 10,000 unless set. */
  step?: number | bigint
  /** How long a call that waits waits: 5000 unless set. */
  waitMs?: number
}

/**
 * Mints a rising sequence for each of many keys, with one persisted maximum for a section of keys.
 * One key never has a number twice; two keys can have the same. After a restart a key leaps by up
 * to two steps.
 */
export declare class Sequences {
  private constructor()
  /** Opens sequences, by their options or by their URL. */
  static open(options: SequencesOptions | string): Promise<Sequences>
  /** The tag, without a section. */
  readonly tag: string
  /** How long a call that waits waits, in milliseconds. */
  readonly waitMs: number
  /**
   * The next number of a key, an integer or its decimal digits. Never waits; a section's first number has to be fetched.
   *
   * @throws SnowmintError `wait_timeout`, `invalid_key`, `tag_exhausted`, of the store, `closed`
   */
  next(key: number | bigint | string): bigint
  /** The same, waiting. */
  nextAsync(key: number | bigint | string, waitMs?: number): Promise<bigint>
  /** What they are doing, as other sources say it. */
  stats(): Stats
  /** Stops minting. Closing twice is no error. */
  close(): void
  /** The same: there is no worker ID that a store would have to know of. */
  closeAsync(waitMs?: number): Promise<void>
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Makes UUIDs of version 7 (rising within a process) or 4 (random). Never waits. */
export declare class UuidSource implements Iterable<string>, Disposable, AsyncDisposable {
  constructor(version?: 4 | 7)
  /** Opens a source by its URL, `uuid:` or `uuid:?version=4`. Not in browsers. */
  static open<Own extends UuidSource>(this: Opening<Own>, url: string): Promise<Own>
  readonly version: 4 | 7
  /** The next UUID. */
  nextUuid(): string
  /** What it is doing: nothing, but to say its kind. */
  stats(): Stats
  /** Nothing is held: it goes on working. */
  close(): void
  closeAsync(waitMs?: number): Promise<void>
  [Symbol.iterator](): IterableIterator<string>
  [Symbol.dispose](): void
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * What {@link open} opens. The URL's type says which, as a literal or a template that begins with the
 * kind: `open(`segment+${store}?tag=orders`)`. Of any other text `'nextId' in source` narrows it to those of
 * 64-bit IDs: sequences mint by key, and UUIDs are texts.
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
 * `sequences+sqlite:ids.db?tag=chat`, `uuid:?version=7`, `http://host:8064/orders`, a segment of an ID
 * service; and with `ring=1024` in the query
 * snowflakes, segments and daily numbers made ahead, a {@link Ring}. Opening takes as long as the
 * store does; `wait_ms` bounds the calls on the source.
 *
 * Without a URL it is `Snowflake.open()`: a worker ID leased from the user's own file.
 *
 * In a browser: `snowflake+https://ids.example?layout=twitter`,
 * `segment+https://ids.example?tag=orders`, `snowflake:?worker_id=random`, `uuid:?version=7`; others
 * are `unsupported`.
 *
 * @throws SnowmintError `invalid_url`, `unknown_scheme`, `unknown_parameter`, `invalid_parameter`,
 * `unknown_layout`; those of the source
 */
export declare function open<U extends string>(url: U): Promise<Opened<U>>
export declare function open(): Promise<Snowflake>
/** The same on this thread, which the store's answer keeps waiting. */
export declare function openSync<U extends string>(url: U): Opened<U>
export declare function openSync(): Snowflake

/**
 * Tells this process that it is an image restored or cloned: from a snapshot of its virtual machine,
 * by SnapStart or CRIU. Another process may have the same leases and numbers; so every source drops
 * what it has and starts over at its next call.
 *
 * Call it before the first ID after each restore, in each worker thread that mints from a segment:
 * nothing in a process tells that it was restored. Until then the twins of an image can issue the
 * same IDs, for as long as the time that was reserved when the image was made: a reservation, a minute
 * unless set, or what was left of a range. A promise that was made before may still give an ID of
 * before.
 *
 * Leased worker IDs and segments go on under another lease, with another range; the first ID after it
 * has to be waited for. Fixed worker IDs and stores in memory are in every image: they throw `forked`
 * and `store_unavailable`, and have to be opened anew.
 *
 * @throws SnowmintError `unsupported` in a browser, where a page that comes back is seen without it
 */
export declare function onRestore(): void
