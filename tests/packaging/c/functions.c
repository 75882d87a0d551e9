/* Tests of the functions that the shared suites do not call. */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <time.h>

#include "check.h"

static void version(void) {
  CHECK(strcmp(snowmint_version(), PACKAGE_VERSION) == 0);
  CHECK(snowmint_abi_version() == SNOWMINT_ABI_VERSION);
}

static void presets_mint_as_their_systems(void) {
  snowmint_preset preset;
  for (size_t at = 0; at < snowmint_preset_count(); at++) {
    snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
    snowmint_source *source;
    snowmint_layout *layout;
    snowmint_parts parts;
    uint64_t id;
    OK(snowmint_preset_at(at, &preset));
    /* A store has one layout. */
    snowmint_store *store = memory();
    options.store = store;
    options.preset = preset.name;
    const snowmint_status status = snowmint_source_open_snowflake(&options, &source);
    snowmint_store_free(store);
    if (status == SNOWMINT_LAYOUT_EXPIRED) {
      continue;
    }
    OK(status);
    OK(snowmint_source_next(source, &id));
    OK(snowmint_source_layout(source, &layout));
    OK(snowmint_layout_decode(layout, id, &parts));
    snowmint_layout_free(layout);
    snowmint_source_free(source);
  }
}

/** As many IDs as 244 ticks have: borrowed, the last would be that far ahead. Two clocks are not read at once. */
static void with_nothing_ahead_no_id_is_dated_later(void) {
  enum { COUNT = 1000000, APART_MS = 100 };
  static uint64_t ids[COUNT];
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_store *store = memory();
  snowmint_source *source;
  snowmint_layout *layout;
  snowmint_parts parts;
  uint64_t last;
  struct timespec now;
  options.store = store;
  options.max_ahead_ms = 0;
  OK(snowmint_source_open_snowflake(&options, &source));
  OK(snowmint_source_layout(source, &layout));
  OK(snowmint_source_fill(source, ids, COUNT));
  CHECK(clock_gettime(CLOCK_REALTIME, &now) == 0);
  const int64_t now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + APART_MS;
  OK(snowmint_layout_decode(layout, ids[COUNT - 1], &parts));
  CHECK(parts.unix_ms <= now_ms);
  OK(snowmint_layout_max_id(layout, now_ms, &last));
  CHECK(ids[COUNT - 1] <= last);
  snowmint_layout_free(layout);
  snowmint_source_free(source);
  snowmint_store_free(store);
}

static void tags(void) {
  snowmint_store *store = memory();
  snowmint_tag row, rows[2];
  size_t count;
  OK(snowmint_store_create_tag(store, "b", SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET));
  OK(snowmint_store_create_tag(store, "a", 10, 20, 3, -1));
  RETURNS(SNOWMINT_TAG_EXISTS, snowmint_store_create_tag(store, "a", 10, 20, 3, -1));
  OK(snowmint_store_ensure_tag(store, "a", 99, 99, 99, -1)); // left as it is
  RETURNS(SNOWMINT_INVALID_TAG, snowmint_store_ensure_tag(store, "", -1, -1, -1, -1));
  OK(snowmint_store_tag(store, "b", &row));
  CHECK(row.next == 1 && row.step == 1000 && row.stride == 1 && row.updated_ms > 0);
  RETURNS(SNOWMINT_UNKNOWN_TAG, snowmint_store_tag(store, "c", &row));
  OK(snowmint_store_change_tag(store, "a", 100, SNOWMINT_UNSET, SNOWMINT_UNSET, &row));
  CHECK(row.next == 100 && row.step == 20 && row.stride == 3);
  RETURNS(SNOWMINT_RANGE_REGRESSED, snowmint_store_change_tag(store, "a", 5, -1, -1, NULL));
  OK(snowmint_store_change_tag(store, "a", SNOWMINT_UNSET, 7, 200, &row));
  CHECK(row.step == 7 && row.max == 200);
  RETURNS(SNOWMINT_INVALID_RANGE, snowmint_store_change_tag(store, "a", -1, -1, 50, NULL));
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_store_vouch(store, "any", 1, SNOWMINT_UNSET, &count));
  OK(snowmint_store_tags(store, NULL, 0, &count));
  CHECK(count == 2);
  OK(snowmint_store_tags(store, rows, 1, &count));
  CHECK(count == 2 && strcmp(rows[0].name, "a") == 0 && rows[0].step == 7);
  snowmint_store_free(store);
}

