/* A parent that forks with sources in it: 10 million IDs, none twice. A child hands its own back by
 * memory that it shares with the parent. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "database.h"
#include "directory.h"

#define PROCESSES 5 /* the parent, three children and a grandchild */

static void mint(const snowmint_source *source, uint64_t *ids, size_t count) {
  const size_t half = count / 2;
  for (size_t at = 0; at < half; at++) {
    OK(snowmint_source_next(source, &ids[at]));
  }
  OK(snowmint_source_fill(source, ids + half, count - half));
}

static void ended_well(pid_t child) {
  int status;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Mints in every process at once, and says how many IDs came more than once. */
static size_t minted_twice(snowmint_source *source, size_t each) {
  const size_t total = PROCESSES * each, bytes = total * sizeof(uint64_t);
  uint64_t *ids = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t children[3];
  CHECK(ids != MAP_FAILED);
  mint(source, ids, each / 2);
  for (size_t at = 0; at < 3; at++) {
    children[at] = fork();
    CHECK(children[at] >= 0);
    if (children[at] == 0) {
      const pid_t grandchild = at == 0 ? fork() : -1;
      if (grandchild == 0) {
        mint(source, ids + 4 * each, each);
        snowmint_source_free(source);
        _exit(0);
      }
      mint(source, ids + (at + 1) * each, each);
      if (at == 0) {
        ended_well(grandchild);
      }
      snowmint_source_free(source);
      _exit(0);
    }
  }
  mint(source, ids + each / 2, each - each / 2);
  for (size_t at = 0; at < 3; at++) {
    ended_well(children[at]);
  }
  const size_t found = duplicates(ids, total);
  munmap(ids, bytes);
  return found;
}

/* The amount of something, which a variable sets: less where valgrind looks on. */
static size_t amount(const char *variable, size_t usual) {
  const char *wanted = getenv(variable);
  return wanted == NULL ? usual : strtoul(wanted, NULL, 10);
}

static size_t each_of_test(void) { return amount("SNOWMINT_FORK_IDS", 10000000) / PROCESSES; }

static void snowflakes(void) {
  const struct directory directory = fresh_directory();
  snowmint_store *store = store_in(&directory);
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_source *source;
  options.store = store;
  options.wait_ms = 60000;
  OK(snowmint_source_open_snowflake(&options, &source));
  const size_t found = minted_twice(source, each_of_test());
  printf("%zu IDs of snowflakes, %zu duplicates\n", PROCESSES * each_of_test(), found);
  CHECK(found == 0);
  snowmint_source_free(source);
  snowmint_store_free(store);
  remove_directory(&directory);
}

static void segments(void) {
  const struct directory directory = fresh_directory();
  snowmint_store *store = store_in(&directory);
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *source;
  OK(snowmint_store_create_tag(store, "orders", -1, 10000, -1, -1));
  options.store = store;
  options.tag = "orders";
  options.wait_ms = 60000;
  OK(snowmint_source_open_segment(&options, &source));
  const size_t found = minted_twice(source, each_of_test());
  printf("%zu numbers of segments, %zu duplicates\n", PROCESSES * each_of_test(), found);
  CHECK(found == 0);
  snowmint_source_free(source);
  snowmint_store_free(store);
  remove_directory(&directory);
}

#define THREADS 3
#define EACH_FORK 200
#define MOST 2000000

/* IDs of every process, in memory that they share. */
static struct {
  atomic_size_t count;
  atomic_bool ended;
  uint64_t ids[MOST];
} *minted;
static snowmint_source *shared;

static void mint_one(void) {
  uint64_t id;
  OK(snowmint_source_next_within(shared, 60000, &id));
  const size_t at = atomic_fetch_add(&minted->count, 1);
  if (at < MOST) {
    minted->ids[at] = id;
  }
}

static void *mint_on(void *unused) {
  while (!atomic_load(&minted->ended)) {
    mint_one();
    usleep(10);
  }
  return unused;
}

/* Forks in the middle of whatever the other threads do, the library's own among them. */
static void fork_while_threads_mint(void) {
  const size_t forks = amount("SNOWMINT_FORKS", 30);
  pthread_t threads[THREADS];
  minted = mmap(NULL, sizeof *minted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(minted != MAP_FAILED);
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_create(&threads[at], NULL, mint_on, NULL) == 0);
  }
  for (size_t round = 0; round < forks; round++) {
    const pid_t child = fork();
    if (child == 0) {
      for (int number = 0; number < EACH_FORK; number++) {
        mint_one();
      }
      if (round % 2 == 0) {
        snowmint_source_free(shared);
      }
      _exit(0);
    }
    ended_well(child);
  }
  atomic_store(&minted->ended, true);
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_join(threads[at], NULL) == 0);
  }
  const size_t count = atomic_load(&minted->count), kept = count < MOST ? count : MOST;
  CHECK(kept >= forks * EACH_FORK && duplicates(minted->ids, kept) == 0);
  munmap(minted, sizeof *minted);
  snowmint_source_free(shared);
}

static void snowflakes_of_threads(void) {
  const struct directory directory = fresh_directory();
  snowmint_store *store = store_in(&directory);
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  options.store = store;
  OK(snowmint_source_open_snowflake(&options, &shared));
  fork_while_threads_mint();
  snowmint_store_free(store);
  remove_directory(&directory);
}

static void segments_of_threads(void) {
  const struct directory directory = fresh_directory();
  snowmint_store *store = store_in(&directory);
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  OK(snowmint_store_create_tag(store, "orders", -1, 50, -1, -1));
  options.store = store;
  options.tag = "orders";
  options.step = 50;
  OK(snowmint_source_open_segment(&options, &shared));
  fork_while_threads_mint();
  snowmint_store_free(store);
  remove_directory(&directory);
}

static void fixed_worker_ids(void) {
  const struct directory directory = fresh_directory();
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_source *source;
  uint64_t id, later;
  options.worker_id = "7";
  options.state_directory = directory.path;
  OK(snowmint_source_open_snowflake(&options, &source));
  OK(snowmint_source_next(source, &id));
  const pid_t child = fork();
  if (child == 0) {
    RETURNS(SNOWMINT_FORKED, snowmint_source_next(source, &id));
    RETURNS(SNOWMINT_FORKED, snowmint_source_try_next(source, &id));
    snowmint_source_free(source);
    _exit(0);
  }
  ended_well(child);
  OK(snowmint_source_next(source, &later));
  CHECK(later > id);
  snowmint_source_free(source);
  remove_directory(&directory);
}

/** Each process has a connection of its own. */
static void numbers_of(const struct server *server) {
  const struct database database = fresh_database(server);
  snowmint_store *store = store_on(&database);
  snowmint_source *source = source_on(&database, "segment", "&tag=orders&step=1000&wait_ms=60000");
  CHECK(minted_twice(source, 10000) == 0);
  snowmint_source_free(source);
  snowmint_store_free(store);
  drop_database(&database);
}

static void numbers_of_postgres(void) { numbers_of(&postgres); }
static void numbers_of_mariadb(void) { numbers_of(&mariadb); }

static const struct test tests[] = {
    {"snowflakes", snowflakes},
    {"segments", segments},
    {"snowflakes_of_threads", snowflakes_of_threads},
    {"segments_of_threads", segments_of_threads},
    {"fixed_worker_ids", fixed_worker_ids},
    {"numbers_of_postgres", numbers_of_postgres},
    {"numbers_of_mariadb", numbers_of_mariadb},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
