// Layouts, and the parts of an ID.

/** An ID as an argument: a `bigint`, or its decimal digits. A `number` is a `TypeError`. */
export type Id = bigint | string

/** An array of IDs in its own memory. Since 5.7 TypeScript distinguishes it from shared memory. */
export type Ids = ReturnType<BigUint64Array['slice']>
/** A time: a `Date`, or Unix milliseconds. */
export type Time = Date | number | bigint

/** The parts of an ID. */
export interface Parts {
  /**
   * The start of the ID's tick. Invalid beyond ±8.64e15 ms from 1970, where only `unixMs` holds it.
   */
  time: Date
  /** The start of the ID's tick in Unix milliseconds. */
  unixMs: bigint
  /**
   * All worker fields joined, the upper first; 0 if there is none. `layout.workerParts()` splits
   * it.
   */
  workerId: number
  /** The sequence number in its tick. */
  sequence: number
  /** The rollback counter; 0 if there is none. */
  rollback: number
}

/** The fields of a worker ID that its layout has, for example Discord's `worker` and `process`. */
export interface WorkerParts {
  datacenter?: number
  worker?: number
  process?: number
  shard?: number
}

/** A field of a layout. */
export interface Field {
  /** The kind of its content. */
  readonly kind: 'constant' | 'time' | 'datacenter' | 'worker' | 'process' | 'shard' | 'sequence' | 'rollback'
  /** The width in bits. */
  readonly bits: number
  /** The number of bits below it. */
  readonly shift: number
}

/** A checked division of 64 bits. Every layout that you can create is valid. */
export declare class Layout {
  /**
   * Creates a layout of fields from the top bit down: `time:41,worker:10,sequence:12`. By default
   * ticks last 1 ms and begin in 1970. Bits that are left over become zeros at the top.
   *
   * @throws SnowmintError `invalid_layout`
   */
  constructor(fields: string, options?: { epochMs?: Time, tickMs?: number })

  /**
   * Returns the layout of a text. The text is a preset's name, fields (since 1970 in ticks of 1
   * ms), or a layout's `toString()`, which has epoch and tick.
   *
   * @throws SnowmintError `unknown_layout`, `invalid_layout`
   */
  static of(text: string): Layout
  /** Returns every preset: a layout and how its system uses it. */
  static presets(): readonly Preset[]

  static readonly TWITTER: Layout
  static readonly DISCORD: Layout
  static readonly INSTAGRAM: Layout
  static readonly MASTODON: Layout
  static readonly UNIX_MS: Layout
  static readonly TIKTOK: Layout
  static readonly WEIBO: Layout
  static readonly BILIBILI: Layout
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
  /** The epoch in Unix milliseconds. */
  readonly epochMs: bigint
  /** The epoch as a `Date`, if it is in range. */
  readonly epoch: Date
  /** The length of a tick in milliseconds. */
  readonly tickMs: number
  /** The width of the worker ID in bits. */
  readonly workerBits: number
  /** The largest worker ID. */
  readonly maxWorkerId: number
  /** The number of IDs that one worker can mint in a tick. */
  readonly idsPerTick: bigint
  /** The number of IDs that one worker can mint in a second, over a long time. */
  readonly idsPerSecond: bigint
  /** The number of ticks that the time field counts. */
  readonly ticks: bigint
  /** The first Unix millisecond that the layout cannot express. From then on it only decodes. */
  readonly expiresMs: bigint
  /** The same as a `Date`, if it is in range. */
  readonly expires: Date

