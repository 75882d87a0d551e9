/* snowmint_on_restore: a process that may be one of several copies goes on with nothing that another
 * copy may have. */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <stdatomic.h>

#include "directory.h"

#define THREADS 3
#define EACH 200000
#define RESTORES 20

static uint32_t worker_of(const snowmint_source *source, uint64_t id) {
  snowmint_layout *layout;
  snowmint_parts parts;
  OK(snowmint_source_layout(source, &layout));
  OK(snowmint_layout_decode(layout, id, &parts));
  snowmint_layout_free(layout);
  return parts.worker_id;
}

static void another_lease(void) {
  const struct directory directory = fresh_directory();
  snowmint_store *store = store_in(&directory);
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_source *source;
  snowmint_worker rows[2];
  uint64_t before, after;
  size_t count;
  options.store = store;
  OK(snowmint_source_open_snowflake(&options, &source));
  OK(snowmint_source_next(source, &before));
  snowmint_on_restore();
  OK(snowmint_source_next(source, &after));
  CHECK(worker_of(source, after) != worker_of(source, before));
  /* The lease of before is another copy's as well: nobody ended it. */
  OK(snowmint_store_workers(store, rows, 2, &count));
  CHECK(count == 2 && rows[0].held && rows[1].held);
  OK(snowmint_source_close(source));
  snowmint_on_restore();
  RETURNS(SNOWMINT_CLOSED, snowmint_source_next(source, &after));
  snowmint_source_free(source);
  snowmint_store_free(store);
  remove_directory(&directory);
}

static void another_range(void) {
  const struct directory directory = fresh_directory();
  snowmint_store *store = store_in(&directory);
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_sequences_options keys = SNOWMINT_SEQUENCES_OPTIONS_INIT;
  snowmint_source *source;
  snowmint_sequences *sequences;
  uint64_t number;
  OK(snowmint_store_create_tag(store, "orders", -1, 100, -1, -1));
  options.store = keys.store = store;
  options.tag = "orders";
  options.step = keys.step = 100;
  keys.tag = "chat";
  OK(snowmint_source_open_segment(&options, &source));
  OK(snowmint_sequences_open(&keys, &sequences));
  OK(snowmint_source_next(source, &number));
  CHECK(number == 1);
  OK(snowmint_sequences_next(sequences, 7, &number));
  CHECK(number == 1);
  snowmint_on_restore();
  OK(snowmint_source_next(source, &number));
  CHECK(number > 100);
  OK(snowmint_sequences_next(sequences, 7, &number));
  CHECK(number > 100);
  snowmint_source_free(source);
  snowmint_sequences_free(sequences);
  snowmint_store_free(store);
  remove_directory(&directory);
}

static void fixed_worker_ids_are_opened_anew(void) {
  const struct directory directory = fresh_directory();
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_source *source;
  uint64_t id, later;
  options.worker_id = "7";
  options.state_directory = directory.path;
  OK(snowmint_source_open_snowflake(&options, &source));
  OK(snowmint_source_next(source, &id));
  snowmint_on_restore();
  RETURNS(SNOWMINT_FORKED, snowmint_source_next(source, &later));
  RETURNS(SNOWMINT_FORKED, snowmint_source_fill(source, &later, 1));
  snowmint_source_free(source);
  OK(snowmint_source_open_snowflake(&options, &source));
  OK(snowmint_source_next(source, &later));
  CHECK(later > id);
  snowmint_source_free(source);
  remove_directory(&directory);
}

static void a_store_in_memory_is_in_every_copy(void) {
  snowmint_store *store = memory();
  snowmint_tag row;
  OK(snowmint_store_create_tag(store, "orders", -1, -1, -1, -1));
  snowmint_on_restore();
  RETURNS(SNOWMINT_STORE_UNAVAILABLE, snowmint_store_tag(store, "orders", &row));
  snowmint_store_free(store);
}

static snowmint_source *shared;
static atomic_int minting;

static void *mint(void *out) {
  uint64_t *ids = out;
  for (size_t at = 0; at < EACH; at++) {
    OK(snowmint_source_next_within(shared, 60000, &ids[at]));
  }
  atomic_fetch_sub(&minting, 1);
  return NULL;
}

static void while_threads_mint(void) {
  static uint64_t ids[THREADS * EACH];
  const struct directory directory = fresh_directory();
  pthread_t thread[THREADS];
  snowmint_store *store = store_in(&directory);
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  options.store = store;
  OK(snowmint_source_open_snowflake(&options, &shared));
  atomic_store(&minting, THREADS);
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_create(&thread[at], NULL, mint, &ids[at * EACH]) == 0);
  }
  for (int restore = 0; restore < RESTORES && atomic_load(&minting) > 0; restore++) {
    uint64_t id;
    snowmint_on_restore();
    OK(snowmint_source_next_within(shared, 60000, &id));
  }
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_join(thread[at], NULL) == 0);
  }
  CHECK(duplicates(ids, THREADS * EACH) == 0);
  snowmint_source_free(shared);
  snowmint_store_free(store);
  remove_directory(&directory);
}

static const struct test tests[] = {
    {"another_lease", another_lease},
    {"another_range", another_range},
    {"fixed_worker_ids_are_opened_anew", fixed_worker_ids_are_opened_anew},
    {"a_store_in_memory_is_in_every_copy", a_store_in_memory_is_in_every_copy},
    {"while_threads_mint", while_threads_mint},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