/* A segment asks for a range again a moment after a refusal. */
static uint64_t once_it_goes_on(const snowmint_source *source) {
  const struct timespec moment = {0, 10000000};
  uint64_t id = 0;
  for (int attempt = 0; attempt < 6000; attempt++) {
    const snowmint_status status = snowmint_source_next(source, &id);
    if (status == SNOWMINT_OK) {
      return id;
    }
    CHECK(status == SNOWMINT_TAG_EXHAUSTED);
    nanosleep(&moment, NULL);
  }
  return 0;
}

static void a_max_ends_a_tag_until_it_is_widened(void) {
  snowmint_store *store = memory();
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *source;
  snowmint_tag row;
  uint64_t ids[3], id;
  OK(snowmint_store_create_tag(store, "small", 5, 10, SNOWMINT_UNSET, 7));
  options.store = store;
  options.tag = "small";
  OK(snowmint_source_open_segment(&options, &source));
  OK(snowmint_source_fill(source, ids, 3));
  CHECK(ids[0] == 5 && ids[2] == 7);
  RETURNS(SNOWMINT_TAG_EXHAUSTED, snowmint_source_next(source, &id));
  RETURNS(SNOWMINT_INVALID_RANGE, snowmint_store_change_tag(store, "small", -1, -1, 6, NULL));
  RETURNS(SNOWMINT_INVALID_RANGE, snowmint_store_change_tag(store, "small", 9, -1, -1, NULL));
  OK(snowmint_store_change_tag(store, "small", -1, -1, 9, &row));
  CHECK(row.next == 8 && row.max == 9);
  CHECK(once_it_goes_on(source) == 8);
  OK(snowmint_source_next(source, &id));
  CHECK(id == 9);
  RETURNS(SNOWMINT_INVALID_RANGE, snowmint_store_create_tag(store, "none", 10, -1, -1, 9));
  RETURNS(SNOWMINT_INVALID_RANGE,
          snowmint_store_create_tag(store, "none", -1, -1, -1, SNOWMINT_MAX_NUMBER));
  OK(snowmint_store_create_tag(store, "largest", -1, -1, -1, SNOWMINT_MAX_NUMBER - 1));
  OK(snowmint_store_create_tag(store, "usual", -1, -1, -1, -1));
  OK(snowmint_store_tag(store, "usual", &row));
  CHECK(row.max == (uint64_t)INT64_MAX - 1);
  snowmint_source_free(source);
  snowmint_store_free(store);
}

static void tags_of_one_name_in_two_namespaces(void) {
  static const char *const names[] = {"mall/orders", "orders", "shop/orders"};
  snowmint_store *store = memory();
  snowmint_tag rows[3];
  size_t count;
  for (size_t at = 0; at < 3; at++) {
    snowmint_segment_options segment = SNOWMINT_SEGMENT_OPTIONS_INIT;
    snowmint_source *source;
    uint64_t id;
    OK(snowmint_store_create_tag(store, names[at], 100 * (int64_t)at, -1, -1, -1));
    segment.store = store;
    segment.tag = names[at];
    OK(snowmint_source_open_segment(&segment, &source));
    OK(snowmint_source_next(source, &id));
    CHECK(id == 100 * at);
    snowmint_source_free(source);
  }
  OK(snowmint_store_tags(store, rows, 3, &count));
  for (size_t at = 0; at < 3; at++) {
    snowmint_daily_options daily = SNOWMINT_DAILY_OPTIONS_INIT;
    snowmint_sequences_options chat = SNOWMINT_SEQUENCES_OPTIONS_INIT;
    snowmint_source *source;
    snowmint_sequences *sequences;
    uint64_t id;
    CHECK(count == 3 && strcmp(rows[at].name, names[at]) == 0);
    daily.store = chat.store = store;
    daily.tag = names[at];
    chat.tag = names[at];
    OK(snowmint_source_open_daily(&daily, &source));
    OK(snowmint_source_next(source, &id));
    CHECK(id % 1000000 == 1);
    OK(snowmint_sequences_open(&chat, &sequences));
    OK(snowmint_sequences_next(sequences, 7, &id));
    CHECK(id == 1);
    snowmint_source_free(source);
    snowmint_sequences_free(sequences);
  }
  RETURNS(SNOWMINT_INVALID_TAG, snowmint_store_create_tag(store, "a/b/c", -1, -1, -1, -1));
  RETURNS(SNOWMINT_INVALID_TAG, snowmint_store_create_tag(store, "/orders", -1, -1, -1, -1));
  snowmint_store_free(store);
}

