/* Mints an ID with a worker ID leased from ids.db, and decodes the one that is given. */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>
#include <stdlib.h>

static void check(snowmint_status status) {
  if (status == SNOWMINT_OK) return;
  fprintf(stderr, "%s\n", snowmint_last_message());
  exit(1);
}

int main(int count, char **arguments) {
  snowmint_source *flake;
  snowmint_layout *layout;
  snowmint_parts parts;
  uint64_t id;
  char time[SNOWMINT_TIMESTAMP_SIZE];

  if (count != 2) return 2;
  check(snowmint_source_open("snowflake+sqlite:ids.db?create=true", &flake));
  check(snowmint_source_next(flake, &id));
  printf("minted %" PRIu64 "\n", id);
  snowmint_source_free(flake);

  check(snowmint_layout_preset("bwmarrin", &layout));
  check(snowmint_layout_decode(layout, strtoull(arguments[1], NULL, 10), &parts));
  check(snowmint_timestamp(parts.unix_ms, time, sizeof time));
  printf("decoded %s %" PRIu32 " %" PRIu32 "\n", time, parts.worker_id, parts.sequence);
  snowmint_layout_free(layout);
  return 0;
}
