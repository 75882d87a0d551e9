/* snowflakes.json and segments.json. */
#include "vectors.h"

static snowmint_lane lane_of(const json_t *value) {
  snowmint_lane lane = {wide(value, "floor"), wide(value, "reserved"), narrow(value, "worker_id"),
                        narrow(value, "rollback")};
  return lane;
}

void policies(void) {
  json_t *all = document("snowflakes.json"), *value;
  size_t at;
  json_array_foreach(list(all, "policies"), at, value) {
    snowmint_policy known;
    const snowmint_policy expected = policy_of(value);
    OK(snowmint_policy_named(text(value, "name"), &known));
    CHECK(memcmp(&known, &expected, sizeof known) == 0);
  }
  json_decref(all);
}

static void action(const json_t *step, const snowmint_policy *policy, snowmint_status stall) {
  char written[64];
  uint64_t wait_ms;
  snowmint_action action;
  OK(snowmint_last_wait_ms(&wait_ms));
  CHECK(wait_ms == wide(step, "wait_ms"));
  if (policy == NULL) {
    CHECK(!has(step, "action"));
    return;
  }
  OK(snowmint_policy_action(policy, stall, wait_ms, &action));
  switch (action.kind) {
  case SNOWMINT_ACTION_KIND_FAIL: strcpy(written, "fail"); break;
  case SNOWMINT_ACTION_KIND_WAIT:
    snprintf(written, sizeof written, "wait %llu", (unsigned long long)action.wait_ms);
    break;
  case SNOWMINT_ACTION_KIND_COUNT_ROLLBACK: strcpy(written, "count_rollback"); break;
  case SNOWMINT_ACTION_KIND_CHANGE_WORKER: strcpy(written, "change_worker"); break;
  case SNOWMINT_ACTION_KIND_EXTEND_GRANT: strcpy(written, "extend_grant"); break;
  default: fail(step, "an unknown action");
  }
  if (strcmp(written, text(step, "action")) != 0) {
    fail(step, written);
  }
}

static void issue(const json_t *step, const snowmint_machine *machine,
                  const snowmint_policy *policy) {
  static const char *const keys[] = {"op",   "now_ms", "n",       "first",  "last",
                                     "ids",  "error",  "wait_ms", "action", NULL};
  const uint32_t n = narrow(step, "n");
  /* Counts that can only be refused are not made room for. */
  uint64_t room[1], *ids = n < 1u << 24 ? calloc(n + 1u, sizeof *ids) : room;
  only(step, keys);
  const snowmint_status status =
      snowmint_machine_issue(machine, wide_signed(step, "now_ms"), n, ids);
  if (judge(step, status)) {
    CHECK(ids[0] == wide(step, "first") && ids[n - 1] == wide(step, "last"));
    for (uint32_t at = 0; n <= 8 && at < n; at++) {
      const char *written = json_string_value(json_array_get(json_object_get(step, "ids"), at));
      CHECK(written != NULL && ids[at] == strtoull(written, NULL, 10));
    }
  } else if (has(step, "wait_ms")) {
    action(step, policy, status);
  } else {
    uint64_t wait_ms;
    RETURNS(SNOWMINT_EMPTY, snowmint_last_wait_ms(&wait_ms));
  }
  if (ids != room) {
    free(ids);
  }
}

static void trace(const json_t *value) {
  snowmint_layout *layout;
  snowmint_machine *machine;
  snowmint_policy named;
  const snowmint_policy *policy = NULL;
  const snowmint_lane first = lane_of(json_object_get(value, "lane"));
  const snowmint_start start = start_of(json_object_get(value, "start"));
  size_t at;
  json_t *step;
  OK(layout_of(json_object_get(value, "layout"), &layout));
  OK(snowmint_machine_new(layout, &first, narrow(value, "max_ahead_ms"), &start, &machine));
  snowmint_layout_free(layout);
  if (has(value, "policy")) {
    OK(snowmint_policy_named(text(value, "policy"), &named));
    policy = &named;
  }
  json_array_foreach(list(value, "steps"), at, step) {
    const char *op = text(step, "op");
    if (strcmp(op, "issue") == 0) {
      issue(step, machine, policy);
    } else if (strcmp(op, "extend") == 0) {
      OK(snowmint_machine_extend(machine, wide(step, "reserved")));
    } else if (strcmp(op, "open") == 0) {
      const snowmint_lane lane = lane_of(step);
      judge(step, snowmint_machine_open(machine, &lane));
    } else if (strcmp(op, "jump") == 0) {
      const snowmint_lane lane = lane_of(step);
      judge(step, snowmint_machine_jump(machine, &lane));
    } else {
      fail(step, "an unknown operation");
    }
  }
  snowmint_machine_free(machine);
}

