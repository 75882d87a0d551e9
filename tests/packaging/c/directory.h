/* A directory of a test's own. Needs _XOPEN_SOURCE 700. */
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"

struct directory {
  char path[64];
};

static inline struct directory fresh_directory(void) {
  struct directory directory = {"/tmp/snowmint-c-XXXXXX"};
  CHECK(mkdtemp(directory.path) != NULL);
  return directory;
}

/** The store ids.db in it. */
static inline snowmint_store *store_in(const struct directory *directory) {
  char url[100];
  snowmint_store *store;
  snprintf(url, sizeof url, "sqlite:%s/ids.db?create=true", directory->path);
  OK(snowmint_store_open(url, &store));
  return store;
}

static inline int remove_one(const char *name, const struct stat *status, int kind,
                             struct FTW *place) {
  (void)status, (void)kind, (void)place;
  remove(name); /* what a thread of the library's has just removed is gone as well */
  return 0;
}

static inline void remove_directory(const struct directory *directory) {
  nftw(directory->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
