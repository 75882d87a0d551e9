// Errors.

/** The name of an error code; the same in every language. */
export type ErrorCode =
  | 'invalid_layout' | 'epoch_in_future' | 'layout_expired' | 'field_out_of_range'
  | 'id_not_in_layout' | 'time_out_of_range' | 'unknown_layout'
  | 'clock_behind' | 'sequence_exhausted' | 'grant_exhausted' | 'count_out_of_range' | 'closed'
  | 'wait_timeout' | 'empty'
  | 'invalid_text' | 'text_length' | 'text_overflow' | 'text_check' | 'text_not_canonical'
  | 'unknown_text_form'
  | 'invalid_tag' | 'invalid_step' | 'invalid_range' | 'range_regressed' | 'tag_exhausted'
  | 'unknown_tag' | 'tag_exists' | 'invalid_key' | 'tag_moved'
  | 'worker_in_use' | 'workers_exhausted' | 'lease_lost' | 'lease_unavailable'
  | 'worker_not_configured' | 'mark_ahead' | 'state_corrupt' | 'realm_mismatch' | 'forked'
  | 'state_missing' | 'clock_differs'
  | 'store_locked' | 'store_read_only' | 'store_corrupt' | 'store_schema' | 'store_full'
  | 'store_unavailable' | 'outcome_unknown' | 'store_missing' | 'store_denied'
  | 'incarnation_changed' | 'unsafe_setting' | 'overloaded' | 'invalid_answer'
  | 'invalid_url' | 'unknown_scheme' | 'unknown_parameter' | 'invalid_parameter' | 'invalid_time'
  | 'unsupported'
  | 'invalid_keys' | 'keys_exposed' | 'wrong_type' | 'not_found'
  | 'internal' | 'no_resource'

/**
 * An error of the package. Nothing was issued, and the source goes on working, with four
 * exceptions: the source is closed, its ranges went back (`range_regressed`), its state file is
 * gone (`state_missing`), or its worker ID belongs to another process (`forked`). Then open it
 * anew.
 *
 * For arguments of the wrong type or range, the package throws the language's own `TypeError` and
 * `RangeError`, which have a `code` as well.
 */
export declare class SnowmintError extends Error {
  /**
   * Creates an error with a code, for your own stores.
   *
   * @throws TypeError for an unknown code
   */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown, waitMs?: number })
  readonly name: 'SnowmintError'
  /** The name of the code. */
  readonly code: ErrorCode
  /** The frozen number of the code. */
  readonly number: number
  /**
   * Only for stalls: the milliseconds until the call can succeed, if the clock goes on. It is 0 for
   * `grant_exhausted`, because the end depends on the next reservation.
   */
  readonly waitMs?: number
  /**
   * The cause. For your own store it is the thrown value, or that value's cause if the store threw
   * a `SnowmintError`.
   */
  readonly cause?: unknown
}

/** Every error code, in ascending order of the numbers. */
export declare const errorCodes: ReadonlyArray<{
  readonly number: number
  readonly name: ErrorCode
  /** The summary in one sentence. */
  readonly summary: string
}>
