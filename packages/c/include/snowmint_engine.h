/*
 * snowmint's deterministic machines: nothing here reads a clock, waits or does I/O. The time is an
 * argument, and a stall is a result. They are for simulators, tests, and runtimes that drive them
 * themselves. To mint IDs, you need snowmint.h alone. Its rules are those of these functions, too.
 * Licensed under MIT or Apache-2.0, at your option.
 *
 * Written from bindings/c by scripts/package-c: do not edit.
 */

#ifndef SNOWMINT_ENGINE_H
#define SNOWMINT_ENGINE_H

#include "snowmint.h"

/** The largest number of ranges kept behind the current one. */
#define SNOWMINT_MAX_DISTANCE 16u


/**
 * The caller's next step after a stall.
 */
enum snowmint_action_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Return the stall to the caller.
   */
  SNOWMINT_ACTION_KIND_FAIL = 0,
  /**
   * Ask again after `wait_ms` milliseconds.
   */
  SNOWMINT_ACTION_KIND_WAIT = 1,
  /**
   * Raise the rollback counter by one, cyclically, and ask again.
   */
  SNOWMINT_ACTION_KIND_COUNT_ROLLBACK = 2,
  /**
   * Take another worker ID and ask again.
   */
  SNOWMINT_ACTION_KIND_CHANGE_WORKER = 3,
  /**
   * Extend the grant and ask again.
   */
  SNOWMINT_ACTION_KIND_EXTEND_GRANT = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum snowmint_action_kind snowmint_action_kind;
#else
typedef uint32_t snowmint_action_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The reaction to a clock that is behind an ID already issued.
 */
enum snowmint_when_behind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Fail at once.
   */
  SNOWMINT_WHEN_BEHIND_FAIL = 0,
  /**
   * Wait if that takes at most `behind_max_ms`, otherwise fail at once.
   */
  SNOWMINT_WHEN_BEHIND_WAIT = 1,
  /**
   * Count the rollback in the layout's rollback bits, and continue at the clock's time.
   */
  SNOWMINT_WHEN_BEHIND_COUNT_ROLLBACK = 2,
  /**
   * Wait if that takes at most `behind_max_ms`, otherwise continue as another worker.
   */
  SNOWMINT_WHEN_BEHIND_CHANGE_WORKER = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum snowmint_when_behind snowmint_when_behind;
#else
typedef uint32_t snowmint_when_behind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The reaction to a tick whose sequence numbers are all issued.
 */
enum snowmint_when_full
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Wait for the next tick.
   */
  SNOWMINT_WHEN_FULL_WAIT = 0,
  /**
   * Fail at once.
   */
  SNOWMINT_WHEN_FULL_FAIL = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum snowmint_when_full snowmint_when_full;
#else
typedef uint32_t snowmint_when_full;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The first sequence number of a fresh tick.
 */
enum snowmint_start_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * At 0.
   */
  SNOWMINT_START_KIND_ZERO = 0,
  /**
   * One above the last sequence number, modulo `bound + 1`.
   */
  SNOWMINT_START_KIND_VIBRATE = 1,
  /**
   * Pseudo-random below `bound`, made different by `seed`.
   */
  SNOWMINT_START_KIND_RANDOM = 2,
  /**
   * One above the last sequence number, back to 0 from half the sequence on.
   */
  SNOWMINT_START_KIND_ROTATE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum snowmint_start_kind snowmint_start_kind;
#else
typedef uint32_t snowmint_start_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Ready ranges of one tag, and the decision when to request more. It reads no clock and calls
 * nobody: answer each request by `snowmint_buffer_supply` or `snowmint_buffer_failed`. Any number
 * of threads may call any function on it at once, except `snowmint_buffer_free`. A forked child
 * must not go on with its parent's buffer.
 */
typedef struct snowmint_buffer snowmint_buffer;

/**
 * A snowflake generator that reads no clock, never waits and does no I/O: the time is an argument,
 * a stall is a result. Only its lane keeps its IDs unique. Lanes of one worker ID must be
 * disjoint, and a forked child must not go on with its parent's lane. Any number of threads may
 * call any function on it at once, except `snowmint_machine_free`.
 */
typedef struct snowmint_machine snowmint_machine;

/**
 * A worker ID and the ticks it may use: from `floor` to before `reserved`, or all ticks from
 * `floor` on if that is `UINT64_MAX`.
 */
