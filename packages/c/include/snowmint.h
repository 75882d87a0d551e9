/*
 * snowmint: unique 64-bit IDs, minted anywhere. https://github.com/snowmint/snowmint
 * Licensed under MIT or Apache-2.0, at your option.
 *
 * Written from bindings/c by scripts/package-c: do not edit.
 *
 * The header begins with the ten functions that everybody needs. The rules of all functions, the
 * statuses and the limits follow. Then come the types and the other functions: sources of each kind and
 * their options, stats, events, stores and tags, layouts, texts, public IDs. Functions that take the
 * time as an argument are in snowmint_engine.h.
 */

#ifndef SNOWMINT_H
#define SNOWMINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The result of a function: SNOWMINT_OK, which is 0, or a code that says why it failed. Numbers and names
 * are the same in every language and never change. A newer library may return others.
 */
typedef uint32_t snowmint_status;

/**
 * A source of IDs: a snowflake, a segment, daily numbers, a ring of IDs made ahead, sequences of
 * keys or UUIDs.
 *
 * Any number of threads may call any function on one source at once, except
 * `snowmint_source_free`. Minting takes no lock while reserved IDs last. A source survives a
 * `fork`: the child takes its own worker ID or ranges at its first call, or fails with
 * `SNOWMINT_FORKED` if the worker ID is fixed.
 */
typedef struct snowmint_source snowmint_source;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Opens a source by its URL: `snowflake:?worker_id=7`, `snowflake+sqlite:ids.db?create=true`,
 * `segment+sqlite:ids.db?tag=orders`, `daily+sqlite:ids.db?tag=orders&zone=UTC`,
 * `sequences+sqlite:ids.db?tag=chat`, `uuid:?version=7`. With `ring=1024` in the query,
 * snowflakes, segments and daily numbers are made ahead (`SNOWMINT_KIND_RING`). Parameters that
 * the source does not have are errors. No message repeats a password of the URL.
 *
 * `source` receives a handle, which you end with `snowmint_source_free`; an error leaves it
 * unchanged. The call may block: it opens files and calls the store. If the store is down or
 * locked, the call tries again for up to `wait_ms`, which is also the bound of calls on the
 * source. A request that the store is already working on goes on for up to 5 s.
 *
 * Errors: `SNOWMINT_INVALID_URL`, `SNOWMINT_UNKNOWN_SCHEME`, `SNOWMINT_UNKNOWN_PARAMETER`,
 * `SNOWMINT_INVALID_PARAMETER`, `SNOWMINT_UNKNOWN_LAYOUT`; those of the source, such as
 * `SNOWMINT_WORKER_IN_USE`, `SNOWMINT_WORKERS_EXHAUSTED` and `SNOWMINT_UNKNOWN_TAG`; those of the
 * store.
 */
snowmint_status snowmint_source_open(const char *url, snowmint_source **source);

/**
 * Mints the next ID, waiting without spinning up to the source's bound (default 5 s).
 *
 * IDs of one source rise strictly, across threads and clock steps. An error leaves `id` unchanged
 * and uses nothing up.
 *
 * Errors: `SNOWMINT_CLOSED`, those of the store, and those of the kind of source:
 *
 * - Snowflakes: `SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED`,
 *   `SNOWMINT_GRANT_EXHAUSTED`, `SNOWMINT_LEASE_UNAVAILABLE`, `SNOWMINT_STATE_MISSING`,
 *   `SNOWMINT_LAYOUT_EXPIRED`, `SNOWMINT_FORKED`.
 * - Segments and daily numbers: `SNOWMINT_WAIT_TIMEOUT`, `SNOWMINT_TAG_EXHAUSTED`,
 *   `SNOWMINT_RANGE_REGRESSED`.
 * - Rings: `SNOWMINT_EMPTY`, or the error that keeps their source from making more.
 * - Sequences and UUIDs: `SNOWMINT_UNSUPPORTED`.
 */
snowmint_status snowmint_source_next(const snowmint_source *source, uint64_t *id);

/**
 * Mints the next ID, waiting up to `wait_ms` milliseconds; 0 never waits.
 *
 * Errors: those of `snowmint_source_next`.
 */
snowmint_status snowmint_source_next_within(const snowmint_source *source,
                                            uint64_t wait_ms,
                                            uint64_t *id);

/**
 * Mints the next ID if one is ready. It calls no store and never waits, as event loops need it.
 * While reserved IDs last it takes no lock. `SNOWMINT_EMPTY` does not say why;
 * `snowmint_source_next_within` with 0 says more. The library fetches IDs meanwhile, so ask again
 * soon. If a fixed worker ID was not used for a minute, no ID is ready: ask again after a moment.
 *
 * Errors: `SNOWMINT_EMPTY`. Asking again does not help after `SNOWMINT_CLOSED`, `SNOWMINT_FORKED`,
 * `SNOWMINT_STATE_MISSING`, and `SNOWMINT_UNSUPPORTED` for sequences and UUIDs. It does not help
 * after `SNOWMINT_RANGE_REGRESSED` and `SNOWMINT_TAG_EXHAUSTED` unless the tag is raised.
 */
snowmint_status snowmint_source_try_next(const snowmint_source *source, uint64_t *id);

/**
 * Fills an array with `count` rising IDs, which is the fastest way to get many. Each block of them
 * waits up to the source's bound. A count of 0 does nothing, and `ids` may then be NULL.
 *
 * Errors: those of `snowmint_source_next`; `SNOWMINT_COUNT_OUT_OF_RANGE` for more numbers than a
 * day has, and for more snowflakes than can ever be ready at once if the source does not wait.
 * After an error the IDs in `ids` are given up, and are a gap.
 */
snowmint_status snowmint_source_fill(const snowmint_source *source, uint64_t *ids, size_t count);

/**
 * Stops minting and gives up what is reserved; calls that mint then fail with `SNOWMINT_CLOSED`.
 * Closing twice is no error. The handle stays valid until `snowmint_source_free`. Other threads
 * may mint during the call. It does not wait for the store: a thread of the library gives a leased
 * worker ID back, which the store then lists as resting, not as held. Given back or not, another
 * process takes it once its reserved time is over, after two seconds to a minute.
 *
 * Errors: those of a fixed worker ID's state file. The source is closed nevertheless.
 */
snowmint_status snowmint_source_close(const snowmint_source *source);

/**
 * Closes a source, waiting up to `wait_ms` milliseconds until the store has a leased worker ID
 * back.
 *
 * Errors: those of `snowmint_source_close`; `SNOWMINT_WAIT_TIMEOUT`; those of the store. The
 * source is closed nevertheless, and its lease ends by itself.
 */
snowmint_status snowmint_source_close_within(const snowmint_source *source, uint64_t wait_ms);

/**
 * Closes a source if that was not done, and frees the handle, which must not be used any more, not
 * even by a call that is still running in another thread. NULL is no error. Call
 * `snowmint_source_close` first to get its errors.
 */
void snowmint_source_free(snowmint_source *source);

/**
 * Returns the message of the last call on this thread that did not return `SNOWMINT_OK`. It says
 * what was wrong and what would be right, in English, UTF-8. It is empty before the first failure.
 * A call that succeeds leaves it unchanged, and so does `snowmint_last_wait_ms` if it returns
 * `SNOWMINT_EMPTY`.
 *
 * The text belongs to the library. It is valid until the thread's next call that fails, or the
 * thread's end.
 */
const char *snowmint_last_message(void);

/**
 * Returns the stable name of a status, the same in every language, for example `ok` or
 * `clock_behind`. It is `unknown` for a number that this library does not know. The text is a
 * constant; do not free it.
 */
const char *snowmint_status_name(snowmint_status status);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/*
 * The rules of all functions.
 *
 * RESULTS. Every function that can fail returns a snowmint_status: SNOWMINT_OK, which is 0, or a code.
 * Results come through pointers, and only with SNOWMINT_OK. Such a pointer may be NULL only where a
 * function says so. snowmint_last_message() tells the calling thread in words what was wrong with its
 * last call that failed. A call that fails uses nothing up, but the IDs that snowmint_source_fill
 * already had are a gap. After an error a source goes on working, except if it is closed, its ranges
 * went back (SNOWMINT_RANGE_REGRESSED), its state file is gone (SNOWMINT_STATE_MISSING) or its worker
 * ID belongs to another process (SNOWMINT_FORKED): then open it anew.
 *
 * ARGUMENTS. Texts are UTF-8 with a zero at their end. NULL where it is not allowed, text that is not
 * UTF-8, a number out of range, and a handle of the wrong kind are errors, most of them
 * SNOWMINT_INVALID_PARAMETER. Arrays and results must not overlap each other, or memory that other
 * threads use. The library reads texts, arrays and structs only during the call.
 *
 * OWNERSHIP. A function that takes a pointer to a handle's pointer creates a handle. End it once, by the
 * function whose name ends in _free, when no other thread uses it any more. Constant texts belong to
 * the library. Never pass anything that the library returns to free(). A freed handle is like any freed
 * memory: the library may not notice that it is used.
 *
 * CLOSING. A closed handle stays valid until it is freed. Calls that mint then fail with
 * SNOWMINT_CLOSED, except for UUIDs, which reserve nothing.
 *
 * THREADS. Any thread may call any function at any time; handles are shared freely. The library has one
 * thread for each store, which calls the store for all its sources and ends soon after the last of them.
 * Your callbacks, a ring and a fixed worker ID have one thread each. In your own threads, only functions
 * that open something, and the functions of snowmint_store, call a store. Do not call any function in a
 * signal handler.
 *
 * CANCELLATION. pthread_cancel() does not end a thread inside the library: functions that may wait put it
 * off, and the thread ends at its next cancellation point after they returned. This holds for deferred
 * cancellation, the default of a thread. With asynchronous cancellation no function may be called. Your
 * callbacks must return: pthread_exit() or an exception in one aborts the process.
 *
 * FORK. Sources survive a fork(), also of a process with threads. A child gets its own worker ID or
 * ranges at its first call; with a fixed worker ID it gets SNOWMINT_FORKED. No ID is issued in both
 * processes. The child may free the handles that it inherited, which does not end the parent's. Keys and
 * public IDs do not change, and are the same in both.
 *
 * SNAPSHOTS. A process restored or cloned from an image (of its virtual machine, by CRIU) must call
 * snowmint_on_restore() before its first ID.
 *
 * TIME. Times are Unix milliseconds, UTC, as int64_t. A snowflake's time is the time of its minting or
 * up to max_ahead_ms later (default a second), because a full tick borrows from the future. If
 * max_ahead_ms is 0, it does not. On Linux the time can also be up to 10 ms earlier, because minting
 * reads the system's coarse clock. Waits never spin.
 *
 * ERRORS INSIDE. Nothing unwinds out of a function. A defect in the library is SNOWMINT_INTERNAL.
 */

