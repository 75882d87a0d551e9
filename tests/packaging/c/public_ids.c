/* opaque.json, keys and what is refused. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "directory.h"
#include "vectors.h"

#define KEY "2b7e151628aed2a6abf7158809cf4f3c"
#define OTHER_KEY "c45b0e97d2136f8ae1704bb85d29fc0d"
#define ONE "{\"keys\":{\"1\":\"" KEY "\"}}"
#define BAD SNOWMINT_INVALID_PARAMETER

static snowmint_public_id_keys *opened(const char *given) {
  snowmint_public_id_keys *keys;
  OK(snowmint_public_id_keys_from_bytes((const uint8_t *)given, strlen(given), &keys));
  return keys;
}

static snowmint_public_ids *with_keys(const char *document, const char *type, const char *form) {
  snowmint_public_id_keys *keys = opened(document);
  snowmint_public_ids *ids;
  OK(snowmint_public_ids_open(keys, type, form, &ids));
  snowmint_public_id_keys_free(keys);
  return ids;
}

static snowmint_public_ids *orders(void) { return with_keys(ONE, "order", NULL); }

/* The public IDs of a row, made by the key that it names, of all keys of its keyring. */
static snowmint_public_ids *of_row(const json_t *vectors, const json_t *row, const char *form) {
  size_t at;
  json_t *keyring;
  json_array_foreach(list(vectors, "keyrings"), at, keyring) {
    if (strcmp(text(keyring, "name"), text(row, "keyring")) == 0) {
      json_t *document = json_copy(keyring);
      json_object_del(document, "name");
      if (has(row, "key")) {
        json_object_set(document, "current", json_object_get(row, "key"));
      }
      char *keys = json_dumps(document, JSON_COMPACT);
      snowmint_public_ids *ids = with_keys(keys, text(row, "type"), form);
      free(keys);
      json_decref(document);
      return ids;
    }
  }
  fail(row, "no such keyring");
  return NULL;
}

/* The spelling of a UUID of the vectors' digits. */
static const char *hyphened(const char *digits) {
  static char uuid[SNOWMINT_UUID_SIZE];
  snprintf(uuid, sizeof uuid, "%.8s-%.4s-%.4s-%.4s-%.12s", digits, digits + 8, digits + 12,
           digits + 16, digits + 20);
  return uuid;
}

static void check_form(const json_t *vectors, const json_t *row, const char *form,
                       const char *public_id) {
  snowmint_public_ids *ids = of_row(vectors, row, form);
  const uint64_t id = wide(row, "id");
  char made[SNOWMINT_PUBLIC_ID_SIZE];
  uint64_t read = ~id, number;
  if (public_id == NULL) {
    RETURNS(BAD, snowmint_public_ids_encode(ids, id, made, sizeof made));
  } else {
    OK(snowmint_public_ids_encode(ids, id, made, sizeof made));
    if (strcmp(made, public_id) != 0) {
      fail(row, made);
    }
    OK(snowmint_public_ids_decode(ids, public_id, &read));
    CHECK(read == id);
    if (strncmp(form, "number", 6) == 0) {
      const uint32_t bits = (uint32_t)strtoul(form + 6, NULL, 10);
      OK(snowmint_public_ids_encode_number(ids, id, bits, &number));
      CHECK(number == strtoull(public_id, NULL, 10));
      OK(snowmint_public_ids_decode_number(ids, number, bits, &read));
      CHECK(read == id);
    }
  }
  snowmint_public_ids_free(ids);
}

static const char *text_or_null(const json_t *row, const char *key) {
  return has(row, key) ? text(row, key) : NULL;
}

static void ids(void) {
  static const char *const keys[] = {"keyring", "key",       "type",      "id",        "token", "base64url",
                                     "uuid",    "number_64", "number_63", "number_53", NULL};
  json_t *vectors = document("opaque.json");
  size_t at;
  json_t *row;
  json_array_foreach(list(vectors, "ids"), at, row) {
    only(row, keys);
    check_form(vectors, row, "token", text(row, "token"));
    check_form(vectors, row, "base64url", text(row, "base64url"));
    check_form(vectors, row, "uuid", hyphened(text(row, "uuid")));
    check_form(vectors, row, "number64", text_or_null(row, "number_64"));
    check_form(vectors, row, "number63", text_or_null(row, "number_63"));
    check_form(vectors, row, "number53", text_or_null(row, "number_53"));
  }
  json_decref(vectors);
}

