/* errors.json and events.json, and the program of all vectors. */
#include "vectors.h"

/* The library's table and the header's: a constant of the header is a name in upper case. */
void errors(void) {
  json_t *table = document("errors.json");
  size_t at;
  json_t *row;
  json_array_foreach(list(table, "errors"), at, row) {
    const uint32_t number = narrow(row, "number");
    CHECK(strcmp(snowmint_status_name(number), text(row, "name")) == 0);
    CHECK(strcmp(snowmint_status_summary(number), text(row, "summary")) == 0);
  }
  CHECK(json_array_size(list(table, "errors")) == HEADER_STATUSES);
  CHECK(SNOWMINT_INVALID_LAYOUT == 100 && SNOWMINT_CLOSED == 204 && SNOWMINT_INTERNAL == 900);
  CHECK(strcmp(snowmint_status_name(SNOWMINT_OK), "ok") == 0);
  CHECK(strcmp(snowmint_status_name(1), "unknown") == 0);
  CHECK(snowmint_status_is_transient(SNOWMINT_WAIT_TIMEOUT));
  CHECK(!snowmint_status_is_transient(SNOWMINT_CLOSED));
  json_decref(table);
}

/* The same of the kinds of events. */
static void events(void) {
  json_t *table = document("events.json");
  size_t at;
  json_t *row;
  json_array_foreach(list(table, "events"), at, row) {
    CHECK(strcmp(snowmint_event_name(narrow(row, "number")), text(row, "name")) == 0);
  }
  CHECK(json_array_size(list(table, "events")) == HEADER_EVENTS);
  CHECK(SNOWMINT_EVENT_LEASE_LOST == 1 && SNOWMINT_EVENT_SERVER_REFUSED == 11);
  CHECK(strcmp(snowmint_event_name(0), "unknown") == 0);
  json_decref(table);
}

static const struct test tests[] = {
    {"errors", errors},         {"events", events},
    {"layouts", layouts},       {"presets", presets},
    {"known_ids", known_ids},   {"guesses", guesses},       {"texts", texts},
    {"text_forms", text_forms},
    {"policies", policies},     {"snowflakes", snowflakes}, {"limits", limits},
    {"ranges_and_steps", ranges_and_steps}, {"buffers", buffers},
    {"what_is_wrong_with_a_text", what_is_wrong_with_a_text},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
