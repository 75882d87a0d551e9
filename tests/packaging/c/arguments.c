/* Arguments that cannot be used: each is an error with a code, and nothing else happens. */
#include "check.h"

#include <stdint.h>

#define BAD SNOWMINT_INVALID_PARAMETER

static snowmint_source *leased(const snowmint_store *store) {
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_source *source;
  options.store = store;
  OK(snowmint_source_open_snowflake(&options, &source));
  return source;
}

static void null(void) {
  snowmint_store *store = memory();
  snowmint_source *source = leased(store), *other = NULL;
  snowmint_layout *layout;
  snowmint_lane lane = {0, UINT64_MAX, 0, 0};
  uint64_t id = 7, ids[2];
  size_t count;
  OK(snowmint_layout_preset("twitter", &layout));
  RETURNS(BAD, snowmint_source_open(NULL, &other));
  RETURNS(BAD, snowmint_source_open("uuid:", NULL));
  RETURNS(BAD, snowmint_source_next(NULL, &id));
  RETURNS(BAD, snowmint_source_next(source, NULL));
  RETURNS(BAD, snowmint_source_next(NULL, NULL));
  RETURNS(BAD, snowmint_source_next_within(source, 0, NULL));
  RETURNS(BAD, snowmint_source_try_next(source, NULL));
  RETURNS(BAD, snowmint_source_fill(NULL, ids, 2));
  RETURNS(BAD, snowmint_source_fill(source, NULL, 2));
  RETURNS(BAD, snowmint_source_next_ids(source, NULL, 2));
  RETURNS(BAD, snowmint_source_next_range(NULL, 1, 0, NULL));
  RETURNS(BAD, snowmint_source_next_uuid(source, NULL));
  RETURNS(BAD, snowmint_source_close(NULL));
  RETURNS(BAD, snowmint_source_kind(source, NULL));
  RETURNS(BAD, snowmint_source_open_snowflake(NULL, &other));
  RETURNS(BAD, snowmint_source_open_segment(NULL, &other));
  RETURNS(BAD, snowmint_source_open_daily(NULL, &other));
  RETURNS(BAD, snowmint_sequences_open(NULL, NULL));
  RETURNS(BAD, snowmint_sequences_next(NULL, 1, &id));
  RETURNS(BAD, snowmint_store_open(NULL, NULL));
  RETURNS(BAD, snowmint_store_tag(store, NULL, NULL));
  RETURNS(BAD, snowmint_store_create_tag(store, NULL, -1, -1, -1, -1));
  RETURNS(BAD, snowmint_store_tags(store, NULL, 1, &count));
  RETURNS(BAD, snowmint_store_workers(store, NULL, 0, NULL));
  RETURNS(BAD, snowmint_layout_preset(NULL, NULL));
  RETURNS(BAD, snowmint_layout_fields("time:41", 0, 1, NULL));
  RETURNS(BAD, snowmint_layout_decode(layout, 1, NULL));
  RETURNS(BAD, snowmint_layout_encode(layout, NULL, &id));
  RETURNS(BAD, snowmint_layout_worker_id(layout, NULL, 1, NULL));
  RETURNS(BAD, snowmint_layout_describe(layout, NULL));
  RETURNS(BAD, snowmint_source_layout(source, NULL));
  RETURNS(BAD, snowmint_format(1, NULL, NULL, 0));
  RETURNS(BAD, snowmint_format(1, "dec", NULL, 30));
  RETURNS(BAD, snowmint_parse(NULL, NULL, &id));
  RETURNS(BAD, snowmint_timestamp(0, NULL, 40));
  RETURNS(BAD, snowmint_machine_new(layout, NULL, 0, NULL, NULL));
  RETURNS(BAD, snowmint_machine_new(layout, &lane, 0, NULL, NULL));
  RETURNS(BAD, snowmint_machine_issue(NULL, 0, 1, ids));
  RETURNS(BAD, snowmint_buffer_new(NULL, 1, 1, 0, NULL));
  RETURNS(BAD, snowmint_buffer_wants(NULL, 0, NULL));
  RETURNS(BAD, snowmint_policy_action(NULL, SNOWMINT_CLOCK_BEHIND, 0, NULL));
  RETURNS(BAD, snowmint_range_count(NULL, NULL));
  RETURNS(BAD, snowmint_last_wait_ms(NULL));
  CHECK(id == 7 && other == NULL);
  snowmint_source_free(NULL);
  snowmint_store_free(NULL);
  snowmint_sequences_free(NULL);
  snowmint_layout_free(NULL);
  snowmint_machine_free(NULL);
  snowmint_buffer_free(NULL);
  snowmint_layout_free(layout);
  snowmint_source_free(source);
  snowmint_store_free(store);
}