/* The one worker ID of a store: on a busy machine its first lease may have ended before it is renewed. */
static snowmint_worker once_held(const snowmint_store *store) {
  const struct timespec moment = {0, 10000000};
  snowmint_worker row;
  size_t count;
  for (int attempt = 0; attempt < 6000; attempt++) {
    OK(snowmint_store_workers(store, &row, 1, &count));
    CHECK(count == 1);
    if (row.held) {
      break;
    }
    nanosleep(&moment, NULL);
  }
  CHECK(row.held);
  return row;
}

static void workers(void) {
  snowmint_store *store = memory();
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_source *source;
  snowmint_worker row;
  bool evicted;
  options.store = store;
  OK(snowmint_source_open_snowflake(&options, &source));
  row = once_held(store);
  CHECK(row.worker_id < 1024 && row.owner[0] != '\0');
  OK(snowmint_store_evict(store, row.realm, row.worker_id, &evicted));
  CHECK(evicted);
  OK(snowmint_store_evict(store, row.realm, row.worker_id + 1, &evicted));
  CHECK(!evicted);
  snowmint_source_free(source);
  snowmint_store_free(store);
}

static void daily(void) {
  snowmint_store *store = memory();
  snowmint_daily_options options = SNOWMINT_DAILY_OPTIONS_INIT;
  snowmint_source *source;
  uint64_t first, next;
  options.store = store;
  options.tag = "orders";
  options.zone = "+08:00";
  OK(snowmint_source_open_daily(&options, &source));
  OK(snowmint_source_next(source, &first));
  OK(snowmint_source_next(source, &next));
  CHECK(first > UINT64_C(20200101000000) && next > first);
  options.digits = 11;
  RETURNS(SNOWMINT_INVALID_PARAMETER, snowmint_source_open_daily(&options, &source));
  snowmint_source_free(source);
  snowmint_store_free(store);
}

static void sequences(void) {
  snowmint_store *store = memory();
  snowmint_sequences_options options = SNOWMINT_SEQUENCES_OPTIONS_INIT;
  snowmint_sequences *sequences;
  snowmint_stats stats = SNOWMINT_STATS_INIT;
  uint64_t one, two, other;
  options.store = store;
  options.tag = "chat";
  OK(snowmint_sequences_open(&options, &sequences));
  OK(snowmint_sequences_next(sequences, 7, &one));
  OK(snowmint_sequences_next(sequences, 8, &other));
  OK(snowmint_sequences_next_within(sequences, 7, 1000, &two));
  CHECK(one == 1 && other == 1 && two == 2);
  OK(snowmint_sequences_close(sequences));
  OK(snowmint_sequences_stats(sequences, &stats));
  CHECK(strcmp(stats.kind, "sequences") == 0 && stats.is_closed && stats.bucket_count == 0);
  RETURNS(SNOWMINT_CLOSED, snowmint_sequences_next(sequences, 7, &one));
  snowmint_sequences_free(sequences);
  snowmint_store_free(store);
}

static void uuids(void) {
  snowmint_source *source;
  snowmint_uuid one, two;
  snowmint_layout *layout;
  char written[SNOWMINT_UUID_SIZE];
  uint64_t id;
  OK(snowmint_source_open("uuid:?version=7", &source));
  OK(snowmint_source_next_uuid(source, &one));
  OK(snowmint_source_next_uuid(source, &two));
  CHECK(memcmp(&one, &two, sizeof one) < 0);
  OK(snowmint_uuid_format(&one, written, sizeof written));
  CHECK(strlen(written) == 36 && written[14] == '7');
  RETURNS(SNOWMINT_INVALID_PARAMETER, snowmint_uuid_format(&one, written, 36));
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_source_next(source, &id));
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_source_try_next(source, &id));
  RETURNS(SNOWMINT_UNSUPPORTED, snowmint_source_layout(source, &layout));
  snowmint_source_free(source);
}

