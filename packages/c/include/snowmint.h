/*
 * snowmint: unique 64-bit IDs, minted anywhere. https://github.com/snowmint/snowmint
 * Licensed under MIT or Apache-2.0, at your option.
 *
 * Written from bindings/c by scripts/package-c: do not edit.
 *
 * First the ten functions that everybody needs. Then the rules of all, the statuses and the limits; then
 * the types, and the rest of the functions: sources of each kind and their options, stats, events, stores
 * and tags, layouts, texts, public IDs. What takes the time as an argument is in snowmint_engine.h.
 */

#ifndef SNOWMINT_H
#define SNOWMINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What a function returns: SNOWMINT_OK, which is 0, or why it failed. Numbers and names are the same in
 * every language and never change; a newer library may return others.
 */
typedef uint32_t snowmint_status;

/**
 * A source of IDs: a snowflake, a segment, daily numbers, a ring of IDs made ahead, sequences of
 * keys or UUIDs.
 *
 * Any number of threads may call any function on one source at once, except `snowmint_source_free`.
 * Minting takes no lock while reserved IDs last. A source may be carried through a `fork`: the
 * child takes a worker ID or ranges of its own at its first call, or fails with `SNOWMINT_FORKED`
 * where the worker ID is a fixed one.
 */
typedef struct snowmint_source snowmint_source;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Opens a source by its URL: `snowflake:?worker_id=7`, `snowflake+sqlite:ids.db?create=true`,
 * `segment+sqlite:ids.db?tag=orders`, `daily+sqlite:ids.db?tag=orders&zone=UTC`,
 * `sequences+sqlite:ids.db?tag=chat`, `uuid:?version=7`; and with `ring=1024` in the query
 * snowflakes, segments and daily numbers made ahead (`SNOWMINT_KIND_RING`). Parameters that the
 * source does not have are errors. No message repeats a password of the URL.
 *
 * `source` receives a handle that the caller ends with `snowmint_source_free`; on an error it is
 * left as it is. The call may block: it opens files and calls the store. Where that is down or locked
 * it tries again for up to `wait_ms`, which bounds calls on the source, too; a question that the
 * store has been asked goes on for up to 5 s.
 *
 * Errors: `SNOWMINT_INVALID_URL`, `SNOWMINT_UNKNOWN_SCHEME`, `SNOWMINT_UNKNOWN_PARAMETER`,
 * `SNOWMINT_INVALID_PARAMETER`, `SNOWMINT_UNKNOWN_LAYOUT`; those of the source, such as
 * `SNOWMINT_WORKER_IN_USE`, `SNOWMINT_WORKERS_EXHAUSTED` and `SNOWMINT_UNKNOWN_TAG`; those of the
 * store.
 */
snowmint_status snowmint_source_open(const char *url,
                                     snowmint_source **source);

/**
 * Mints the next ID, waiting without spinning up to the source's bound, 5 s unless set.
 *
 * IDs of one source rise strictly, across threads and clock steps. On an error `id` is left as it
 * is and nothing is used up.
 *
 * Errors: `SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED`, `SNOWMINT_GRANT_EXHAUSTED`,
 * `SNOWMINT_LEASE_UNAVAILABLE`, `SNOWMINT_STATE_MISSING`, `SNOWMINT_LAYOUT_EXPIRED`,
 * `SNOWMINT_FORKED` of snowflakes; `SNOWMINT_WAIT_TIMEOUT`,
 * `SNOWMINT_TAG_EXHAUSTED`, `SNOWMINT_RANGE_REGRESSED` of segments and daily numbers;
 * `SNOWMINT_EMPTY` of rings, or what keeps their source from making more; `SNOWMINT_UNSUPPORTED` of
 * sequences and UUIDs; `SNOWMINT_CLOSED`; those of the store.
 */
snowmint_status snowmint_source_next(const snowmint_source *source, uint64_t *id);

/**
 * Mints the next ID, waiting up to `wait_ms` milliseconds; 0 never waits.
 *
 * Errors: as `snowmint_source_next`.
 */
snowmint_status snowmint_source_next_within(const snowmint_source *source,
                                            uint64_t wait_ms,
                                            uint64_t *id);

/**
 * Mints the next ID if it can be had at once: calls no store and never waits, as event loops need
 * it. While reserved IDs last it takes no lock. `SNOWMINT_EMPTY` does not say why; what is missing is
 * fetched meanwhile, so that asking again soon is of use, and `snowmint_source_next_within` with 0 says
 * more. A fixed worker ID that was not asked for a minute has none at once: whoever asks as seldom
 * waits a moment.
 *
 * Errors: `SNOWMINT_EMPTY`; where asking again is of none `SNOWMINT_CLOSED`, `SNOWMINT_FORKED`,
 * `SNOWMINT_STATE_MISSING`, `SNOWMINT_RANGE_REGRESSED` and `SNOWMINT_TAG_EXHAUSTED` unless the tag
 * is raised, and `SNOWMINT_UNSUPPORTED` of sequences and UUIDs.
 */
snowmint_status snowmint_source_try_next(const snowmint_source *source,
                                         uint64_t *id);

/**
 * Fills an array with `count` rising IDs: the fastest way to many. Each block of them waits up to
 * the source's bound. A count of 0 does nothing, and `ids` may then be NULL.
 *
 * Errors: as `snowmint_source_next`; `SNOWMINT_COUNT_OUT_OF_RANGE` for more numbers than a day
 * has, and, of a source that does not wait, for more snowflakes than are ever to be had at once.
 * What `ids` then holds is given up: a gap.
 */
snowmint_status snowmint_source_fill(const snowmint_source *source, uint64_t *ids, size_t count);

/**
 * Stops minting and gives up what is reserved; calls that mint then fail with `SNOWMINT_CLOSED`.
 * Closing twice is no error. The handle stays valid until `snowmint_source_free`. May be called while
 * other threads mint. It does not wait for the store: a thread of the library's gives a leased
 * worker ID back. A process that ends before that leaves it to the lease's end, two seconds to a
 * minute.
 *
 * Errors: of a fixed worker ID's state file; the source is closed all the same.
 */
snowmint_status snowmint_source_close(const snowmint_source *source);

/**
 * Closes a source, waiting up to `wait_ms` milliseconds until the store has a leased worker ID back.
 *
 * Errors: as `snowmint_source_close`; `SNOWMINT_WAIT_TIMEOUT`; those of the store. The source is
 * closed all the same, and its lease ends by itself.
 */
snowmint_status snowmint_source_close_within(const snowmint_source *source,
                                             uint64_t wait_ms);

/**
 * Ends a source: closes it if that was not done, and frees the handle, which must not be used any
 * more, not even by a call that another thread is in. NULL is no error. Call `snowmint_source_close`
 * first to hear of errors.
 */
void snowmint_source_free(snowmint_source *source);

/**
 * What went wrong in the last call on this thread that did not return `SNOWMINT_OK`: what was wrong
 * and what would be right, in English, UTF-8. Empty before the first failure; a call that succeeds
 * leaves it as it is, and so does `snowmint_last_wait_ms` where it returns `SNOWMINT_EMPTY`.
 *
 * The text belongs to the library. It stands until the thread's next call that fails, or the
 * thread's end.
 */
const char *snowmint_last_message(void);

/**
 * The stable name of a status, the same in every language: `ok`, `clock_behind`; `unknown` for a
 * number that this library does not know. A constant; not to be freed.
 */
