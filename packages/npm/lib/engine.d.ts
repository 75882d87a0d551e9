// The deterministic form: time is an argument, waiting is a result.

import type { SnowmintError } from './errors.js'
import type { Ids, Layout, PolicyFacts, Time } from './layout.js'

/** The worker and the ticks `[floor, reserved)` that a generator may use; by default all ticks. */
export interface Lane {
  workerId?: number
  rollback?: number
  floor?: number | bigint
  reserved?: number | bigint
}

/** The rule for where the sequence of a fresh tick begins. */
export type SequenceStart =
  | 'zero'
  | 'rotate'
  | { kind: 'zero' | 'rotate' }
  | { kind: 'vibrate', maxOffset: number }
  | { kind: 'random', below: number, seed?: number | bigint }

/** The plain generator. IDs are unique only if lanes of one worker ID never overlap. */
export declare class Snowflake {
  constructor(options: {
    /** The layout (default: Twitter's). */
    layout?: Layout | string
    lane?: Lane
    /** The most milliseconds by which an ID's time may be ahead of the clock (default 0). */
    maxAheadMs?: number
    start?: SequenceStart
  })
  /** Returns one ID. Throws stalls, with `waitMs`. A stall leaves the generator unchanged. */
  nextId(now: Time): bigint
  /** Returns `count` IDs, all or none. */
  issue(count: number, now: Time): Ids
  /** Moves the end of the lane's ticks up. */
  extend(reserved: number | bigint): void
  /** Continues in another lane, above every ID issued. */
  open(lane: Lane): void
  /** Continues in another lane, without regard to the times of IDs issued. */
  jump(lane: Lane): void
}

/** The numbers `start`, `start + stride`, … below `end`. */
export declare class Range implements Iterable<bigint> {
  constructor(start: number | bigint, end: number | bigint, stride?: number | bigint)
  readonly start: bigint
  readonly end: bigint
  readonly stride: bigint
  /** The count of numbers in the range. */
  readonly count: bigint
  [Symbol.iterator](): IterableIterator<bigint>
}

/** A constant step, or a step that adapts between two bounds. */
export type Step = number | bigint | { min: number | bigint, max: number | bigint }

/** A buffer of a tag's ready ranges, which also decides when to get more. */
export declare class SegmentBuffer {
  constructor(options: {
    step: Step
    /**
     * Asks when this percentage of a range is used (default 10), or keeps a chain of ranges ready.
     */
    prefetch?: { usedPercent: number } | { distance: number }
    /** Refuses ranges that begin below this number. */
    above?: number | bigint
  })
  /** Returns how many numbers to ask for now, or `null` for none. It asks once. */
  wants(now: Time): bigint | null
  /** Takes up to `count` consecutive numbers. */
  take(count: number | bigint): Range | null
  /** Takes the numbers up to the point where the buffer next wants to be asked. */
  takeUntilRequest(): Range | null
  /** Adds a range. Throws `range_regressed` if the range is not above the last one. */
  supply(range: Range, now: Time): void
  /** Notes that the request failed. */
  failed(): void
  /** Uses another step from the next request on. */
  resize(step: Step): void
  /** The count of numbers that are ready. */
  readonly remaining: bigint
  /** The lowest number that a further range may begin with. */
  readonly floor: bigint
}

/** The action that a caller takes on a stall. */
export type Action =
  | { kind: 'fail' | 'count_rollback' | 'change_worker' | 'extend_grant' }
  | { kind: 'wait', waitMs: number }

/** A clock policy, which generators also accept. */
export interface ClockPolicy extends PolicyFacts {
  /** The name. URLs use the names of {@link policies}. */
  readonly name: string
  /** Returns the action on a stall that a generator threw. */
  action(stall: SnowmintError): Action
}
/** @throws SnowmintError `invalid_parameter` for unknown rules. */
export declare const ClockPolicy: { new (policy: PolicyFacts & { name: string }): ClockPolicy }

/** Every clock policy. */
export declare const policies: readonly ClockPolicy[]

/** Limits that apply in every language. */
export declare const limits: {
  /** The end of a segment's numbers: each number is below it. */
  readonly maxNumber: bigint
  readonly maxStep: bigint
  readonly maxDistance: number
  readonly maxCount: number
  readonly maxTagLength: number
}

/** Returns a time as RFC 3339, also outside of the range of a `Date`. */
export declare function timestamp(time: Time): string
