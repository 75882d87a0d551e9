// The deterministic form: time is an argument, waiting is a result.

import type { SnowmintError } from './errors.js'
import type { Ids, Layout, PolicyFacts, Time } from './layout.js'

/** Who issues, and which ticks: `[floor, reserved)`, all unless set. */
export interface Lane {
  workerId?: number
  rollback?: number
  floor?: number | bigint
  reserved?: number | bigint
}

/** Where a fresh tick's sequence begins. */
export type SequenceStart =
  | 'zero'
  | 'rotate'
  | { kind: 'zero' | 'rotate' }
  | { kind: 'vibrate', maxOffset: number }
  | { kind: 'random', below: number, seed?: number | bigint }

/** The plain generator. IDs are unique only if lanes of one worker ID never overlap. */
export declare class Snowflake {
  constructor(options: {
    /** Twitter's unless set. */
    layout?: Layout | string
    lane?: Lane
    /** How far an ID's time may run ahead of the clock: 0 unless set. */
    maxAheadMs?: number
    start?: SequenceStart
  })
  /** One ID. Stalls are thrown, with `waitMs`; after one the generator is as before. */
  nextId(now: Time): bigint
  /** `count` IDs, all or none. */
  issue(count: number, now: Time): Ids
  /** Moves the end of the lane's ticks up. */
  extend(reserved: number | bigint): void
  /** Goes on in another lane, above everything issued. */
  open(lane: Lane): void
  /** Goes on in another lane, without regard to the times of IDs issued. */
  jump(lane: Lane): void
}

/** Numbers `start`, `start + stride`, … below `end`. */
export declare class Range implements Iterable<bigint> {
  constructor(start: number | bigint, end: number | bigint, stride?: number | bigint)
  readonly start: bigint
  readonly end: bigint
  readonly stride: bigint
  /** How many numbers it has. */
  readonly count: bigint
  [Symbol.iterator](): IterableIterator<bigint>
}

/** Always the same step, or one adapted between two bounds. */
export type Step = number | bigint | { min: number | bigint, max: number | bigint }

/** Ready ranges of a tag, and the decision when to get more. */
export declare class SegmentBuffer {
  constructor(options: {
    step: Step
    /** Ask when so many percent are used (10 unless set), or keep a chain of ranges ready. */
    prefetch?: { usedPercent: number } | { distance: number }
    /** Refuses ranges that begin below. */
    above?: number | bigint
  })
  /** How many numbers to ask for now; `null` for none. It asks once. */
  wants(now: Time): bigint | null
  /** Up to `count` numbers that lie together. */
  take(count: number | bigint): Range | null
  /** The numbers up to where the buffer next wants to be asked. */
  takeUntilRequest(): Range | null
  /** Adds a range; one that is not above the last is refused with `range_regressed`. */
  supply(range: Range, now: Time): void
  /** The request came to nothing. */
  failed(): void
  /** Goes by another step from the next request on. */
  resize(step: Step): void
  /** How many numbers are ready. */
  readonly remaining: bigint
  /** The lowest number a further range may begin with. */
  readonly floor: bigint
}

/** What a caller does with a stall. */
export type Action =
  | { kind: 'fail' | 'count_rollback' | 'change_worker' | 'extend_grant' }
  | { kind: 'wait', waitMs: number }

/** A clock policy, which generators take as well. */
export interface ClockPolicy extends PolicyFacts {
  /** The name: in URLs of those in {@link policies}. */
  readonly name: string
  /** What it makes of a stall that a generator threw. */
  action(stall: SnowmintError): Action
}
/** @throws SnowmintError `invalid_parameter` for rules that there are not. */
export declare const ClockPolicy: { new (policy: PolicyFacts & { name: string }): ClockPolicy }

/** Every clock policy. */
export declare const policies: readonly ClockPolicy[]

/** Limits that everybody keeps. */
export declare const limits: {
  /** Where the numbers of a segment end: each is below it. */
  readonly maxNumber: bigint
  readonly maxStep: bigint
  readonly maxDistance: number
  readonly maxCount: number
  readonly maxTagLength: number
}

/** A moment as RFC 3339, also outside of what a `Date` holds. */
export declare function timestamp(time: Time): string
