/* Compares libsnowmint with an empty call, Rust itself and memory. Everything is measured in turn,
 * round by round; a ratio is the median of the rounds' ratios. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uuid/uuid.h>

#include "empty.h"

/* The same by Rust, from tests/bench/c/rust. */
void rust_flake_next(uint32_t calls);
void rust_segment_next(uint32_t calls);
void rust_flake_fill(uint32_t blocks, uint64_t *block);
void rust_segment_fill(uint32_t blocks, uint64_t *block);
void rust_encode(uint32_t calls);

/* Short rounds, and many: what else the machine does hits few of them. */
#define ROUNDS 401
#define CALLS 20000
#define BLOCK 4096
#define BLOCKS 100

static snowmint_source *flake, *segment;
static uint64_t sink, block[BLOCK];
static snowmint_public_ids *orders;

static void must(snowmint_status status) {
  if (status != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    exit(1);
  }
}

static void empty(void) {
  for (int at = 0; at < CALLS; at++) {
    empty_call(flake, &sink);
  }
}

static void next(const snowmint_source *source) {
  uint64_t id;
  for (int at = 0; at < CALLS; at++) {
    must(snowmint_source_next(source, &id));
    sink += id;
  }
}

static void flake_next(void) { next(flake); }
static void segment_next(void) { next(segment); }

static void encode(void) {
  char token[SNOWMINT_PUBLIC_ID_SIZE];
  for (uint64_t id = 0; id < CALLS; id++) {
    must(snowmint_public_ids_encode(orders, id, token, sizeof token));
    sink += (uint64_t)token[7];
  }
}

static void decode(void) {
  char token[SNOWMINT_PUBLIC_ID_SIZE];
  uint64_t id;
  must(snowmint_public_ids_encode(orders, 7, token, sizeof token));
  for (int at = 0; at < CALLS; at++) {
    must(snowmint_public_ids_decode(orders, token, &id));
    sink += id;
  }
}

static void rust_token(void) { rust_encode(CALLS); }

static void write_bytes(void) {
  for (int at = 0; at < BLOCKS; at++) {
    memset(block, at & 0xff, sizeof block);
    __asm__ volatile("" : : "r"(block) : "memory");
  }
}

static void fill(const snowmint_source *source) {
  for (int at = 0; at < BLOCKS; at++) {
    must(snowmint_source_fill(source, block, BLOCK));
    __asm__ volatile("" : : "r"(block) : "memory");
  }
}

static void flake_fill(void) { fill(flake); }
static void segment_fill(void) { fill(segment); }

static void rust_flake(void) { rust_flake_next(CALLS); }
static void rust_segment(void) { rust_segment_next(CALLS); }
static void rust_flake_block(void) { rust_flake_fill(BLOCKS, block); }
static void rust_segment_block(void) { rust_segment_fill(BLOCKS, block); }

static void libuuid_random(void) {
  uuid_t uuid;
  for (int at = 0; at < CALLS / 100; at++) {
    uuid_generate_random(uuid);
    sink += uuid[0];
  }
}

static void libuuid_text(void) {
  uuid_t uuid;
  char text[UUID_STR_LEN];
  for (int at = 0; at < CALLS / 100; at++) {
    uuid_generate_random(uuid);
    uuid_unparse_lower(uuid, text);
    sink += (uint64_t)text[0];
  }
}

static void libuuid_time(void) {
  uuid_t uuid;
  for (int at = 0; at < CALLS / 100; at++) {
    uuid_generate_time(uuid);
    sink += uuid[0];
  }
}

enum {
  EMPTY,
  RUST_FLAKE,
  FLAKE,
  RUST_SEGMENT,
  SEGMENT,
  MEMSET,
  RUST_FLAKE_FILL,
  FLAKE_FILL,
  RUST_SEGMENT_FILL,
  SEGMENT_FILL,
  RUST_ENCODE,
  ENCODE,
  DECODE,
  RANDOM,
  TIME,
  TEXT,
  SUBJECTS
};

static const struct {
  void (*run)(void);
  double calls;
} subjects[SUBJECTS] = {
    [EMPTY] = {empty, CALLS},
    [RUST_FLAKE] = {rust_flake, CALLS},
    [RUST_SEGMENT] = {rust_segment, CALLS},
    [RUST_FLAKE_FILL] = {rust_flake_block, (double)BLOCKS * BLOCK},
    [RUST_SEGMENT_FILL] = {rust_segment_block, (double)BLOCKS * BLOCK},
    [FLAKE] = {flake_next, CALLS},
    [SEGMENT] = {segment_next, CALLS},
    [MEMSET] = {write_bytes, (double)BLOCKS * BLOCK},
    [FLAKE_FILL] = {flake_fill, (double)BLOCKS * BLOCK},
    [SEGMENT_FILL] = {segment_fill, (double)BLOCKS * BLOCK},
    [RANDOM] = {libuuid_random, CALLS / 100},
    [TIME] = {libuuid_time, CALLS / 100},
    [TEXT] = {libuuid_text, CALLS / 100},
    [RUST_ENCODE] = {rust_token, CALLS},
    [ENCODE] = {encode, CALLS},
    [DECODE] = {decode, CALLS},
};