/** The numbers of snowmint_status. */
enum {
  /** Nothing failed. */
  SNOWMINT_OK = 0,
  /** The fields do not make a layout of 64 bits. */
  SNOWMINT_INVALID_LAYOUT = 100,
  /** The clock reads a time before the layout's epoch. */
  SNOWMINT_EPOCH_IN_FUTURE = 101,
  /** The layout's time field has run out; it still decodes. */
  SNOWMINT_LAYOUT_EXPIRED = 102,
  /** A value does not fit its field. */
  SNOWMINT_FIELD_OUT_OF_RANGE = 103,
  /** The ID's constant bits are not those of the layout. */
  SNOWMINT_ID_NOT_IN_LAYOUT = 104,
  /** The layout cannot express that time. */
  SNOWMINT_TIME_OUT_OF_RANGE = 105,
  /** No preset has that name. */
  SNOWMINT_UNKNOWN_LAYOUT = 106,
  /** The clock is behind the time of an ID already issued. */
  SNOWMINT_CLOCK_BEHIND = 200,
  /** Every sequence number of the tick is issued. */
  SNOWMINT_SEQUENCE_EXHAUSTED = 201,
  /** The reserved interval of time is used up. */
  SNOWMINT_GRANT_EXHAUSTED = 202,
  /** The number of IDs asked for is 0 or too large. */
  SNOWMINT_COUNT_OUT_OF_RANGE = 203,
  /** The source is closed. */
  SNOWMINT_CLOSED = 204,
  /** No ID could be had within the caller's bound. */
  SNOWMINT_WAIT_TIMEOUT = 205,
  /** The buffer holds no ID at the moment. */
  SNOWMINT_EMPTY = 206,
  /** The text has a symbol outside its form's alphabet. */
  SNOWMINT_INVALID_TEXT = 300,
  /** The text is too short or too long for its form. */
  SNOWMINT_TEXT_LENGTH = 301,
  /** The text means a number above 64 bits. */
  SNOWMINT_TEXT_OVERFLOW = 302,
  /** The check symbol does not match. */
  SNOWMINT_TEXT_CHECK = 303,
  /** The number has another, canonical spelling. */
  SNOWMINT_TEXT_NOT_CANONICAL = 304,
  /** No text form has that name. */
  SNOWMINT_UNKNOWN_TEXT_FORM = 305,
  /** The tag is empty, too long or has a forbidden character. */
  SNOWMINT_INVALID_TAG = 400,
  /** The step is 0 or above its limit. */
  SNOWMINT_INVALID_STEP = 401,
  /** The range is empty, its stride is 0, or it passes its limit. */
  SNOWMINT_INVALID_RANGE = 402,
  /** The store gave a range that is not above the last one. */
  SNOWMINT_RANGE_REGRESSED = 403,
  /** The tag has reached its largest number. */
  SNOWMINT_TAG_EXHAUSTED = 404,
  /** The store has no such tag. */
  SNOWMINT_UNKNOWN_TAG = 405,
  /** The store has that tag already. */
  SNOWMINT_TAG_EXISTS = 406,
  /** The key's section would have too long a tag. */
  SNOWMINT_INVALID_KEY = 407,
  /** The tag goes on in another store. */
  SNOWMINT_TAG_MOVED = 408,
  /** Another generator holds that worker ID. */
  SNOWMINT_WORKER_IN_USE = 500,
  /** No worker ID of the store is free. */
  SNOWMINT_WORKERS_EXHAUSTED = 501,
  /** The lease belongs to another holder now. */
  SNOWMINT_LEASE_LOST = 502,
  /** The lease ran out and the store could not renew it. */
  SNOWMINT_LEASE_UNAVAILABLE = 503,
  /** The environment names no worker ID. */
  SNOWMINT_WORKER_NOT_CONFIGURED = 504,
  /** The clock is far behind the time this worker ID has reserved. */
  SNOWMINT_MARK_AHEAD = 505,
  /** The worker's state file cannot be read as one. */
  SNOWMINT_STATE_CORRUPT = 506,
  /** The store or state file belongs to another layout. */
  SNOWMINT_REALM_MISMATCH = 507,
  /** A forked child cannot share a fixed worker ID with its parent. */
  SNOWMINT_FORKED = 508,
  /** The fixed worker ID's state file is missing where it is required, or gone while in use. */
  SNOWMINT_STATE_MISSING = 509,
  /** The clock is not that of the others who take worker IDs there. */
  SNOWMINT_CLOCK_DIFFERS = 510,
  /** Another process holds the database's lock. */
  SNOWMINT_STORE_LOCKED = 600,
  /** The database or file cannot be written. */
  SNOWMINT_STORE_READ_ONLY = 601,
  /** The file is not a database, or a damaged one. */
  SNOWMINT_STORE_CORRUPT = 602,
  /** The database's tables are not of a schema known here. */
  SNOWMINT_STORE_SCHEMA = 603,
  /** The disk or the database is full. */
  SNOWMINT_STORE_FULL = 604,
  /** The store cannot be reached or does not answer. */
  SNOWMINT_STORE_UNAVAILABLE = 605,
  /** The commit was not confirmed; what it reserved is not used. */
  SNOWMINT_OUTCOME_UNKNOWN = 606,
  /** There is no such file or schema: creating one has to be asked for. */
  SNOWMINT_STORE_MISSING = 607,
  /** The store refuses this user, password or token. */
  SNOWMINT_STORE_DENIED = 608,
  /** The store is not the incarnation that granted this. */
  SNOWMINT_INCARNATION_CHANGED = 609,
  /** The store is set up so that it could lose what it acknowledges. */
  SNOWMINT_UNSAFE_SETTING = 610,
  /** The store has too much to do, and says when to ask again. */
  SNOWMINT_OVERLOADED = 611,
  /** The store answered with what no store may answer; it is not used. */
  SNOWMINT_INVALID_ANSWER = 612,
  /** The source URL cannot be parsed. */
  SNOWMINT_INVALID_URL = 700,
  /** No source has that URL scheme. */
  SNOWMINT_UNKNOWN_SCHEME = 701,
  /** The source has no such parameter. */
  SNOWMINT_UNKNOWN_PARAMETER = 702,
  /** A parameter's value is missing or not of its kind. */
  SNOWMINT_INVALID_PARAMETER = 703,
  /** The date or zone is outside what can be expressed. */
  SNOWMINT_INVALID_TIME = 704,
  /** The source cannot do what was asked of it. */
  SNOWMINT_UNSUPPORTED = 705,
  /** The keys of public IDs are missing, malformed, weak or not unique. */
  SNOWMINT_INVALID_KEYS = 800,
  /** Others can read or change the file of the keys. */
  SNOWMINT_KEYS_EXPOSED = 801,
  /** The text is not of the type of public ID asked for. */
  SNOWMINT_WRONG_TYPE = 802,
  /** No ID has that public form. */
  SNOWMINT_NOT_FOUND = 803,
  /** A defect in snowmint; please report it. */
  SNOWMINT_INTERNAL = 900,
  /** The system gives no thread, memory or random numbers. */
  SNOWMINT_NO_RESOURCE = 901,
};

/**
 * The kind of an event. Numbers and names are the same in every language and never change. A newer
 * library may have others.
 */
typedef uint32_t snowmint_event_kind;
enum {
  /** Another holder has the worker ID; the generator takes another one. */
  SNOWMINT_EVENT_LEASE_LOST = 1,
  /** The clock went back, and the policy took another worker ID. */
  SNOWMINT_EVENT_WORKER_CHANGED = 2,
  /** A store fails; its sources go on with what they have reserved. */
  SNOWMINT_EVENT_STORE_DOWN = 3,
  /** A store that failed answers again. */
  SNOWMINT_EVENT_STORE_BACK = 4,
  /** A tag's store went back; no more of its numbers are minted. */
  SNOWMINT_EVENT_FENCED = 5,
  /** A tag that went back was raised, and its numbers go on. */
  SNOWMINT_EVENT_UNFENCED = 6,
  /** A layout's time field runs out within a year. */
  SNOWMINT_EVENT_EXPIRES_SOON = 7,
  /** A fixed worker ID's state file is gone; its generator has stopped for good. */
  SNOWMINT_EVENT_STATE_LOST = 8,
  /** A list of ID services is empty or cannot be read; the last one is kept. */
  SNOWMINT_EVENT_SERVERS_KEPT = 9,
  /** A list of ID services that was kept is read again. */
  SNOWMINT_EVENT_SERVERS_BACK = 10,
  /** An ID service of another store, or with a bad certificate; others are asked. */
  SNOWMINT_EVENT_SERVER_REFUSED = 11,
};

/** The binary interface of this header. */
#define SNOWMINT_ABI_VERSION 0u

/** The largest number of IDs in one call of snowmint_source_next_ids. */
#define SNOWMINT_MAX_COUNT 16777216u

/** The limit of a segment's numbers: each is below it. */
#define SNOWMINT_MAX_NUMBER INT64_C(9223372036854775807)

/** The largest step, and the largest stride. */
#define SNOWMINT_MAX_STEP 1073741824u

/** The longest reservation, in milliseconds. */
#define SNOWMINT_MAX_RESERVE_MS 3600000u

/** The longest tag, in bytes. */
#define SNOWMINT_MAX_TAG_LENGTH 64u

/** Room for an ID in any text form, with the zero. */
#define SNOWMINT_TEXT_SIZE 21u

/** Room for a public ID in any form, with the zero. */
#define SNOWMINT_PUBLIC_ID_SIZE 61u