typedef struct {
  /**
   * The first tick granted.
   */
  uint64_t floor;
  /**
   * The first tick not granted.
   */
  uint64_t reserved;
  /**
   * The worker ID: all worker fields side by side, the upper first.
   */
  uint32_t worker_id;
  /**
   * The rollback counter; 0 if the layout has none.
   */
  uint32_t rollback;
} snowmint_lane;

/**
 * The first sequence number of a fresh tick.
 */
typedef struct {
  /**
   * A `snowmint_start_kind`.
   */
  uint32_t kind;
  /**
   * The bound, if the kind has one.
   */
  uint32_t bound;
  /**
   * The seed, if the kind has one.
   */
  uint64_t seed;
} snowmint_start;

/**
 * The rule for requesting the next range.
 */
typedef struct {
  /**
   * The used share of the current range at which the next is requested if `distance` is 0, in
   * percent, 0 to 100.
   */
  uint32_t used_percent;
  /**
   * The number of ranges to keep ready behind the current one; more than `SNOWMINT_MAX_DISTANCE`
   * counts as that. 0: one range, which is requested by `used_percent`.
   */
  uint32_t distance;
} snowmint_prefetch;

/**
 * The state of a buffer.
 */
typedef struct {
  /**
   * The count of numbers that are ready.
   */
  uint64_t remaining;
  /**
   * The lowest number with which a further range may begin.
   */
  uint64_t floor;
  /**
   * The step of the last supplied range.
   */
  uint64_t step;
} snowmint_buffer_state;

/**
 * A clock policy: how a caller reacts to a stall.
 */
typedef struct {
  /**
   * The largest lead of an ID's time over the clock, in milliseconds.
   */
  uint32_t max_ahead_ms;
  /**
   * A `snowmint_when_behind`.
   */
  uint32_t when_behind;
  /**
   * The longest wait of `when_behind`, in milliseconds; 0 if it does not wait.
   */
  uint32_t behind_max_ms;
  /**
   * A `snowmint_when_full`.
   */
  uint32_t when_full;
} snowmint_policy;

/**
 * The caller's next step after a stall.
 */
typedef struct {
  /**
   * The kind of the step.
   */
  snowmint_action_kind kind;
  /**
   * The wait in milliseconds; 0 if there is none.
   */
  uint64_t wait_ms;
} snowmint_action;

/**
 * A named layout, with the policy and the sequence start of its system.
 */
typedef struct {
  /**
   * The name.
   */
  char name[32];
  /**
   * One line about its origin and its peculiarities.
   */
  char note[128];
  /**
   * The reaction of its system to a clock that goes back or a full tick.
   */
  snowmint_policy policy;
  /**
   * The start of a fresh tick's sequence in its system.
   */
  snowmint_start start;
} snowmint_preset;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Creates a generator at the floor of its lane. An ID's time may run up to `max_ahead_ms`
 * milliseconds ahead of the given time. If `start` is NULL, sequences start at 0. `machine`
 * receives a handle, which you end with `snowmint_machine_free`.
 *
 * Errors: `SNOWMINT_FIELD_OUT_OF_RANGE` for a worker ID or rollback counter that does not fit.
 */
snowmint_status snowmint_machine_new(const snowmint_layout *layout,
                                     const snowmint_lane *lane,
                                     uint32_t max_ahead_ms,
                                     const snowmint_start *start,
                                     snowmint_machine **machine);

/**
 * Frees a generator, which must not be used any more. NULL is no error.
 */
void snowmint_machine_free(snowmint_machine *machine);

/**
 * Issues `n` IDs in contiguous slots at `now_ms`, in Unix milliseconds. It issues all or none: an
 * error changes nothing.
 *
 * Errors: the stalls `SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED` and
 * `SNOWMINT_GRANT_EXHAUSTED`, after which `snowmint_last_wait_ms` says when to ask again;
 * `SNOWMINT_COUNT_OUT_OF_RANGE` if `n` is 0 or more than can ever be issued at once;
 * `SNOWMINT_EPOCH_IN_FUTURE`, `SNOWMINT_LAYOUT_EXPIRED`.
 */
snowmint_status snowmint_machine_issue(const snowmint_machine *machine,
                                       int64_t now_ms,
                                       uint32_t n,
                                       uint64_t *ids);

/**
 * Raises the end of the lane's ticks. A lower end than before changes nothing.
 *
 * Errors: only for invalid arguments.
 */
snowmint_status snowmint_machine_extend(const snowmint_machine *machine, uint64_t reserved);

/**
 * Continues in another lane, for a new lease or worker ID. It begins at the lane's floor or in a
 * tick after the last ID's, whichever is later, so that IDs keep rising.
 *
 * Errors: `SNOWMINT_FIELD_OUT_OF_RANGE`, which keeps the old lane.
 */
