/* Mints from the source of a URL until it is killed: an ID a line. A call that fails ends it. */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 64 };

static void check(snowmint_status status) {
  if (status == SNOWMINT_OK) return;
  fprintf(stderr, "%s\n", snowmint_last_message());
  exit(1);
}

int main(int count, char **arguments) {
  snowmint_source *source;
  uint64_t ids[2 * BLOCK];

  if (count != 2) return 2;
  check(snowmint_source_open(arguments[1], &source));
  for (;;) {
    for (int at = 0; at < BLOCK; at++) check(snowmint_source_next(source, &ids[at]));
    check(snowmint_source_next_ids(source, &ids[BLOCK], BLOCK));
    for (int at = 0; at < 2 * BLOCK; at++) printf("%" PRIu64 "\n", ids[at]);
    if (fflush(stdout)) return 1;
  }
}