/** Room for a UUID as text, with the zero. */
#define SNOWMINT_UUID_SIZE 37u

/** Room for a time as text, with the zero. */
#define SNOWMINT_TIMESTAMP_SIZE 32u

/** Room for a layout's fields, with the zero. */
#define SNOWMINT_FIELDS_SIZE 256u

/** The value of a number in an options struct that keeps its default. */
#define SNOWMINT_UNSET (-1)

/** The value of a time that stands for the present, where a function names it. */
#define SNOWMINT_NOW INT64_MIN


/**
 * The kind of a source.
 */
enum snowmint_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * IDs of time, worker ID and sequence.
   */
  SNOWMINT_KIND_SNOWFLAKE = 1,
  /**
   * The numbers of a tag.
   */
  SNOWMINT_KIND_SEGMENT = 2,
  /**
   * Numbers that begin with the date.
   */
  SNOWMINT_KIND_DAILY = 3,
  /**
   * UUIDs, which have 128 bits: take them with `snowmint_source_next_uuid`.
   */
  SNOWMINT_KIND_UUID = 4,
  /**
   * A sequence for each of many keys: take its numbers with `snowmint_source_next_of`.
   */
  SNOWMINT_KIND_SEQUENCES = 5,
  /**
   * A buffer that a thread of the library fills with IDs of one of the first three kinds. Calls
   * do not wait while it has some, whatever the clock and the store do, and even during a full
   * tick. It is opened by URL alone.
   *
   * `ring` is its size, a power of two up to 1048576. The thread refills it below `ring_refill`
   * percent (default 30), and every `ring_every_ms` (default 1000) while IDs are taken. A
   * snowflake is discarded once it has been ready for `ring_every_ms`. Its time can be older by
   * that much than the time of an ID made at once, or by twice that if the clock is set back
   * meanwhile. Daily numbers are discarded at the end of their day; a segment's numbers do not
   * age. Discarded IDs, and IDs that are ready when the ring is closed, are gaps.
   *
   * The ring is empty before the first call, and when nobody has taken IDs for a while. Calls
   * then wait up to their bound, and fail with `SNOWMINT_EMPTY`. Closing the ring closes its
   * source.
   */
  SNOWMINT_KIND_RING = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum snowmint_kind snowmint_kind;
#else
typedef uint32_t snowmint_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The IDs of a layout that fit a number of bits.
 */
enum snowmint_fit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * All IDs fit, to the layout's end.
   */
  SNOWMINT_FIT_ALWAYS = 1,
  /**
   * IDs fit if they are minted before a time.
   */
  SNOWMINT_FIT_UNTIL = 2,
  /**
   * No ID fits, not even in the first tick.
   */
  SNOWMINT_FIT_NEVER = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum snowmint_fit snowmint_fit;
#else
typedef uint32_t snowmint_fit;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A checked division of 64 bits into fields, with an epoch and a tick. It never changes: any number
 * of threads may use it at once, and so may a forked child.
 */
typedef struct snowmint_layout snowmint_layout;

/**
 * A registered listener.
 */
typedef struct snowmint_listener snowmint_listener;

/**
 * Keys that make public IDs. Nothing is stored: anybody who has the keys can compute an ID from
 * its public form. Opened keys do not change, any number of threads may use them at once, and a
 * forked child has them, too. A public ID is no permission.
 */
typedef struct snowmint_public_id_keys snowmint_public_id_keys;

/**
 * The public IDs of one type, in one form. It never changes: any number of threads may use it at
 * once, without a lock, and a forked child has it, too.
 */
typedef struct snowmint_public_ids snowmint_public_ids;

/**
 * A sequence for each of many keys. The store keeps only one maximum for each group of keys. Any
 * number of threads may call any function on one handle at once, except `snowmint_sequences_free`.
 */
typedef struct snowmint_sequences snowmint_sequences;

/**
 * A store of worker IDs and numbers. Any number of threads may call any function on one store at
 * once, except `snowmint_store_free`. A store in a file survives a `fork`; a store in memory
 * belongs to the process that made it.
 */
typedef struct snowmint_store snowmint_store;

/**
 * Reserved numbers: `start`, `start + stride`, ... below `end`.
 */
typedef struct {
  /**
   * The first number.
   */
  uint64_t start;
  /**
   * The first number past the range, at most `SNOWMINT_MAX_NUMBER`.
   */
  uint64_t end;
  /**
   * The distance between two numbers, 1 to `SNOWMINT_MAX_STEP`.
   */
  uint64_t stride;
} snowmint_range;

/**
 * A UUID in the byte order of RFC 9562.
 */
typedef struct {
  /**
   * The bytes, the most significant first.
   */
  uint8_t bytes[16];
} snowmint_uuid;

/**
 * A request for a lease. The texts are valid during the call.
 */
typedef struct {
  /**
   * The realm: the layout's canonical text. Leases of different realms do not affect each other.
   */
  const char *realm;
  /**
   * The name of the holder: host, process and a random part.
   */
  const char *owner;
  /**
   * The largest worker ID of the layout.
   */
  uint32_t max_worker_id;
  /**
   * The time to reserve ahead of the store's clock, and the life of the lease without renewal,
   * in milliseconds. At most `SNOWMINT_MAX_RESERVE_MS`, and a day more if the store's clock was
   * set back.
   */
  uint32_t reserve_ms;
  /**
   * The largest lead over the store's clock that the generator can use, in milliseconds. A
   * worker ID may be taken only if its reserved time lies ahead by at most this and by at most
   * three quarters of `reserve_ms`.
   */
  uint32_t max_ahead_ms;
  /**
   * True if `avoid` is set.
   */
  bool has_avoid;
  /**
   * A worker ID not to take, because the generator just left it when its clock went back.
   */
  uint32_t avoid;
  /**
   * The lease's first token.
   */
  uint8_t token[16];
} snowmint_lease_request;

/**
 * A worker ID with the time reserved for it. The holder may issue IDs whose time lies in
 * `[floor_ms, reserved_ms)`. Nobody else may ever do so under that worker ID.
 */
typedef struct {
  /**
   * The number of acquisitions of this worker ID.
   */
  uint64_t epoch;
  /**
   * The first Unix millisecond that the holder may use.
   */
  int64_t floor_ms;
  /**
   * The first Unix millisecond that it may not use.
   */
  int64_t reserved_ms;
  /**
   * The store's clock when it granted the lease, in Unix milliseconds.
   */
  int64_t now_ms;
  /**
   * The worker ID.
   */
  uint32_t worker_id;
  /**
   * The token. It changes at every renewal, so that only one of two copies of a process can
   * renew.
   */
  uint8_t token[16];
} snowmint_lease;

/**
 * A function that the library calls once, when the source that was given a `context` no longer
 * needs it: in `snowmint_source_free`, or soon after in a thread of the library.
 */
typedef void (*snowmint_release)(void *context);

/**
 * Functions of yours that lease worker IDs from a database. Each function works in one transaction
 * with the database's clock, and returns 0 once that is durable. Any other value is a failure. A
 * status is passed on, for example `SNOWMINT_WORKERS_EXHAUSTED` or `SNOWMINT_LEASE_LOST`; a value
 * that is no status counts as `SNOWMINT_STORE_UNAVAILABLE`. The intervals `[floor_ms,
 * reserved_ms)` of one worker ID must be disjoint and must rise: uniqueness depends on it.
 *
 * The functions that open a source call them, and so does one thread of the library. They must
 * return: leaving them by `longjmp`, an exception or `pthread_exit` is forbidden, and aborts the
 * process. They may call the library, but not with the source that they serve. A forked child
 * calls them with the same `context`, and needs a connection of its own there.
 */
typedef struct {
  /**
   * `sizeof(snowmint_worker_store)`.
   */
  size_t size;
  /**
   * The first argument of the functions.
   */
  void *context;
  /**
   * Takes a free worker ID, with a floor at or above every `reserved_ms` before it. Each call
   * takes another worker ID, even for the same owner and token, because copies of a process have
   * the same.
   */
  int (*acquire)(void *context, const snowmint_lease_request *request, snowmint_lease *lease);
  /**
   * Reserves `reserve_ms` from the store's clock on and replaces the token by `next_token`, if
   * the row still has this epoch and token. A repeat of the same renewal succeeds again. `lease`
   * holds the present lease and receives the renewed lease.
   */
  int (*renew)(void *context,
               const snowmint_lease_request *request,
               snowmint_lease *lease,
               const uint8_t *next_token);
  /**
   * Ends a lease. A lease that is already lost is no error.
   */
  int (*release_lease)(void *context,
                       const snowmint_lease_request *request,
                       const snowmint_lease *lease);
  /**
   * The library calls it when `context` is no longer needed, also if opening fails, except for a
   * wrong `size` here or in the options. It may be NULL.
   */
  snowmint_release release;
} snowmint_worker_store;

/**
 * The options of a snowflake. Begin with `SNOWMINT_SNOWFLAKE_OPTIONS_INIT`, which sets everything
 * to its default, and set one of `worker_id`, `store` and `worker_store`. Texts and handles are
 * only read during the call; the source keeps its store alive.
 */