const char *snowmint_status_name(snowmint_status status);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/*
 * The rules of all functions.
 *
 * RESULTS. Every function that can fail returns a snowmint_status: SNOWMINT_OK, which is 0, or a code.
 * Results come through pointers, and only with SNOWMINT_OK; where it says so, one may be NULL.
 * snowmint_last_message() tells the calling thread in words what was wrong with its last call that
 * failed. Nothing is used up by a call that fails, but for what a block (snowmint_source_fill) had: a
 * gap. After an error a source goes on working, unless it is closed, its ranges went back
 * (SNOWMINT_RANGE_REGRESSED), its state file is gone (SNOWMINT_STATE_MISSING) or its worker ID belongs to
 * another process (SNOWMINT_FORKED): open it anew then.
 *
 * ARGUMENTS. Texts are UTF-8 with a zero at their end. NULL where it is not allowed, text that is not
 * UTF-8, a number out of range, and a handle of the wrong kind are errors, most of them
 * SNOWMINT_INVALID_PARAMETER. Arrays and results must not overlap what other threads use, or each
 * other. Texts, arrays and structs that are passed in are read during the call alone.
 *
 * OWNERSHIP. A function that takes a pointer to a handle's pointer makes a handle; the caller ends it by
 * the function whose name ends in _free, once, when no other thread uses it any more. Constant texts
 * belong to the library. Nothing that the library returns is passed to free(). A handle that was freed
 * is like any freed memory: to use it is an error that need not be noticed.
 *
 * CLOSING. A closed handle stays valid: what would mint fails with SNOWMINT_CLOSED until it is freed,
 * but for UUIDs, of which nothing is reserved.
 *
 * THREADS. Any thread may call any function at any time; handles are shared freely. A store has one
 * thread of the library's for all its sources, which calls it and ends soon after the last; callbacks of
 * the caller's, a ring and a fixed worker ID have one each. In the caller's thread a store is called only
 * by functions that open, and by those of snowmint_store. None may be called in a signal handler.
 *
 * CANCELLATION. pthread_cancel() does not end a thread inside the library: functions that may wait put it
 * off, and the thread ends at its next cancellation point after they returned. That is of the deferred
 * type, which threads begin with: of the asynchronous one no function may be called. A function of the caller's
 * that the library calls must return: pthread_exit() or an exception in it aborts the process.
 *
 * FORK. Sources may be carried through a fork(), of a process with threads, too. A child gets a worker ID
 * or ranges of its own at its first call; with a fixed worker ID it gets SNOWMINT_FORKED. No ID is
 * issued in both. The child may free what it inherited, which does not end what the parent has. Keys and
 * public IDs change nothing, and are the same in both.
 *
 * SNAPSHOTS. A process restored or cloned from an image (of its virtual machine, by CRIU) calls
 * snowmint_on_restore() before its first ID.
 *
 * TIME. Unix milliseconds, UTC, as int64_t. A snowflake's time is that of its minting or up to
 * max_ahead_ms later, a second unless set: a full tick borrows from the future, unless max_ahead_ms is 0.
 * On Linux it can be up to 10 ms before that as well: minting reads the system's coarse clock. Waits
 * never spin.
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
 * What an event is of. Numbers and names are the same in every language and never change; a newer
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

/** The most IDs of one call of snowmint_source_next_ids. */
#define SNOWMINT_MAX_COUNT 16777216u

/** Where the numbers of a segment end: each is below it. */
#define SNOWMINT_MAX_NUMBER INT64_C(9223372036854775807)

/** The largest step, and the largest stride. */
#define SNOWMINT_MAX_STEP 1073741824u

/** The longest reservation, milliseconds. */
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

/** A number in an options struct that is left at its default. */
#define SNOWMINT_UNSET (-1)

/** A time that stands for the present, where a function names it. */
#define SNOWMINT_NOW INT64_MIN


/**
 * What a source mints.
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
   * IDs of one of the first three, made ahead by a thread of the library's: a call takes what is
   * ready, whatever the clock, the store or a full tick are at. It is opened by URL alone.
   *
   * `ring` is how many IDs can be ready, a power of two up to 1048576. The ring is filled up
   * when fewer than `ring_refill` percent of it are ready, 30 unless set, and every
   * `ring_every_ms` while IDs are taken, 1000 unless set. A snowflake that has been ready for
   * `ring_every_ms` is thrown away: by so much its time can be older than that of one made at
   * once, by twice that where the clock is set back meanwhile. Daily numbers are thrown away
   * when their day ends; a segment's numbers have no age. What is thrown away, and what is ready
   * when the ring is closed, is a gap. The ring is empty before the first call, and when nobody
   * has taken from it for a while; then calls wait up to their bound, and fail with
   * `SNOWMINT_EMPTY`. Closing it closes the source.
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
 * Whether IDs fit a number of bits.
 */
enum snowmint_fit
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * All of them, to the layout's end.
   */
  SNOWMINT_FIT_ALWAYS = 1,
  /**
   * Those minted before a time.
   */
  SNOWMINT_FIT_UNTIL = 2,
  /**
   * Not even the first tick's.
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
 * A listener in its place.
 */
typedef struct snowmint_listener snowmint_listener;

/**
 * Keys that IDs are made public by: nothing is stored, and whoever has the keys computes an ID from its
 * public form. They do not change once opened, any number of threads may use them at once, and a
 * `fork` carries them along. A public ID is no permission.
 */
typedef struct snowmint_public_id_keys snowmint_public_id_keys;

/**
 * The public IDs of one type, in one form. It changes nothing: any number of threads may use it at once,
 * without a lock, and a `fork` carries it along.
 */
typedef struct snowmint_public_ids snowmint_public_ids;

/**
 * A sequence for each of many keys, with only a maximum a group of keys in the store. Any number of
 * threads may call any function on one handle at once, except `snowmint_sequences_free`.
 */
typedef struct snowmint_sequences snowmint_sequences;

/**
 * A store of worker IDs and numbers. Any number of threads may call any function on one store at
 * once, except `snowmint_store_free`. A store in a file may be carried through a `fork`; one in
 * memory belongs to the process that made it.
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
   * The distance of two numbers, 1 to `SNOWMINT_MAX_STEP`.
   */
  uint64_t stride;
} snowmint_range;

/**
 * A UUID, as RFC 9562 lays out its bytes.
 */
typedef struct {
  /**
   * The most significant byte first.
   */
  uint8_t bytes[16];
} snowmint_uuid;

/**
 * What a lease is asked for with. The texts stand during the call.
 */
typedef struct {
  /**
   * The realm: the layout's canonical text. Leases of different realms do not touch.
   */
  const char *realm;
  /**
   * Names the holder: host, process and a random part.
   */
  const char *owner;
  /**
   * The largest worker ID of the layout.
   */
  uint32_t max_worker_id;
  /**
   * How much time to reserve ahead of the store's clock, and how long the lease lives without
   * renewal, milliseconds: up to `SNOWMINT_MAX_RESERVE_MS`, and a day more where the store's clock was
   * set back.
   */
  uint32_t reserve_ms;
  /**
   * How far ahead of the store's clock the generator can use time, milliseconds. A worker ID may
   * be taken only if its reserved time lies ahead by at most this and by at most three quarters
   * of `reserve_ms`.
   */
  uint32_t max_ahead_ms;
  /**
   * Whether `avoid` is set.
   */
  bool has_avoid;
  /**
   * A worker ID not to take: the one just left because of the clock.
   */
  uint32_t avoid;
  /**
   * The lease's first token.
   */
  uint8_t token[16];
} snowmint_lease_request;

/**
 * A worker ID with the time reserved for it: the holder may issue IDs whose time lies in
 * `[floor_ms, reserved_ms)`, and nobody else ever may under that worker ID.
 */
typedef struct {
  /**
   * Counts the acquisitions of this worker ID.
   */
  uint64_t epoch;
  /**
   * First Unix millisecond the holder may use.
   */
  int64_t floor_ms;
  /**
   * First Unix millisecond it may not use.
   */
  int64_t reserved_ms;
  /**
   * The store's clock when it granted this, Unix milliseconds.
   */
  int64_t now_ms;
  /**
   * The worker ID.
   */
  uint32_t worker_id;
  /**
   * Changes at every renewal: of two copies of a process only one can renew.
   */
  uint8_t token[16];
} snowmint_lease;

/**
 * Called once when the source that was given a `context` needs it no more: in
 * `snowmint_source_free`, or in a thread of the library's soon after.
 */
