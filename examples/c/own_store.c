/* Numbers from a database of your own. */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>

// --8<-- [start:allocate]
static int allocate(void *context, const char *tag, uint64_t count, snowmint_range *range) {
  uint64_t *next = context; /* stands for: UPDATE … SET next = next + count */
  (void)tag;
  range->start = *next;
  range->end = *next += count; /* the end is not included */
  range->stride = 1;
  return 0; /* another value if it failed */
}

int main(void) {
  static uint64_t next = 1;
  snowmint_segment_options options = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_source *orders;
  uint64_t id;
  options.tag = "orders";
  options.allocate = allocate;
  options.context = &next;
  if (snowmint_source_open_segment(&options, &orders) != SNOWMINT_OK ||
      snowmint_source_next(orders, &id) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  printf("%" PRIu64 "\n", id);
  // --8<-- [end:allocate]
  snowmint_source_free(orders);
  return id == 1 ? 0 : 1;
}