typedef struct {
  /**
   * `sizeof(snowmint_snowflake_options)`.
   */
  size_t size;
  /**
   * A fixed worker ID: `7`, `env`, `env:NAME`, `ordinal` or `ordinal:NAME` (of a StatefulSet's
   * pod), `ip:10.0.4.0/22` (a network that holds all hosts). Its time is reserved in a local
   * file, which keeps a second generator with that file from using it. You have to make sure
   * that no other generator has this worker ID.
   */
  const char *worker_id;
  /**
   * A store to lease the worker ID from.
   */
  const snowmint_store *store;
  /**
   * A store of your own to lease the worker ID from.
   */
  const snowmint_worker_store *worker_store;
  /**
   * The name of a preset, for example `leaf`, whose layout, clock policy and sequence start
   * apply. The fields below override it. NULL: none.
   */
  const char *preset;
  /**
   * The layout. NULL: the preset's, or Twitter's.
   */
  const snowmint_layout *layout;
  /**
   * The name of the clock policy. NULL: the preset's, or `snowmint`.
   */
  const char *policy;
  /**
   * The start of a fresh tick's sequence: `zero`, `vibrate:MAX`, `random:BELOW`, `rotate`. NULL:
   * the preset's, or `rotate`.
   */
  const char *start;
  /**
   * The directory of a fixed worker ID's state file, which must survive restarts. NULL: the
   * user's state directory.
   */
  const char *state_directory;
  /**
   * The largest lead of an ID's time over the clock, in milliseconds, up to 3600000. An ID can
   * be dated that much later than its minting. 0 never borrows: a full tick waits for the next
   * one. `SNOWMINT_UNSET`: the policy's value, 1000 for `snowmint`.
   */
  int64_t max_ahead_ms;
  /**
   * The time that a renewal reserves, 100 to 3600000 milliseconds, and at least twice
   * `max_ahead_ms` and four ticks. A fixed worker ID always reserves this much
   * (`SNOWMINT_UNSET`: 1000). A leased worker ID reserves at most this much, once its lease has
   * lived that long (`SNOWMINT_UNSET`: 60000).
   */
  int64_t reserve_ms;
  /**
   * The longest wait of a call for an ID, in milliseconds; 0 never waits. `SNOWMINT_UNSET`:
   * 5000.
   */
  int64_t wait_ms;
} snowmint_snowflake_options;

/**
 * A function of yours that reserves the next `count` numbers of a tag durably in a database. It
 * writes them to `range` and returns 0. The range is half-open, and may have fewer or more numbers
 * than `count`. The ranges must be disjoint and must rise, across this and every other process.
 * Any other return value is a failure: calls get `SNOWMINT_STORE_UNAVAILABLE` within their bound,
 * and the library calls the function again after a while.
 *
 * One thread of the library calls it at a time, never a thread that mints. It may block. It must
 * return: leaving it by `longjmp`, an exception or `pthread_exit` is forbidden, and aborts the
 * process. It may call the library, but not with the source that it serves: that source can be
 * freed while the function still runs. A forked child calls it with the same `context`, and needs
 * a connection of its own there.
 */
typedef int (*snowmint_allocate)(void *context,
                                 const char *tag,
                                 uint64_t count,
                                 snowmint_range *range);

/**
 * The options of a segment. Begin with `SNOWMINT_SEGMENT_OPTIONS_INIT`, and set `tag` and one of
 * `store` and `allocate`. Texts and handles are only read during the call; the source keeps its
 * store alive.
 */
typedef struct {
  /**
   * `sizeof(snowmint_segment_options)`.
   */
  size_t size;
  /**
   * The tag: 1 to 64 of `A-Z a-z 0-9 _ . : -`, or such a tag in a namespace: `shop/orders`. It
   * must already exist in the store.
   */
  const char *tag;
  /**
   * The store.
   */
  const snowmint_store *store;
  /**
   * The function that reserves ranges, in place of a store.
   */
  snowmint_allocate allocate;
  /**
   * The first argument of `allocate`. Threads of the library use it.
   */
  void *context;
  /**
   * The library calls it when `context` is no longer needed, also if opening fails, except for a
   * wrong `size`. It may be NULL.
   */
  snowmint_release release;
  /**
   * The count of numbers in a range, 1 to 1073741824. `SNOWMINT_UNSET`: the tag's step (1000
   * with `allocate`), which doubles, up to a million, while ranges last less than 15 minutes.
   */
  int64_t step;
  /**
   * In place of `step`: the time that the numbers at hand should last while the store is away, 1
   * to 86400000 milliseconds. Beginning with the tag's step, ranges double until they last that
   * long. `SNOWMINT_UNSET`: `step` decides.
   */
  int64_t runway_ms;
  /**
   * The percentage of a range that is used when the next range is fetched, 0 to 100.
   * `SNOWMINT_UNSET`: 10.
   */
  int64_t prefetch_percent;
  /**
   * The longest wait of a call for a number, in milliseconds; 0 never waits. `SNOWMINT_UNSET`:
   * 5000.
   */
  int64_t wait_ms;
} snowmint_segment_options;

/**
 * The options of daily numbers. Begin with `SNOWMINT_DAILY_OPTIONS_INIT`, and set `tag` and
 * `store`. Texts and handles are only read during the call; the source keeps the store alive.
 */
typedef struct {
  /**
   * `sizeof(snowmint_daily_options)`.
   */
  size_t size;
  /**
   * The tag: at most 55 characters with its namespace if it has one (`shop/invoice`). Each day
   * has its own tag, `tag:yyyymmdd`, created when needed.
   */
  const char *tag;
  /**
   * The store.
   */
  const snowmint_store *store;
  /**
   * The time zone whose days count: `UTC`, `+08:00`, `Asia/Shanghai`. NULL: `UTC`.
   */
  const char *zone;
  /**
   * The number of digits after the date, 1 to 10. `SNOWMINT_UNSET`: 6.
   */
  int64_t digits;
  /**
   * The count of numbers in a range. `SNOWMINT_UNSET`: a thousandth of a day's numbers, at most
   * 1000.
   */
  int64_t step;
  /**
   * The percentage of a range that is used when the next range is fetched, 0 to 100.
   * `SNOWMINT_UNSET`: 50.
   */
  int64_t prefetch_percent;
  /**
   * The longest wait of a call for a number, in milliseconds; 0 never waits. `SNOWMINT_UNSET`:
   * 5000.
   */
  int64_t wait_ms;
} snowmint_daily_options;

/**
 * The options of sequences. Begin with `SNOWMINT_SEQUENCES_OPTIONS_INIT`, and set `tag` and
 * `store`. Texts and handles are only read during the call; the handle keeps the store alive.
 */
typedef struct {
  /**
   * `sizeof(snowmint_sequences_options)`.
   */
  size_t size;
  /**
   * The tag: at most 59 characters, better 40, with its namespace if it has one (`shop/chat`).
   */
  const char *tag;
  /**
   * The store.
   */
  const snowmint_store *store;
  /**
   * The number of keys that share a persisted maximum. It can never be changed for a tag.
   * `SNOWMINT_UNSET`: 100000.
   */
  int64_t keys_per_section;
  /**
   * The amount by which a maximum is raised at a time. `SNOWMINT_UNSET`: 10000.
   */
  int64_t step;
  /**
   * The longest wait of a call for a number, in milliseconds; 0 never waits. `SNOWMINT_UNSET`:
   * 5000.
   */
  int64_t wait_ms;
} snowmint_sequences_options;

/**
 * A range at hand.
 */
typedef struct {
  /**
   * The count of its numbers that are left.
   */
  uint64_t left;
  /**
   * The count of numbers that it had.
   */
  uint64_t size;
} snowmint_bucket;

/**
 * The state of a source at one moment. Begin with `SNOWMINT_STATS_INIT`, which sets its size. A
 * value that does not apply to a source is 0, and its `has_` field is false.
 */
typedef struct {
  /**
   * `sizeof(snowmint_stats)`.
   */
  size_t size;
  /**
   * `snowflake`, `segment`, `daily`, `sequences` or `uuid`; for a ring, the kind of its source.
   */
  char kind[16];
  /**
   * The time that this process has had the worker ID, in milliseconds.
   */
  uint64_t lease_age_ms;
  /**
   * The time reserved ahead of the clock, in milliseconds: IDs can be minted that long without
   * the store. It is 0 or less when that time is used up.
   */
  int64_t reserved_ms;
  /**
   * The milliseconds added to the wall clock: its distance from the store's clock, or a step of
   * it that is not followed.
   */
  int64_t clock_offset_ms;
  /**
   * The lead of the last ID's time over the clock, in milliseconds.
   */
  uint64_t borrowed_ms;
  /**
   * The number of times that the clock went back and was counted in the layout's rollback bits.
   */
  uint64_t rollbacks;
  /**
   * The ranges at hand, beginning with the range in use. For a ring, its ready IDs come first.
   */
  snowmint_bucket buckets[17];
  /**
   * The number of `buckets` in use.
   */
  size_t bucket_count;
  /**
   * The count of numbers that the next range will have.
   */
  uint64_t step;
  /**
   * Numbers used per second between the last two ranges, or since the last one if that is
   * longer. It is not known before there were two.
   */
  double rate;
  /**
   * The time that the numbers at hand last at that rate, or the reserved time, in milliseconds.
   */
  uint64_t runway_ms;
  /**
   * The time of the store's last failure, in Unix milliseconds of this machine's clock.
   */
  int64_t failure_unix_ms;
  /**
   * The message of the store's last failure, cut if it is longer.
   */
  char failure_message[512];
  /**
   * The status of the store's last failure; `SNOWMINT_OK` if it never failed.
   */
  snowmint_status failure_status;
  /**
   * The worker ID that IDs are minted under.
   */
  uint32_t worker_id;
  /**
   * True if the source was closed.
   */
  bool is_closed;
  /**
   * True if `worker_id` is known.
   */
  bool has_worker_id;
  /**
   * True if `lease_age_ms` is known.
   */
  bool has_lease_age_ms;
  /**
   * True if `reserved_ms` is known.
   */
  bool has_reserved_ms;
  /**
   * True if `clock_offset_ms` is known.
   */
  bool has_clock_offset_ms;
  /**
   * True if `borrowed_ms` is known.
   */
  bool has_borrowed_ms;
  /**
   * True if `step` is known.
   */
  bool has_step;
  /**
   * True if `rate` is known.
   */
  bool has_rate;
  /**
   * True if `runway_ms` is known.
   */
  bool has_runway_ms;
  /**
   * True if the store ever failed.
   */
  bool has_failure;
  /**
   * True if the store has answered since.
   */
  bool failure_is_over;
  /**
   * True if `reserve_ms` is known.
   */
  bool has_reserve_ms;
  /**
   * The time that the lease's last renewal reserved, in milliseconds; not known for a fixed
   * worker ID. The next renewal is due once a third of it is used.
   */
  uint32_t reserve_ms;
  /**
   * The tag's next number after the last range that this process reserved. Other processes may
   * have reserved higher ones since. It is not known before there was a range.
   */
  uint64_t tag_next;
  /**
   * The tag of `tag_next`, with its date if its numbers are of a day.
   */
  char tag_next_tag[65];
  /**
   * True if `tag_next` is known.
   */
  bool has_tag_next;
} snowmint_stats;