static void wrong_kind(void) {
  snowmint_store *store = memory();
  snowmint_source *source = leased(store);
  uint64_t id = 7;
  RETURNS(BAD, snowmint_source_next((const snowmint_source *)store, &id));
  CHECK(strstr(snowmint_last_message(), "snowmint_source") != NULL);
  RETURNS(BAD, snowmint_store_create_tag((const snowmint_store *)source, "a", -1, -1, -1, -1));
  RETURNS(BAD, snowmint_source_close((const snowmint_source *)store));
  snowmint_source_free((snowmint_source *)store);
  snowmint_store_free((snowmint_store *)source);
  CHECK(id == 7);
  OK(snowmint_source_next(source, &id));
  snowmint_source_free(source);
  snowmint_store_free(store);
}

static void closed(void) {
  snowmint_store *store = memory();
  snowmint_source *source = leased(store);
  uint64_t id, ids[3];
  OK(snowmint_source_next(source, &id));
  OK(snowmint_source_close(source));
  OK(snowmint_source_close(source));
  RETURNS(SNOWMINT_CLOSED, snowmint_source_next(source, &id));
  RETURNS(SNOWMINT_CLOSED, snowmint_source_next_within(source, 10, &id));
  RETURNS(SNOWMINT_CLOSED, snowmint_source_try_next(source, &id));
  RETURNS(SNOWMINT_CLOSED, snowmint_source_fill(source, ids, 3));
  RETURNS(SNOWMINT_CLOSED, snowmint_source_next_ids(source, ids, 3));
  snowmint_source_free(source);
  snowmint_store_free(store);
}

/** Checks that the last message ends with what would be right. */
static void says(const char *cure) {
  const char *found = strstr(snowmint_last_message(), cure);
  CHECK(found != NULL && strcmp(found, cure) == 0);
}

static void sizes(void) {
  snowmint_store *store = memory();
  snowmint_source *source = NULL;
  snowmint_sequences *sequences = NULL;
  snowmint_snowflake_options flake = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_segment_options segment = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_daily_options daily = SNOWMINT_DAILY_OPTIONS_INIT;
  snowmint_sequences_options keys = SNOWMINT_SEQUENCES_OPTIONS_INIT;
  snowmint_snowflake_options leased_by = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  const snowmint_worker_store workers = {0};
  snowmint_layout *layout;
  snowmint_layout_facts facts;
  snowmint_stats stats = SNOWMINT_STATS_INIT;
  stats.size = 0;
  source = leased(store);
  RETURNS(BAD, snowmint_source_stats(source, &stats));
  says("begin with SNOWMINT_STATS_INIT");
  stats.size = sizeof stats + 1;
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_source_stats(source, &stats));
  RETURNS(BAD, snowmint_source_stats(source, NULL));
  RETURNS(BAD, snowmint_source_stats(NULL, &stats));
  RETURNS(BAD, snowmint_source_close_within(NULL, 0));
  snowmint_source_free(source);
  source = NULL;
  flake.store = segment.store = daily.store = keys.store = store;
  segment.tag = daily.tag = keys.tag = "orders";
  flake.size = segment.size = daily.size = keys.size = 0;
  RETURNS(BAD, snowmint_source_open_snowflake(&flake, &source));
  says("begin with SNOWMINT_SNOWFLAKE_OPTIONS_INIT");
  RETURNS(BAD, snowmint_source_open_segment(&segment, &source));
  says("begin with SNOWMINT_SEGMENT_OPTIONS_INIT");
  RETURNS(BAD, snowmint_source_open_daily(&daily, &source));
  says("begin with SNOWMINT_DAILY_OPTIONS_INIT");
  RETURNS(BAD, snowmint_sequences_open(&keys, &sequences));
  says("begin with SNOWMINT_SEQUENCES_OPTIONS_INIT");
  flake.size = sizeof flake + 8;
  segment.size = sizeof segment + 8;
  daily.size = sizeof daily + 8;
  keys.size = SIZE_MAX;
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_source_open_snowflake(&flake, &source));
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_source_open_segment(&segment, &source));
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_source_open_daily(&daily, &source));
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_sequences_open(&keys, &sequences));
  OK(snowmint_layout_preset("leaf", &layout));
  facts.size = 3;
  RETURNS(BAD, snowmint_layout_describe(layout, &facts));
  says("set its size to sizeof(snowmint_layout_facts)");
  leased_by.worker_store = &workers;
  RETURNS(BAD, snowmint_source_open_snowflake(&leased_by, &source));
  says("set its size to sizeof(snowmint_worker_store)");
  CHECK(source == NULL && sequences == NULL);
  snowmint_layout_free(layout);
  snowmint_store_free(store);
}

