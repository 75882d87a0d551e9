/* Databases of the caller's own. */
#define _XOPEN_SOURCE 700
#include <stdatomic.h>
#include <time.h>

#include "check.h"

enum { WORKS = 0, NONSENSE = -1, GOES_BACK = -2, FAILS_INSIDE = -3 };

struct database {
  atomic_int mode; /* one of these, or what allocate returns */
  atomic_int calls; /* of allocate, or leases held */
  atomic_int released;
  atomic_int held_up; /* whether a lease cannot be given back yet */
  int renewal; /* what renew returns */
  uint64_t next;
  int64_t reserved_ms;
};

static int allocate(void *context, const char *tag, uint64_t count, snowmint_range *range) {
  struct database *database = context;
  const int mode = atomic_load(&database->mode);
  snowmint_layout *layout;
  atomic_fetch_add(&database->calls, 1);
  if (strcmp(tag, "orders") != 0 || mode > 0) {
    return mode > 0 ? mode : 99;
  }
  if (mode == NONSENSE) {
    range->start = 10, range->end = 3;
    return 0;
  }
  if (mode == FAILS_INSIDE) {
    RETURNS(SNOWMINT_UNKNOWN_LAYOUT, snowmint_layout_preset("nobody", &layout));
  }
  range->start = mode == GOES_BACK ? 1 : database->next;
  range->end = range->start + count;
  if (mode != GOES_BACK) {
    database->next = range->end;
  }
  return 0;
}

static void release(void *context) {
  atomic_fetch_add(&((struct database *)context)->released, 1);
}

static void pause_ms(long ms) {
  const struct timespec pause = {0, ms * 1000000};
  nanosleep(&pause, NULL);
}

static void wait_for_release(struct database *database) {
  for (int round = 0; atomic_load(&database->released) == 0; round++) {
    CHECK(round < 6000);
    pause_ms(10);
  }
  CHECK(atomic_load(&database->released) == 1);
}

static snowmint_source *segment(struct database *database) {
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *source;
  options.tag = "orders";
  options.allocate = allocate;
  options.context = database;
  options.release = release;
  options.step = 100;
  options.prefetch_percent = 100;
  OK(snowmint_source_open_segment(&options, &source));
  return source;
}

static void numbers(void) {
  struct database database = {.next = 1};
  snowmint_source *source = segment(&database);
  uint64_t ids[1000], id;
  snowmint_range range;
  OK(snowmint_source_fill(source, ids, 1000));
  for (uint64_t at = 0; at < 1000; at++) {
    CHECK(ids[at] == at + 1);
  }
  OK(snowmint_source_next_range(source, 5, 5000, &range));
  CHECK(range.start == 1001 && range.end > 1001 && range.end <= 1006 && range.stride == 1);
  RETURNS(SNOWMINT_COUNT_OUT_OF_RANGE, snowmint_source_next_range(source, 0, 0, &range));
  OK(snowmint_source_next(source, &id));
  CHECK(id == range.end);
  snowmint_source_free(source);
  wait_for_release(&database);
}

/* Uses up what is there, and calls until the database's failure comes. */
static snowmint_status starve(snowmint_source *source, uint64_t *last) {
  uint64_t id;
  for (;;) {
    const snowmint_status status = snowmint_source_next_within(source, 200, &id);
    if (status == SNOWMINT_OK) {
      CHECK(id > *last);
      *last = id;
    } else if (status != SNOWMINT_WAIT_TIMEOUT) {
      return status;
    }
  }
}

static void recover(snowmint_source *source, struct database *database, uint64_t *last) {
  uint64_t id;
  atomic_store(&database->mode, WORKS);
  for (int round = 0; snowmint_source_next_within(source, 200, &id) != SNOWMINT_OK; round++) {
    CHECK(round < 6000);
    pause_ms(10);
  }
  CHECK(id == *last + 1);
  *last = id;
}

static void failures(void) {
  struct database database = {.next = 1};
  snowmint_source *source = segment(&database);
  uint64_t last = 0;
  OK(snowmint_source_next(source, &last));
  atomic_store(&database.mode, 42);
  RETURNS(SNOWMINT_STORE_UNAVAILABLE, starve(source, &last));
  CHECK(strstr(snowmint_last_message(), "the store's allocate failed: it returned 42") != NULL);
  recover(source, &database, &last);
  atomic_store(&database.mode, NONSENSE);
  RETURNS(SNOWMINT_INVALID_RANGE, starve(source, &last));
  recover(source, &database, &last);
  snowmint_source_free(source);
  wait_for_release(&database);
}

