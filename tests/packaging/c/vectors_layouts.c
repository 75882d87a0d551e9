/* layouts.json, known-ids.json, guesses.json, texts.json, the errors of readings.json. */
#include "vectors.h"

static snowmint_parts parts_of(const json_t *row) {
  snowmint_parts parts = {wide_signed(row, "unix_ms"), narrow(row, "worker_id"),
                          narrow(row, "sequence"), narrow(row, "rollback"), 0};
  return parts;
}

static int same(snowmint_parts a, snowmint_parts b) {
  return a.unix_ms == b.unix_ms && a.worker_id == b.worker_id && a.sequence == b.sequence &&
         a.rollback == b.rollback;
}

static void fits(const json_t *value, const char *key, const snowmint_layout *layout,
                 uint32_t bits) {
  char written[64] = "always";
  snowmint_fit fit;
  int64_t until_ms;
  OK(snowmint_layout_fits(layout, bits, &fit, &until_ms));
  if (fit == SNOWMINT_FIT_NEVER) {
    strcpy(written, "never");
  } else if (fit == SNOWMINT_FIT_UNTIL) {
    snprintf(written, sizeof written, "until %lld", (long long)until_ms);
  }
  if (strcmp(written, text(value, key)) != 0) {
    fail(value, written);
  }
}

static void facts(const json_t *value, const snowmint_layout *layout) {
  char written[SNOWMINT_FIELDS_SIZE];
  snowmint_layout_facts facts;
  facts.size = sizeof facts;
  OK(snowmint_layout_text(layout, written, sizeof written));
  CHECK(strcmp(written, text(value, "fields")) == 0);
  OK(snowmint_layout_describe(layout, &facts));
  CHECK(facts.worker_bits == narrow(value, "worker_bits"));
  CHECK(facts.max_worker_id == narrow(value, "max_worker_id"));
  CHECK(facts.ids_per_tick == wide(value, "ids_per_tick"));
  CHECK(facts.ids_per_second == wide(value, "ids_per_second"));
  CHECK(facts.ticks == wide(value, "ticks"));
  CHECK(facts.tick_ms == narrow(value, "tick_ms"));
  CHECK(facts.epoch_ms == wide_signed(value, "epoch_ms"));
  CHECK(facts.expires_ms == wide_signed(value, "expires_ms"));
  OK(snowmint_timestamp(facts.expires_ms, written, sizeof written));
  CHECK(strcmp(written, text(value, "expires")) == 0);
  fits(value, "fits_53", layout, 53);
  fits(value, "fits_63", layout, 63);
}

static void worker_id(const json_t *row, const snowmint_layout *layout) {
  snowmint_worker_part parts[8];
  size_t count = 0;
  uint32_t worker;
  const char *name;
  json_t *number;
  json_object_foreach(json_object_get(row, "parts"), name, number) {
    parts[count].field = name;
    parts[count++].value = (uint32_t)json_integer_value(number);
  }
  if (judge(row, snowmint_layout_worker_id(layout, parts, count, &worker))) {
    CHECK(worker == narrow(row, "worker_id"));
  }
}

static void ids(const json_t *value, const snowmint_layout *layout) {
  size_t at;
  json_t *row;
  json_array_foreach(list(value, "encode"), at, row) {
    uint64_t id;
    const snowmint_parts parts = parts_of(row);
    if (judge(row, snowmint_layout_encode(layout, &parts, &id))) {
      CHECK(id == wide(row, "id"));
    }
  }
  json_array_foreach(list(value, "decode"), at, row) {
    uint64_t id = wide(row, "id"), again;
    snowmint_parts parts, many;
    const snowmint_status status = snowmint_layout_decode(layout, id, &parts);
    if (judge(row, status)) {
      CHECK(same(parts, parts_of(row)));
      OK(snowmint_layout_encode(layout, &parts, &again));
      CHECK(again == id);
      OK(snowmint_layout_decode_many(layout, &id, 1, &many));
      CHECK(same(many, parts));
    } else {
      RETURNS(status, snowmint_layout_decode_many(layout, &id, 1, &many));
    }
  }
  json_array_foreach(list(value, "bounds"), at, row) {
    uint64_t least, most;
    const int64_t unix_ms = wide_signed(row, "unix_ms");
    const snowmint_status status = snowmint_layout_min_id(layout, unix_ms, &least);
    RETURNS(status, snowmint_layout_max_id(layout, unix_ms, &most));
    if (judge(row, status)) {
      CHECK(least == wide(row, "min_id") && most == wide(row, "max_id"));
    }
  }
  json_array_foreach(list(value, "worker_ids"), at, row) { worker_id(row, layout); }
}

