/* Databases of PostgreSQL and MariaDB by their URLs. */
#define _XOPEN_SOURCE 700
#include "database.h"

static void numbers(const struct server *server) {
  const struct database database = fresh_database(server);
  snowmint_store *store = store_on(&database);
  snowmint_source *source = source_on(&database, "segment", "&tag=orders&step=10");
  uint64_t id;
  for (uint64_t expected = 1; expected <= 12; expected++) {
    OK(snowmint_source_next(source, &id));
    CHECK(id == expected);
  }
  snowmint_source_free(source);
  snowmint_store_free(store);
  drop_database(&database);
}

static void worker_ids_of_sources_differ(const struct server *server) {
  const struct database database = fresh_database(server);
  snowmint_store *store = store_on(&database);
  snowmint_source *sources[2];
  uint64_t ids[2000];
  snowmint_worker rows[3];
  size_t count;
  for (size_t at = 0; at < 2; at++) {
    sources[at] = source_on(&database, "snowflake", "&layout=twitter");
    OK(snowmint_source_fill(sources[at], ids + at * 1000, 1000));
  }
  CHECK(duplicates(ids, 2000) == 0);
  OK(snowmint_store_workers(store, rows, 3, &count));
  CHECK(count == 2 && rows[0].held && rows[1].held);
  for (size_t at = 0; at < 2; at++) {
    snowmint_source_free(sources[at]);
  }
  snowmint_store_free(store);
  drop_database(&database);
}

static void refused(snowmint_status status, const char *url) {
  snowmint_source *source;
  RETURNS(status, snowmint_source_open(url, &source));
  CHECK(strstr(snowmint_last_message(), "S3CRET") == NULL);
}

static void what_is_wrong(const struct server *server) {
  const struct database database = fresh_database(server);
  const char *host = strchr(database.url, '@') + 1, *path = strchr(host, '/');
  char url[300];
  snprintf(url, sizeof url, "snowflake+%s", database.url);
  refused(SNOWMINT_STORE_MISSING, url);
  snprintf(url, sizeof url, "snowflake+%s://ann:S3CRET@%s", server->scheme, host);
  refused(SNOWMINT_STORE_DENIED, url);
  snprintf(url, sizeof url, "snowflake+%s://ann:S3CRET@127.0.0.1:1%s", server->scheme, path);
  refused(SNOWMINT_STORE_UNAVAILABLE, url);
  drop_database(&database);
}

static void postgres_numbers(void) { numbers(&postgres); }
static void postgres_worker_ids(void) { worker_ids_of_sources_differ(&postgres); }
static void postgres_what_is_wrong(void) { what_is_wrong(&postgres); }
static void mariadb_numbers(void) { numbers(&mariadb); }
static void mariadb_worker_ids(void) { worker_ids_of_sources_differ(&mariadb); }
static void mariadb_what_is_wrong(void) { what_is_wrong(&mariadb); }

int main(int argc, char **argv) {
  const struct test tests[] = {
      {"postgres_numbers", postgres_numbers},
      {"postgres_worker_ids", postgres_worker_ids},
      {"postgres_what_is_wrong", postgres_what_is_wrong},
      {"mariadb_numbers", mariadb_numbers},
      {"mariadb_worker_ids", mariadb_worker_ids},
      {"mariadb_what_is_wrong", mariadb_what_is_wrong},
  };
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