typedef void (*snowmint_release)(void *context);

/**
 * Functions of the caller's that lease worker IDs from a database. Each does its work in one
 * transaction with the database's clock, returns 0 once that is durable, and another value where it
 * failed (`SNOWMINT_WORKERS_EXHAUSTED`, `SNOWMINT_LEASE_LOST` and other statuses are passed on; what
 * is no status counts as `SNOWMINT_STORE_UNAVAILABLE`). The intervals `[floor_ms, reserved_ms)` of
 * one worker ID must be disjoint and rise: uniqueness rests on it.
 *
 * They are called by the functions that open, and from one thread of the library's. They
 * must return: leaving them by `longjmp`, an exception or `pthread_exit` is forbidden, and aborts the
 * process. They may call the library, but not with the source they serve. In a forked child they are
 * called with the same `context`: there they need a connection of their own.
 */
typedef struct {
  /**
   * `sizeof(snowmint_worker_store)`.
   */
  size_t size;
  /**
   * What the functions get as their first argument.
   */
  void *context;
  /**
   * Takes a free worker ID, its floor at or above every `reserved_ms` before it.
   * Each call takes another one, even for the same owner and token,
   * which copies of a process have alike.
   */
  int (*acquire)(void *context, const snowmint_lease_request *request, snowmint_lease *lease);
  /**
   * Reserves `reserve_ms` from the store's clock on and replaces the token by `next_token`, if epoch
   * and token are still the row's; a repeat of the same renewal succeeds again. `lease` holds the
   * lease as it is and receives it as it is then.
   */
  int (*renew)(void *context,
               const snowmint_lease_request *request,
               snowmint_lease *lease,
               const uint8_t *next_token);
  /**
   * Ends a lease. One that is lost already is no error.
   */
  int (*release_lease)(void *context,
                       const snowmint_lease_request *request,
                       const snowmint_lease *lease);
  /**
   * Called when `context` is no longer needed, also where opening fails, but for a wrong `size`,
   * here or of the options. NULL: nobody is called.
   */
  snowmint_release release;
} snowmint_worker_store;

/**
 * How a snowflake mints. Begin with `SNOWMINT_SNOWFLAKE_OPTIONS_INIT`, which sets everything to its
 * default, and set one of `worker_id`, `store` and `worker_store`. Texts and handles are read during
 * the call alone; a store that is used lives on inside the source.
 */
typedef struct {
  /**
   * `sizeof(snowmint_snowflake_options)`.
   */
  size_t size;
  /**
   * A fixed worker ID: `7`, `env`, `env:NAME`, `ordinal` or `ordinal:NAME` (of a StatefulSet's
   * pod), `ip:10.0.4.0/22` (a network that holds all hosts). Its time is reserved in a local file,
   * which keeps a second generator with that file from using it; that no other has it is the
   * caller's word.
   */
  const char *worker_id;
  /**
   * A store to lease the worker ID from.
   */
  const snowmint_store *store;
  /**
   * A store of the caller's own to lease the worker ID from.
   */
  const snowmint_worker_store *worker_store;
  /**
   * A system whose layout, clock policy and sequence start to mint with: `leaf`. NULL: none. The
   * fields below come before it.
   */
  const char *preset;
  /**
   * The layout. NULL: the preset's, or Twitter's.
   */
  const snowmint_layout *layout;
  /**
   * A clock policy by its name. NULL: the preset's, or `snowmint`.
   */
  const char *policy;
  /**
   * Where a fresh tick's sequence begins: `zero`, `vibrate:MAX`, `random:BELOW`, `rotate`. NULL:
   * the preset's, or `rotate`.
   */
  const char *start;
  /**
   * The directory of a fixed worker ID's state file, to be kept over restarts. NULL: the user's
   * state directory.
   */
  const char *state_directory;
  /**
   * How far an ID's time may run ahead of the clock, milliseconds: so much later than its minting
   * an ID can be dated. Up to 3600000; 0 never borrows: a full tick waits for the next.
   * `SNOWMINT_UNSET`: the policy's, 1000 of `snowmint`.
   */
  int64_t max_ahead_ms;
  /**
   * How much time a renewal reserves, 100 to 3600000 milliseconds: of a fixed worker ID always
   * (`SNOWMINT_UNSET`: 1000), of a leased one at most (`SNOWMINT_UNSET`: 60000), once it has
   * lived as long. At least twice `max_ahead_ms`, and four ticks.
   */
  int64_t reserve_ms;
  /**
   * How long a call waits for an ID, milliseconds; 0 never waits. `SNOWMINT_UNSET`: 5000.
   */
  int64_t wait_ms;
} snowmint_snowflake_options;

/**
 * A function of the caller's that reserves the next `count` numbers of a tag in a database, durably,
 * writes them to `range` (half-open; fewer or more than asked for are taken, too) and returns 0. It
 * must give ranges that are disjoint and rise, to this and every other process. Any other return
 * value is a failure: callers get `SNOWMINT_STORE_UNAVAILABLE` within their bound, and the function
 * is called again after a while.
 *
 * It is called from one thread of the library's at a time, never from a thread that mints. It may
 * block. It must return: leaving it by `longjmp`, an exception or `pthread_exit` is forbidden, and
 * aborts the process. It may call the library, but not with the source it serves: nobody waits for
 * it before that is freed. In a forked child it is called with the same `context`: there it needs a
 * connection of its own.
 */
typedef int (*snowmint_allocate)(void *context,
                                 const char *tag,
                                 uint64_t count,
                                 snowmint_range *range);

/**
 * Where a segment's numbers come from. Begin with `SNOWMINT_SEGMENT_OPTIONS_INIT`, and set `tag` and
 * one of `store` and `allocate`. Texts and handles are read during the call alone; a store that is
 * used lives on inside the source.
 */
typedef struct {
  /**
   * `sizeof(snowmint_segment_options)`.
   */
  size_t size;
  /**
   * The tag: 1 to 64 of `A-Z a-z 0-9 _ . : -`, or such a tag in a namespace: `shop/orders`. A store
   * must have it already.
   */
  const char *tag;
  /**
   * The store.
   */
  const snowmint_store *store;
  /**
   * In place of a store: reserves ranges.
   */
  snowmint_allocate allocate;
  /**
   * What `allocate` gets as its first argument; used by threads of the library's.
   */
  void *context;
  /**
   * Called when `context` is no longer needed, also where opening fails, but for a wrong `size`.
   * NULL: nobody is called.
   */
  snowmint_release release;
  /**
   * How many numbers a range has, 1 to 1073741824. `SNOWMINT_UNSET`: the tag's own (1000 with
   * `allocate`), doubled up to a million for as long as ranges last less than 15 minutes.
   */
  int64_t step;
  /**
   * In place of `step`: how long the numbers at hand are to last, milliseconds, 1 to 86400000, so
   * that the store may be away for as long: ranges double from the tag's step on until they do.
   * `SNOWMINT_UNSET`: as `step` says.
   */
  int64_t runway_ms;
  /**
   * Percent of a range used when the next is fetched, 0 to 100. `SNOWMINT_UNSET`: 10.
   */
  int64_t prefetch_percent;
  /**
   * How long a call waits for a number, milliseconds; 0 never waits. `SNOWMINT_UNSET`: 5000.
   */
  int64_t wait_ms;
} snowmint_segment_options;

/**
 * How daily numbers are made. Begin with `SNOWMINT_DAILY_OPTIONS_INIT`, and set `tag` and `store`.
 * Texts and handles are read during the call alone; the store lives on inside the source.
 */