/* Later numbers may be another's, so the source gives none until it is opened anew. */
static void a_store_that_went_back(void) {
  struct database database = {.next = 1};
  snowmint_source *source = segment(&database), *anew;
  uint64_t last = 0, id;
  OK(snowmint_source_next(source, &last));
  atomic_store(&database.mode, GOES_BACK);
  RETURNS(SNOWMINT_RANGE_REGRESSED, starve(source, &last));
  atomic_store(&database.mode, WORKS);
  for (int round = 0; round < 5; round++) {
    RETURNS(SNOWMINT_RANGE_REGRESSED, snowmint_source_next_within(source, 200, &id));
  }
  snowmint_source_free(source);
  wait_for_release(&database);
  anew = segment(&database);
  OK(snowmint_source_next(anew, &id));
  CHECK(id > last);
  snowmint_source_free(anew);
}

static snowmint_stats stats_of(const snowmint_source *source) {
  snowmint_stats stats = SNOWMINT_STATS_INIT;
  OK(snowmint_source_stats(source, &stats));
  return stats;
}

static void stats_of_numbers(void) {
  struct database database = {.next = 1};
  snowmint_source *source = segment(&database);
  uint64_t last, ids[30];
  snowmint_stats stats = stats_of(source);
  CHECK(strcmp(stats.kind, "segment") == 0 && !stats.is_closed && stats.bucket_count == 0);
  CHECK(!stats.has_worker_id && !stats.has_rate && !stats.has_runway_ms && !stats.has_failure);
  CHECK(!stats.has_tag_next && stats.tag_next == 0 && stats.tag_next_tag[0] == '\0');
  OK(snowmint_source_fill(source, ids, 30));
  stats = stats_of(source);
  CHECK(stats.bucket_count == 1 && stats.buckets[0].left == 70 && stats.buckets[0].size == 100);
  CHECK(stats.has_step && stats.step == 100);
  CHECK(stats.has_tag_next && stats.tag_next == 101 && strcmp(stats.tag_next_tag, "orders") == 0);
  atomic_store(&database.mode, 42);
  last = ids[29];
  RETURNS(SNOWMINT_STORE_UNAVAILABLE, starve(source, &last));
  stats = stats_of(source);
  CHECK(stats.has_failure && stats.failure_status == SNOWMINT_STORE_UNAVAILABLE);
  CHECK(strstr(stats.failure_message, "42") != NULL && !stats.failure_is_over);
  CHECK(stats.failure_unix_ms > INT64_C(1700000000000) && stats.buckets[0].left == 0);
  recover(source, &database, &last);
  stats = stats_of(source);
  CHECK(stats.has_failure && stats.failure_is_over && stats.has_rate);
  OK(snowmint_source_close(source));
  stats = stats_of(source);
  CHECK(stats.is_closed);
  RETURNS(SNOWMINT_CLOSED, snowmint_source_try_next(source, &last));
  snowmint_source_free(source);
  wait_for_release(&database);
}

static void messages_of_callbacks_stay_there(void) {
  struct database database = {.mode = FAILS_INSIDE, .next = 1};
  snowmint_source *source = segment(&database);
  const char *message;
  uint64_t id;
  RETURNS(SNOWMINT_INVALID_PARAMETER, snowmint_source_next(NULL, &id));
  message = snowmint_last_message();
  OK(snowmint_source_next(source, &id));
  CHECK(id == 1 && snowmint_last_message() == message && strstr(message, "NULL") != NULL);
  snowmint_source_free(source);
  wait_for_release(&database);
}

