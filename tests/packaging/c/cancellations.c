/* Threads that are cancelled inside the library: the process lives, and the call returns first. */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "check.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

static atomic_int is_down;  /* ranges are not given */
static atomic_int asked;    /* how often one was asked for */
static atomic_int returned; /* the status of the cancelled call; -1 before */

static void pause_ms(long ms) {
  const struct timespec pause = {0, ms * 1000000};
  nanosleep(&pause, NULL);
}

static void until_above(atomic_int *number, int bound) {
  for (int round = 0; atomic_load(number) <= bound; round++) {
    CHECK(round < 6000);
    pause_ms(10);
  }
}

/* A cancellation ends frames without AddressSanitizer, which goes on guarding their places, and then
   writes there itself when the thread ends: it reports its own AsanThread::Destroy, with any program
   whose thread is cancelled in a frame that is large enough. So it is told before. */
static void end_if_cancelled(void) {
#ifdef __SANITIZE_ADDRESS__
  __asan_handle_no_return();
#endif
  pthread_testcancel();
}

/* Waits for as long as it is down. Cancels its own thread, which is the library's. */
static int allocate(void *context, const char *tag, uint64_t count, snowmint_range *range) {
  uint64_t *next = context;
  (void)tag;
  atomic_fetch_add(&asked, 1);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  pthread_cancel(pthread_self());
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  while (atomic_load(&is_down)) {
    pause_ms(5);
  }
  range->start = *next;
  range->end = *next += count;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  return 0;
}

static snowmint_source *segment(uint64_t *next) {
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *source;
  options.tag = "orders";
  options.allocate = allocate;
  options.context = next;
  options.step = 10;
  options.prefetch_percent = 100;
  options.wait_ms = 60000;
  OK(snowmint_source_open_segment(&options, &source));
  return source;
}

static void *next(void *source) {
  uint64_t id;
  atomic_store(&returned, (int)snowmint_source_next(source, &id));
  end_if_cancelled();
  return NULL;
}

static void *next_within(void *source) {
  uint64_t id;
  atomic_store(&returned, (int)snowmint_source_next_within(source, 60000, &id));
  end_if_cancelled();
  return NULL;
}

static void *next_range(void *source) {
  snowmint_range range;
  atomic_store(&returned, (int)snowmint_source_next_range(source, 1, 60000, &range));
  end_if_cancelled();
  return NULL;
}

static void *fill(void *source) {
  uint64_t ids[35];
  atomic_store(&returned, (int)snowmint_source_fill(source, ids, 35));
  end_if_cancelled();
  return NULL;
}

/* Cancels a thread in a call that waits for the first range. */
static void cancelled(void *(*call)(void *)) {
  uint64_t first = 1, id;
  snowmint_source *source = segment(&first);
  const int before = atomic_load(&asked);
  pthread_t thread;
  void *end;
  atomic_store(&is_down, 1);
  atomic_store(&returned, -1);
  CHECK(pthread_create(&thread, NULL, call, source) == 0);
  until_above(&asked, before);
  CHECK(pthread_cancel(thread) == 0);
  pause_ms(50); /* In which a thread that can be cancelled is. */
  atomic_store(&is_down, 0);
  CHECK(pthread_join(thread, &end) == 0);
  CHECK(end == PTHREAD_CANCELED && atomic_load(&returned) == SNOWMINT_OK);
  OK(snowmint_source_next(source, &id));
  CHECK(id > 1);
  snowmint_source_free(source);
}

static void waits(void) {
  cancelled(next);
  cancelled(next_within);
  cancelled(next_range);
  cancelled(fill);
}

static void *open_and_close(void *unused) {
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_store *store;
  snowmint_source *source;
  int state;
  (void)unused;
  pthread_cancel(pthread_self());
  OK(snowmint_store_open("memory:", &store));
  options.store = store;
  OK(snowmint_source_open_snowflake(&options, &source));
  OK(snowmint_source_close(source));
  snowmint_source_free(source);
  snowmint_store_free(store);
  atomic_store(&returned, SNOWMINT_OK);
  CHECK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state) == 0);
  CHECK(state == PTHREAD_CANCEL_ENABLE); /* as it was */
  end_if_cancelled();
  return NULL;
}

static void opening_and_closing(void) {
  pthread_t thread;
  void *end;
  atomic_store(&returned, -1);
  CHECK(pthread_create(&thread, NULL, open_and_close, NULL) == 0);
  CHECK(pthread_join(thread, &end) == 0);
  CHECK(end == PTHREAD_CANCELED && atomic_load(&returned) == SNOWMINT_OK);
}

static const struct test tests[] = {
    {"waits", waits},
    {"opening_and_closing", opening_and_closing},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