static void guesses(void) {
  snowmint_guess guesses[32];
  size_t count;
  OK(snowmint_guess_presets(UINT64_C(1541815603606036480), INT64_C(1700000000000), NULL, guesses,
                            32, &count));
  CHECK(count > 1 && count <= 32 && strcmp(guesses[0].preset, "twitter") == 0);
  CHECK(guesses[0].parts.unix_ms == INT64_C(1656432460105) && guesses[0].parts.worker_id == 378);
  OK(snowmint_guess_presets(UINT64_C(1541815603606036480), SNOWMINT_NOW, NULL, NULL, 0, &count));
  CHECK(count > 1 && !guesses[0].named);
  OK(snowmint_guess_presets(UINT64_C(175928847299117063), SNOWMINT_NOW, "guild_id", guesses, 32,
                            &count));
  CHECK(strcmp(guesses[0].preset, "discord") == 0 && guesses[0].named);
  OK(snowmint_guess_presets(1, SNOWMINT_NOW, NULL, NULL, 0, &count)); // a small number is dated by nobody
  CHECK(count == 0);
}

static void the_present_bounds_pages(void) {
  snowmint_layout *layout;
  snowmint_parts parts;
  uint64_t least, tick, most;
  OK(snowmint_layout_preset("twitter", &layout));
  OK(snowmint_layout_min_id(layout, SNOWMINT_NOW, &least));
  OK(snowmint_layout_tick_at(layout, SNOWMINT_NOW, &tick));
  OK(snowmint_layout_max_id(layout, SNOWMINT_NOW, &most));
  CHECK(least >> 22 <= tick && tick <= most >> 22 && (most & 0x3fffff) == 0x3fffff);
  OK(snowmint_layout_decode(layout, least, &parts));
  CHECK(parts.unix_ms > INT64_C(1700000000000));
  snowmint_layout_free(layout);
}

static void many_are_decoded_up_to_the_first_that_is_not_of_the_layout(void) {
  const uint64_t ids[] = {1, 2, UINT64_MAX, 3};
  snowmint_parts parts[4];
  snowmint_layout *layout;
  OK(snowmint_layout_preset("twitter", &layout));
  RETURNS(SNOWMINT_ID_NOT_IN_LAYOUT, snowmint_layout_decode_many(layout, ids, 4, parts));
  CHECK(parts[1].sequence == 2 && strstr(snowmint_last_message(), "ids[2]") != NULL);
  OK(snowmint_layout_decode_many(layout, NULL, 0, NULL));
  snowmint_layout_free(layout);
}

#define THREADS 4
#define EACH 50000
static snowmint_source *shared;

static void *mint(void *out) {
  uint64_t *ids = out;
  for (size_t at = 0; at < EACH; at++) {
    OK(snowmint_source_next(shared, &ids[at]));
    CHECK(at == 0 || ids[at] > ids[at - 1]);
  }
  return NULL;
}

static void threads(void) {
  static uint64_t ids[THREADS * EACH];
  pthread_t thread[THREADS];
  snowmint_store *store = memory();
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  options.store = store;
  OK(snowmint_source_open_snowflake(&options, &shared));
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_create(&thread[at], NULL, mint, &ids[at * EACH]) == 0);
  }
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_join(thread[at], NULL) == 0);
  }
  CHECK(duplicates(ids, THREADS * EACH) == 0);
  snowmint_source_free(shared);
  snowmint_store_free(store);
}

static void *mint_until_closed(void *unused) {
  uint64_t id, last = 0;
  snowmint_status status;
  while ((status = snowmint_source_next_within(shared, 60000, &id)) == SNOWMINT_OK) {
    CHECK(id > last);
    last = id;
  }
  RETURNS(SNOWMINT_CLOSED, status);
  return unused;
}

/* Ends the minting of four threads, at the one moment or the other. */
static void close_under(snowmint_source *source, int round) {
  const struct timespec pause = {0, round * 1000000L};
  pthread_t thread[THREADS];
  uint64_t id;
  shared = source;
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_create(&thread[at], NULL, mint_until_closed, NULL) == 0);
  }
  nanosleep(&pause, NULL);
  OK(snowmint_source_close(source));
  RETURNS(SNOWMINT_CLOSED, snowmint_source_next(source, &id));
  for (size_t at = 0; at < THREADS; at++) {
    CHECK(pthread_join(thread[at], NULL) == 0);
  }
  OK(snowmint_source_close(source));
  snowmint_source_free(source);
}

