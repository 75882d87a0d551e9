/* Prints the state of a source. */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>

int main(void) {
  snowmint_source *source;
  if (snowmint_source_open("snowflake+sqlite:/tmp/ids.db?create=true", &source) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  // --8<-- [start:stats]
  snowmint_stats stats = SNOWMINT_STATS_INIT;
  if (snowmint_source_stats(source, &stats) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  printf("worker %" PRIu32 ", %" PRId64 " ms reserved\n", stats.worker_id, stats.reserved_ms);
  if (stats.has_failure && !stats.failure_is_over) {
    printf("the store fails: %s\n", stats.failure_message);
  }
  // --8<-- [end:stats]
  snowmint_source_free(source);
  return 0;
}