/**
 * An event of a source or its store. The texts are valid during the call.
 */
typedef struct {
  /**
   * `sizeof(snowmint_event)` of the library; a newer library may have more fields at the end.
   */
  size_t size;
  /**
   * The kind of the event.
   */
  snowmint_event_kind kind;
  /**
   * The status of the failure behind it; `SNOWMINT_OK` if there is none.
   */
  snowmint_status code;
  /**
   * The time in Unix milliseconds of this machine's clock.
   */
  int64_t unix_ms;
  /**
   * The kind of the source that saw it: `snowflake`, `segment`, `daily` or `sequences`.
   */
  const char *source;
  /**
   * Its tag; NULL if it has none.
   */
  const char *tag;
  /**
   * A line that says what happened and what to do, in English, UTF-8.
   */
  const char *message;
  /**
   * Its worker ID, if `has_worker_id`; after a lost lease, the worker ID that was lost.
   */
  uint32_t worker_id;
  /**
   * True if there is a worker ID.
   */
  bool has_worker_id;
  /**
   * True if something is wrong, or will be; false if a problem is over.
   */
  bool is_warning;
} snowmint_event;

/**
 * A function that receives events.
 */
typedef void (*snowmint_on_event_function)(void *context, const snowmint_event *event);

/**
 * A worker ID and its holder.
 */
typedef struct {
  /**
   * The realm: the layout's canonical text.
   */
  char realm[256];
  /**
   * Its present or last holder.
   */
  char owner[256];
  /**
   * The number of its acquisitions.
   */
  uint64_t epoch;
  /**
   * The first Unix millisecond that is not reserved.
   */
  int64_t reserved_ms;
  /**
   * The time when the lease ends if it is not renewed, in Unix milliseconds.
   */
  int64_t expires_ms;
  /**
   * The worker ID.
   */
  uint32_t worker_id;
  /**
   * True if it is held, by the store's clock.
   */
  bool held;
} snowmint_worker;

/**
 * A tag of a store.
 */
typedef struct {
  /**
   * The tag's name.
   */
  char name[65];
  /**
   * The first number that nobody has reserved yet.
   */
  uint64_t next;
  /**
   * The count of numbers in a range, unless the client asks for more.
   */
  uint64_t step;
  /**
   * The distance between two numbers.
   */
  uint64_t stride;
  /**
   * The largest number that may be issued.
   */
  uint64_t max;
  /**
   * The time when a range was last taken or the row changed, in Unix milliseconds of the store's
   * clock.
   */
  int64_t updated_ms;
} snowmint_tag;

/**
 * The properties of a layout. Set `size` before the call.
 */
typedef struct {
  /**
   * `sizeof(snowmint_layout_facts)`.
   */
  size_t size;
  /**
   * The epoch, in Unix milliseconds.
   */
  int64_t epoch_ms;
  /**
   * The first Unix millisecond that the layout cannot express.
   */
  int64_t expires_ms;
  /**
   * The number of ticks that the time field counts.
   */
  uint64_t ticks;
  /**
   * The number of IDs that one worker can mint in a tick.
   */
  uint64_t ids_per_tick;
  /**
   * The number of IDs that one worker can mint in a second, on average.
   */
  uint64_t ids_per_second;
  /**
   * The length of a tick, in milliseconds.
   */
  uint32_t tick_ms;
  /**
   * The width of the worker ID, in bits.
   */
  uint32_t worker_bits;
  /**
   * The largest worker ID.
   */
  uint32_t max_worker_id;
  /**
   * The number of fields.
   */
  uint32_t field_count;
} snowmint_layout_facts;

/**
 * A run of bits in an ID.
 */
typedef struct {
  /**
   * The kind of its value: `time`, `worker`, `constant`, ...
   */
  char name[16];
  /**
   * The largest value it holds.
   */
  uint64_t max;
  /**
   * Its width, in bits.
   */
  uint32_t bits;
  /**
   * The number of bits below it: its value in an ID is `id >> shift & max`.
   */
  uint32_t shift;
} snowmint_field;

/**
 * The parts of an ID in a layout. For a layout's other fields, and for the parts of a worker ID
 * (Discord's `worker` and `process`), use `snowmint_layout_field`: `id >> shift & max`.
 */
typedef struct {
  /**
   * The start of the ID's tick in Unix milliseconds: when it was minted, as exactly as TIME
   * says. `snowmint_layout_encode` rounds it down to its tick.
   */
  int64_t unix_ms;
  /**
   * The worker ID: all worker fields side by side, the upper first. 0 if there is none.
   */
  uint32_t worker_id;
  /**
   * The sequence number, which tells apart the IDs of one worker ID and tick.
   */
  uint32_t sequence;
  /**
   * The rollback counter: how often the clock went back, cyclically. 0 if there is none.
   */
  uint32_t rollback;
  /**
   * Not used: the library writes 0 and does not read it.
   */
  uint32_t reserved;
} snowmint_parts;

/**
 * A part of a worker ID.
 */
typedef struct {
  /**
   * The field: `datacenter`, `worker`, `process`, `shard`.
   */
  const char *field;
  /**
   * Its value.
   */
  uint32_t value;
} snowmint_worker_part;

/**
 * A preset that an ID may come from, and the ID's parts in it.
 */
typedef struct {
  /**
   * The preset's name.
   */
  char preset[32];
  /**
   * The ID's parts in the preset's layout.
   */
  snowmint_parts parts;
  /**
   * True if the text beside the ID names the system; otherwise many systems may have such an ID.
   */
  bool named;
  /**
   * Empty if the guess is likely, otherwise the reason why it is not:
   *
   * - `ambiguous`: other systems that would give it another time fit as well.
   * - `unlikely`: its bits are unusual there, or another system is far likelier.
   * - `rare` or `expired`: the preset is.
   * - `young`: it would be of the layout's first month.
   */
  char doubt[16];
} snowmint_guess;

/**
 * A text form of IDs.
 */
typedef struct {
  /**
   * The name: `dec`, `hex`, `base32`, `base32-check`, `z-base32`, `base36`, `base58`,
   * `base58-flickr`, `base62`.
   */
  char name[32];
  /**
   * The symbols of the digits, beginning with the symbol of 0.
   */
  char alphabet[72];
  /**
   * The number of symbols if all texts of the form have the same number, else 0.
   */
  uint32_t width;
  /**
   * True if texts in byte order are IDs in numeric order.
   */
  bool sortable;
} snowmint_text_form;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns a sentence that explains a status; `snowmint_last_message` says more. The text is a
 * constant; do not free it.
 */
const char *snowmint_status_summary(snowmint_status status);

/**
 * Returns true if trying again later can succeed without anybody changing anything.
 */
bool snowmint_status_is_transient(snowmint_status status);

/**
 * After a stall (`SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED`,
 * `SNOWMINT_GRANT_EXHAUSTED`), gets the time until the call can succeed if the clock goes on, in
 * milliseconds; 0 if time does not help.
 *
 * Errors: `SNOWMINT_EMPTY` if the thread's last failure was no stall, or there was none.
 * `snowmint_last_message` still has the message of that failure.
 */
snowmint_status snowmint_last_wait_ms(uint64_t *wait_ms);

/**
 * Returns the library's version, such as `1.2.3`. The text is a constant; do not free it.
 */
const char *snowmint_version(void);

/**
 * Returns the number of the library's binary interface, which also ends the shared library's
 * SONAME. If you load the library by hand, compare it with SNOWMINT_ABI_VERSION, the header's
 * number.
 */
uint32_t snowmint_abi_version(void);

/**
 * Gets the kind of a source.
 *
 * Errors: only for invalid arguments.
 */
snowmint_status snowmint_source_kind(const snowmint_source *source, snowmint_kind *kind);

/**
 * Fills an array with 1 to `SNOWMINT_MAX_COUNT` IDs, the limits of one call in every language. Use
 * it for counts that come from outside.
 *
 * Errors: those of `snowmint_source_fill`; `SNOWMINT_COUNT_OUT_OF_RANGE` for other counts.
 */
snowmint_status snowmint_source_next_ids(const snowmint_source *source,
                                         uint64_t *ids,
                                         size_t count);

/**
 * Takes up to `at_most` numbers of a segment in one run, for a caller that counts through them. It
 * waits up to `wait_ms` milliseconds. Numbers that the caller does not use are a gap.
 *
 * Errors: those of `snowmint_source_next`; `SNOWMINT_COUNT_OUT_OF_RANGE` for 0;
 * `SNOWMINT_UNSUPPORTED` for other sources.
 */
snowmint_status snowmint_source_next_range(const snowmint_source *source,
                                           uint64_t at_most,
                                           uint64_t wait_ms,
                                           snowmint_range *range);

/**
 * Takes the next number of a key from sequences that were opened by URL, waiting up to the
 * source's bound. For sequences that were opened with options, use `snowmint_sequences_next`.
 *
 * Errors: those of `snowmint_sequences_next`; `SNOWMINT_UNSUPPORTED` for other sources.
 */
snowmint_status snowmint_source_next_of(const snowmint_source *source,
                                        uint64_t key,
                                        uint64_t *number);

/**
 * Takes the next number of a key, waiting up to `wait_ms` milliseconds; 0 never waits.
 *
 * Errors: those of `snowmint_source_next_of`.
 */
snowmint_status snowmint_source_next_of_within(const snowmint_source *source,
                                               uint64_t key,
                                               uint64_t wait_ms,
                                               uint64_t *number);

/**
 * Mints the next UUID into 16 bytes, the most significant byte first. Never waits.
 *
 * Errors: `SNOWMINT_UNSUPPORTED` for sources of 64-bit IDs.
 */
snowmint_status snowmint_source_next_uuid(const snowmint_source *source, snowmint_uuid *uuid);

/**
 * Writes a UUID as its 36 lower-case characters and a zero. `size` is at least
 * `SNOWMINT_UUID_SIZE`.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` if `size` is too small.
 */
snowmint_status snowmint_uuid_format(const snowmint_uuid *uuid, char *text, size_t size);

/**
 * Gets the layout of a snowflake, or of a ring of snowflakes, as a handle of its own.
 *
 * Errors: `SNOWMINT_UNSUPPORTED` for other sources.
 */