static void refused_options_release_the_context(void) {
  struct database database = {.next = 1};
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *source = NULL;
  options.tag = "no tag";
  options.allocate = allocate;
  options.context = &database;
  options.release = release;
  RETURNS(SNOWMINT_INVALID_TAG, snowmint_source_open_segment(&options, &source));
  CHECK(atomic_load(&database.released) == 1 && source == NULL);
  options.tag = "orders";
  RETURNS(SNOWMINT_INVALID_PARAMETER, snowmint_source_open_segment(&options, NULL));
  CHECK(atomic_load(&database.released) == 2);
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int acquire(void *context, const snowmint_lease_request *request, snowmint_lease *lease) {
  struct database *database = context;
  const int64_t now = now_ms();
  if (strstr(request->realm, "datacenter:5") == NULL || request->owner[0] == '\0' ||
      request->max_worker_id != 1023) {
    return SNOWMINT_INVALID_PARAMETER;
  }
  if (atomic_load(&database->mode) > 0) {
    return atomic_load(&database->mode);
  }
  atomic_fetch_add(&database->calls, 1);
  lease->worker_id = 5;
  lease->epoch = 1;
  lease->now_ms = now;
  lease->floor_ms = database->reserved_ms > now ? database->reserved_ms : now;
  lease->reserved_ms = database->reserved_ms = now + request->reserve_ms;
  memcpy(lease->token, request->token, sizeof lease->token);
  if (atomic_load(&database->mode) == NONSENSE) {
    lease->reserved_ms = lease->floor_ms; /* no time at all */
  }
  return 0;
}

static int renew(void *context, const snowmint_lease_request *request, snowmint_lease *lease,
                 const uint8_t *next_token) {
  struct database *database = context;
  if (database->renewal != 0) {
    return database->renewal;
  }
  lease->now_ms = now_ms();
  lease->reserved_ms = database->reserved_ms = lease->now_ms + request->reserve_ms;
  memcpy(lease->token, next_token, sizeof lease->token);
  return 0;
}

static int release_lease(void *context, const snowmint_lease_request *request,
                         const snowmint_lease *lease) {
  (void)request, (void)lease;
  while (atomic_load(&((struct database *)context)->held_up)) {
    pause_ms(10);
  }
  atomic_fetch_sub(&((struct database *)context)->calls, 1);
  return 0;
}

static snowmint_status generator(struct database *database, snowmint_source **source) {
  const snowmint_worker_store store = {sizeof store, database,      acquire,
                                       renew,        release_lease, release};
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  options.worker_store = &store;
  return snowmint_source_open_snowflake(&options, source);
}

static void refused_generators_release_the_context(void) {
  struct database database = {.mode = WORKS};
  const snowmint_worker_store store = {sizeof store, &database,     acquire,
                                       renew,        release_lease, release};
  const snowmint_worker_store lacking = {sizeof lacking, &database,     NULL,
                                         renew,          release_lease, release};
  snowmint_snowflake_options refused[9];
  snowmint_store *memory;
  snowmint_source *source = NULL;
  OK(snowmint_store_open("memory:", &memory));
  for (int i = 0; i < 9; i++) {
    const snowmint_snowflake_options unset = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
    refused[i] = unset;
    refused[i].worker_store = &store;
  }
  refused[0].worker_id = "seven";
  refused[1].worker_id = "7";
  refused[2].store = memory;
  refused[3].preset = "nobody";
  refused[4].policy = "nobody";
  refused[5].start = "nobody";
  refused[6].max_ahead_ms = -5;
  refused[7].reserve_ms = 1;
  refused[8].worker_store = &lacking;
  for (int i = 0; i < 9; i++) {
    CHECK(snowmint_source_open_snowflake(&refused[i], &source) != SNOWMINT_OK && source == NULL);
    CHECK(atomic_load(&database.released) == i + 1);
  }
  RETURNS(SNOWMINT_INVALID_PARAMETER, snowmint_source_open_snowflake(&refused[0], NULL));
  CHECK(atomic_load(&database.released) == 10 && atomic_load(&database.calls) == 0);
  snowmint_store_free(memory);
}

/* A closed source's lease is given back by a thread of the library's. */
static void closing_waits_for_no_store(void) {
  struct database database = {.mode = WORKS};
  snowmint_source *source;
  uint64_t id;
  OK(generator(&database, &source));
  CHECK(atomic_load(&database.calls) == 1);
  atomic_store(&database.held_up, 1);
  RETURNS(SNOWMINT_WAIT_TIMEOUT, snowmint_source_close_within(source, 20));
  RETURNS(SNOWMINT_CLOSED, snowmint_source_next(source, &id));
  OK(snowmint_source_close(source));
  CHECK(atomic_load(&database.calls) == 1);
  atomic_store(&database.held_up, 0);
  snowmint_source_free(source);
  wait_for_release(&database);
  CHECK(atomic_load(&database.calls) == 0);
}

static void nonsense_of_a_worker_store(void) {
  struct database database = {.mode = NONSENSE};
  snowmint_source *source;
  RETURNS(SNOWMINT_INVALID_ANSWER, generator(&database, &source));
  wait_for_release(&database);
}

static void worker_ids(void) {
  struct database database = {.mode = SNOWMINT_WORKERS_EXHAUSTED};
  snowmint_source *source;
  snowmint_layout *layout;
  snowmint_parts parts;
  snowmint_stats stats;
  uint64_t id;
  RETURNS(SNOWMINT_WORKERS_EXHAUSTED, generator(&database, &source));
  CHECK(strstr(snowmint_last_message(), "it returned SNOWMINT_WORKERS_EXHAUSTED (501)") != NULL);
  CHECK(atomic_load(&database.released) == 1);
  atomic_store(&database.mode, WORKS);
  atomic_store(&database.released, 0);
  OK(generator(&database, &source));
  OK(snowmint_source_next(source, &id));
  OK(snowmint_source_layout(source, &layout));
  OK(snowmint_layout_decode(layout, id, &parts));
  CHECK(parts.worker_id == 5);
  stats = stats_of(source);
  CHECK(strcmp(stats.kind, "snowflake") == 0 && stats.has_worker_id && stats.worker_id == 5);
  CHECK(stats.has_reserved_ms && stats.reserved_ms > 0 && stats.has_lease_age_ms);
  CHECK(stats.has_reserve_ms && stats.reserve_ms > 0);
  OK(snowmint_source_close_within(source, 60000));
  CHECK(atomic_load(&database.calls) == 0); /* every lease was given back */
  stats = stats_of(source);
  CHECK(stats.is_closed && !stats.has_worker_id);
  snowmint_layout_free(layout);
  snowmint_source_free(source);
  wait_for_release(&database);
}

struct loss {
  atomic_int count;
  char message[512];
};

static void note_loss(void *context, const snowmint_event *event) {
  struct loss *loss = context;
  if (event->kind == SNOWMINT_EVENT_LEASE_LOST && atomic_load(&loss->count) == 0) {
    snprintf(loss->message, sizeof loss->message, "%s", event->message);
    atomic_store(&loss->count, 1);
  }
}

static void a_lease_that_is_lost(void) {
  struct database database = {.mode = WORKS, .renewal = SNOWMINT_LEASE_LOST};
  const snowmint_worker_store store = {sizeof store, &database,     acquire,
                                       renew,        release_lease, release};
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  struct loss loss = {0};
  snowmint_listener *listener;
  snowmint_source *source;
  OK(snowmint_on_event(note_loss, &loss, NULL, &listener));
  options.worker_store = &store;
  options.reserve_ms = 1000;
  OK(snowmint_source_open_snowflake(&options, &source));
  for (int round = 0; atomic_load(&loss.count) == 0; round++) {
    CHECK(round < 6000);
    pause_ms(10);
  }
  CHECK(strstr(loss.message, "renew failed: it returned SNOWMINT_LEASE_LOST (502): acquire anew. "
                             "The generator takes one anew by itself.") != NULL);
  snowmint_listener_free(listener);
  snowmint_source_free(source);
  wait_for_release(&database);
}

static const struct test tests[] = {
    {"numbers", numbers},
    {"failures", failures},
    {"a_store_that_went_back", a_store_that_went_back},
    {"stats_of_numbers", stats_of_numbers},
    {"messages_of_callbacks_stay_there", messages_of_callbacks_stay_there},
    {"refused_options_release_the_context", refused_options_release_the_context},
    {"refused_generators_release_the_context", refused_generators_release_the_context},
    {"worker_ids", worker_ids},
    {"closing_waits_for_no_store", closing_waits_for_no_store},
    {"nonsense_of_a_worker_store", nonsense_of_a_worker_store},
    {"a_lease_that_is_lost", a_lease_that_is_lost},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
