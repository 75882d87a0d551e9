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
 * What went wrong. Nothing was issued, and the source goes on working, unless it is closed, its
 * ranges went back (`range_regressed`), its state file is gone (`state_missing`) or its worker ID
 * belongs to another process (`forked`): open it anew then.
 *
 * Arguments of the wrong type or range are the language's own `TypeError` and `RangeError`, which
 * have a `code` as well.
 */
export declare class SnowmintError extends Error {
  /**
   * An error of a code: for stores of your own.
   *
   * @throws TypeError for a code that there is not
   */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown, waitMs?: number })
  readonly name: 'SnowmintError'
  /** The code's name. */
  readonly code: ErrorCode
  /** The code's frozen number. */
  readonly number: number
  /**
   * Of stalls: milliseconds until the call can succeed, if the clock goes on. 0 of `grant_exhausted`: that
   * is up to whoever reserves more time.
   */
  readonly waitMs?: number
  /** What caused it: of a store of your own what it threw, or the cause of that, if it is of this class. */
  readonly cause?: unknown
}

/** Every error code, in rising order of the numbers. */
export declare const errorCodes: ReadonlyArray<{
  readonly number: number
  readonly name: ErrorCode
  /** One sentence. */
  readonly summary: string
}>