void layouts(void) {
  static const char *const keys[] = {
      "name",    "preset",       "fields",        "epoch_ms",       "tick_ms", "worker_bits",
      "max_worker_id", "ids_per_tick", "ids_per_second", "ticks",   "expires_ms", "expires",
      "fits_53", "fits_63",      "worker_ids",    "encode",         "decode",  "bounds", NULL};
  json_t *all = document("layouts.json"), *value;
  size_t at;
  snowmint_layout *layout;
  json_array_foreach(list(all, "layouts"), at, value) {
    only(value, keys);
    OK(snowmint_layout_fields(text(value, "fields"), wide_signed(value, "epoch_ms"),
                              narrow(value, "tick_ms"), &layout));
    facts(value, layout);
    ids(value, layout);
    snowmint_layout_free(layout);
  }
  json_array_foreach(list(all, "invalid"), at, value) {
    if (judge(value, layout_of(value, &layout))) {
      fail(value, "it should be invalid");
    }
  }
  json_decref(all);
}

void presets(void) {
  json_t *all = document("layouts.json"), *value;
  size_t at, index = 0;
  json_array_foreach(list(all, "layouts"), at, value) {
    const json_t *uses = json_object_get(value, "preset");
    if (!json_is_object(uses)) {
      continue;
    }
    snowmint_preset preset;
    snowmint_layout *layout;
    char fields[SNOWMINT_FIELDS_SIZE];
    OK(snowmint_preset_at(index++, &preset));
    CHECK(strcmp(preset.name, text(value, "name")) == 0 && preset.note[0] != '\0');
    OK(snowmint_layout_preset(preset.name, &layout));
    OK(snowmint_layout_text(layout, fields, sizeof fields));
    CHECK(strcmp(fields, text(value, "fields")) == 0);
    snowmint_layout_free(layout);
    const snowmint_policy policy = policy_of(json_object_get(uses, "policy"));
    const snowmint_start start = start_of(json_object_get(uses, "start"));
    CHECK(memcmp(&policy, &preset.policy, sizeof policy) == 0);
    CHECK(memcmp(&start, &preset.start, sizeof start) == 0);
  }
  CHECK(index == snowmint_preset_count());
  snowmint_preset past;
  RETURNS(SNOWMINT_INVALID_PARAMETER, snowmint_preset_at(index, &past));
  json_decref(all);
}

void known_ids(void) {
  json_t *all = document("known-ids.json"), *value;
  size_t at;
  CHECK(json_array_size(list(all, "ids")) >= 30);
  json_array_foreach(list(all, "ids"), at, value) {
    snowmint_layout *layout;
    snowmint_layout_facts facts;
    snowmint_parts parts;
    uint64_t tick;
    char written[SNOWMINT_TIMESTAMP_SIZE];
    const uint64_t id = wide(value, "id");
    json_t *fields = json_object_get(value, "fields");
    size_t named = 0;
    facts.size = sizeof facts;
    OK(snowmint_layout_preset(text(value, "preset"), &layout));
    OK(snowmint_layout_decode(layout, id, &parts));
    CHECK(parts.unix_ms == wide_signed(value, "unix_ms"));
    OK(snowmint_timestamp(parts.unix_ms, written, sizeof written));
    CHECK(strcmp(written, text(value, "time")) == 0);
    OK(snowmint_layout_tick_at(layout, parts.unix_ms, &tick));
    CHECK(tick == wide(fields, "time"));
    OK(snowmint_layout_describe(layout, &facts));
    for (uint32_t index = 0; index < facts.field_count; index++) {
      snowmint_field field;
      OK(snowmint_layout_field(layout, index, &field));
      if (strcmp(field.name, "constant") == 0) {
        continue;
      }
      const uint64_t found = id >> field.shift & field.max;
      const int as_text = json_is_string(json_object_get(fields, field.name));
      named++;
      CHECK(found == (as_text ? wide(fields, field.name) : narrow(fields, field.name)));
    }
    CHECK(named == json_object_size(fields));
    snowmint_layout_free(layout);
  }
  json_decref(all);
}

