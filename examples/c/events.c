/* Counts the outages of stores. */
#include <snowmint.h>
#include <stdatomic.h>
#include <stdio.h>

// --8<-- [start:listen]
static void count(void *outages, const snowmint_event *event) {
  if (event->kind == SNOWMINT_EVENT_STORE_DOWN) {
    atomic_fetch_add((atomic_int *)outages, 1);
  }
}

int main(void) {
  static atomic_int outages; /* it has to exist as long as calls can happen */
  snowmint_listener *listener;
  if (snowmint_on_event(count, &outages, NULL, &listener) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  /* … */
  snowmint_listener_free(listener);
  return 0;
}
// --8<-- [end:listen]