typedef struct {
  /**
   * `sizeof(snowmint_daily_options)`.
   */
  size_t size;
  /**
   * The tag, at most 55 characters with its namespace, if it has one: `shop/invoice`. Each day has
   * its own, `tag:yyyymmdd`, created when needed.
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
   * How many digits follow the date, 1 to 10. `SNOWMINT_UNSET`: 6.
   */
  int64_t digits;
  /**
   * How many numbers a range has. `SNOWMINT_UNSET`: a thousandth of a day's, at most 1000.
   */
  int64_t step;
  /**
   * Percent of a range used when the next is fetched, 0 to 100. `SNOWMINT_UNSET`: 50.
   */
  int64_t prefetch_percent;
  /**
   * How long a call waits for a number, milliseconds; 0 never waits. `SNOWMINT_UNSET`: 5000.
   */
  int64_t wait_ms;
} snowmint_daily_options;

/**
 * How sequences are kept. Begin with `SNOWMINT_SEQUENCES_OPTIONS_INIT`, and set `tag` and `store`.
 * Texts and handles are read during the call alone; the store lives on inside the handle.
 */
typedef struct {
  /**
   * `sizeof(snowmint_sequences_options)`.
   */
  size_t size;
  /**
   * The tag: at most 59 characters with its namespace, if it has one (`shop/chat`), better 40.
   */
  const char *tag;
  /**
   * The store.
   */
  const snowmint_store *store;
  /**
   * How many keys share a persisted maximum; it can never be changed for a tag.
   * `SNOWMINT_UNSET`: 100000.
   */
  int64_t keys_per_section;
  /**
   * By how much a maximum is raised at a time. `SNOWMINT_UNSET`: 10000.
   */
  int64_t step;
  /**
   * How long a call waits for a number, milliseconds; 0 never waits. `SNOWMINT_UNSET`: 5000.
   */
  int64_t wait_ms;
} snowmint_sequences_options;

/**
 * A range at hand.
 */
typedef struct {
  /**
   * How many of its numbers are left.
   */
  uint64_t left;
  /**
   * How many it had.
   */
  uint64_t size;
} snowmint_bucket;

/**
 * What a source is doing, at one moment. Begin with `SNOWMINT_STATS_INIT`, which sets its size. What
 * does not apply to a source has its `has_` at false, and is 0.
 */
typedef struct {
  /**
   * `sizeof(snowmint_stats)`.
   */
  size_t size;
  /**
   * `snowflake`, `segment`, `daily`, `sequences` or `uuid`; of a ring that of its source.
   */
  char kind[16];
  /**
   * How long this process has had the worker ID, milliseconds.
   */
  uint64_t lease_age_ms;
  /**
   * How much time is reserved ahead of the clock, milliseconds: without the store, IDs can be
   * minted for as long. 0 or less when it is used up.
   */
  int64_t reserved_ms;
  /**
   * What is added to the wall clock, milliseconds: how far it is off from the store's clock, or a
   * step of it that is not followed.
   */
  int64_t clock_offset_ms;
  /**
   * How far the last ID's time is ahead of the clock, milliseconds.
   */
  uint64_t borrowed_ms;
  /**
   * How often the clock went back and was counted in the layout's rollback bits.
   */
  uint64_t rollbacks;
  /**
   * The numbers at hand, the range in use first; before it what is ready in a ring.
   */
  snowmint_bucket buckets[17];
  /**
   * How many of `buckets` there are.
   */
  size_t bucket_count;
  /**
   * How many numbers the next range will have.
   */
  uint64_t step;
  /**
   * Numbers a second between the last two ranges, or since the last one if that is longer; none
   * before there were two.
   */
  double rate;
  /**
   * How long what is at hand lasts at that rate, or what is reserved, milliseconds.
   */
  uint64_t runway_ms;
  /**
   * When the store last failed, Unix milliseconds of this machine's clock.
   */
  int64_t failure_unix_ms;
  /**
   * What the store's last failure said, cut where it is longer.
   */
  char failure_message[512];
  /**
   * Why the store last failed; `SNOWMINT_OK` if it never did.
   */
  snowmint_status failure_status;
  /**
   * The worker ID that IDs are minted under.
   */
  uint32_t worker_id;
  /**
   * Whether it was closed.
   */
  bool is_closed;
  /**
   * Whether `worker_id` is one.
   */
  bool has_worker_id;
  /**
   * Whether `lease_age_ms` is known.
   */
  bool has_lease_age_ms;
  /**
   * Whether `reserved_ms` is known.
   */
  bool has_reserved_ms;
  /**
   * Whether `clock_offset_ms` is known.
   */
  bool has_clock_offset_ms;
  /**
   * Whether `borrowed_ms` is known.
   */
  bool has_borrowed_ms;
  /**
   * Whether `step` is known.
   */
  bool has_step;
  /**
   * Whether `rate` is known.
   */
  bool has_rate;
  /**
   * Whether `runway_ms` is known.
   */
  bool has_runway_ms;
  /**
   * Whether the store ever failed.
   */
  bool has_failure;
  /**
   * Whether it has answered since.
   */
  bool failure_is_over;
  /**
   * Whether `reserve_ms` is known.
   */
  bool has_reserve_ms;
  /**
   * How much time the lease's last renewal reserved, milliseconds; none of a fixed worker ID. The
   * next renewal is due once a third of it is used.
   */
  uint32_t reserve_ms;
} snowmint_stats;

/**
 * Something that happened to a source or its store. The texts stand during the call.
 */
typedef struct {
  /**
   * `sizeof(snowmint_event)` of the library: a newer one may have more at the end.
   */
  size_t size;
  /**
   * What happened.
   */
  snowmint_event_kind kind;
  /**
   * The failure behind it; `SNOWMINT_OK` where there is none.
   */
  snowmint_status code;
  /**
   * When, by this machine's clock, Unix milliseconds.
   */
  int64_t unix_ms;
  /**
   * The kind of the source that saw it: `snowflake`, `segment`, `daily` or `sequences`.
   */
  const char *source;
  /**
   * Its tag; NULL where it has none.
   */
  const char *tag;
  /**
   * What happened and what to do, in English, UTF-8, on one line.
   */
  const char *message;
  /**
   * Its worker ID, if `has_worker_id`: of a lease lost, the one that was lost.
   */
  uint32_t worker_id;
  /**
   * Whether there is one.
   */
  bool has_worker_id;
  /**
   * Whether something is wrong, or will be; otherwise something is over.
   */
  bool is_warning;
} snowmint_event;

/**
 * A function that hears of events.
 */
typedef void (*snowmint_on_event_function)(void *context, const snowmint_event *event);

/**
 * Who holds a worker ID.
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
   * Counts its acquisitions.
   */
  uint64_t epoch;
  /**
   * First Unix millisecond not reserved.
   */
  int64_t reserved_ms;
  /**
   * When the lease ends if it is not renewed, Unix milliseconds.
   */
  int64_t expires_ms;
  /**
   * The worker ID.
   */
  uint32_t worker_id;
  /**
   * Whether it is held, by the store's clock.
   */
  bool held;
} snowmint_worker;

/**
 * A tag of a store.
 */
typedef struct {
  /**
   * Its name.
   */
  char name[65];
  /**
   * The first number not yet reserved by anybody.
   */
  uint64_t next;
  /**
   * How many numbers a range has unless the client asks for more.
   */
  uint64_t step;
  /**
   * The distance of two numbers.
   */
  uint64_t stride;
  /**
   * The largest number that may be given.
   */
  uint64_t max;
  /**
   * When a range was last taken or the row changed, by the store's clock, Unix milliseconds.
   */
  int64_t updated_ms;
} snowmint_tag;

/**
 * What a layout says of itself. Set `size` before the call.
 */
typedef struct {
  /**
   * `sizeof(snowmint_layout_facts)`.
   */
  size_t size;
  /**
   * Unix time of the epoch, milliseconds.
   */
  int64_t epoch_ms;
  /**
   * First Unix millisecond the layout cannot express.
   */
  int64_t expires_ms;
  /**
   * How many ticks the time field counts.
   */
  uint64_t ticks;
  /**
   * The IDs one worker can mint in a tick.
   */
  uint64_t ids_per_tick;
  /**
   * The IDs one worker can mint in a second, over a long time.
   */
  uint64_t ids_per_second;
  /**
   * Length of a tick, milliseconds.
   */
  uint32_t tick_ms;
  /**
   * Width of the worker ID.
   */
  uint32_t worker_bits;
  /**
   * The largest worker ID.
   */
  uint32_t max_worker_id;
  /**
   * How many fields there are.
   */
  uint32_t field_count;
} snowmint_layout_facts;

