/* A test is a function; a program runs those named in its arguments, or all. */
#ifndef CHECK_H
#define CHECK_H

#include <snowmint.h>
#include <snowmint_engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test {
  const char *name;
  void (*run)(void);
};

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s; last message: %s\n", __FILE__, __LINE__, #condition,             \
              snowmint_last_message());                                                            \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/** Checks that a call returns a status. */
#define RETURNS(status, call)                                                                      \
  do {                                                                                             \
    const snowmint_status returned_ = (call);                                                      \
    if (returned_ != (status)) {                                                                   \
      fprintf(stderr, "%s:%d: %s returned %s (%s)\n", __FILE__, __LINE__, #call,                   \
              snowmint_status_name(returned_), snowmint_last_message());                           \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define OK(call) RETURNS(SNOWMINT_OK, call)

/** A store that ends with the process. */
static inline snowmint_store *memory(void) {
  snowmint_store *store;
  OK(snowmint_store_open("memory:", &store));
  return store;
}

static inline int rising(const void *a, const void *b) {
  const uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
  return one < two ? -1 : one > two;
}

/** Counts the IDs that come more than once; sorts them. */
static inline size_t duplicates(uint64_t *ids, size_t count) {
  size_t found = 0;
  qsort(ids, count, sizeof *ids, rising);
  for (size_t at = 1; at < count; at++) {
    found += ids[at] == ids[at - 1];
  }
  return found;
}

static inline int run_tests(const struct test *tests, size_t count, int argc, char **argv) {
  int found = argc < 2;
  for (size_t at = 0; at < count; at++) {
    if (argc >= 2 && strcmp(argv[1], tests[at].name) != 0) {
      continue;
    }
    found = 1;
    tests[at].run();
    printf("ok %s\n", tests[at].name);
  }
  return found ? 0 : 2;
}

#endif
