/* Numbers of a tag that ends with its column, which becomes wider. */
#include <snowmint.h>
#include <stdio.h>

int main(void) {
  snowmint_store *store;
  if (snowmint_store_open("memory:tags", &store) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  // --8<-- [start:max]
  snowmint_status status = snowmint_store_ensure_tag(
      store, "orders", SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET, 2147483647);
  // --8<-- [end:max]
  if (status != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  snowmint_store_free(store);
  return 0;
}
