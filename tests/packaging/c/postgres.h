/* A new database on the PostgreSQL of all tests. Needs _XOPEN_SOURCE 700. */
#ifndef POSTGRES_H
#define POSTGRES_H

#include <unistd.h>

#include "check.h"

/* What ctest takes for a test that was left out. */
#define LEFT_OUT 77

struct database {
  char name[40];
  char url[200];
};

static inline const char *postgres_server(void) {
  const char *server = getenv("SNOWMINT_TEST_POSTGRES");
  if (server == NULL) {
    fprintf(stderr, "left out: no SNOWMINT_TEST_POSTGRES, which scripts/servers env prints\n");
    exit(LEFT_OUT);
  }
  return server;
}

static inline void run_statement(const char *statement) {
  char command[400];
  snprintf(command, sizeof command, "psql -X -q -d '%s' -c '%s'", postgres_server(), statement);
  CHECK(system(command) == 0);
}

static inline struct database fresh_database(void) {
  const char *server = postgres_server(), *place = strstr(server, "/postgres?");
  struct database database;
  char statement[100];
  CHECK(place != NULL);
  snprintf(database.name, sizeof database.name, "test_c_%ld", (long)getpid());
  snprintf(database.url, sizeof database.url, "%.*s/%s?%s", (int)(place - server), server,
           database.name, place + strlen("/postgres?"));
  snprintf(statement, sizeof statement, "CREATE DATABASE %s", database.name);
  run_statement(statement);
  return database;
}

static inline void drop_database(const struct database *database) {
  char statement[100];
  snprintf(statement, sizeof statement, "DROP DATABASE %s WITH (FORCE)", database->name);
  run_statement(statement);
}

/** The store in it, with the tag orders. */
static inline snowmint_store *store_on(const struct database *database) {
  char url[250];
  snowmint_store *store;
  snprintf(url, sizeof url, "%s&create=true", database->url);
  OK(snowmint_store_open(url, &store));
  OK(snowmint_store_create_tag(store, "orders", SNOWMINT_UNSET, 10, SNOWMINT_UNSET));
  return store;
}

/** A source in it: of a kind, with parameters. */
static inline snowmint_source *source_on(const struct database *database, const char *kind,
                                         const char *parameters) {
  char url[300];
  snowmint_source *source;
  snprintf(url, sizeof url, "%s+%s%s", kind, database->url, parameters);
  OK(snowmint_open(url, &source));
  return source;
}

#endif
