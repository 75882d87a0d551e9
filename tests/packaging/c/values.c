/* Redis, etcd and ZooKeeper by their URLs. */
#define _XOPEN_SOURCE 700
#include "database.h"

/** A server, by what tells its URL. */
struct keeper {
  const char *variable;
  const char *scheme;
};

static const struct keeper redis = {"SNOWMINT_TEST_REDIS", "redis"};
static const struct keeper etcd = {"SNOWMINT_TEST_ETCD", "etcd"};
static const struct keeper zookeeper = {"SNOWMINT_TEST_ZOOKEEPER", "zookeeper"};

/** A database that nobody else uses; Redis has numbers for names, 10,000 of them. */
static struct database fresh_place(const struct keeper *keeper) {
  struct database place = {0};
  const char *url = url_at(keeper->variable);
  const long number = (long)getpid();
  if (keeper == &redis) {
    char command[250];
    snprintf(place.url, sizeof place.url, "%s/%ld?", url, number % 10000);
    snprintf(command, sizeof command, "redis-cli -e -u %s/%ld FLUSHDB >/dev/null", url, number % 10000);
    CHECK(system(command) == 0);
  } else {
    snprintf(place.url, sizeof place.url, "%s/test-c-%ld?", url, number);
  }
  return place;
}

static void numbers_and_worker_ids(const struct keeper *keeper) {
  const struct database place = fresh_place(keeper);
  snowmint_store *store = store_on(&place);
  snowmint_source *orders = source_on(&place, "segment", "&tag=orders&step=10");
  snowmint_source *flakes[2];
  uint64_t ids[2000];
  snowmint_worker rows[3];
  size_t count;
  for (uint64_t expected = 1; expected <= 12; expected++) {
    uint64_t id;
    OK(snowmint_source_next(orders, &id));
    CHECK(id == expected);
  }
  for (size_t at = 0; at < 2; at++) {
    flakes[at] = source_on(&place, "snowflake", "&layout=twitter");
    OK(snowmint_source_fill(flakes[at], ids + at * 1000, 1000));
  }
  CHECK(duplicates(ids, 2000) == 0);
  OK(snowmint_store_workers(store, rows, 3, &count));
  CHECK(count == 2 && rows[0].held && rows[1].held);
  for (size_t at = 0; at < 2; at++) {
    snowmint_source_free(flakes[at]);
  }
  snowmint_source_free(orders);
  snowmint_store_free(store);
}

static void refused(snowmint_status status, const char *url) {
  snowmint_source *source;
  RETURNS(status, snowmint_source_open(url, &source));
  CHECK(strstr(snowmint_last_message(), "S3CRET") == NULL);
}

static void what_is_wrong(const struct keeper *keeper) {
  const struct database place = fresh_place(keeper);
  char url[300];
  snprintf(url, sizeof url, "snowflake+%s", place.url);
  refused(SNOWMINT_STORE_MISSING, url);
  snprintf(url, sizeof url, "snowflake+%s://ann:S3CRET@127.0.0.1:1/1?wait_ms=0", keeper->scheme);
  refused(SNOWMINT_STORE_UNAVAILABLE, url);
  snprintf(url, sizeof url, "snowflake+%s://ann:S3CRET@127.0.0.1:1/1?passwort=x", keeper->scheme);
  refused(SNOWMINT_UNKNOWN_PARAMETER, url);
}

static void redis_numbers_and_worker_ids(void) { numbers_and_worker_ids(&redis); }
static void redis_what_is_wrong(void) { what_is_wrong(&redis); }
static void etcd_numbers_and_worker_ids(void) { numbers_and_worker_ids(&etcd); }
static void etcd_what_is_wrong(void) { what_is_wrong(&etcd); }
static void zookeeper_numbers_and_worker_ids(void) { numbers_and_worker_ids(&zookeeper); }
static void zookeeper_what_is_wrong(void) { what_is_wrong(&zookeeper); }

int main(int argc, char **argv) {
  const struct test tests[] = {
      {"redis_numbers_and_worker_ids", redis_numbers_and_worker_ids},
      {"redis_what_is_wrong", redis_what_is_wrong},
      {"etcd_numbers_and_worker_ids", etcd_numbers_and_worker_ids},
      {"etcd_what_is_wrong", etcd_what_is_wrong},
      {"zookeeper_numbers_and_worker_ids", zookeeper_numbers_and_worker_ids},
      {"zookeeper_what_is_wrong", zookeeper_what_is_wrong},
  };
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
