/* Listeners: what they hear of, and what they may do. */
#define _XOPEN_SOURCE 700
#include <stdatomic.h>
#include <time.h>

#include "check.h"

enum { MOST = 16 };

struct heard {
  atomic_int count;
  atomic_int released;
  snowmint_event_kind kinds[MOST];
  uint32_t worker_id;
  char message[512];
  /* Closed by the listener, which then leaves. */
  snowmint_source *closed;
  _Atomic(snowmint_listener *) listener;
};

static void on_event(void *context, const snowmint_event *event) {
  struct heard *heard = context;
  const int at = atomic_load(&heard->count);
  CHECK(at < MOST && event->size >= sizeof *event);
  CHECK(event->is_warning == (event->kind != SNOWMINT_EVENT_STORE_BACK));
  CHECK(event->unix_ms > INT64_C(1700000000000));
  heard->kinds[at] = event->kind;
  heard->worker_id = event->has_worker_id ? event->worker_id : UINT32_MAX;
  snprintf(heard->message, sizeof heard->message, "%s: %s", event->source, event->message);
  if (event->kind == SNOWMINT_EVENT_STORE_DOWN) {
    CHECK(strcmp(event->tag, "orders") == 0 && event->code == SNOWMINT_STORE_UNAVAILABLE);
  }
  if (heard->closed != NULL) {
    OK(snowmint_source_close(heard->closed));
    snowmint_listener_free(atomic_load(&heard->listener));
  }
  atomic_store(&heard->count, at + 1);
}

static void release(void *context) {
  atomic_fetch_add(&((struct heard *)context)->released, 1);
}

static snowmint_listener *listen_to(struct heard *heard) {
  snowmint_listener *listener;
  OK(snowmint_on_event(on_event, heard, release, &listener));
  atomic_store(&heard->listener, listener);
  return listener;
}

static void wait_for(atomic_int *number, int least) {
  const struct timespec pause = {0, 1000000};
  for (int round = 0; atomic_load(number) < least; round++) {
    CHECK(round < 60000);
    nanosleep(&pause, NULL);
  }
}

static int allocate(void *context, const char *tag, uint64_t count, snowmint_range *range) {
  static uint64_t next = 1;
  (void)tag;
  if (atomic_load((atomic_int *)context) != 0) {
    return 1;
  }
  range->start = next;
  range->end = next += count;
  return 0;
}

static snowmint_source *segment(atomic_int *is_down) {
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *source;
  options.tag = "orders";
  options.allocate = allocate;
  options.context = is_down;
  options.step = 1;
  options.wait_ms = 100;
  OK(snowmint_source_open_segment(&options, &source));
  return source;
}

/* Mints until that gives such a status. */
static void until(snowmint_status wanted, snowmint_source *source) {
  uint64_t id;
  snowmint_status status;
  do {
    status = snowmint_source_next(source, &id);
    CHECK(status == SNOWMINT_OK || status == SNOWMINT_WAIT_TIMEOUT || status == wanted ||
          status == SNOWMINT_STORE_UNAVAILABLE);
  } while (status != wanted);
}

static void a_store_that_fails_and_comes_back(void) {
  struct heard heard = {0};
  atomic_int is_down = 0;
  snowmint_listener *listener = listen_to(&heard);
  snowmint_source *source = segment(&is_down);
  RETURNS(SNOWMINT_INVALID_PARAMETER, snowmint_on_event(NULL, NULL, NULL, NULL));
  for (int round = 1; round <= 2; round++) {
    until(SNOWMINT_OK, source);
    atomic_store(&is_down, 1);
    until(SNOWMINT_STORE_UNAVAILABLE, source);
    atomic_store(&is_down, 0);
    until(SNOWMINT_OK, source);
    wait_for(&heard.count, 2 * round);
  }
  for (int at = 0; at < 4; at++) {
    CHECK(heard.kinds[at] == (at % 2 ? SNOWMINT_EVENT_STORE_BACK : SNOWMINT_EVENT_STORE_DOWN));
  }
  snowmint_listener_free(listener);
  snowmint_listener_free(NULL);
  wait_for(&heard.released, 1);
  atomic_store(&is_down, 1);
  until(SNOWMINT_STORE_UNAVAILABLE, source);
  OK(snowmint_source_close(source));
  snowmint_source_free(source);
  CHECK(atomic_load(&heard.count) == 4 && atomic_load(&heard.released) == 1);
}

static void a_layout_that_ends(void) {
  struct heard heard = {0};
  snowmint_listener *listener = listen_to(&heard);
  snowmint_store *store = memory();
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_layout *layout;
  snowmint_parts parts;
  snowmint_source *source;
  uint64_t id;
  const int64_t ends_ms = ((int64_t)time(NULL) + 30 * 86400) * 1000;
  const int64_t epoch_ms = ends_ms - (INT64_C(1) << 34);
  OK(snowmint_layout_fields("time:34,worker:10,sequence:12", epoch_ms, 1, &layout));
  options.store = store;
  options.layout = layout;
  OK(snowmint_source_open_snowflake(&options, &source));
  /* Told by the thread that opened it. */
  CHECK(atomic_load(&heard.count) == 1 && heard.kinds[0] == SNOWMINT_EVENT_EXPIRES_SOON);
  CHECK(strncmp(heard.message, "snowflake: the layout's time field runs out at ", 46) == 0);
  OK(snowmint_source_next(source, &id));
  OK(snowmint_layout_decode(layout, id, &parts));
  CHECK(parts.worker_id == heard.worker_id);
  snowmint_listener_free(listener);
  snowmint_source_free(source);
  snowmint_layout_free(layout);
  snowmint_store_free(store);
}

static void a_listener_closes_and_leaves(void) {
  struct heard heard = {0};
  atomic_int is_down = 0;
  snowmint_source *source = segment(&is_down);
  until(SNOWMINT_OK, source);
  heard.closed = source;
  listen_to(&heard);
  atomic_store(&is_down, 1);
  until(SNOWMINT_CLOSED, source);
  wait_for(&heard.released, 1);
  CHECK(atomic_load(&heard.count) == 1);
  snowmint_source_free(source);
}

static const struct test tests[] = {
    {"a_store_that_fails_and_comes_back", a_store_that_fails_and_comes_back},
    {"a_layout_that_ends", a_layout_that_ends},
    {"a_listener_closes_and_leaves", a_listener_closes_and_leaves},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