static void numbers(void) {
  snowmint_store *store = memory();
  snowmint_source *source = leased(store), *other = NULL, *at_once = NULL;
  snowmint_snowflake_options flake = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_segment_options segment = SNOWMINT_SEGMENT_OPTIONS_INIT;
  uint64_t ids[4];
  char room[sizeof ids];
  flake.worker_id = "1024";
  flake.state_directory = "/nonexistent";
  RETURNS(SNOWMINT_FIELD_OUT_OF_RANGE, snowmint_source_open_snowflake(&flake, &other));
  flake.worker_id = "seven";
  RETURNS(BAD, snowmint_source_open_snowflake(&flake, &other));
  flake.store = store;
  flake.worker_id = "7";
  RETURNS(BAD, snowmint_source_open_snowflake(&flake, &other));
  flake.worker_id = NULL;
  flake.reserve_ms = 99;
  RETURNS(BAD, snowmint_source_open_snowflake(&flake, &other));
  flake.reserve_ms = -2;
  RETURNS(BAD, snowmint_source_open_snowflake(&flake, &other));
  flake.reserve_ms = SNOWMINT_UNSET;
  flake.max_ahead_ms = INT64_C(1) << 32;
  RETURNS(BAD, snowmint_source_open_snowflake(&flake, &other));
  flake.max_ahead_ms = SNOWMINT_UNSET;
  flake.policy = "none";
  RETURNS(BAD, snowmint_source_open_snowflake(&flake, &other));
  flake.policy = NULL;
  flake.preset = "none";
  RETURNS(SNOWMINT_UNKNOWN_LAYOUT, snowmint_source_open_snowflake(&flake, &other));
  OK(snowmint_store_create_tag(store, "orders", -1, -1, -1, -1));
  segment.tag = "orders";
  segment.store = store;
  segment.runway_ms = 0;
  RETURNS(BAD, snowmint_source_open_segment(&segment, &other));
  segment.runway_ms = 1;
  segment.step = 1;
  RETURNS(BAD, snowmint_source_open_segment(&segment, &other));
  RETURNS(SNOWMINT_COUNT_OUT_OF_RANGE, snowmint_source_next_ids(source, ids, 0));
  RETURNS(SNOWMINT_COUNT_OUT_OF_RANGE, snowmint_source_next_ids(source, ids, SNOWMINT_MAX_COUNT + 1u));
  RETURNS(SNOWMINT_COUNT_OUT_OF_RANGE, snowmint_source_fill(source, ids, SIZE_MAX));
  RETURNS(SNOWMINT_COUNT_OUT_OF_RANGE, snowmint_source_fill(source, ids, SIZE_MAX / 16 + 1));
  RETURNS(BAD, snowmint_source_fill(source, (uint64_t *)(void *)(room + ((uintptr_t)room % 8 == 0)), 2));
  OK(snowmint_source_fill(source, NULL, 0));
  OK(snowmint_source_fill(source, ids, 4));
  // All that are asked for, and not what is left behind a first block.
  flake.preset = "twitter";
  flake.max_ahead_ms = 0;
  flake.wait_ms = 0;
  OK(snowmint_source_open_snowflake(&flake, &at_once));
  uint64_t *many = calloc(5000, sizeof *many);
  RETURNS(SNOWMINT_COUNT_OUT_OF_RANGE, snowmint_source_fill(at_once, many, 4097));
  CHECK(strstr(snowmint_last_message(), "4097 IDs") != NULL && many[0] == 0);
  free(many);
  snowmint_source_free(at_once);
  RETURNS(BAD, snowmint_store_create_tag(store, "t", -2, -1, -1, -1));
  RETURNS(SNOWMINT_INVALID_STEP, snowmint_store_create_tag(store, "t", -1, 0, -1, -1));
  RETURNS(SNOWMINT_INVALID_TAG, snowmint_store_create_tag(store, "", -1, -1, -1, -1));
  CHECK(other == NULL);
  snowmint_source_free(source);
  snowmint_store_free(store);
}

static void not_utf8(void) {
  static const char latin[] = {'u', '\xfc', 0};
  snowmint_source *source = NULL;
  snowmint_layout *layout = NULL;
  uint64_t id;
  RETURNS(BAD, snowmint_source_open(latin, &source));
  RETURNS(BAD, snowmint_layout_preset(latin, &layout));
  RETURNS(BAD, snowmint_parse(latin, "dec", &id));
  RETURNS(BAD, snowmint_parse("1", latin, &id));
  CHECK(strstr(snowmint_last_message(), "UTF-8") != NULL);
  RETURNS(SNOWMINT_INVALID_URL, snowmint_source_open("", &source));
  RETURNS(SNOWMINT_TEXT_LENGTH, snowmint_parse("", "dec", &id));
}

static const struct test tests[] = {
    {"null", null},   {"wrong_kind", wrong_kind}, {"closed", closed},
    {"sizes", sizes}, {"numbers", numbers},       {"not_utf8", not_utf8},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