void guesses(void) {
  json_t *all = document("guesses.json"), *row, *expected;
  const int64_t now_ms = wide_signed(all, "now_ms");
  snowmint_guess found[32];
  size_t at, n, count;
  json_array_foreach(list(all, "guesses"), at, row) {
    OK(snowmint_guess_presets(wide(row, "id"), now_ms, text(row, "beside"), found, 32, &count));
    CHECK(count == json_array_size(list(row, "guesses")));
    json_array_foreach(list(row, "guesses"), n, expected) {
      const char *doubt = has(expected, "doubt") ? text(expected, "doubt") : "";
      CHECK(strcmp(found[n].preset, text(expected, "preset")) == 0);
      CHECK(found[n].parts.unix_ms == wide_signed(expected, "unix_ms"));
      CHECK(found[n].named == json_is_true(json_object_get(expected, "named")));
      CHECK(strcmp(found[n].doubt, doubt) == 0);
    }
  }
  json_decref(all);
}

void texts(void) {
  json_t *all = document("texts.json"), *value;
  size_t at;
  uint64_t id;
  char buffer[SNOWMINT_TEXT_SIZE];
  json_array_foreach(list(all, "texts"), at, value) {
    const char *form;
    json_t *written;
    json_object_foreach(json_object_get(value, "texts"), form, written) {
      const char *expected = json_string_value(written);
      const size_t length = strlen(expected);
      OK(snowmint_format(wide(value, "id"), form, buffer, sizeof buffer));
      CHECK(strcmp(buffer, expected) == 0);
      OK(snowmint_parse(expected, form, &id));
      CHECK(id == wide(value, "id"));
      OK(snowmint_format(id, form, buffer, length + 1));
      RETURNS(SNOWMINT_INVALID_PARAMETER, snowmint_format(id, form, buffer, length));
    }
    CHECK(json_object_size(json_object_get(value, "texts")) == snowmint_text_form_count());
  }
  json_array_foreach(list(all, "others"), at, value) {
    OK(snowmint_parse(text(value, "text"), text(value, "form"), &id));
    CHECK(id == wide(value, "id"));
  }
  json_array_foreach(list(all, "invalid"), at, value) {
    if (judge(value, snowmint_parse(text(value, "text"), text(value, "form"), &id))) {
      fail(value, "it should be invalid");
    }
  }
  json_array_foreach(list(all, "detect"), at, value) {
    snowmint_text_form form;
    const snowmint_status status = snowmint_detect(text(value, "text"), &form);
    if (has(value, "form")) {
      OK(status);
      CHECK(strcmp(form.name, text(value, "form")) == 0);
    } else {
      CHECK(status == SNOWMINT_UNKNOWN_TEXT_FORM);
    }
  }
  json_decref(all);
}

void what_is_wrong_with_a_text(void) {
  json_t *all = document("readings.json"), *value;
  size_t at, advised = 0;
  uint64_t id;
  json_array_foreach(list(all, "readings"), at, value) {
    const json_t *advice = json_object_get(value, "advice");
    if (advice != NULL) {
      const char *expected = json_is_true(advice) ? text(value, "sentence") : text(value, "advice");
      CHECK(snowmint_parse(text(value, "text"), NULL, &id) != SNOWMINT_OK);
      CHECK(strcmp(snowmint_last_message(), expected) == 0);
      CHECK(snowmint_parse(text(value, "text"), "dec", &id) != SNOWMINT_OK);
      CHECK(strcmp(snowmint_last_message(), expected) == 0);
      ++advised;
    }
  }
  CHECK(advised > 30);
  json_decref(all);
}

void text_forms(void) {
  json_t *all = document("texts.json"), *value;
  size_t at;
  json_array_foreach(list(all, "forms"), at, value) {
    snowmint_text_form form;
    OK(snowmint_text_form_at(at, &form));
    CHECK(strcmp(form.name, text(value, "form")) == 0);
    CHECK(strcmp(form.alphabet, text(value, "alphabet")) == 0);
    CHECK(form.width == (has(value, "width") ? narrow(value, "width") : 0));
    CHECK(form.sortable == json_boolean_value(json_object_get(value, "sortable")));
  }
  CHECK(at == snowmint_text_form_count());
  json_decref(all);
}