/**
 * A run of bits in an ID.
 */
typedef struct {
  /**
   * What it holds: `time`, `worker`, `constant`, ...
   */
  char name[16];
  /**
   * The largest value it holds.
   */
  uint64_t max;
  /**
   * Its width.
   */
  uint32_t bits;
  /**
   * How many bits lie below it: its value in an ID is `id >> shift & max`.
   */
  uint32_t shift;
} snowmint_field;

/**
 * What an ID says in a layout. A layout's other fields, and the parts of a worker ID (Discord's
 * `worker` and `process`), are had by `snowmint_layout_field`: `id >> shift & max`.
 */
typedef struct {
  /**
   * Start of the ID's tick, Unix milliseconds: when it was minted, as exactly as TIME says.
   * `snowmint_layout_encode` rounds it down to its tick.
   */
  int64_t unix_ms;
  /**
   * The worker ID: all worker fields side by side, the upper first. 0 where there is none.
   */
  uint32_t worker_id;
  /**
   * The sequence number: tells apart the IDs of one worker ID and tick.
   */
  uint32_t sequence;
  /**
   * The rollback counter: how often the clock went back, cyclically. 0 where there is none.
   */
  uint32_t rollback;
  /**
   * Not used: 0 where it is given, and not read.
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
 * A preset that an ID may come from, and what the ID says there.
 */
typedef struct {
  /**
   * The preset's name.
   */
  char preset[32];
  /**
   * The ID's parts in its layout.
   */
  snowmint_parts parts;
  /**
   * Whether what stood beside the ID names the system: else many may have such an ID.
   */
  bool named;
} snowmint_guess;

/**
 * How an ID is written as text.
 */
typedef struct {
  /**
   * The name: `dec`, `hex`, `base32`, `base32-check`, `z-base32`, `base36`, `base58`,
   * `base58-flickr`, `base62`.
   */
  char name[32];
  /**
   * The digits' symbols, that of 0 first.
   */
  char alphabet[72];
  /**
   * The number of symbols where every text of the form has the same, else 0.
   */
  uint32_t width;
  /**
   * Whether texts in byte order are IDs in numeric order.
   */
  bool sortable;
} snowmint_text_form;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * One sentence on what a status means; `snowmint_last_message` says more. A constant; not to be
 * freed.
 */
const char *snowmint_status_summary(snowmint_status status);

/**
 * Whether trying again later can succeed without anybody changing anything.
 */
bool snowmint_status_is_transient(snowmint_status status);

/**
 * After a stall (`SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED`,
 * `SNOWMINT_GRANT_EXHAUSTED`), how long until the call can succeed if the clock goes on, in
 * milliseconds; 0 where time does not help.
 *
 * Errors: `SNOWMINT_EMPTY` where the thread's last failure was no stall, or there was none:
 * `snowmint_last_message` is still of that failure.
 */
snowmint_status snowmint_last_wait_ms(uint64_t *wait_ms);

/**
 * The library's version, such as `1.2.3`. A constant; not to be freed.
 */
const char *snowmint_version(void);

/**
 * The number of the binary interface, also at the end of the shared library's SONAME. Compare it
 * with SNOWMINT_ABI_VERSION, that of the header, where a library is loaded by hand.
 */
uint32_t snowmint_abi_version(void);

/**
 * Says what a source mints.
 *
 * Errors: of the arguments alone.
 */
snowmint_status snowmint_source_kind(const snowmint_source *source, snowmint_kind *kind);

/**
 * Fills an array within the limits of one call in every language: 1 to `SNOWMINT_MAX_COUNT` IDs, for
 * counts that come from outside.
 *
 * Errors: as `snowmint_source_fill`; `SNOWMINT_COUNT_OUT_OF_RANGE` for other counts.
 */
snowmint_status snowmint_source_next_ids(const snowmint_source *source,
                                         uint64_t *ids,
                                         size_t count);

/**
 * Takes up to `at_most` numbers of a segment that lie together, for a caller that counts through them
 * itself; it waits up to `wait_ms` milliseconds. Numbers that the caller does not use are a gap.
 *
 * Errors: as `snowmint_source_next`; `SNOWMINT_COUNT_OUT_OF_RANGE` for 0; `SNOWMINT_UNSUPPORTED`
 * of other sources.
 */
snowmint_status snowmint_source_next_range(const snowmint_source *source,
                                           uint64_t at_most,
                                           uint64_t wait_ms,
                                           snowmint_range *range);

/**
 * Takes the next number of a key, of sequences that were opened by URL, waiting up to the source's bound;
 * `snowmint_sequences_next` is the same for those opened with options.
 *
 * Errors: as `snowmint_sequences_next`; `SNOWMINT_UNSUPPORTED` of other sources.
 */
snowmint_status snowmint_source_next_of(const snowmint_source *source,
                                        uint64_t key,
                                        uint64_t *number);

/**
 * Takes the next number of a key, waiting up to `wait_ms` milliseconds; 0 never waits.
 *
 * Errors: as `snowmint_source_next_of`.
 */
snowmint_status snowmint_source_next_of_within(const snowmint_source *source,
                                               uint64_t key,
                                               uint64_t wait_ms,
                                               uint64_t *number);

/**
 * Mints the next UUID into 16 bytes, the first byte first. Never waits.
 *
 * Errors: `SNOWMINT_UNSUPPORTED` of sources of 64-bit IDs.
 */
snowmint_status snowmint_source_next_uuid(const snowmint_source *source, snowmint_uuid *uuid);

/**
 * Writes a UUID as its 36 lower-case characters and a zero: `size` is at least
 * `SNOWMINT_UUID_SIZE`.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` where `size` is too small.
 */
snowmint_status snowmint_uuid_format(const snowmint_uuid *uuid, char *text, size_t size);

/**
 * Gives the layout of a snowflake, or of a ring of them, as a handle of its own.
 *
 * Errors: `SNOWMINT_UNSUPPORTED` of other sources.
 */
snowmint_status snowmint_source_layout(const snowmint_source *source, snowmint_layout **layout);

/**
 * Counts the numbers of a range.
 *
 * Errors: `SNOWMINT_INVALID_RANGE` if it is none.
 */
snowmint_status snowmint_range_count(const snowmint_range *range, uint64_t *count);

/**
 * Opens a snowflake. `source` receives a handle that the caller ends with `snowmint_source_free`; on an
 * error it is left as it is. The call may block: it opens files and calls the store.
 *
 * Order: IDs rise strictly if time is the layout's top field and the policy neither changes workers
 * nor counts rollbacks. Overflow: a full tick borrows from the future up to `max_ahead_ms`, then
 * waits without spinning. Clock rollback: as the policy says; no ID is ever repeated. Fork: a child
 * leases a worker ID of its own; with a fixed one it fails with `SNOWMINT_FORKED`. Crash: the next
 * holder of the worker ID begins above everything issued.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` without a worker ID or with two, for a number out of range,
 * or for a layout whose ticks are longer than 40 minutes; `SNOWMINT_UNSUPPORTED` for options of a
 * newer header; `SNOWMINT_UNKNOWN_LAYOUT`, `SNOWMINT_FIELD_OUT_OF_RANGE`,
 * `SNOWMINT_WORKER_NOT_CONFIGURED`, `SNOWMINT_EPOCH_IN_FUTURE`, `SNOWMINT_LAYOUT_EXPIRED`,
 * `SNOWMINT_WORKER_IN_USE`, `SNOWMINT_MARK_AHEAD`, `SNOWMINT_WORKERS_EXHAUSTED`; those of the store.
 */
snowmint_status snowmint_source_open_snowflake(const snowmint_snowflake_options *options,
                                               snowmint_source **source);

/**
 * Opens a segment. `source` receives a handle that the caller ends with `snowmint_source_free`; on
 * an error it is left as it is. The call asks a store for the tag; the first range is fetched by
 * the first call that mints.
 *
 * Order: numbers rise strictly, across threads and ranges; between processes there is no order. Gaps:
 * what is fetched and not minted when a process ends is lost. Store down: fetched numbers are minted
 * to the end, then calls fail within their bound, and go on by themselves when it is back. A range
 * that is no range fails with `SNOWMINT_INVALID_RANGE`, is not used, and a moment later the place is
 * asked again. One at or below the last fails with `SNOWMINT_RANGE_REGRESSED`, and so does every
 * call from then on, since what follows may be another's, until an operator has raised the store's
 * tag, or the segment is opened anew. Nobody can raise the tag of an `allocate`, and the next segment
 * over one does not know which numbers this one had: open it when what `allocate` gives is above all
 * that was ever issued. Fork: a child fetches ranges of its own.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` without a place to reserve or with two, or for a number out
 * of range; `SNOWMINT_UNSUPPORTED` for options of a newer header; `SNOWMINT_INVALID_TAG`,
 * `SNOWMINT_INVALID_STEP`, `SNOWMINT_UNKNOWN_TAG`; those of the store.
 */
snowmint_status snowmint_source_open_segment(const snowmint_segment_options *options,
                                             snowmint_source **source);

/**
 * Opens a source of numbers that begin with the date: with 6 digits the 42nd number of 21 August
 * 2026 is 20260821000042. `source` receives a handle that the caller ends with
 * `snowmint_source_free`; on an error it is left as it is. The call may block: it calls the store.
 *
 * Numbers rise strictly, across threads, ranges and days. When a day's numbers are used up calls
 * fail with `SNOWMINT_TAG_EXHAUSTED`, and the next day goes on. If the clock goes back over
 * midnight, the later day goes on: nothing is issued twice.
 *
 * Errors: `SNOWMINT_INVALID_TIME` for an unknown zone; `SNOWMINT_INVALID_PARAMETER` for digits,
 * `SNOWMINT_INVALID_STEP` for a step out of range; `SNOWMINT_INVALID_TAG`; `SNOWMINT_UNSUPPORTED`
 * for options of a newer header; those of the store.
 */
snowmint_status snowmint_source_open_daily(const snowmint_daily_options *options,
                                           snowmint_source **source);

/**
 * Opens sequences. `sequences` receives a handle that the caller ends with
 * `snowmint_sequences_free`; on an error it is left as it is. The call may block: it calls the
 * store.
 *
 * The numbers of a key rise strictly, across threads and restarts; two keys can have the same
 * number. A restart leaps by up to two steps.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` for 0 keys a section, too many, or other than recorded;
 * `SNOWMINT_INVALID_STEP`, `SNOWMINT_INVALID_TAG`; `SNOWMINT_UNSUPPORTED` for options of a newer
 * header; those of the store.
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
 * Errors: as `snowmint_sequences_next`.
 */
snowmint_status snowmint_sequences_next_within(const snowmint_sequences *sequences,
                                               uint64_t key,
                                               uint64_t wait_ms,
                                               uint64_t *number);

/**
 * Stops minting; what is left of the fetched ranges is lost. Closing twice is no error.
 *
 * Errors: of the arguments alone.
 */
snowmint_status snowmint_sequences_close(const snowmint_sequences *sequences);

/**
 * Closes the sequences and frees the handle, which must not be used any more. NULL is no error.
 */
void snowmint_sequences_free(snowmint_sequences *sequences);

/**
 * Tells what a source is doing. Asking changes nothing, calls no store and waits for none.
 *
 * Errors: `SNOWMINT_UNSUPPORTED` for a struct of a newer header, `SNOWMINT_INVALID_PARAMETER` for
 * one without its size.
 */
snowmint_status snowmint_source_stats(const snowmint_source *source, snowmint_stats *stats);

/**
 * Tells what sequences are doing; of single sections nothing is told.
 *
 * Errors: as `snowmint_source_stats`.
 */
snowmint_status snowmint_sequences_stats(const snowmint_sequences *sequences,
                                         snowmint_stats *stats);

/**
 * Has `on_event` called with each event of this process: a lease lost, a worker ID left because
 * the clock went back, a store that fails and that answers again, a tag whose store went back and
 * its raise, a layout that ends within a year, a state file that is gone. There is one a change,
 * and none a retry; those of a store's handle are told once, however many sources it has, those of
 * functions of the caller's once a source.
 *
 * It is called by the thread that saw it: one of the library's that calls a store, or one that opens
 * a snowflake; of two stores beside each other; never by a call that mints. While it is called no
 * lease of that store is renewed: it must not block, for instance by writing to a pipe. It may call
 * everything, the closing of the source and `snowmint_listener_free` included; what waits for the
 * store would wait for its own thread. It must return: leaving it by `longjmp`, an exception or
 * `pthread_exit` is forbidden, and aborts the process. In a forked child it is called with the same
 * `context`, for what happens there.
 *
 * `release` is called with `context` once it is called no more; NULL: nobody is. `listener` receives
 * a handle that the caller ends with `snowmint_listener_free`; NULL: it is called for as long as the
 * process lives. On an error `release` is called at once.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` where `on_event` is NULL.
 */
snowmint_status snowmint_on_event(snowmint_on_event_function on_event,
                                  void *context,
                                  snowmint_release release,
                                  snowmint_listener **listener);

/**
 * Removes the listener and frees the handle, which must not be used any more. NULL is no error. It
 * waits for nothing: a call that another thread is in may still go on.
 */
void snowmint_listener_free(snowmint_listener *listener);

/**
 * The stable name of a kind of event, the same in every language: `lease_lost`; `unknown` for a
 * number that this library does not know. A constant; not to be freed.
 */
const char *snowmint_event_name(snowmint_event_kind kind);

/**
 * Tells the library that this process is an image restored or cloned: a snapshot of its virtual
 * machine, a checkpoint of CRIU. It drops every lease, range and answer under way, and each source
 * starts over at its next call, as in a forked child.
 *
 * When: once after each restore, in the restored process, before the first ID; where machines are
 * cloned, in each. Nothing in a process tells that it was restored. Until the call the copies of an
 * image can issue the same IDs: for as long as its leases had reserved time, `reserve_ms`, and from
 * what was left of its ranges. A call too many only costs what is dropped, which is a gap.
 *
 * Then: snowflakes with a leased worker ID take another lease; the one dropped ends by itself.
 * Segments, daily numbers and sequences fetch other ranges, and go on above every number issued
 * before. Fixed worker IDs are in every copy: their sources fail with `SNOWMINT_FORKED`, and have to
 * be opened anew, with a worker ID that no other copy has. A store in memory is in every copy, too:
 * it fails with `SNOWMINT_STORE_UNAVAILABLE`. One in a file that is part of the image is cloned with
 * it: use one outside. Connections of your own, behind your callbacks, are yours to open anew. UUIDs
 * go on; a `snowmint_machine` or `snowmint_buffer` stays as it is. Handles stay valid, closed ones
 * closed.
 *
 * Threads: any, beside calls on any handle. When it returns, no call that begins issues what was
 * there before; one that another thread is in may still return such an ID. It never fails.
 */
void snowmint_on_restore(void);

/**
 * Opens a store: `sqlite:ids.db`, made where there is none by `sqlite:ids.db?create=true`,
 * `postgres://user@host/database`, `mysql://user@host/database`, `redis://host:6379/0`,
 * `etcd://host:2379`, `zookeeper://host:2181`, or `memory:` for one that ends with the process.
 * `store` receives a handle that the caller ends with `snowmint_store_free`; on an error it is
 * left as it is.
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
 * the store go on: it ends with the last of them.
 */
void snowmint_store_free(snowmint_store *store);

/**
 * Lists worker IDs by realm and number. `count` receives how many there are; the first of them, at
 * most `capacity`, are written to `workers`, which may be NULL if that is 0.
 *
 * Errors: those of the store.
 */
snowmint_status snowmint_store_workers(const snowmint_store *store,
                                       snowmint_worker *workers,
                                       size_t capacity,
                                       size_t *count);

/**
 * Ends whatever lease a worker ID has, for an operator who knows that its holder is gone; its
 * reserved time stays reserved. `evicted` receives whether there was such a row; it may be NULL.
 *
 * Errors: those of the store.
 */
snowmint_status snowmint_store_evict(const snowmint_store *store,
                                     const char *realm,
                                     uint32_t worker_id,
                                     bool *evicted);

/**
 * Adds a tag whose first number is `start`, with `step` numbers a range and a distance of `stride`,
 * of which none is above `max`, as of the column that they are for. `SNOWMINT_UNSET` stands for 1,
 * 1000, 1 and the largest of all. A tag may have a namespace: `shop/orders`.
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
 * Adds a tag that may be there already, and is then left as it is, with options of its own: else as
 * `snowmint_store_create_tag`.
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
 * Raises the next number of a tag, or sets its step or its largest number; `SNOWMINT_UNSET` leaves
 * one as it is. `row` receives the tag as it is then; it may be NULL.
 *
 * Errors: `SNOWMINT_UNKNOWN_TAG`, `SNOWMINT_INVALID_STEP`, `SNOWMINT_RANGE_REGRESSED` for a next
 * number below the present one, `SNOWMINT_INVALID_RANGE` above the largest, or for a largest one
 * below what was given; those of the store.
 */
snowmint_status snowmint_store_change_tag(const snowmint_store *store,
                                          const char *tag,
                                          int64_t next,
                                          int64_t step,
                                          int64_t max,
                                          snowmint_tag *row);

/**
 * Has a server that took another's place go on with all it has, on an operator's word
 * that this is all that was given. It is named as its refusals name it; another one refuses the
 * word. Each tag whose ranges may be lost is raised first by so many steps, each as long as the
 * tag's last range where that was longer. Tags that are made from now on begin at `new_from` if not
 * above, where tags may be lost: the largest one that was given holds until 0, which is safe once
 * each lost tag is there again, or never comes; `SNOWMINT_UNSET` leaves it. `count` receives how many
 * were raised; it may be NULL.
 *
 * Errors: `SNOWMINT_INCARNATION_CHANGED` by another server; `SNOWMINT_INVALID_PARAMETER`,
 * `SNOWMINT_INVALID_RANGE`; `SNOWMINT_UNSUPPORTED` by other stores; those of the store.
 */
snowmint_status snowmint_store_vouch(const snowmint_store *store,
                                     const char *server,
                                     uint64_t raise_by_steps,
                                     int64_t new_from,
                                     size_t *count);

/**
 * Looks a tag up.
 *
 * Errors: `SNOWMINT_UNKNOWN_TAG`, `SNOWMINT_INVALID_TAG`; those of the store.
 */
snowmint_status snowmint_store_tag(const snowmint_store *store, const char *tag, snowmint_tag *row);

/**
 * Lists tags by name. `count` receives how many there are; the first of them, at most `capacity`, are
 * written to `tags`, which may be NULL if that is 0.
 *
 * Errors: those of the store.
 */
snowmint_status snowmint_store_tags(const snowmint_store *store,
                                    snowmint_tag *tags,
                                    size_t capacity,
                                    size_t *count);

/**
 * Gives the layout of a preset's name (`twitter`), or of fields from the top bit down
 * (`time:41,worker:10,sequence:12`) with ticks of 1 ms since 1970. `layout` receives a handle that
 * the caller ends with `snowmint_layout_free`.
 *
 * Errors: `SNOWMINT_UNKNOWN_LAYOUT`, `SNOWMINT_INVALID_LAYOUT`.
 */
snowmint_status snowmint_layout_preset(const char *name, snowmint_layout **layout);

/**
 * Makes a layout of fields from the top bit down: `time`, `worker`, `datacenter`, `process`, `shard`,
 * `sequence`, `rollback` with their widths, `zero:1`, `constant:2=3`. Bits left over are zeros on
 * top. The epoch is Unix milliseconds; a tick has `tick_ms` of them. `layout` receives a handle that
 * the caller ends with `snowmint_layout_free`.
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
 * Says what a layout is.
 *
 * Errors: `SNOWMINT_UNSUPPORTED` for a struct of a newer header.
 */
snowmint_status snowmint_layout_describe(const snowmint_layout *layout,
                                         snowmint_layout_facts *facts);

/**
 * Writes the fields of a layout as `snowmint_layout_fields` reads them, and a zero: `size` is at
 * least `SNOWMINT_FIELDS_SIZE`.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` where `size` is too small.
 */
snowmint_status snowmint_layout_text(const snowmint_layout *layout, char *text, size_t size);

/**
 * Gives the field at an index, from 0 at the top bit down.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` past the last field.
 */
snowmint_status snowmint_layout_field(const snowmint_layout *layout,
                                      uint32_t index,
                                      snowmint_field *field);

/**
 * Takes an ID apart.
 *
 * Errors: `SNOWMINT_ID_NOT_IN_LAYOUT` where constant bits differ.
 */
snowmint_status snowmint_layout_decode(const snowmint_layout *layout,
                                       uint64_t id,
                                       snowmint_parts *parts);

/**
 * Takes `count` IDs apart. At the first that is none of the layout's it stops: `parts` then holds
 * those before it, and the message tells its number.
 *
 * Errors: `SNOWMINT_ID_NOT_IN_LAYOUT`.
 */
snowmint_status snowmint_layout_decode_many(const snowmint_layout *layout,
                                            const uint64_t *ids,
                                            size_t count,
                                            snowmint_parts *parts);

/**
 * Puts an ID together; the time is rounded down to its tick.
 *
 * Errors: `SNOWMINT_TIME_OUT_OF_RANGE`, `SNOWMINT_FIELD_OUT_OF_RANGE`.
 */
snowmint_status snowmint_layout_encode(const snowmint_layout *layout,
                                       const snowmint_parts *parts,
                                       uint64_t *id);

/**
 * Gives the smallest ID with the tick of a time (`SNOWMINT_NOW`: the present): where paging by time
 * begins. An ID that is minted later can be below that of the present: see TIME.
 *
 * Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
 */
snowmint_status snowmint_layout_min_id(const snowmint_layout *layout,
                                       int64_t unix_ms,
                                       uint64_t *id);

/**
 * Gives the largest ID with the tick of a time (`SNOWMINT_NOW`: the present): where paging by time
 * ends. That of the present is above what is dated until now, not above all that is minted until now:
 * IDs can be dated up to `max_ahead_ms` after their minting, and by clocks that are ahead.
 *
 * Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
 */
snowmint_status snowmint_layout_max_id(const snowmint_layout *layout,
                                       int64_t unix_ms,
                                       uint64_t *id);

/**
 * Gives the tick of a time (`SNOWMINT_NOW`: the present), counted from the epoch's.
 *
 * Errors: `SNOWMINT_TIME_OUT_OF_RANGE`.
 */
snowmint_status snowmint_layout_tick_at(const snowmint_layout *layout,
                                        int64_t unix_ms,
                                        uint64_t *tick);

/**
 * Puts a worker ID together from its parts: datacenter 11 and worker 26 are 378 in Twitter's layout.
 * Parts left out are 0; of a part given twice the last counts.
 *
 * Errors: `SNOWMINT_FIELD_OUT_OF_RANGE` for a value that does not fit: of a field that the layout does
 * not have only 0 does; `SNOWMINT_INVALID_PARAMETER` for a name that no field has.
 */
snowmint_status snowmint_layout_worker_id(const snowmint_layout *layout,
                                          const snowmint_worker_part *parts,
                                          size_t count,
                                          uint32_t *worker_id);

/**
 * Says whether every ID of a layout fits `bits` bits: 63 for a signed integer, 53 for a JavaScript
 * number. `until_ms` receives the time for `SNOWMINT_FIT_UNTIL`, else 0; it may be NULL.
 *
 * Errors: of the arguments alone.
 */
snowmint_status snowmint_layout_fits(const snowmint_layout *layout,
                                     uint32_t bits,
                                     snowmint_fit *fit,
                                     int64_t *until_ms);

/**
 * Lists the presets that an ID may come from at a time (`SNOWMINT_NOW`: the present), likeliest
 * first. `count` receives how many there are; the first of them, at most `capacity`, are written to
 * `guesses`, which may be NULL if that is 0. It is a guess: many layouts share their bits. What stood
 * `beside` the ID counts: the key of its value (`guild_id`), its link, a column's name; NULL where
 * nothing did.
 *
 * Errors: of the arguments alone.
 */
snowmint_status snowmint_guess_presets(uint64_t id,
                                       int64_t now_ms,
                                       const char *beside,
                                       snowmint_guess *guesses,
                                       size_t capacity,
                                       size_t *count);

/**
 * Writes an ID in a text form and a zero: `size` is at least `SNOWMINT_TEXT_SIZE`, or the length that
 * the form needs and 1.
 *
 * Errors: `SNOWMINT_UNKNOWN_TEXT_FORM`; `SNOWMINT_INVALID_PARAMETER` where `size` is too small.
 */
snowmint_status snowmint_format(uint64_t id,
                                const char *form,
                                char *buffer,
                                size_t size);

/**
 * Reads an ID: what `snowmint_format` writes, and spellings that can mean only one ID, padded with
 * zeros or in the other case. Without a form (NULL) the one that `snowmint_detect` gives counts.
 *
 * Errors: `SNOWMINT_TEXT_LENGTH`, `SNOWMINT_INVALID_TEXT`, `SNOWMINT_TEXT_OVERFLOW`,
 * `SNOWMINT_TEXT_CHECK`; `SNOWMINT_UNKNOWN_TEXT_FORM`, also where none is detected.
 */
snowmint_status snowmint_parse(const char *written, const char *form, uint64_t *id);

/**
 * Gives the form that a bare text most likely has: a guess. z-base-32, base 36 and base 58 are never
 * guessed, nor base 62 where base 58 writes the same text.
 *
 * Errors: `SNOWMINT_UNKNOWN_TEXT_FORM` where none can be told.
 */
snowmint_status snowmint_detect(const char *written,
                                snowmint_text_form *form);

/**
 * How many text forms there are.
 */
size_t snowmint_text_form_count(void);

/**
 * Gives the text form at an index from 0 on.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` past the last.
 */
snowmint_status snowmint_text_form_at(size_t index, snowmint_text_form *form);

/**
 * Writes a time, Unix milliseconds, as RFC 3339 (`2022-06-28T16:07:40.105Z`) and a zero: `size` is at
 * least `SNOWMINT_TIMESTAMP_SIZE`.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` where `size` is too small.
 */
snowmint_status snowmint_timestamp(int64_t unix_ms,
                                   char *buffer,
                                   size_t size);

/**
 * Opens keys: those of a file, by its path, or of an environment variable, by `env:NAME`; `env:` alone
 * is `SNOWMINT_PUBLIC_ID_KEYS`. On Unix the file is this user's or root's, and nobody else may read it.
 * `keys` receives a handle that the caller ends with `snowmint_public_id_keys_free`; on an error it is
 * left as it is. Another thread must not change the environment meanwhile.
 *
 * Errors: `SNOWMINT_INVALID_KEYS` for keys that are missing, malformed, weak or not unique, or that are
 * given in the place of their source, which no message repeats; `SNOWMINT_KEYS_EXPOSED` for a file that
 * others may read or change; `SNOWMINT_INVALID_PARAMETER` for a wrong realm.
 */
snowmint_status snowmint_public_id_keys_open(const char *source,
                                             snowmint_public_id_keys **keys);

/**
 * Reads the same document, TOML or JSON, from memory: `length` bytes, which the caller may wipe after
 * the call. `keys` is as of `snowmint_public_id_keys_open`.
 *
 * Errors: as `snowmint_public_id_keys_open`.
 */
snowmint_status snowmint_public_id_keys_from_bytes(const uint8_t *document,
                                                   size_t length,
                                                   snowmint_public_id_keys **keys);

/**
 * Makes one new random key, which ends with the handle: for tests. `snowmint public-ids keygen` makes a
 * file. `keys` is as of `snowmint_public_id_keys_open`.
 *
 * Errors: `SNOWMINT_NO_RESOURCE`.
 */
snowmint_status snowmint_public_id_keys_generate(snowmint_public_id_keys **keys);

/**
 * Wipes the keys and frees the handle, which must not be used any more. NULL is no error. Public IDs
 * that were made of it stay.
 */
void snowmint_public_id_keys_free(snowmint_public_id_keys *keys);

/**
 * Gives what IDs of one type look like from outside. `type_name` is 1 to 32 small letters, digits and
 * underscores, the first a letter, the last no underscore: another type reads none of them. `form` is
 * `token` (NULL is the same), `base64url`, `uuid`, or `number64`, `number63` or `number53`, which is not
 * checked: each number is read as some ID. Keys are derived here, so keep what is given. `ids` receives a
 * handle that the caller ends with `snowmint_public_ids_free`; on an error it is left as it is.
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
 * Writes the public form of an ID and a zero: `size` is at least `SNOWMINT_PUBLIC_ID_SIZE`, or the length
 * that the type and form need and 1. An ID has one form, the same each time, as long as the current key
 * stays.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER` where `size` is too small, and for an ID with more bits than a
 * number's form; `SNOWMINT_INVALID_KEYS` for a number where several keys could be meant.
 */
snowmint_status snowmint_public_ids_encode(const snowmint_public_ids *ids,
                                           uint64_t id,
                                           char *buffer,
                                           size_t size);

/**
 * Reads an ID from its public form. `id` is left as it is on an error.
 *
 * Errors: `SNOWMINT_NOT_FOUND` where no ID has it, and it is not told why; of what anybody can see in the
 * text `SNOWMINT_WRONG_TYPE`, `SNOWMINT_TEXT_LENGTH`, `SNOWMINT_INVALID_TEXT`,
 * `SNOWMINT_TEXT_NOT_CANONICAL`, one of which a text that is not UTF-8 has as well; of numbers
 * `SNOWMINT_TEXT_OVERFLOW`, and `SNOWMINT_INVALID_KEYS` where several keys could be meant.
 */
snowmint_status snowmint_public_ids_decode(const snowmint_public_ids *ids,
                                           const char *public_id,
                                           uint64_t *id);

/**
 * Gives an ID as a number of 64, 63 or 53 bits, whatever the form.
 *
 * Errors: `SNOWMINT_INVALID_PARAMETER`; `SNOWMINT_INVALID_KEYS` where several keys could be meant.
 */
snowmint_status snowmint_public_ids_encode_number(const snowmint_public_ids *ids,
                                                  uint64_t id,
                                                  uint32_t bits,
                                                  uint64_t *number);

/**
 * Gives the ID of such a number. Each number has one: a made-up number is not told from others.
 *
 * Errors: as `snowmint_public_ids_encode_number`.
 */
snowmint_status snowmint_public_ids_decode_number(const snowmint_public_ids *ids,
                                                  uint64_t number,
                                                  uint32_t bits,
                                                  uint64_t *id);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/** Options of a snowflake, all at their defaults: set worker, store or worker_store. */
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

/** Stats to be filled. */
#define SNOWMINT_STATS_INIT                                                                        \
  {                                                                                                \
    sizeof(snowmint_stats), {0}, 0, 0, 0, 0, 0, {{0, 0}}, 0, 0, 0, 0, 0, {0}, SNOWMINT_OK, 0,      \
        false, false, false, false, false, false, false, false, false, false, false, false, 0      \
  }

#endif  /* SNOWMINT_H */