snowmint_status snowmint_source_layout(const snowmint_source *source, snowmint_layout **layout);

/**
 * Counts the numbers of a range.
 *
 * Errors: `SNOWMINT_INVALID_RANGE` if the fields are not those of a range.
 */
snowmint_status snowmint_range_count(const snowmint_range *range, uint64_t *count);

/**
 * Opens a snowflake. `source` receives a handle, which you end with `snowmint_source_free`; an
 * error leaves it unchanged. The call may block: it opens files and calls the store.
 *
 * Order: IDs rise strictly if time is the layout's top field and the policy neither changes
 * workers nor counts rollbacks. Overflow: a full tick borrows from the future up to
 * `max_ahead_ms`, then waits without spinning. Clock rollback: the policy decides; no ID is ever
 * repeated. Fork: a child leases its own worker ID; with a fixed worker ID it fails with
 * `SNOWMINT_FORKED`. Crash: the next holder of the worker ID begins above everything issued.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` if no worker ID or several are set, for a number out of
 * range, or for a layout whose ticks are longer than 40 minutes. `SNOWMINT_UNSUPPORTED` for
 * options of a newer header. `SNOWMINT_UNKNOWN_LAYOUT`, `SNOWMINT_FIELD_OUT_OF_RANGE`,
 * `SNOWMINT_WORKER_NOT_CONFIGURED`, `SNOWMINT_EPOCH_IN_FUTURE`, `SNOWMINT_LAYOUT_EXPIRED`,
 * `SNOWMINT_WORKER_IN_USE`, `SNOWMINT_MARK_AHEAD`, `SNOWMINT_WORKERS_EXHAUSTED`, and those of the
 * store.
 */
snowmint_status snowmint_source_open_snowflake(const snowmint_snowflake_options *options,
                                               snowmint_source **source);

/**
 * Opens a segment. `source` receives a handle, which you end with `snowmint_source_free`; an error
 * leaves it unchanged. The call looks up the tag in the store. The first call that mints fetches
 * the first range.
 *
 * Order: numbers rise strictly, across threads and ranges; between processes there is no order.
 * Gaps: numbers that were fetched but not minted when a process ends are lost. Store down: fetched
 * numbers are minted to the end, then calls fail within their bound. Calls succeed again once the
 * store is back. Fork: a child fetches its own ranges.
 *
 * Wrong ranges: a malformed range fails with `SNOWMINT_INVALID_RANGE` and is not used; the library
 * asks again a moment later. A range at or below the last one fails with
 * `SNOWMINT_RANGE_REGRESSED`. So does every later call, because another process may have the
 * numbers that follow. Calls succeed again after an operator has raised the store's tag, or after
 * you open the segment anew. With `allocate` nobody can raise the tag, and a new segment does not
 * know which numbers this one had: open it once `allocate` gives numbers above everything ever
 * issued.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` if none or both of `store` and `allocate` are set, or for a
 * number out of range; `SNOWMINT_UNSUPPORTED` for options of a newer header;
 * `SNOWMINT_INVALID_TAG`, `SNOWMINT_INVALID_STEP`, `SNOWMINT_UNKNOWN_TAG`; those of the store.
 */
snowmint_status snowmint_source_open_segment(const snowmint_segment_options *options,
                                             snowmint_source **source);

/**
 * Opens a source of numbers that begin with the date: with 6 digits the 42nd number of 21 August
 * 2026 is 20260821000042. `source` receives a handle, which you end with `snowmint_source_free`;
 * an error leaves it unchanged. The call may block: it calls the store.
 *
 * Numbers rise strictly, across threads, ranges and days. When a day's numbers are used up, calls
 * fail with `SNOWMINT_TAG_EXHAUSTED` until the next day. If the clock goes back over midnight, the
 * later day goes on: nothing is issued twice.
 *
 * Errors: `SNOWMINT_INVALID_TIME` for an unknown zone; `SNOWMINT_INVALID_PARAMETER` for digits,
 * `SNOWMINT_INVALID_STEP` for a step out of range; `SNOWMINT_INVALID_TAG`; `SNOWMINT_UNSUPPORTED`
 * for options of a newer header; those of the store.
 */
snowmint_status snowmint_source_open_daily(const snowmint_daily_options *options,
                                           snowmint_source **source);

/**
 * Opens sequences. `sequences` receives a handle, which you end with `snowmint_sequences_free`; an
 * error leaves it unchanged. The call may block: it calls the store.
 *
 * The numbers of a key rise strictly, across threads and restarts; two keys can have the same
 * number. A restart skips up to two steps.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` if `keys_per_section` is 0, too large, or not the recorded
 * number; `SNOWMINT_INVALID_STEP`, `SNOWMINT_INVALID_TAG`; `SNOWMINT_UNSUPPORTED` for options of a
 * newer header; those of the store.
 */
snowmint_status snowmint_sequences_open(const snowmint_sequences_options *options,
                                        snowmint_sequences **sequences);

/**
 * Takes the next number of a key, waiting up to the bound of the sequences.
 *
 * Errors: `SNOWMINT_WAIT_TIMEOUT`, `SNOWMINT_INVALID_KEY`, `SNOWMINT_TAG_EXHAUSTED`,
 * `SNOWMINT_RANGE_REGRESSED`, `SNOWMINT_CLOSED`; those of the store.
 */
snowmint_status snowmint_sequences_next(const snowmint_sequences *sequences,
                                        uint64_t key,
                                        uint64_t *number);

/**
 * Takes the next number of a key, waiting up to `wait_ms` milliseconds; 0 never waits.
 *
 * Errors: those of `snowmint_sequences_next`.
 */
snowmint_status snowmint_sequences_next_within(const snowmint_sequences *sequences,
                                               uint64_t key,
                                               uint64_t wait_ms,
                                               uint64_t *number);

/**
 * Stops minting. The rest of the fetched ranges is lost. Closing twice is no error.
 *
 * Errors: only for invalid arguments.
 */
snowmint_status snowmint_sequences_close(const snowmint_sequences *sequences);

/**
 * Closes the sequences and frees the handle, which must not be used any more. NULL is no error.
 */
void snowmint_sequences_free(snowmint_sequences *sequences);

/**
 * Gets the state of a source. The call changes nothing, and neither calls a store nor waits for
 * one.
 *
 * Errors: `SNOWMINT_UNSUPPORTED` for a struct of a newer header, `SNOWMINT_INVALID_PARAMETER` for
 * a struct without its size.
 */
snowmint_status snowmint_source_stats(const snowmint_source *source, snowmint_stats *stats);

/**
 * Gets the state of sequences as a whole, not of their sections.
 *
 * Errors: those of `snowmint_source_stats`.
 */
snowmint_status snowmint_sequences_stats(const snowmint_sequences *sequences,
                                         snowmint_stats *stats);

/**
 * Registers `on_event`, which the library calls with each event of this process, such as a lost
 * lease or a store that fails or answers again. `snowmint_event_kind` lists them. A change is
 * reported once, and not again with each retry. A store's handle reports an event once, however
 * many sources it has. Functions of yours report it once for each source.
 *
 * The thread that saw the event calls it: a thread of the library that calls a store, or a thread
 * that opens a snowflake. Threads of two stores may call it at the same time. A call that mints
 * never calls it. It must not block, for example by writing to a pipe: during the call no lease of
 * that store is renewed. It may call everything, including the functions that close the source and
 * `snowmint_listener_free`. A call that waits for the store would wait for its own thread. It must
 * return: leaving it by `longjmp`, an exception or `pthread_exit` is forbidden, and aborts the
 * process. A forked child calls it with the same `context`, for its own events only.
 *
 * The library calls `release` with `context` after the last call of `on_event`; `release` may be
 * NULL. `listener` receives a handle, which you end with `snowmint_listener_free`. If `listener`
 * is NULL, `on_event` is called for as long as the process lives. After an error `release` is
 * called at once.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` if `on_event` is NULL.
 */
snowmint_status snowmint_on_event(snowmint_on_event_function on_event,
                                  void *context,
                                  snowmint_release release,
                                  snowmint_listener **listener);

/**
 * Removes the listener and frees the handle, which must not be used any more. NULL is no error. It
 * waits for nothing: a call in another thread may still be running.
 */
void snowmint_listener_free(snowmint_listener *listener);

/**
 * Returns the stable name of a kind of event, the same in every language, for example
 * `lease_lost`. It is `unknown` for a number that this library does not know. The text is a
 * constant; do not free it.
 */
const char *snowmint_event_name(snowmint_event_kind kind);

/**
 * Tells the library that this process is a restored or cloned image, for example from a snapshot
 * of its virtual machine or a checkpoint of CRIU. The library drops every lease, range and answer
 * under way. Each source starts over at its next call, as in a forked child.
 *
 * When: call it once after each restore, in the restored process, before the first ID. If machines
 * are cloned, call it in each of them. A process cannot detect that it was restored. Until the
 * call the copies of an image can issue the same IDs, up to the end of the reservations in the
 * image. These are a lease's reserved time (`reserve_ms`), or the rest of a range. An unnecessary
 * call only costs a gap.
 *
 * Then: snowflakes with a leased worker ID take another lease; the dropped lease ends by itself.
 * Segments, daily numbers and sequences fetch other ranges, and go on above every number issued
 * before. Fixed worker IDs are in every copy. Their sources fail with `SNOWMINT_FORKED`; open them
 * anew with a worker ID that no other copy has. A store in memory is in every copy, too, and fails
 * with `SNOWMINT_STORE_UNAVAILABLE`. A store in a file that is part of the image is cloned with
 * it: keep the file outside the image. You have to open the connections behind your callbacks
 * anew. UUIDs go on. A `snowmint_machine` or `snowmint_buffer` stays as it is. Handles stay valid,
 * and closed handles stay closed.
 *
 * Threads: any, during calls on any handle. Once it returns, no new call issues an ID that was
 * there before. A call that another thread had begun may still return such an ID. It never fails.
 */
void snowmint_on_restore(void);