void snowflakes(void) {
  json_t *all = document("snowflakes.json"), *value;
  size_t at;
  json_array_foreach(list(all, "refused"), at, value) {
    snowmint_layout *layout;
    snowmint_machine *machine;
    const snowmint_lane lane = lane_of(json_object_get(value, "lane"));
    OK(layout_of(json_object_get(value, "layout"), &layout));
    if (judge(value, snowmint_machine_new(layout, &lane, 0, NULL, &machine))) {
      fail(value, "it should be refused");
    }
    snowmint_layout_free(layout);
  }
  json_array_foreach(list(all, "traces"), at, value) { trace(value); }
  json_decref(all);
}

void limits(void) {
  json_t *all = document("segments.json"), *value;
  size_t at;
  json_array_foreach(list(all, "limits"), at, value) {
    const char *name = text(value, "name");
    const uint64_t limit = strcmp(name, "max_number") == 0     ? (uint64_t)SNOWMINT_MAX_NUMBER
                           : strcmp(name, "max_step") == 0     ? SNOWMINT_MAX_STEP
                           : strcmp(name, "max_distance") == 0 ? SNOWMINT_MAX_DISTANCE
                                                               : 0;
    CHECK(limit == wide(value, "value"));
  }
  json_decref(all);
}

static snowmint_range range_of(const json_t *value) {
  snowmint_range range = {wide(value, "start"), wide(value, "end"), wide(value, "stride")};
  return range;
}

void ranges_and_steps(void) {
  json_t *all = document("segments.json"), *value;
  size_t at;
  json_array_foreach(list(all, "ranges"), at, value) {
    const snowmint_range range = range_of(value);
    uint64_t count;
    if (judge(value, snowmint_range_count(&range, &count))) {
      CHECK(count == wide(value, "count"));
      CHECK(range.start + (count - 1) * range.stride == wide(value, "last"));
    }
  }
  json_array_foreach(list(all, "steps"), at, value) {
    const snowmint_prefetch leaf = {10, 0};
    snowmint_buffer *buffer;
    if (judge(value, snowmint_buffer_new(&leaf, wide(value, "min"), wide(value, "max"), 0,
                                         &buffer))) {
      snowmint_buffer_free(buffer);
    }
  }
  json_decref(all);
}

static void taken(const json_t *step, snowmint_status status, const snowmint_range *range) {
  const json_t *expected = json_object_get(step, "range");
  if (json_is_null(expected)) {
    CHECK(status == SNOWMINT_EMPTY);
    return;
  }
  const snowmint_range wanted = range_of(expected);
  OK(status);
  if (memcmp(range, &wanted, sizeof wanted) != 0) {
    fail(step, "another range");
  }
}

static void buffer_step(const json_t *step, const snowmint_buffer *buffer) {
  static const char *const keys[] = {"op",    "now_ms", "step",   "n",     "range", "start",
                                     "end",   "stride", "min",    "max",   "error", "floor",
                                     "remaining", NULL};
  const char *op = text(step, "op");
  snowmint_range range;
  snowmint_buffer_state state;
  only(step, keys);
  if (strcmp(op, "wants") == 0) {
    uint64_t asked;
    OK(snowmint_buffer_wants(buffer, wide_signed(step, "now_ms"), &asked));
    CHECK(asked == (has(step, "step") ? wide(step, "step") : 0));
  } else if (strcmp(op, "take") == 0) {
    const snowmint_status status = snowmint_buffer_take(buffer, wide(step, "n"), &range);
    taken(step, status, &range);
  } else if (strcmp(op, "take_until_request") == 0) {
    const snowmint_status status = snowmint_buffer_take_until_request(buffer, &range);
    taken(step, status, &range);
  } else if (strcmp(op, "supply") == 0) {
    range = range_of(step);
    judge(step, snowmint_buffer_supply(buffer, &range, wide_signed(step, "now_ms")));
    OK(snowmint_buffer_state_of(buffer, &state));
    CHECK(state.floor == wide(step, "floor"));
  } else if (strcmp(op, "failed") == 0) {
    OK(snowmint_buffer_failed(buffer));
  } else if (strcmp(op, "resize") == 0) {
    OK(snowmint_buffer_resize(buffer, wide(step, "min"), wide(step, "max")));
  } else {
    fail(step, "an unknown operation");
  }
  if (has(step, "remaining")) {
    OK(snowmint_buffer_state_of(buffer, &state));
    CHECK(state.remaining == wide(step, "remaining"));
  }
}

void buffers(void) {
  json_t *all = document("segments.json"), *value, *step;
  size_t at, number;
  json_array_foreach(list(all, "traces"), at, value) {
    const json_t *kind = json_object_get(value, "prefetch"), *sizes = json_object_get(value, "step");
    snowmint_prefetch prefetch = {0, 0};
    snowmint_buffer *buffer;
    if (strcmp(text(kind, "kind"), "chain") == 0) {
      prefetch.distance = narrow(kind, "distance");
    } else {
      prefetch.used_percent = narrow(kind, "used_percent");
    }
    OK(snowmint_buffer_new(&prefetch, wide(sizes, "min"), wide(sizes, "max"), wide(value, "above"),
                           &buffer));
    json_array_foreach(list(value, "steps"), number, step) { buffer_step(step, buffer); }
    snowmint_buffer_free(buffer);
  }
  json_decref(all);
}
