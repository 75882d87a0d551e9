/* Reading the vectors' JSON. */
#include "vectors.h"

#include <inttypes.h>

#ifndef VECTORS
#error "VECTORS is the directory tests/vectors"
#endif

void fail(const json_t *value, const char *why) {
  char *shown = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
  fprintf(stderr, "%s: %s; last message: %s\n", why, shown, snowmint_last_message());
  free(shown);
  exit(1);
}

json_t *document(const char *name) {
  char path[4096];
  json_error_t error;
  snprintf(path, sizeof path, "%s/%s", VECTORS, name);
  json_t *value = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  if (value == NULL) {
    fprintf(stderr, "%s: %s\n", path, error.text);
    exit(1);
  }
  return value;
}

json_t *list(const json_t *value, const char *key) {
  json_t *found = json_object_get(value, key);
  if (!json_is_array(found)) {
    fail(value, key);
  }
  return found;
}

const char *text(const json_t *value, const char *key) {
  const char *found = json_string_value(json_object_get(value, key));
  if (found == NULL) {
    fail(value, key);
  }
  return found;
}

uint64_t wide(const json_t *value, const char *key) {
  const char *written = text(value, key);
  char again[32];
  const uint64_t number = strtoull(written, NULL, 10);
  snprintf(again, sizeof again, "%" PRIu64, number);
  if (strcmp(written, again) != 0) {
    fail(value, key);
  }
  return number;
}

int64_t wide_signed(const json_t *value, const char *key) {
  const char *written = text(value, key);
  char again[32];
  const int64_t number = strtoll(written, NULL, 10);
  snprintf(again, sizeof again, "%" PRId64, number);
  if (strcmp(written, again) != 0) {
    fail(value, key);
  }
  return number;
}

uint32_t narrow(const json_t *value, const char *key) {
  const json_t *found = json_object_get(value, key);
  const json_int_t number = json_integer_value(found);
  if (!json_is_integer(found) || number < 0 || number > UINT32_MAX) {
    fail(value, key);
  }
  return (uint32_t)number;
}

int has(const json_t *value, const char *key) {
  const json_t *found = json_object_get(value, key);
  return found != NULL && !json_is_null(found);
}

void only(const json_t *value, const char *const *keys) {
  const char *key;
  json_t *found;
  json_object_foreach((json_t *)(uintptr_t)value, key, found) {
    const char *const *known = keys;
    while (*known != NULL && strcmp(*known, key) != 0) {
      known++;
    }
    if (*known == NULL) {
      fail(value, "an unknown key");
    }
  }
}

int judge(const json_t *value, snowmint_status status) {
  if (has(value, "error")) {
    if (strcmp(snowmint_status_name(status), text(value, "error")) != 0) {
      fail(value, snowmint_status_name(status));
    }
    CHECK(snowmint_last_message()[0] != '\0');
    return 0;
  }
  if (status != SNOWMINT_OK) {
    fail(value, snowmint_status_name(status));
  }
  return 1;
}

snowmint_status layout_of(const json_t *value, snowmint_layout **layout) {
  if (json_is_string(json_object_get(value, "preset"))) {
    return snowmint_layout_preset(text(value, "preset"), layout);
  }
  return snowmint_layout_fields(text(value, "fields"), wide_signed(value, "epoch_ms"),
                                narrow(value, "tick_ms"), layout);
}

snowmint_start start_of(const json_t *value) {
  const char *kind = text(value, "kind");
  snowmint_start start = {SNOWMINT_START_KIND_ZERO, 0, 0};
  if (strcmp(kind, "vibrate") == 0) {
    start.kind = SNOWMINT_START_KIND_VIBRATE;
    start.bound = narrow(value, "max_offset");
  } else if (strcmp(kind, "random") == 0) {
    start.kind = SNOWMINT_START_KIND_RANDOM;
    start.bound = narrow(value, "below");
    start.seed = wide(value, "seed");
  } else if (strcmp(kind, "rotate") == 0) {
    start.kind = SNOWMINT_START_KIND_ROTATE;
  } else if (strcmp(kind, "zero") != 0) {
    fail(value, "an unknown start");
  }
  return start;
}

snowmint_policy policy_of(const json_t *value) {
  const char *behind = text(value, "when_behind"), *full = text(value, "when_full");
  snowmint_policy policy = {narrow(value, "max_ahead_ms"), SNOWMINT_WHEN_BEHIND_FAIL, 0,
                            SNOWMINT_WHEN_FULL_WAIT};
  if (strncmp(behind, "wait ", 5) == 0) {
    policy.when_behind = SNOWMINT_WHEN_BEHIND_WAIT;
    policy.behind_max_ms = (uint32_t)strtoul(behind + 5, NULL, 10);
  } else if (strncmp(behind, "change_worker ", 14) == 0) {
    policy.when_behind = SNOWMINT_WHEN_BEHIND_CHANGE_WORKER;
    policy.behind_max_ms = (uint32_t)strtoul(behind + 14, NULL, 10);
  } else if (strcmp(behind, "count_rollback") == 0) {
    policy.when_behind = SNOWMINT_WHEN_BEHIND_COUNT_ROLLBACK;
  } else if (strcmp(behind, "fail") != 0) {
    fail(value, "an unknown when_behind");
  }
  if (strcmp(full, "fail") == 0) {
    policy.when_full = SNOWMINT_WHEN_FULL_FAIL;
  } else if (strcmp(full, "wait") != 0) {
    fail(value, "an unknown when_full");
  }
  return policy;
}
