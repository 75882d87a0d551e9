/* A parent that forks with sources in it: 10 million IDs, none twice. A child hands its own back by
 * memory that it shares with the parent. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define PROCESSES 5 /* the parent, three children and a grandchild */

static int rising(const void *a, const void *b) {
  const uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
  return one < two ? -1 : one > two;
}

static void mint(const snowmint_source *source, uint64_t *ids, size_t count) {
  const size_t half = count / 2;
  for (size_t at = 0; at < half; at++) {
    OK(snowmint_next(source, &ids[at]));
  }
  OK(snowmint_fill(source, ids + half, count - half));
}

static void ended_well(pid_t child) {
  int status;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Mints in every process at once, and says how many IDs came more than once. */
static size_t duplicates(snowmint_source *source, size_t each) {
  const size_t total = PROCESSES * each, bytes = total * sizeof(uint64_t);
  uint64_t *ids = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t children[3];
  size_t found = 0;
  CHECK(ids != MAP_FAILED);
  mint(source, ids, each / 2);
  for (size_t at = 0; at < 3; at++) {
    children[at] = fork();
    CHECK(children[at] >= 0);
    if (children[at] == 0) {
      const pid_t grandchild = at == 0 ? fork() : -1;
      if (grandchild == 0) {
        mint(source, ids + 4 * each, each);
        snowmint_free(source);
        _exit(0);
      }
      mint(source, ids + (at + 1) * each, each);
      if (at == 0) {
        ended_well(grandchild);
      }
      snowmint_free(source);
      _exit(0);
    }
  }
  mint(source, ids + each / 2, each - each / 2);
  for (size_t at = 0; at < 3; at++) {
    ended_well(children[at]);
  }
  qsort(ids, total, sizeof *ids, rising);
  for (size_t at = 1; at < total; at++) {
    found += ids[at] == ids[at - 1];
  }
  munmap(ids, bytes);
  return found;
}

/* The store of a fresh directory. */
static snowmint_store *store_in(char *directory, char *path, size_t size) {
  char url[300];
  snowmint_store *store;
  CHECK(mkdtemp(directory) != NULL);
  snprintf(path, size, "%s/ids.db", directory);
  snprintf(url, sizeof url, "sqlite:%s", path);
  OK(snowmint_store_open(url, &store));
  return store;
}

static void clean(const char *directory, const char *path) {
  static const char *const ends[] = {"", "-wal", "-shm"};
  char name[300];
  for (size_t at = 0; at < sizeof ends / sizeof *ends; at++) {
    snprintf(name, sizeof name, "%s%s", path, ends[at]);
    unlink(name);
  }
  rmdir(directory);
}

static size_t each_of_test(void) {
  const char *wanted = getenv("SNOWMINT_FORK_IDS");
  return (wanted == NULL ? 10000000 : strtoul(wanted, NULL, 10)) / PROCESSES;
}

static void snowflakes(void) {
  char directory[] = "/tmp/snowmint-c-XXXXXX", path[256];
  snowmint_store *store = store_in(directory, path, sizeof path);
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_source *source;
  options.store = store;
  OK(snowmint_snowflake_open(&options, &source));
  const size_t found = duplicates(source, each_of_test());
  printf("%zu IDs of snowflakes, %zu duplicates\n", PROCESSES * each_of_test(), found);
  CHECK(found == 0);
  snowmint_free(source);
  snowmint_store_free(store);
  clean(directory, path);
}

static void segments(void) {
  char directory[] = "/tmp/snowmint-c-XXXXXX", path[256];
  snowmint_store *store = store_in(directory, path, sizeof path);
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *source;
  OK(snowmint_store_create_tag(store, "orders", -1, 10000, -1));
  options.store = store;
  options.tag = "orders";
  OK(snowmint_segment_open(&options, &source));
  const size_t found = duplicates(source, each_of_test());
  printf("%zu numbers of segments, %zu duplicates\n", PROCESSES * each_of_test(), found);
  CHECK(found == 0);
  snowmint_free(source);
  snowmint_store_free(store);
  clean(directory, path);
}

static void fixed_worker_ids(void) {
  char directory[] = "/tmp/snowmint-c-XXXXXX", command[100];
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_source *source;
  uint64_t id, later;
  CHECK(mkdtemp(directory) != NULL);
  options.worker = "7";
  options.state_directory = directory;
  OK(snowmint_snowflake_open(&options, &source));
  OK(snowmint_next(source, &id));
  const pid_t child = fork();
  if (child == 0) {
    RETURNS(SNOWMINT_FORKED, snowmint_next(source, &id));
    snowmint_free(source);
    _exit(0);
  }
  ended_well(child);
  OK(snowmint_next(source, &later));
  CHECK(later > id);
  snowmint_free(source);
  snprintf(command, sizeof command, "rm -r %s", directory);
  CHECK(system(command) == 0);
}

static const struct test tests[] = {
    {"snowflakes", snowflakes},
    {"segments", segments},
    {"fixed_worker_ids", fixed_worker_ids},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