  /**
   * Takes an ID apart.
   *
   * @throws SnowmintError `id_not_in_layout` if constant bits differ
   */
  decode(id: Id): Parts
  /**
   * Takes many IDs apart, into arrays of equal length.
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
   * Puts an ID together. The time is rounded down to its tick, and missing parts are 0.
   *
   * @throws SnowmintError `time_out_of_range`, `field_out_of_range`
   */
  encode(parts: {
    time?: Time
    /** The time in place of `time`, or equal to it. */
    unixMs?: Time
    /** The worker ID, as `layout.workerId()` joins it from the layout's worker fields. */
    workerId?: number
    sequence?: number
    rollback?: number
  }): bigint
  /**
   * Returns the ID as an exact `number`. Use it for the layouts of 53 bits (`COSID_JS_MS`,
   * `COSID_JS_S`), and for others as long as their IDs fit. Pass `BigInt(number)` where an ID is
   * expected.
   *
   * @throws RangeError for an ID above 2^53 - 1
   * @throws SnowmintError `id_not_in_layout`
   */
  toNumber(id: Id): number
  /**
   * Returns the smallest ID of a time's tick, where paging by time begins. In Node, an ID minted
   * later can be up to 10 ms below the present tick's, because minting reads Linux's coarse clock.
   *
   * @throws SnowmintError `time_out_of_range`
   */
  minId(time: Time): bigint
  /**
   * Returns the largest ID of a time's tick. The present tick's is no bound for minted IDs, because
   * an ID's time may be ahead of the clock by its generator's `maxAheadMs`.
   *
   * @throws SnowmintError `time_out_of_range`
   */
  maxId(time: Time): bigint
  /**
   * Returns the tick of a time, counted from the epoch's tick.
   *
   * @throws SnowmintError `time_out_of_range`
   */
  tickAt(time: Time): bigint
  /**
   * Returns whether all IDs fit into so many bits (63: a signed integer; 53: a `number`), or until
   * when.
   */
  fits(bits: number): boolean | { until: Date, untilMs: bigint }
  /**
   * Joins a worker ID from its parts: `{ datacenter: 11, worker: 26 }` is 378 in Twitter's layout.
   * Missing parts are 0.
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
  /**
   * Returns true if another layout has the same fields, epoch and ticks, so that IDs of one are IDs
   * of the other.
   */
  equals(other: unknown): boolean
  /**
   * Returns fields, epoch and tick as `of` reads them: `zero:1,time:41,worker:10,sequence:12@0/1`.
   */
  toString(): string
}

/**
 * Takes an ID apart in a layout.
 *
 * @throws SnowmintError `id_not_in_layout`, `unknown_layout`
 */
export declare function decode(id: Id, layout: Layout | string): Parts
/**
 * Guesses the layout of an ID and takes the ID apart. {@link guess} lists all possible ones.
 *
 * @throws SnowmintError `unknown_layout` with the reason if no preset is likely
 */
export declare function decode(id: Id, options?: GuessOptions): Guess

/** A named layout, and how its system uses it. */
export interface Preset {
  /** The name in URLs. */
  readonly name: string
  /** The origin, on one line. */
  readonly note: string
  readonly layout: Layout
  /** The reaction of the preset's system if the clock goes back or a tick is full. */
  readonly policy: PolicyFacts
  /**
   * The rule for where the system begins a tick's sequence: `zero`, `vibrate:MAX`, `random:BELOW`,
   * `rotate`.
   */
  readonly start: string
  /** The Unix millisecond since which the system has such IDs. */
  readonly sinceMs: bigint
}

/** Facts about an ID beside its bits. */
export interface GuessOptions {
  /** The latest time that the ID can have (default: the present). */
  now?: Time
  /** The text beside the ID: the key of its value (`guild_id`), its link, a column's name. */
  beside?: string
}

/** A preset that an ID may come from, with the parts of the ID in its layout. */
export interface Guess extends Preset {
  /** True if the text beside the ID names the system. If not, many systems may have such an ID. */
  readonly named: boolean
  /**
   * The reason why the guess is not likely, or `null` if it is. All likely guesses of an ID have
   * the same time.
   *
   * - `ambiguous`: systems that would give the ID another time fit as well.
   * - `unlikely`: its bits are unusual there, or another system is far likelier.
   * - `rare`: few have this layout.
   * - `expired`: no new IDs are from this layout.
   * - `young`: it would be of the layout's first month.
   */
  readonly doubt: 'ambiguous' | 'unlikely' | 'rare' | 'expired' | 'young' | null
  readonly parts: Parts
}

/**
 * Returns the presets that an ID may come from. Likely guesses come first; if the first one has a
 * `doubt`, or there is none, no preset is likely. Presets are left out if the ID would be from their
 * layout's first day, from the future, or from before their system had such IDs. A system that the
 * text beside the ID names is likely.
 */
export declare function guess(id: Id, options?: GuessOptions): Guess[]

/** The rules of a clock policy. */
export interface PolicyFacts {
  /** The most milliseconds by which an ID's time may be ahead of the clock. */
  readonly maxAheadMs: number
  /** The rule for a clock that is behind an ID already issued. */
  readonly whenBehind: 'fail' | 'wait' | 'count_rollback' | 'change_worker'
  /** The longest wait in milliseconds before that, if the policy has one. */
  readonly maxWaitMs?: number
  /** The rule for a tick whose sequence numbers are all issued. */
  readonly whenFull: 'wait' | 'fail'
}