/**
 * Opens a store by its URL: `sqlite:ids.db`, `postgres://user@host/database`,
 * `mysql://user@host/database`, `redis://host:6379/0`, `etcd://host:2379`, or
 * `zookeeper://host:2181`. For tests, `memory:NAME` is the store of that name in this process, and
 * `memory:` another one each time.
 * `sqlite:ids.db?create=true` creates the file if it is missing. `store` receives a handle, which
 * you end with `snowmint_store_free`; an error leaves it unchanged.
 *
 * Errors: `SNOWMINT_INVALID_URL`, `SNOWMINT_UNKNOWN_SCHEME`, `SNOWMINT_UNKNOWN_PARAMETER`; those of
 * the store: `SNOWMINT_STORE_MISSING` for a file that is not there, `SNOWMINT_STORE_UNAVAILABLE`,
 * `SNOWMINT_STORE_LOCKED`, `SNOWMINT_STORE_READ_ONLY`, `SNOWMINT_STORE_CORRUPT`,
 * `SNOWMINT_STORE_SCHEMA`, `SNOWMINT_STORE_FULL`, `SNOWMINT_UNSAFE_SETTING`,
 * `SNOWMINT_OUTCOME_UNKNOWN`.
 */
snowmint_status snowmint_store_open(const char *url, snowmint_store **store);

/**
 * Frees the handle, which must not be used any more. NULL is no error. Sources that were opened on
 * the store go on: the store ends with the last of them.
 */
void snowmint_store_free(snowmint_store *store);

/**
 * Lists worker IDs by realm and number. `count` receives the number of all worker IDs. The first
 * of them, at most `capacity`, are written to `workers`, which may be NULL if `capacity` is 0.
 *
 * Errors: those of the store.
 */
snowmint_status snowmint_store_workers(const snowmint_store *store,
                                       snowmint_worker *workers,
                                       size_t capacity,
                                       size_t *count);

/**
 * Ends the lease of a worker ID, for an operator who knows that its holder is gone. Its reserved
 * time stays reserved. `evicted` receives true if there was such a row; it may be NULL.
 *
 * Errors: those of the store.
 */
snowmint_status snowmint_store_evict(const snowmint_store *store,
                                     const char *realm,
                                     uint32_t worker_id,
                                     bool *evicted);

/**
 * Creates a tag. Its first number is `start`, its ranges have `step` numbers at a distance of
 * `stride`, and no number is above `max`, for example the largest value of a column.
 * `SNOWMINT_UNSET` stands for 1, 1000, 1 and the largest number of all. A tag may have a
 * namespace: `shop/orders`.
 *
 * Errors: `SNOWMINT_TAG_EXISTS`, `SNOWMINT_INVALID_TAG`, `SNOWMINT_INVALID_STEP`,
 * `SNOWMINT_INVALID_RANGE`; those of the store.
 */
snowmint_status snowmint_store_create_tag(const snowmint_store *store,
                                          const char *tag,
                                          int64_t start,
                                          int64_t step,
                                          int64_t stride,
                                          int64_t max);

/**
 * Creates a tag like `snowmint_store_create_tag`, unless it exists. An existing tag is left as it
 * is, with its own options.
 *
 * Errors: `SNOWMINT_INVALID_TAG`, `SNOWMINT_INVALID_STEP`, `SNOWMINT_INVALID_RANGE`; those of the store.
 */
snowmint_status snowmint_store_ensure_tag(const snowmint_store *store,
                                          const char *tag,
                                          int64_t start,
                                          int64_t step,
                                          int64_t stride,
                                          int64_t max);

/**
 * Raises the next number of a tag, or sets its step or its largest number. `SNOWMINT_UNSET` leaves
 * a value as it is. `row` receives the changed tag; it may be NULL.
 *
 * Errors: `SNOWMINT_UNKNOWN_TAG`, `SNOWMINT_INVALID_STEP`, and those of the store.
 * `SNOWMINT_RANGE_REGRESSED` for a next number below the present one. `SNOWMINT_INVALID_RANGE` for
 * a next number above the largest number, or for a largest number below the numbers that were
 * given.
 */
snowmint_status snowmint_store_change_tag(const snowmint_store *store,
                                          const char *tag,
                                          int64_t next,
                                          int64_t step,
                                          int64_t max,
                                          snowmint_tag *row);

/**
 * Lets a server that took another's place go on with the data that it has. You confirm that these
 * data are all that was given. `server` is the server as its refusals name it; any other server
 * refuses. First, each tag whose ranges may be lost is raised by `raise_by_steps` steps. A step
 * counts as the tag's last range if that was longer.
 *
 * If tags may be lost, set `new_from`: tags created from now on begin there or above. A lower
 * value than the present one changes nothing, and 0 ends it. Reset it to 0 once each lost tag is
 * there again or is gone for good. `SNOWMINT_UNSET` leaves the present value. `count` receives the
 * number of raised tags; it may be NULL.
 *
 * Errors: `SNOWMINT_INCARNATION_CHANGED` from another server; `SNOWMINT_INVALID_PARAMETER`,
 * `SNOWMINT_INVALID_RANGE`; `SNOWMINT_UNSUPPORTED` from other stores; those of the store.
 */
snowmint_status snowmint_store_vouch(const snowmint_store *store,
                                     const char *server,
                                     uint64_t raise_by_steps,
                                     int64_t new_from,
                                     size_t *count);

/**
 * Looks up a tag.
 *
 * Errors: `SNOWMINT_UNKNOWN_TAG`, `SNOWMINT_INVALID_TAG`; those of the store.
 */
snowmint_status snowmint_store_tag(const snowmint_store *store, const char *tag, snowmint_tag *row);

/**
 * Lists tags by name. `count` receives the number of all tags. The first of them, at most
 * `capacity`, are written to `tags`, which may be NULL if `capacity` is 0.
 *
 * Errors: those of the store.
 */
snowmint_status snowmint_store_tags(const snowmint_store *store,
                                    snowmint_tag *tags,
                                    size_t capacity,
                                    size_t *count);

/**
 * Gets the layout with a preset's name (`twitter`), or of fields from the top bit down
 * (`time:41,worker:10,sequence:12`) with ticks of 1 ms since 1970. `layout` receives a handle,
 * which you end with `snowmint_layout_free`.
 *
 * Errors: `SNOWMINT_UNKNOWN_LAYOUT`, `SNOWMINT_INVALID_LAYOUT`.
 */
snowmint_status snowmint_layout_preset(const char *name, snowmint_layout **layout);

/**
 * Creates a layout of fields from the top bit down: `time`, `worker`, `datacenter`, `process`,
 * `shard`, `sequence`, `rollback` with their widths, `zero:1`, `constant:2=3`. Bits that are left
 * over become zeros at the top. The epoch is in Unix milliseconds; a tick has `tick_ms`
 * milliseconds. `layout` receives a handle, which you end with `snowmint_layout_free`.
 *
 * Errors: `SNOWMINT_INVALID_LAYOUT`.
 */
snowmint_status snowmint_layout_fields(const char *fields,
                                       int64_t epoch_ms,
                                       uint32_t tick_ms,
                                       snowmint_layout **layout);

/**
 * Frees a layout, which must not be used any more. NULL is no error. Sources opened with it go on.
 */
void snowmint_layout_free(snowmint_layout *layout);

/**
 * Gets the properties of a layout.
 *
 * Errors: `SNOWMINT_UNSUPPORTED` for a struct of a newer header.
 */
snowmint_status snowmint_layout_describe(const snowmint_layout *layout,
                                         snowmint_layout_facts *facts);

/**
 * Writes the fields of a layout in the form that `snowmint_layout_fields` reads, and a zero.
 * `size` is at least `SNOWMINT_FIELDS_SIZE`.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` if `size` is too small.
 */
snowmint_status snowmint_layout_text(const snowmint_layout *layout, char *text, size_t size);

/**
 * Gets the field at an index, from 0 at the top bit down.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` past the last field.
 */
snowmint_status snowmint_layout_field(const snowmint_layout *layout,
                                      uint32_t index,
                                      snowmint_field *field);

/**
 * Splits an ID into its parts.
 *
 * Errors: `SNOWMINT_ID_NOT_IN_LAYOUT` if constant bits differ.
 */
snowmint_status snowmint_layout_decode(const snowmint_layout *layout,
                                       uint64_t id,
                                       snowmint_parts *parts);

/**
 * Splits `count` IDs into their parts. It stops at the first ID that is not in the layout: `parts`
 * then holds those before it, and the message tells its index.
 *
 * Errors: `SNOWMINT_ID_NOT_IN_LAYOUT`.
 */
snowmint_status snowmint_layout_decode_many(const snowmint_layout *layout,
                                            const uint64_t *ids,
                                            size_t count,
                                            snowmint_parts *parts);

/**
 * Builds an ID from its parts; the time is rounded down to its tick.
 *
 * Errors: `SNOWMINT_TIME_OUT_OF_RANGE`, `SNOWMINT_FIELD_OUT_OF_RANGE`.
 */
snowmint_status snowmint_layout_encode(const snowmint_layout *layout,
                                       const snowmint_parts *parts,
                                       uint64_t *id);

/**
 * Gets the smallest ID with the tick of a time (`SNOWMINT_NOW`: the present), where paging by time
 * begins. An ID that is minted later can be below the smallest ID of the present: see TIME.
 *
 * Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
 */
snowmint_status snowmint_layout_min_id(const snowmint_layout *layout,
                                       int64_t unix_ms,
                                       uint64_t *id);

/**
 * Gets the largest ID with the tick of a time (`SNOWMINT_NOW`: the present), where paging by time
 * ends. The largest ID of the present is above all IDs dated until now, but not above all IDs
 * minted until now. IDs can be dated up to `max_ahead_ms` after their minting, and by clocks that
 * are ahead.
 *
 * Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
 */
snowmint_status snowmint_layout_max_id(const snowmint_layout *layout,
                                       int64_t unix_ms,
                                       uint64_t *id);

/**
 * Gets the tick of a time (`SNOWMINT_NOW`: the present), counted from the epoch's tick.
 *
 * Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
 */
snowmint_status snowmint_layout_tick_at(const snowmint_layout *layout,
                                        int64_t unix_ms,
                                        uint64_t *tick);

