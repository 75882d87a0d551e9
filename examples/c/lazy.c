/* Opens a source at its first use, and again after a failure. */
#include <inttypes.h>
#include <pthread.h>
#include <snowmint.h>
#include <stdio.h>

// --8<-- [start:lazy]
static snowmint_status next_order(uint64_t *id) {
  static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
  static snowmint_source *orders = NULL;
  snowmint_source *opened = NULL;
  snowmint_status status = SNOWMINT_OK;
  pthread_mutex_lock(&opening);
  if (orders == NULL) {
    status = snowmint_source_open("snowflake+sqlite:/tmp/ids.db?create=true", &opened);
    orders = status == SNOWMINT_OK ? opened : NULL;
  }
  pthread_mutex_unlock(&opening);
  return status == SNOWMINT_OK ? snowmint_source_next(orders, id) : status;
}
// --8<-- [end:lazy]

int main(void) {
  uint64_t id;
  if (next_order(&id) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  printf("%" PRIu64 "\n", id);
  return 0;
}
