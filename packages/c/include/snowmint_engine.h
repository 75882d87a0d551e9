/*
 * snowmint's deterministic machines: nothing here reads a clock, waits or does I/O. The time is an
 * argument, and a stall is a result: for simulators, tests, and runtimes that drive them themselves.
 * Who wants IDs needs snowmint.h alone, whose rules are those of these functions, too.
 * Licensed under MIT or Apache-2.0, at your option.
 *
 * Written from bindings/c by scripts/package-c: do not edit.
 */

#ifndef SNOWMINT_ENGINE_H
#define SNOWMINT_ENGINE_H

#include "snowmint.h"

/** The most ranges kept behind the current. */
#define SNOWMINT_MAX_DISTANCE 16u


/**
 * What a policy makes of a stall.
 */
enum snowmint_action_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Hand the stall to the caller.
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
   * Have the grant extended and ask again.
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
 * What to do when the clock is behind an ID already issued.
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
   * Wait if it takes no more than `behind_max_ms`, else fail at once.
   */
  SNOWMINT_WHEN_BEHIND_WAIT = 1,
  /**
   * Count the rollback in the layout's rollback bits and go on at the clock's time.
   */
  SNOWMINT_WHEN_BEHIND_COUNT_ROLLBACK = 2,
  /**
   * Wait if it takes no more than `behind_max_ms`, else go on as another worker.
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
 * What to do when every sequence number of the tick is issued.
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
 * Where the sequence of a fresh tick begins.
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
 * Ready ranges of one tag, and the decision when to get more. It reads no clock and calls nobody:
 * whoever owns it answers each request by `snowmint_buffer_supply` or `snowmint_buffer_failed`. Any
 * number of threads may call any function on it at once, except `snowmint_buffer_free`; a forked
 * child must not go on with its parent's.
 */
typedef struct snowmint_buffer snowmint_buffer;

/**
 * A snowflake generator that reads no clock, never waits and does no I/O: the time is an argument, a
 * stall is a result. Nothing keeps its IDs unique but its lane: lanes of one worker ID must be
 * disjoint, and a forked child must not go on with its parent's. Any number of threads may call any
 * function on it at once, except `snowmint_machine_free`.
 */
typedef struct snowmint_machine snowmint_machine;

/**
 * Who issues, and which ticks: those from `floor` to before `reserved`, `UINT64_MAX` for all.
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
   * The rollback counter; 0 where the layout has none.
   */
  uint32_t rollback;
} snowmint_lane;

/**
 * Where the sequence of a fresh tick begins.
 */
typedef struct {
  /**
   * A `snowmint_start_kind`.
   */
  uint32_t kind;
  /**
   * As the kind says.
   */
  uint32_t bound;
  /**
   * As the kind says.
   */
  uint64_t seed;
} snowmint_start;

/**
 * When the next range is asked for.
 */
typedef struct {
  /**
   * Without a distance: once so many percent of the current range are used, 0 to 100.
   */
  uint32_t used_percent;
  /**
   * How many ranges to keep ready behind the current one, up to `SNOWMINT_MAX_DISTANCE`, which a
   * larger one means as well; 0 for one that is asked for by `used_percent`.
   */
  uint32_t distance;
} snowmint_prefetch;

/**
 * Where a buffer stands.
 */
typedef struct {
  /**
   * How many numbers are ready.
   */
  uint64_t remaining;
  /**
   * The lowest number a further range may begin with.
   */
  uint64_t floor;
  /**
   * The step of the last range supplied.
   */
  uint64_t step;
} snowmint_buffer_state;

/**
 * What a caller does with a stall.
 */
typedef struct {
  /**
   * How far an ID's time may run ahead of the clock, milliseconds.
   */
  uint32_t max_ahead_ms;
  /**
   * A `snowmint_when_behind`.
   */
  uint32_t when_behind;
  /**
   * The longest wait of it, milliseconds; 0 where it does not wait.
   */
  uint32_t behind_max_ms;
  /**
   * A `snowmint_when_full`.
   */
  uint32_t when_full;
} snowmint_policy;

/**
 * What a policy makes of a stall.
 */
typedef struct {
  /**
   * What to do.
   */
  snowmint_action_kind kind;
  /**
   * How long to wait, milliseconds; 0 where it is not to wait.
   */
  uint64_t wait_ms;
} snowmint_action;

/**
 * A named layout, and how its system uses it.
 */
typedef struct {
  /**
   * The name.
   */
  char name[32];
  /**
   * One line on where it comes from and what to know of it.
   */
  char note[128];
  /**
   * What its system does when the clock goes back or a tick is full.
   */
  snowmint_policy policy;
  /**
   * Where its system begins the sequence of a fresh tick.
   */
  snowmint_start start;
} snowmint_preset;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Makes a generator at the floor of its lane. An ID's time may run ahead of the time given by
 * `max_ahead_ms` milliseconds. `start` may be NULL: at 0. `machine` receives a handle that the caller
 * ends with `snowmint_machine_free`.
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
 * Issues `n` IDs at `now_ms`, Unix milliseconds, in contiguous slots, all or none; on an error nothing
 * changes.
 *
 * Errors: stalls, after which `snowmint_last_wait_ms` says when to ask again:
 * `SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED`, `SNOWMINT_GRANT_EXHAUSTED`;
 * `SNOWMINT_COUNT_OUT_OF_RANGE` for 0 or more than can ever be had at once,
 * `SNOWMINT_EPOCH_IN_FUTURE`, `SNOWMINT_LAYOUT_EXPIRED`.
 */