/**
 * Builds a worker ID from its parts: datacenter 11 and worker 26 are 378 in Twitter's layout.
 * Missing parts are 0. If a part is given twice, the last one counts.
 *
 * Errors: `SNOWMINT_FIELD_OUT_OF_RANGE` for a value that does not fit, and for any value but 0 of
 * a field that the layout does not have; `SNOWMINT_INVALID_PARAMETER` for a name that no field
 * has.
 */
snowmint_status snowmint_layout_worker_id(const snowmint_layout *layout,
                                          const snowmint_worker_part *parts,
                                          size_t count,
                                          uint32_t *worker_id);

/**
 * Gets which IDs of a layout fit `bits` bits: 63 for a signed integer, 53 for a JavaScript number.
 * `until_ms` receives the time for `SNOWMINT_FIT_UNTIL`, else 0; it may be NULL.
 *
 * Errors: only for invalid arguments.
 */
snowmint_status snowmint_layout_fits(const snowmint_layout *layout,
                                     uint32_t bits,
                                     snowmint_fit *fit,
                                     int64_t *until_ms);

/**
 * Lists the presets that an ID may come from at a time (`SNOWMINT_NOW`: the present). Likely
 * guesses come first, and all of them have one time. If the first guess has a `doubt`, no preset
 * is likely. `beside` is the text that
 * stood beside the ID and may name its system: the key of its value (`guild_id`), its link, or a
 * column's name. It may be NULL. `count` receives the number of all guesses. The first of them, at
 * most `capacity`, are written to `guesses`, which may be NULL if `capacity` is 0.
 *
 * Errors: only for invalid arguments.
 */
snowmint_status snowmint_guess_presets(uint64_t id,
                                       int64_t now_ms,
                                       const char *beside,
                                       snowmint_guess *guesses,
                                       size_t capacity,
                                       size_t *count);

/**
 * Writes an ID in a text form and a zero. `size` is at least `SNOWMINT_TEXT_SIZE`, or the length
 * that the form needs plus 1.
 *
 * Errors: `SNOWMINT_UNKNOWN_TEXT_FORM`; `SNOWMINT_INVALID_PARAMETER` if `size` is too small.
 */
snowmint_status snowmint_format(uint64_t id, const char *form, char *buffer, size_t size);

/**
 * Reads an ID that `snowmint_format` wrote. Also reads spellings that can mean only one ID: padded
 * with zeros or in the other case. If `form` is NULL, the form that `snowmint_detect` gives
 * applies.
 *
 * Errors: `SNOWMINT_TEXT_LENGTH`, `SNOWMINT_INVALID_TEXT`, `SNOWMINT_TEXT_OVERFLOW`,
 * `SNOWMINT_TEXT_CHECK`; `SNOWMINT_UNKNOWN_TEXT_FORM`, also if no form is detected.
 */
snowmint_status snowmint_parse(const char *written, const char *form, uint64_t *id);

/**
 * Guesses the form that a bare text most likely has. It never guesses z-base-32, base 36 and base
 * 58, nor base 62 if base 58 writes the same text.
 *
 * Errors: `SNOWMINT_UNKNOWN_TEXT_FORM` if it can guess none.
 */
snowmint_status snowmint_detect(const char *written, snowmint_text_form *form);

/**
 * Returns the number of text forms.
 */
size_t snowmint_text_form_count(void);

/**
 * Gets the text form at an index from 0 on.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` past the last index.
 */
snowmint_status snowmint_text_form_at(size_t index, snowmint_text_form *form);

/**
 * Writes a time in Unix milliseconds as RFC 3339 (`2022-06-28T16:07:40.105Z`) and a zero. `size`
 * is at least `SNOWMINT_TIMESTAMP_SIZE`.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` if `size` is too small.
 */
snowmint_status snowmint_timestamp(int64_t unix_ms, char *buffer, size_t size);

/**
 * Opens the keys in a file, named by its path, or in an environment variable, named by `env:NAME`.
 * `env:` alone is `SNOWMINT_PUBLIC_ID_KEYS`. On Unix the file must belong to this user or root,
 * and nobody else may read it. `keys` receives a handle, which you end with
 * `snowmint_public_id_keys_free`; an error leaves it unchanged. No other thread may change the
 * environment during the call.
 *
 * Errors: `SNOWMINT_INVALID_KEYS` for keys that are missing, malformed, weak or not unique, and
 * for keys in place of their source, which no message repeats. `SNOWMINT_KEYS_EXPOSED` for a file
 * that others may read or change. `SNOWMINT_INVALID_PARAMETER` for a wrong realm.
 */
snowmint_status snowmint_public_id_keys_open(const char *source, snowmint_public_id_keys **keys);

/**
 * Opens the keys in a document in memory, TOML or JSON, of `length` bytes. You may wipe it after
 * the call. `keys` receives a handle as with `snowmint_public_id_keys_open`.
 *
 * Errors: those of `snowmint_public_id_keys_open`.
 */
snowmint_status snowmint_public_id_keys_from_bytes(const uint8_t *document,
                                                   size_t length,
                                                   snowmint_public_id_keys **keys);

/**
 * Creates a random key for tests, which ends with the handle. `snowmint public-ids keygen` creates
 * a file. `keys` receives a handle as with `snowmint_public_id_keys_open`.
 *
 * Errors: `SNOWMINT_NO_RESOURCE`.
 */
snowmint_status snowmint_public_id_keys_generate(snowmint_public_id_keys **keys);

/**
 * Wipes the keys and frees the handle, which must not be used any more. NULL is no error. A
 * `snowmint_public_ids` that was opened with them stays valid.
 */
void snowmint_public_id_keys_free(snowmint_public_id_keys *keys);

/**
 * Opens the public IDs of one type. `type_name` has 1 to 32 small letters, digits and underscores;
 * the first is a letter, and the last is no underscore. Another type cannot read these public IDs.
 * `form` is `token` (also for NULL), `base64url`, `uuid`, `number64`, `number63` or `number53`.
 * The last three are not checked: each number is read as some ID. The call derives keys, so keep
 * the handle. `ids` receives a handle, which you end with `snowmint_public_ids_free`; an error
 * leaves it unchanged.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER`, `SNOWMINT_UNKNOWN_TEXT_FORM`.
 */
snowmint_status snowmint_public_ids_open(const snowmint_public_id_keys *keys,
                                         const char *type_name,
                                         const char *form,
                                         snowmint_public_ids **ids);

/**
 * Wipes the derived keys and frees the handle, which must not be used any more. NULL is no error.
 */
void snowmint_public_ids_free(snowmint_public_ids *ids);

/**
 * Writes the public form of an ID and a zero. `size` is at least `SNOWMINT_PUBLIC_ID_SIZE`, or the
 * length that the type and form need plus 1. An ID always has the same form while the current key
 * stays.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` if `size` is too small, and for an ID with more bits than a
 * number's form; `SNOWMINT_INVALID_KEYS` for a number if several keys could be meant.
 */
snowmint_status snowmint_public_ids_encode(const snowmint_public_ids *ids,
                                           uint64_t id,
                                           char *buffer,
                                           size_t size);

/**
 * Reads an ID from its public form. An error leaves `id` unchanged.
 *
 * Errors: `SNOWMINT_NOT_FOUND` if no ID has this form, without a reason. For faults that anybody
 * can see in the text, such as wrong UTF-8: `SNOWMINT_WRONG_TYPE`, `SNOWMINT_TEXT_LENGTH`,
 * `SNOWMINT_INVALID_TEXT`, `SNOWMINT_TEXT_NOT_CANONICAL`. For numbers: `SNOWMINT_TEXT_OVERFLOW`,
 * and `SNOWMINT_INVALID_KEYS` if several keys could be meant.
 */
snowmint_status snowmint_public_ids_decode(const snowmint_public_ids *ids,
                                           const char *public_id,
                                           uint64_t *id);

/**
 * Encodes an ID as a number of 64, 63 or 53 bits, whatever the form.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER`; `SNOWMINT_INVALID_KEYS` if several keys could be meant.
 */
snowmint_status snowmint_public_ids_encode_number(const snowmint_public_ids *ids,
                                                  uint64_t id,
                                                  uint32_t bits,
                                                  uint64_t *number);

/**
 * Decodes a number of `snowmint_public_ids_encode_number`. Each number has an ID: a made-up number
 * looks like any other.
 *
 * Errors: those of `snowmint_public_ids_encode_number`.
 */
snowmint_status snowmint_public_ids_decode_number(const snowmint_public_ids *ids,
                                                  uint64_t number,
                                                  uint32_t bits,
                                                  uint64_t *id);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/** Options of a snowflake, all at their defaults: set worker_id, store or worker_store. */
#define SNOWMINT_SNOWFLAKE_OPTIONS_INIT                                                            \
  {                                                                                                \
    sizeof(snowmint_snowflake_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,            \
        SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET                                             \
  }

/** Options of a segment, all at their defaults: set tag, and store or allocate. */
#define SNOWMINT_SEGMENT_OPTIONS_INIT                                                              \
  {                                                                                                \
    sizeof(snowmint_segment_options), NULL, NULL, NULL, NULL, NULL, SNOWMINT_UNSET,                \
        SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET                                             \
  }

/** Options of daily numbers, all at their defaults: set tag and store. */
#define SNOWMINT_DAILY_OPTIONS_INIT                                                                \
  {                                                                                                \
    sizeof(snowmint_daily_options), NULL, NULL, NULL, SNOWMINT_UNSET, SNOWMINT_UNSET,              \
        SNOWMINT_UNSET, SNOWMINT_UNSET                                                             \
  }

/** Options of sequences, all at their defaults: set tag and store. */
#define SNOWMINT_SEQUENCES_OPTIONS_INIT                                                            \
  {                                                                                                \
    sizeof(snowmint_sequences_options), NULL, NULL, SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET \
  }

/** Stats for a function to fill. */
#define SNOWMINT_STATS_INIT                                                                        \
  {                                                                                                \
    sizeof(snowmint_stats), {0}, 0, 0, 0, 0, 0, {{0, 0}}, 0, 0, 0, 0, 0, {0}, SNOWMINT_OK, 0,      \
        false, false, false, false, false, false, false, false, false, false, false, false, 0, 0,  \
        {0}, false                                                                                 \
  }

#endif  /* SNOWMINT_H */
