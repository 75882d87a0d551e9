/* sources.json: what opened sources do, on a real file system and a real database. */
#define _XOPEN_SOURCE 700
#include <inttypes.h>

#include "directory.h"
#include "vectors.h"

#define SOURCES 8
#define IDS 40000

struct run {
  struct directory directory;
  size_t sources;
  struct {
    const char *name;
    snowmint_source *source;
    uint64_t last;
  } source[SOURCES];
  size_t count;
  uint64_t ids[IDS];
};

/* A text with the scenario's directory in place of {dir}. */
static const char *path(const struct run *run, const json_t *step, const char *key) {
  static char filled[1024];
  const char *written = text(step, key), *found = strstr(written, "{dir}");
  if (found == NULL) {
    return written;
  }
  snprintf(filled, sizeof filled, "%.*s%s%s", (int)(found - written), written, run->directory.path,
           found + 5);
  return filled;
}

static size_t place_of(const struct run *run, const json_t *step, const char *key) {
  for (size_t at = 0; at < run->sources; at++) {
    if (strcmp(run->source[at].name, text(step, key)) == 0) {
      return at;
    }
  }
  return run->sources;
}

static void create_tag(const struct run *run, const json_t *step) {
  snowmint_store *store;
  const int64_t start = has(step, "start") ? wide_signed(step, "start") : SNOWMINT_UNSET;
  const int64_t size = has(step, "step") ? wide_signed(step, "step") : SNOWMINT_UNSET;
  const int64_t stride = has(step, "stride") ? wide_signed(step, "stride") : SNOWMINT_UNSET;
  const int64_t max = has(step, "max") ? wide_signed(step, "max") : SNOWMINT_UNSET;
  const snowmint_status opened = snowmint_store_open(path(run, step, "store"), &store);
  if (opened != SNOWMINT_OK) {
    judge(step, opened);
    return;
  }
  judge(step, snowmint_store_create_tag(store, text(step, "tag"), start, size, stride, max));
  snowmint_store_free(store);
}

static void open_source(struct run *run, const json_t *step) {
  static const char *const kinds[] = {"",     "snowflake", "segment", "daily",
                                      "uuid", "sequences", "ring"};
  snowmint_source *source;
  snowmint_kind kind;
  if (!judge(step, snowmint_source_open(path(run, step, "url"), &source))) {
    return;
  }
  OK(snowmint_source_kind(source, &kind));
  CHECK(strcmp(kinds[kind], text(step, "kind")) == 0);
  const size_t at = place_of(run, step, "as");
  CHECK(at < SOURCES);
  if (at < run->sources) {
    snowmint_source_free(run->source[at].source);
  } else {
    run->sources++;
    run->source[at].last = 0;
  }
  run->source[at].name = text(step, "as");
  run->source[at].source = source;
}

/* Notes IDs; checks that they are above those before of the same source, and as expected. */
static void note(struct run *run, const json_t *step, size_t at, const uint64_t *ids,
                 size_t count) {
  char written[32];
  for (size_t number = 0; number < count; number++) {
    CHECK(ids[number] > run->source[at].last);
    CHECK(run->count < IDS);
    run->source[at].last = run->ids[run->count++] = ids[number];
    if (has(step, "ids")) {
      const char *id = json_string_value(json_array_get(list(step, "ids"), number));
      snprintf(written, sizeof written, "%" PRIu64, ids[number]);
      CHECK(id != NULL && strcmp(id, written) == 0);
    }
  }
  if (has(step, "ids")) {
    CHECK(json_array_size(list(step, "ids")) == count);
  }
  if (has(step, "id")) {
    CHECK(count == 1 && ids[0] == wide(step, "id"));
  }
  if (has(step, "layout")) {
    snowmint_layout *layout;
    snowmint_parts parts;
    OK(snowmint_layout_preset(text(step, "layout"), &layout));
    OK(snowmint_layout_decode(layout, ids[0], &parts));
    CHECK(parts.worker_id == narrow(step, "worker_id"));
    snowmint_layout_free(layout);
  }
}

static void mint(struct run *run, const json_t *step, const char *op) {
  const size_t at = place_of(run, step, "of");
  CHECK(at < run->sources);
  const snowmint_source *source = run->source[at].source;
  if (strcmp(op, "close") == 0) {
    judge(step, snowmint_source_close(source));
  } else if (strcmp(op, "next_uuid") == 0) {
    snowmint_uuid uuid;
    if (judge(step, snowmint_source_next_uuid(source, &uuid))) {
      CHECK(uuid.bytes[6] >> 4 == narrow(step, "version"));
    }
  } else if (strcmp(op, "next_of") == 0) {
    uint64_t number;
    if (judge(step, snowmint_source_next_of(source, wide(step, "key"), &number))) {
      CHECK(number == wide(step, "number"));
    }
  } else if (strcmp(op, "next_id") == 0) {
    uint64_t id;
    if (judge(step, snowmint_source_next(source, &id))) {
      note(run, step, at, &id, 1);
    }
  } else {
    const size_t count = narrow(step, "count");
    uint64_t *ids = malloc((count + 1) * sizeof *ids);
    const snowmint_status status = strcmp(op, "fill") == 0 ? snowmint_source_fill(source, ids, count)
                                                           : snowmint_source_next_ids(source, ids, count);
    CHECK(strcmp(op, "fill") == 0 || strcmp(op, "next_ids") == 0);
    if (judge(step, status)) {
      note(run, step, at, ids, count);
    }
    free(ids);
  }
}

static void scenario(const json_t *value) {
  static const char *const keys[] = {"op",    "as",    "of",     "url",   "kind",   "store",
                                     "tag",   "start", "step",   "stride", "id",    "ids",
                                     "count", "error", "layout", "worker_id", "version", "key", "number", "max", NULL};
  static struct run run;
  size_t at;
  json_t *step;
  run.sources = run.count = 0;
  run.directory = fresh_directory();
  json_array_foreach(list(value, "steps"), at, step) {
    const char *op = text(step, "op");
    only(step, keys);
    if (strcmp(op, "create_tag") == 0) {
      create_tag(&run, step);
    } else if (strcmp(op, "open") == 0) {
      open_source(&run, step);
    } else {
      mint(&run, step, op);
    }
  }
  for (at = 0; at < run.sources; at++) {
    snowmint_source_free(run.source[at].source);
  }
  CHECK(duplicates(run.ids, run.count) == 0);
  remove_directory(&run.directory);
}

int main(void) {
  json_t *all = document("sources.json"), *value;
  size_t at;
  json_array_foreach(list(all, "scenarios"), at, value) {
    scenario(value);
    printf("ok %s\n", text(value, "name"));
  }
  json_decref(all);
  return 0;
}