static void refused(void) {
  static const char *const keys[] = {"keyring", "type", "form", "text", "error", NULL};
  json_t *vectors = document("opaque.json");
  size_t at;
  json_t *row;
  json_array_foreach(list(vectors, "refused"), at, row) {
    only(row, keys);
    const char *form = text(row, "form");
    const char *given = text(row, "text");
    snowmint_public_ids *ids = of_row(vectors, row, form);
    uint64_t id = 7;
    judge(row, snowmint_public_ids_decode(ids, strcmp(form, "uuid") == 0 ? hyphened(given) : given, &id));
    CHECK(id == 7);
    snowmint_public_ids_free(ids);
  }
  json_array_foreach(list(vectors, "refused_keys"), at, row) {
    const char *given = text(row, "document");
    snowmint_public_id_keys *keys = NULL;
    judge(row, snowmint_public_id_keys_from_bytes((const uint8_t *)given, strlen(given), &keys));
    CHECK(keys == NULL && strstr(snowmint_last_message(), KEY) == NULL);
  }
  json_decref(vectors);
}

static void files_and_the_environment(void) {
  const struct directory directory = fresh_directory();
  char path[4096], none[4200], token[SNOWMINT_PUBLIC_ID_SIZE];
  snowmint_public_id_keys *keys = NULL;
  snowmint_public_ids *made = orders(), *read;
  uint64_t id;
  snprintf(path, sizeof path, "%s/keys.toml", directory.path);
  snprintf(none, sizeof none, "%s.none", path);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL && fputs(ONE, file) >= 0 && fclose(file) == 0);
  CHECK(chmod(path, 0604) == 0);
  RETURNS(SNOWMINT_KEYS_EXPOSED, snowmint_public_id_keys_open(path, &keys));
  CHECK(strstr(snowmint_last_message(), "chmod 600") != NULL);
  RETURNS(SNOWMINT_INVALID_KEYS, snowmint_public_id_keys_open(none, &keys));
  RETURNS(SNOWMINT_INVALID_KEYS, snowmint_public_id_keys_open(directory.path, &keys));
  RETURNS(SNOWMINT_INVALID_KEYS, snowmint_public_id_keys_open("env:SNOWMINT_IS_NOT_SET", &keys));
  CHECK(keys == NULL);
  CHECK(chmod(path, 0600) == 0 && setenv("SNOWMINT_TEST_KEYS", ONE, 1) == 0);
  OK(snowmint_public_ids_encode(made, 7, token, sizeof token));
  const char *sources[] = {path, "env:SNOWMINT_TEST_KEYS"};
  for (size_t at = 0; at < 2; at++) {
    OK(snowmint_public_id_keys_open(sources[at], &keys));
    OK(snowmint_public_ids_open(keys, "order", "token", &read));
    snowmint_public_id_keys_free(keys);
    OK(snowmint_public_ids_decode(read, token, &id));
    CHECK(id == 7);
    snowmint_public_ids_free(read);
  }
  snowmint_public_ids_free(made);
  remove_directory(&directory);
}

