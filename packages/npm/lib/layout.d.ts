// Layouts, and what an ID says.

/** An ID, where one is taken: a `bigint`, or its decimal digits. A `number` is a `TypeError`. */
export type Id = bigint | string

/** Many IDs, in memory of their own: since 5.7 TypeScript tells that from what threads share. */
export type Ids = ReturnType<BigUint64Array['slice']>
/** A moment: a `Date`, or Unix milliseconds. */
export type Time = Date | number | bigint

/** What an ID says. */
export interface Parts {
  /** Start of the ID's tick. Invalid beyond ±8.64e15 ms from 1970, where `unixMs` still tells. */
  time: Date
  /** Start of the ID's tick in Unix milliseconds. */
  unixMs: bigint
  /** All worker fields side by side, the upper first; 0 where there is none. `layout.workerParts()` splits it. */
  workerId: number
  /** The sequence number in its tick. */
  sequence: number
  /** The rollback counter; 0 where there is none. */
  rollback: number
}

/** The fields of a worker ID, those that its layout has: Discord's `worker` and `process`. */
export interface WorkerParts {
  datacenter?: number
  worker?: number
  process?: number
  shard?: number
}

/** A field of a layout. */
export interface Field {
  /** What it holds. */
  readonly kind: 'constant' | 'time' | 'datacenter' | 'worker' | 'process' | 'shard' | 'sequence' | 'rollback'
  /** Its width. */
  readonly bits: number
  /** How many bits lie below it. */
  readonly shift: number
}

/** A checked division of 64 bits. A built one is valid. */
export declare class Layout {
  /**
   * A layout of fields from the top bit down: `time:41,worker:10,sequence:12`. Ticks last 1 ms and
   * begin in 1970 unless told otherwise; bits left over are zeros on top.
   *
   * @throws SnowmintError `invalid_layout`
   */
  constructor(fields: string, options?: { epochMs?: Time, tickMs?: number })

  /**
   * The layout of a preset's name, of fields since 1970 in ticks of 1 ms, or of a layout's `toString()`,
   * which has epoch and tick.
   *
   * @throws SnowmintError `unknown_layout`, `invalid_layout`
   */
  static of(text: string): Layout
  /** Every preset: a layout and how its system uses it. */
  static presets(): readonly Preset[]

  static readonly TWITTER: Layout
  static readonly DISCORD: Layout
  static readonly INSTAGRAM: Layout
  static readonly MASTODON: Layout
  static readonly LEAF: Layout
  static readonly BWMARRIN: Layout
  static readonly SHARDINGSPHERE: Layout
  static readonly SHARDINGSPHERE_CST: Layout
  static readonly SONYFLAKE_V2: Layout
  static readonly SONYFLAKE_V1: Layout
  static readonly COSID_MS: Layout
  static readonly BAIDU_README: Layout
  static readonly BAIDU_DEFAULT: Layout
  static readonly YITTER: Layout
  static readonly NETEASE: Layout
  static readonly SEATA: Layout
  static readonly HAZELCAST: Layout
  static readonly COSID_S: Layout
  static readonly COSID_JS_MS: Layout
  static readonly COSID_JS_S: Layout
  static readonly LINGDU: Layout
  static readonly INFLUX: Layout
  static readonly ROLLBACK_BITS: Layout

  /** The fields as text, without epoch and tick: `zero:1,time:41,worker:10,sequence:12`. */
  readonly text: string
  /** The fields, from the top bit down. */
  readonly fields: readonly Field[]
  /** Unix milliseconds of the epoch. */
  readonly epochMs: bigint
  /** The epoch, if a `Date` holds it. */
  readonly epoch: Date
  /** Length of a tick in milliseconds. */
  readonly tickMs: number
  /** Width of the worker ID. */
  readonly workerBits: number
  /** The largest worker ID. */
  readonly maxWorkerId: number
  /** The IDs one worker can mint in a tick. */
  readonly idsPerTick: bigint
  /** The IDs one worker can mint in a second, over a long time. */
  readonly idsPerSecond: bigint
  /** How many ticks the time field counts. */
  readonly ticks: bigint
  /** The first moment it cannot express, in Unix milliseconds. From then on it only decodes. */
  readonly expiresMs: bigint
  /** The same, if a `Date` holds it. */
  readonly expires: Date

