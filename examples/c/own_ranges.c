/* Takes ranges from a function of the application. */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>

// --8<-- [start:allocate]
struct database {
  uint64_t next; /* stands for a row: UPDATE … SET next = next + count, in one transaction */
};

static int allocate(void *context, const char *tag, uint64_t count, snowmint_range *range) {
  struct database *database = context;
  (void)tag;
  range->start = database->next;
  range->end = database->next += count;
  range->stride = 1;
  return 0; /* committed; return another value if it failed */
}
// --8<-- [end:allocate]

int main(void) {
  static struct database database = {1};
  // --8<-- [start:segment]
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *source;
  uint64_t ids[1000];
  options.tag = "orders";
  options.allocate = allocate;
  options.context = &database;
  if (snowmint_source_open_segment(&options, &source) != SNOWMINT_OK ||
      snowmint_source_fill(source, ids, 1000) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  printf("%" PRIu64 " to %" PRIu64 "\n", ids[0], ids[999]); /* 1 to 1000 */
  snowmint_source_free(source);
  // --8<-- [end:segment]
  return 0;
}