snowmint_status snowmint_machine_issue(const snowmint_machine *machine,
                                       int64_t now_ms,
                                       uint32_t n,
                                       uint64_t *ids);

/**
 * Moves the end of the lane's ticks up; a lower one than before changes nothing.
 *
 * Errors: of the arguments alone.
 */
snowmint_status snowmint_machine_extend(const snowmint_machine *machine, uint64_t reserved);

/**
 * Goes on in another lane: a new lease or worker ID. It begins at the lane's floor or in a tick after
 * the last ID's, whichever is later, so that IDs keep rising.
 *
 * Errors: `SNOWMINT_FIELD_OUT_OF_RANGE`; the old lane then stays.
 */
snowmint_status snowmint_machine_open(const snowmint_machine *machine,
                                      const snowmint_lane *lane);

/**
 * Goes on in another lane without regard to the times of IDs issued before: what the policies that
 * change workers or count rollbacks do. IDs may go down here. Coming back to a worker ID needs a lane
 * disjoint from those it had.
 *
 * Errors: `SNOWMINT_FIELD_OUT_OF_RANGE`; the old lane then stays.
 */
snowmint_status snowmint_machine_jump(const snowmint_machine *machine,
                                      const snowmint_lane *lane);

/**
 * Makes an empty buffer whose ranges have `min_step` numbers, adapted up to `max_step`; every range
 * that begins below `above` is refused. `buffer` receives a handle that the caller ends with
 * `snowmint_buffer_free`.
 *
 * Errors: `SNOWMINT_INVALID_STEP`; `SNOWMINT_INVALID_PARAMETER` for a prefetch that is none.
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
 * Whether a range should be asked for at `now_ms`: `step` receives how many numbers it should have,
 * or 0. It asks once, until it is supplied or told that the request failed.
 *
 * Errors: of the arguments alone.
 */
snowmint_status snowmint_buffer_wants(const snowmint_buffer *buffer,
                                      int64_t now_ms,
                                      uint64_t *step);

/**
 * Takes up to `n` numbers that lie together.
 *
 * Errors: `SNOWMINT_EMPTY` if there are none, or `n` is 0.
 */
snowmint_status snowmint_buffer_take(const snowmint_buffer *buffer,
                                     uint64_t n,
                                     snowmint_range *range);

/**
 * Takes the numbers up to where the buffer next wants to be asked: with them out of it,
 * `snowmint_buffer_wants` may ask.
 *
 * Errors: `SNOWMINT_EMPTY` if there are none.
 */
snowmint_status snowmint_buffer_take_until_request(const snowmint_buffer *buffer,
                                                   snowmint_range *range);

/**
 * Adds a range.
 *
 * Errors: `SNOWMINT_INVALID_RANGE`; `SNOWMINT_RANGE_REGRESSED` if it does not lie above everything
 * supplied before; `SNOWMINT_COUNT_OUT_OF_RANGE` if nobody asked and there is no room. The range is
 * not used, and, unless it was invalid, the buffer may ask again.
 */
snowmint_status snowmint_buffer_supply(const snowmint_buffer *buffer,
                                       const snowmint_range *range,
                                       int64_t now_ms);

/**
 * Says that the request came to nothing; the buffer may ask again.
 *
 * Errors: of the arguments alone.
 */
snowmint_status snowmint_buffer_failed(const snowmint_buffer *buffer);

/**
 * Goes by another step from the next request on.
 *
 * Errors: `SNOWMINT_INVALID_STEP`.
 */
snowmint_status snowmint_buffer_resize(const snowmint_buffer *buffer,
                                       uint64_t min_step,
                                       uint64_t max_step);

/**
 * Says where a buffer stands.
 *
 * Errors: of the arguments alone.
 */
snowmint_status snowmint_buffer_state_of(const snowmint_buffer *buffer,
                                         snowmint_buffer_state *state);

/**
 * Gives the clock policy of a name, `twitter`, `leaf`, ...
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER`; the message lists the names.
 */
snowmint_status snowmint_policy_named(const char *name, snowmint_policy *policy);

/**
 * Says what a policy makes of a stall: of the status that a generator returned and the wait that
 * `snowmint_last_wait_ms` gave.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` for a status that is no stall's, or for a policy that is none.
 */
snowmint_status snowmint_policy_action(const snowmint_policy *policy,
                                       snowmint_status stall,
                                       uint64_t wait_ms,
                                       snowmint_action *action);

/**
 * How many presets there are.
 */
size_t snowmint_preset_count(void);

/**
 * Gives the preset at an index from 0 on.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` past the last.
 */
snowmint_status snowmint_preset_at(size_t index, snowmint_preset *preset);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SNOWMINT_ENGINE_H */