snowmint_status snowmint_machine_open(const snowmint_machine *machine, const snowmint_lane *lane);

/**
 * Continues in another lane, whatever the times of the IDs issued before. Policies that change
 * workers or count rollbacks do this. IDs may go down here. To come back to a worker ID, use a
 * lane that is disjoint from its earlier lanes.
 *
 * Errors: `SNOWMINT_FIELD_OUT_OF_RANGE`, which keeps the old lane.
 */
snowmint_status snowmint_machine_jump(const snowmint_machine *machine, const snowmint_lane *lane);

/**
 * Creates an empty buffer whose ranges have `min_step` numbers, adapted up to `max_step`. It
 * refuses every range that begins below `above`. `buffer` receives a handle, which you end with
 * `snowmint_buffer_free`.
 *
 * Errors: `SNOWMINT_INVALID_STEP`; `SNOWMINT_INVALID_PARAMETER` for an invalid prefetch.
 */
snowmint_status snowmint_buffer_new(const snowmint_prefetch *prefetch,
                                    uint64_t min_step,
                                    uint64_t max_step,
                                    uint64_t above,
                                    snowmint_buffer **buffer);

/**
 * Frees a buffer, which must not be used any more. NULL is no error.
 */
void snowmint_buffer_free(snowmint_buffer *buffer);

/**
 * Asks the buffer at `now_ms` if it needs a range. `step` receives the count of numbers that the
 * range should have, or 0. There is only one request at a time, until a range is supplied or the
 * request failed.
 *
 * Errors: only for invalid arguments.
 */
snowmint_status snowmint_buffer_wants(const snowmint_buffer *buffer,
                                      int64_t now_ms,
                                      uint64_t *step);

/**
 * Takes up to `n` numbers in one run.
 *
 * Errors: `SNOWMINT_EMPTY` if there are none, or `n` is 0.
 */
snowmint_status snowmint_buffer_take(const snowmint_buffer *buffer,
                                     uint64_t n,
                                     snowmint_range *range);

/**
 * Takes the numbers up to the point where the next request is due. Once they are out of the
 * buffer, `snowmint_buffer_wants` may request a range.
 *
 * Errors: `SNOWMINT_EMPTY` if there are none.
 */
snowmint_status snowmint_buffer_take_until_request(const snowmint_buffer *buffer,
                                                   snowmint_range *range);

/**
 * Adds a range.
 *
 * Errors: `SNOWMINT_INVALID_RANGE`; `SNOWMINT_RANGE_REGRESSED` if it does not lie above everything
 * supplied before; `SNOWMINT_COUNT_OUT_OF_RANGE` if there was no request and there is no room. The
 * range is not used. The buffer may request again unless the range was invalid.
 */
snowmint_status snowmint_buffer_supply(const snowmint_buffer *buffer,
                                       const snowmint_range *range,
                                       int64_t now_ms);

/**
 * Ends a failed request, so that the buffer may request again.
 *
 * Errors: only for invalid arguments.
 */
snowmint_status snowmint_buffer_failed(const snowmint_buffer *buffer);

/**
 * Changes the step from the next request on.
 *
 * Errors: `SNOWMINT_INVALID_STEP`.
 */
snowmint_status snowmint_buffer_resize(const snowmint_buffer *buffer,
                                       uint64_t min_step,
                                       uint64_t max_step);

/**
 * Gets the state of a buffer.
 *
 * Errors: only for invalid arguments.
 */
snowmint_status snowmint_buffer_state_of(const snowmint_buffer *buffer,
                                         snowmint_buffer_state *state);

/**
 * Gets the clock policy with a name, for example `twitter` or `leaf`.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER`; the message lists the names.
 */
snowmint_status snowmint_policy_named(const char *name, snowmint_policy *policy);

/**
 * Gets a policy's next step after a stall, from the status that a generator returned and the wait
 * that `snowmint_last_wait_ms` gave.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` for a status that is no stall, or for an invalid policy.
 */
snowmint_status snowmint_policy_action(const snowmint_policy *policy,
                                       snowmint_status stall,
                                       uint64_t wait_ms,
                                       snowmint_action *action);

/**
 * Returns the number of presets.
 */
size_t snowmint_preset_count(void);

/**
 * Gets the preset at an index from 0 on.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` past the last index.
 */
snowmint_status snowmint_preset_at(size_t index, snowmint_preset *preset);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SNOWMINT_ENGINE_H */