  /**
   * Takes an ID apart.
   *
   * @throws SnowmintError `id_not_in_layout` where constant bits differ
   */
  decode(id: Id): Parts
  /**
   * Takes many IDs apart, into arrays of one length.
   *
   * @throws SnowmintError `id_not_in_layout`
   */
  decodeMany(ids: BigUint64Array): {
    unixMs: ReturnType<BigInt64Array['slice']>
    workerIds: ReturnType<Uint32Array['slice']>
    sequences: ReturnType<Uint32Array['slice']>
    rollbacks: ReturnType<Uint32Array['slice']>
  }
  /**
   * Puts an ID together; the time is rounded down to its tick, what is left out is 0.
   *
   * @throws SnowmintError `time_out_of_range`, `field_out_of_range`
   */
  encode(parts: {
    time?: Time
    /** In place of `time`, or agreeing with it. */
    unixMs?: Time
    /** As `layout.workerId()` joins it from the layout's worker fields. */
    workerId?: number
    sequence?: number
    rollback?: number
  }): bigint
  /**
   * The ID as a `number`, exactly: for the layouts of 53 bits (`COSID_JS_MS`, `COSID_JS_S`), and
   * others as long as their IDs fit. Where an ID is taken, `BigInt(number)` gives it back.
   *
   * @throws RangeError for an ID above 2^53 - 1
   * @throws SnowmintError `id_not_in_layout`
   */
  toNumber(id: Id): number
  /**
   * The smallest ID of a time's tick: where paging by time begins. In Node one minted later can be
   * below that of the present by up to 10 ms: minting reads Linux's coarse clock.
   *
   * @throws SnowmintError `time_out_of_range`
   */
  minId(time: Time): bigint
  /**
   * The largest ID of a time's tick. That of the present does not bound what has been minted: an
   * ID's time may run ahead of the clock by its generator's `maxAheadMs`.
   *
   * @throws SnowmintError `time_out_of_range`
   */
  maxId(time: Time): bigint
  /**
   * The tick of a time, counted from the epoch's.
   *
   * @throws SnowmintError `time_out_of_range`
   */
  tickAt(time: Time): bigint
  /** Whether all IDs fit so many bits (63: a signed integer; 53: a `number`), or until when. */
  fits(bits: number): boolean | { until: Date, untilMs: bigint }
  /**
   * Joins a worker ID from its parts: `{ datacenter: 11, worker: 26 }` is 378 in Twitter's layout.
   * Those left out are 0.
   *
   * @throws SnowmintError `field_out_of_range`
   */
  workerId(parts: WorkerParts): number
  /**
   * Splits a worker ID into its parts, the upper first: 378 is `{ datacenter: 11, worker: 26 }` in
   * Twitter's layout.
   *
   * @throws SnowmintError `field_out_of_range` above `maxWorkerId`
   */
  workerParts(workerId: number): WorkerParts
  /** Whether another has the same fields, epoch and ticks: IDs of one are IDs of the other. */
  equals(other: unknown): boolean
  /** All of it, as `of` reads it: fields, epoch and tick, `zero:1,time:41,worker:10,sequence:12@0/1`. */
  toString(): string
}

/**
 * Takes an ID apart in a layout.
 *
 * @throws SnowmintError `id_not_in_layout`, `unknown_layout`
 */
export declare function decode(id: Id, layout: Layout | string): Parts
/**
 * The likeliest of what an ID may say: a guess, as {@link guess} lists them all.
 *
 * @throws SnowmintError `unknown_layout` where no preset's system has such an ID
 */
export declare function decode(id: Id, options?: GuessOptions): Guess

/** A named layout, and how its system uses it. */
export interface Preset {
  /** The name in URLs. */
  readonly name: string
  /** One line on where it comes from. */
  readonly note: string
  readonly layout: Layout
  /** What its system does when the clock goes back or a tick is full. */
  readonly policy: PolicyFacts
  /** Where its system begins the sequence of a tick: `zero`, `vibrate:MAX`, `random:BELOW`, `rotate`. */
  readonly start: string
  /** Since when its system has such IDs, in Unix milliseconds. */
  readonly sinceMs: bigint
}

/** What is known of an ID beside its bits. */
export interface GuessOptions {
  /** The latest that it can be of; the present unless given. */
  now?: Time
  /** What stood beside it: the key of its value (`guild_id`), its link, a column's name. */
  beside?: string
}

/** A preset that an ID may come from, and what it says there. */
export interface Guess extends Preset {
  /** Whether what stood beside the ID names the system: else many may have such an ID. */
  readonly named: boolean
  readonly parts: Parts
}

/**
 * The presets an ID may come from, likeliest first: many share their bits. Systems that are named
 * beside it come first. None is likely for a number that would be of a layout's first month, or of
 * a time before its system had such IDs.
 */
export declare function guess(id: Id, options?: GuessOptions): Guess[]

/** What a clock policy says. */
export interface PolicyFacts {
  /** How far an ID's time may run ahead of the clock. */
  readonly maxAheadMs: number
  /** What to do when the clock is behind an ID already issued. */
  readonly whenBehind: 'fail' | 'wait' | 'count_rollback' | 'change_worker'
  /** The longest wait before that, where there is one. */
  readonly maxWaitMs?: number
  /** What to do when every sequence number of a tick is issued. */
  readonly whenFull: 'wait' | 'fail'
}