static void closed_while_threads_mint(void) {
  for (int round = 0; round < 5; round++) {
    snowmint_store *store = memory();
    snowmint_snowflake_options flake = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
    snowmint_segment_options segment = SNOWMINT_SEGMENT_OPTIONS_INIT;
    snowmint_daily_options daily = SNOWMINT_DAILY_OPTIONS_INIT;
    snowmint_source *source;
    flake.store = segment.store = daily.store = store;
    segment.tag = daily.tag = "orders";
    segment.step = 100;
    daily.digits = 10;
    OK(snowmint_source_open_snowflake(&flake, &source));
    close_under(source, round);
    OK(snowmint_store_create_tag(store, "orders", -1, -1, -1, -1));
    OK(snowmint_source_open_segment(&segment, &source));
    close_under(source, round);
    OK(snowmint_source_open_daily(&daily, &source));
    close_under(source, round);
    snowmint_store_free(store);
  }
}

static void *fail_otherwise(void *unused) {
  snowmint_layout *layout;
  (void)unused;
  CHECK(snowmint_last_message()[0] == '\0');
  RETURNS(SNOWMINT_UNKNOWN_LAYOUT, snowmint_layout_preset("nobody", &layout));
  CHECK(strstr(snowmint_last_message(), "nobody") != NULL);
  return NULL;
}

static void messages_belong_to_threads(void) {
  pthread_t thread;
  snowmint_source *source;
  RETURNS(SNOWMINT_UNKNOWN_SCHEME, snowmint_source_open("nothing:", &source));
  const char *message = snowmint_last_message();
  CHECK(strstr(message, "nothing") != NULL);
  CHECK(pthread_create(&thread, NULL, fail_otherwise, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  OK(snowmint_source_open("uuid:", &source));
  CHECK(snowmint_last_message() == message && strstr(message, "nothing") != NULL);
  snowmint_source_free(source);
}

static void no_wait_leaves_the_message(void) {
  const snowmint_prefetch leaf = {10, 0};
  snowmint_buffer *buffer;
  snowmint_range range;
  snowmint_source *source;
  uint64_t wait_ms = 7;
  OK(snowmint_buffer_new(&leaf, 1, 1, 0, &buffer));
  RETURNS(SNOWMINT_UNKNOWN_SCHEME, snowmint_source_open("nothing:", &source));
  const char *message = snowmint_last_message();
  RETURNS(SNOWMINT_EMPTY, snowmint_last_wait_ms(&wait_ms));
  CHECK(wait_ms == 7 && snowmint_last_message() == message && strstr(message, "nothing") != NULL);
  // From every other call that status is a failure with a message of its own.
  RETURNS(SNOWMINT_EMPTY, snowmint_buffer_take(buffer, 1, &range));
  CHECK(strstr(snowmint_last_message(), "nothing:") == NULL);
  snowmint_buffer_free(buffer);
}

static void messages_say_what_the_system_said_once(void) {
  snowmint_source *source;
  const char *said;
  RETURNS(SNOWMINT_STORE_MISSING,
          snowmint_source_open("segment+sqlite:/nowhere/ids.db?tag=orders", &source));
  said = strstr(snowmint_last_message(), "(os error 2)");
  CHECK(said != NULL && strstr(said + 1, "(os error 2)") == NULL);
}

static const struct test tests[] = {
    {"version", version},
    {"presets_mint_as_their_systems", presets_mint_as_their_systems},
    {"with_nothing_ahead_no_id_is_dated_later", with_nothing_ahead_no_id_is_dated_later},
    {"tags", tags},
    {"a_max_ends_a_tag_until_it_is_widened", a_max_ends_a_tag_until_it_is_widened},
    {"tags_of_one_name_in_two_namespaces", tags_of_one_name_in_two_namespaces},
    {"workers", workers},
    {"daily", daily},
    {"sequences", sequences},
    {"uuids", uuids},
    {"guesses", guesses},
    {"the_present_bounds_pages", the_present_bounds_pages},
    {"many_are_decoded_up_to_the_first_that_is_not_of_the_layout",
     many_are_decoded_up_to_the_first_that_is_not_of_the_layout},
    {"threads", threads},
    {"closed_while_threads_mint", closed_while_threads_mint},
    {"messages_belong_to_threads", messages_belong_to_threads},
    {"no_wait_leaves_the_message", no_wait_leaves_the_message},
    {"messages_say_what_the_system_said_once", messages_say_what_the_system_said_once},
};

int main(int argc, char **argv) {
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