static double ns[SUBJECTS][ROUNDS];

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int rising(const void *a, const void *b) {
  const double one = *(const double *)a, two = *(const double *)b;
  return one < two ? -1 : one > two;
}

static double median(const double *values) {
  double sorted[ROUNDS];
  memcpy(sorted, values, sizeof sorted);
  qsort(sorted, ROUNDS, sizeof *sorted, rising);
  return sorted[ROUNDS / 2];
}

/* The median ratio of one subject to another, of which `calls` empty calls are part, too. */
static double ratio(int subject, int other, double calls) {
  double ratios[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    ratios[round] = ns[subject][round] / (ns[other][round] + calls * ns[EMPTY][round]);
  }
  return median(ratios);
}

static void row_next(const char *what, int subject, int rust) {
  printf("| `snowmint_source_next`, %s | %.1f ns | %.2f × (Rust's `next_id` + 1.5 × an empty call) |\n", what,
         median(ns[subject]), ratio(subject, rust, 1.5));
  printf("| Rust's `next_id`, %s | %.1f ns | |\n", what, median(ns[rust]));
}

static void row_fill(const char *what, int subject, int rust) {
  printf("| `snowmint_source_fill`, %s, %d at a time | %.0f M IDs/s | %.2f × the time of Rust's `fill`, "
         "%.1f × that of `memset` |\n",
         what, BLOCK, 1e3 / median(ns[subject]), ratio(subject, rust, 0), ratio(subject, MEMSET, 0));
}

static void rows_of_public_ids(void) {
  printf("| `snowmint_public_ids_encode`, a token | %.1f ns | %.2f × (Rust's `encode` + 1.5 × an empty call) |\n",
         median(ns[ENCODE]), ratio(ENCODE, RUST_ENCODE, 1.5));
  printf("| Rust's `encode` | %.1f ns | |\n", median(ns[RUST_ENCODE]));
  printf("| `snowmint_public_ids_decode` | %.1f ns | |\n", median(ns[DECODE]));
  printf("| libuuid, `uuid_generate_random`, as text | %.0f ns | %.0f × `snowmint_public_ids_encode` |\n",
         median(ns[TEXT]), ratio(TEXT, ENCODE, 0));
}

static void open_public_ids(void) {
  static const char document[] = "{\"keys\":{\"1\":\"2b7e151628aed2a6abf7158809cf4f3c\"}}";
  snowmint_public_id_keys *keys;
  must(snowmint_public_id_keys_from_bytes((const uint8_t *)document, sizeof document - 1, &keys));
  must(snowmint_public_ids_open(keys, "order", NULL, &orders));
  snowmint_public_id_keys_free(keys);
}

static void open_sources(void) {
  snowmint_store *store;
  snowmint_layout *layout;
  snowmint_snowflake_options flake_options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_segment_options segment_options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  must(snowmint_store_open("memory:", &store));
  /* So many sequence numbers that no tick is ever full. */
  must(snowmint_layout_fields("time:38,worker:2,sequence:24", INT64_C(1735689600000), 1, &layout));
  flake_options.store = store;
  flake_options.layout = layout;
  must(snowmint_source_open_snowflake(&flake_options, &flake));
  must(snowmint_store_create_tag(store, "bench", 1, SNOWMINT_MAX_STEP, 1, SNOWMINT_UNSET));
  segment_options.store = store;
  segment_options.tag = "bench";
  segment_options.step = SNOWMINT_MAX_STEP;
  must(snowmint_source_open_segment(&segment_options, &segment));
  snowmint_layout_free(layout);
  snowmint_store_free(store);
}

int main(void) {
  open_sources();
  open_public_ids();
  for (int round = -20; round < ROUNDS; round++) {
    for (int subject = 0; subject < SUBJECTS; subject++) {
      const double begun = now_ns();
      subjects[subject].run();
      if (round >= 0) {
        ns[subject][round] = (now_ns() - begun) / subjects[subject].calls;
      }
    }
  }
  printf("| | figure | compared with |\n|---|--:|---|\n");
  printf("| an empty call of a shared library | %.1f ns | |\n", median(ns[EMPTY]));
  row_next("snowflake", FLAKE, RUST_FLAKE);
  row_next("segment", SEGMENT, RUST_SEGMENT);
  row_fill("snowflake", FLAKE_FILL, RUST_FLAKE_FILL);
  row_fill("segment", SEGMENT_FILL, RUST_SEGMENT_FILL);
  printf("| libuuid, `uuid_generate_random` | %.0f ns | %.0f × `snowmint_source_next`, snowflake |\n",
         median(ns[RANDOM]), ratio(RANDOM, FLAKE, 0));
  printf("| libuuid, `uuid_generate_time` | %.0f ns | %.0f × `snowmint_source_next`, snowflake |\n",
         median(ns[TIME]), ratio(TIME, FLAKE, 0));
  rows_of_public_ids();
  snowmint_public_ids_free(orders);
  snowmint_source_free(flake);
  snowmint_source_free(segment);
  return sink == 1;
}