static void old_forms_are_read_after_a_rotation(void) {
  char token[SNOWMINT_PUBLIC_ID_SIZE], newer[SNOWMINT_PUBLIC_ID_SIZE];
  uint64_t id;
  snowmint_public_ids *before = orders();
  const char *both = "{\"current\":\"2\",\"keys\":{\"1\":\"" KEY "\",\"2\":\"" OTHER_KEY "\"}}";
  snowmint_public_ids *now = with_keys(both, "order", NULL);
  snowmint_public_ids *after = with_keys("{\"keys\":{\"2\":\"" OTHER_KEY "\"}}", "order", NULL);
  OK(snowmint_public_ids_encode(before, 7, token, sizeof token));
  OK(snowmint_public_ids_encode(now, 7, newer, sizeof newer));
  CHECK(strncmp(newer, "order_2", 7) == 0);
  OK(snowmint_public_ids_decode(now, token, &id));
  CHECK(id == 7);
  RETURNS(SNOWMINT_NOT_FOUND, snowmint_public_ids_decode(after, token, &id));
  CHECK(strcmp(snowmint_last_message(), "there is no such ID") == 0);
  RETURNS(SNOWMINT_INVALID_KEYS, snowmint_public_ids_encode_number(now, 7, 64, &id));
  snowmint_public_ids_free(before);
  snowmint_public_ids_free(now);
  snowmint_public_ids_free(after);
}

static void generated_keys(void) {
  snowmint_public_id_keys *keys;
  snowmint_public_ids *one, *two;
  char token[SNOWMINT_PUBLIC_ID_SIZE];
  uint64_t id;
  OK(snowmint_public_id_keys_generate(&keys));
  OK(snowmint_public_ids_open(keys, "order", NULL, &one));
  OK(snowmint_public_ids_open(keys, "order", "base64url", &two));
  snowmint_public_id_keys_free(keys);
  OK(snowmint_public_ids_encode(one, 7, token, sizeof token));
  OK(snowmint_public_ids_decode(one, token, &id));
  CHECK(id == 7);
  RETURNS(SNOWMINT_TEXT_LENGTH, snowmint_public_ids_decode(two, token, &id));
  snowmint_public_ids_free(two);
  two = orders();
  RETURNS(SNOWMINT_NOT_FOUND, snowmint_public_ids_decode(two, token, &id));
  snowmint_public_ids_free(one);
  snowmint_public_ids_free(two);
}

