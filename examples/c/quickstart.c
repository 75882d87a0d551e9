/* Opens a source, mints an ID and reads it. */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>

int main(void) {
  // --8<-- [start:mint]
  snowmint_source *flake;
  uint64_t id;
  if (snowmint_source_open("snowflake+sqlite:/tmp/ids.db?create=true", &flake) != SNOWMINT_OK ||
      snowmint_source_next(flake, &id) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  printf("%" PRIu64 "\n", id);
  snowmint_source_free(flake);
  // --8<-- [end:mint]
  return 0;
}
