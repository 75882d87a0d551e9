/* A new database on a server of all tests. Needs _XOPEN_SOURCE 700. */
#ifndef DATABASE_H
#define DATABASE_H

#include <unistd.h>

#include "check.h"

/* The exit status that ctest takes for a test that was left out. */
#define LEFT_OUT 77

/** A server, by what tells its URL, and how it is spoken to. */
struct server {
  const char *variable;
  const char *scheme;
  /** The database that is there before any test's, as the URL ends with it. */
  const char *database;
  /** The shell's command that runs $statement at $url. */
  const char *client;
  const char *drop;
};

static const struct server postgres = {
    "SNOWMINT_TEST_POSTGRES",
    "postgres",
    "/postgres?",
    "psql -X -q -d \"$url\" -c \"$statement\"",
    "DROP DATABASE %s WITH (FORCE)",
};
static const struct server mariadb = {
    "SNOWMINT_TEST_MARIADB",
    "mysql",
    "/mysql?",
    "place=${url#*@} && place=${place%%/*} && mariadb --no-defaults -u root -h \"${place%:*}\""
    " -P \"${place#*:}\" -e \"$statement\"",
    "DROP DATABASE %s",
};

struct database {
  const struct server *server;
  char name[40];
  char url[200];
};

static inline const char *url_at(const char *variable) {
  const char *url = getenv(variable);
  if (url == NULL) {
    fprintf(stderr, "left out: no %s, which scripts/servers env prints\n", variable);
    exit(LEFT_OUT);
  }
  return url;
}

static inline const char *url_of(const struct server *server) { return url_at(server->variable); }

static inline void run_statement(const struct server *server, const char *statement) {
  CHECK(setenv("url", url_of(server), 1) == 0 && setenv("statement", statement, 1) == 0);
  CHECK(system(server->client) == 0);
}

static inline struct database fresh_database(const struct server *server) {
  const char *url = url_of(server), *place = strstr(url, server->database);
  struct database database = {.server = server};
  char statement[100];
  CHECK(place != NULL);
  snprintf(database.name, sizeof database.name, "test_c_%ld", (long)getpid());
  snprintf(database.url, sizeof database.url, "%.*s/%s?%s", (int)(place - url), url, database.name,
           place + strlen(server->database));
  snprintf(statement, sizeof statement, "CREATE DATABASE %s", database.name);
  run_statement(server, statement);
  return database;
}

static inline void drop_database(const struct database *database) {
  char statement[100];
  snprintf(statement, sizeof statement, database->server->drop, database->name);
  run_statement(database->server, statement);
}

/** The store in it, with the tag orders. */
static inline snowmint_store *store_on(const struct database *database) {
  char url[250];
  snowmint_store *store;
  snprintf(url, sizeof url, "%s&create=true", database->url);
  OK(snowmint_store_open(url, &store));
  OK(snowmint_store_create_tag(store, "orders", SNOWMINT_UNSET, 10, SNOWMINT_UNSET,
                               SNOWMINT_UNSET));
  return store;
}

/** A source in it: of a kind, with parameters. */
static inline snowmint_source *source_on(const struct database *database, const char *kind,
                                         const char *parameters) {
  char url[300];
  snowmint_source *source;
  snprintf(url, sizeof url, "%s+%s%s", kind, database->url, parameters);
  OK(snowmint_source_open(url, &source));
  return source;
}

#endif