static void wrong_arguments(void) {
  snowmint_public_id_keys *keys = opened(ONE), *none = NULL;
  snowmint_public_ids *ids = orders(), *no_ids = NULL;
  char token[SNOWMINT_PUBLIC_ID_SIZE] = "";
  uint64_t id = 7;
  RETURNS(BAD, snowmint_public_id_keys_generate(NULL));
  RETURNS(BAD, snowmint_public_id_keys_open(NULL, &none));
  RETURNS(BAD, snowmint_public_id_keys_open("keys.toml", NULL));
  RETURNS(BAD, snowmint_public_id_keys_open("keys\xff.toml", &none));
  CHECK(strstr(snowmint_last_message(), "keys") == NULL);
  RETURNS(SNOWMINT_INVALID_KEYS, snowmint_public_id_keys_open(ONE, &none));
  CHECK(strstr(snowmint_last_message(), "2b7e") == NULL);
  RETURNS(BAD, snowmint_public_id_keys_from_bytes(NULL, 3, &none));
  RETURNS(SNOWMINT_INVALID_KEYS, snowmint_public_id_keys_from_bytes(NULL, 0, &none));
  RETURNS(BAD, snowmint_public_id_keys_from_bytes((const uint8_t *)ONE, sizeof ONE - 1, NULL));
  const char *types[] = {NULL, "", "Order", "1st", "a_", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
  for (size_t at = 0; at < sizeof types / sizeof *types; at++) {
    RETURNS(BAD, snowmint_public_ids_open(keys, types[at], NULL, &no_ids));
  }
  RETURNS(SNOWMINT_UNKNOWN_TEXT_FORM, snowmint_public_ids_open(keys, "order", "crockford", &no_ids));
  RETURNS(BAD, snowmint_public_ids_open(keys, "order", NULL, NULL));
  RETURNS(BAD, snowmint_public_ids_open(NULL, "order", NULL, &no_ids));
  RETURNS(BAD, snowmint_public_ids_open((const snowmint_public_id_keys *)ids, "order", NULL, &no_ids));
  RETURNS(BAD, snowmint_public_ids_encode(NULL, 7, token, sizeof token));
  RETURNS(BAD, snowmint_public_ids_encode((const snowmint_public_ids *)keys, 7, token, sizeof token));
  RETURNS(BAD, snowmint_public_ids_encode(ids, 7, NULL, sizeof token));
  RETURNS(BAD, snowmint_public_ids_encode(ids, 7, token, 33));
  RETURNS(BAD, snowmint_public_ids_decode(ids, NULL, &id));
  RETURNS(BAD, snowmint_public_ids_decode(ids, "order_", NULL));
  RETURNS(SNOWMINT_TEXT_LENGTH, snowmint_public_ids_decode(ids, "order_\xff", &id));
  CHECK(strstr(snowmint_last_message(), "\xff") == NULL);
  RETURNS(BAD, snowmint_public_ids_decode(NULL, "order_", &id));
  RETURNS(BAD, snowmint_public_ids_encode_number(ids, 7, 62, &id));
  RETURNS(BAD, snowmint_public_ids_encode_number(ids, UINT64_MAX, 63, &id));
  RETURNS(BAD, snowmint_public_ids_encode_number(ids, 7, 64, NULL));
  RETURNS(BAD, snowmint_public_ids_decode_number(ids, 7, 0, &id));
  RETURNS(BAD, snowmint_public_ids_decode_number(NULL, 7, 64, &id));
  CHECK(none == NULL && no_ids == NULL && id == 7 && token[0] == '\0');
  OK(snowmint_public_ids_open(keys, "order", "number53", &no_ids));
  RETURNS(SNOWMINT_TEXT_OVERFLOW, snowmint_public_ids_decode(no_ids, "9007199254740992", &id));
  RETURNS(BAD, snowmint_public_ids_decode_number(no_ids, 1ULL << 53, 53, &id));
  snowmint_public_ids_free(no_ids);
  snowmint_public_id_keys_free(NULL);
  snowmint_public_ids_free(NULL);
  snowmint_public_id_keys_free((snowmint_public_id_keys *)ids);
  snowmint_public_ids_free((snowmint_public_ids *)keys);
  OK(snowmint_public_ids_encode(ids, 7, token, 34));
  snowmint_public_ids_free(ids);
  OK(snowmint_public_ids_open(keys, types[5] + 1, NULL, &ids));
  OK(snowmint_public_ids_encode(ids, 7, token, sizeof token));
  CHECK(strlen(token) == SNOWMINT_PUBLIC_ID_SIZE - 1);
  snowmint_public_ids_free(ids);
  snowmint_public_id_keys_free(keys);
}

#define THREADS 4
#define IDS 20000

/* Returns true if all IDs come back. */
static int come_back(const snowmint_public_ids *ids) {
  char token[SNOWMINT_PUBLIC_ID_SIZE];
  for (uint64_t id = 0; id < IDS; id++) {
    uint64_t read;
    OK(snowmint_public_ids_encode(ids, id << 40, token, sizeof token));
    OK(snowmint_public_ids_decode(ids, token, &read));
    if (read != id << 40) {
      return 0;
    }
  }
  return 1;
}

static void *in_a_thread(void *ids) { return come_back(ids) ? ids : NULL; }

/* Threads and a child use one handle at once. */
static void threads_and_forks(void) {
  snowmint_public_ids *ids = orders();
  pthread_t threads[THREADS];
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_create(&threads[at], NULL, in_a_thread, ids) == 0);
  }
  const pid_t child = fork();
  if (child == 0) {
    const int all = come_back(ids);
    snowmint_public_ids_free(ids);
    _exit(all ? 0 : 1);
  }
  for (size_t at = 0; at < THREADS; at++) {
    void *result;
    CHECK(pthread_join(threads[at], &result) == 0 && result == ids);
  }
  int status;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(come_back(ids));
  snowmint_public_ids_free(ids);
}

static const struct test tests[] = {
    {"ids", ids},
    {"refused", refused},
    {"files_and_the_environment", files_and_the_environment},
    {"old_forms_are_read_after_a_rotation", old_forms_are_read_after_a_rotation},
    {"generated_keys", generated_keys},
    {"wrong_arguments", wrong_arguments},
    {"threads_and_forks", threads_and_forks},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
