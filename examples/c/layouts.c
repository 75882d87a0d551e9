/* Reads an ID of Discord, and finds the first ID of its millisecond. */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  // --8<-- [start:decode]
  snowmint_layout *discord;
  snowmint_parts parts;
  uint64_t first;
  char time[SNOWMINT_TIMESTAMP_SIZE];
  if (snowmint_layout_preset("discord", &discord) != SNOWMINT_OK ||
      snowmint_layout_decode(discord, UINT64_C(175928847299117063), &parts) != SNOWMINT_OK ||
      snowmint_timestamp(parts.unix_ms, time, sizeof time) != SNOWMINT_OK ||
      snowmint_layout_min_id(discord, parts.unix_ms, &first) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  /* 2016-04-30T11:18:25.796Z, worker ID 32, number 7 */
  printf("%s, worker ID %" PRIu32 ", number %" PRIu32 "\n", time, parts.worker_id, parts.sequence);
  snowmint_layout_free(discord);
  // --8<-- [end:decode]
  return strcmp(time, "2016-04-30T11:18:25.796Z") == 0 && first < UINT64_C(175928847299117063) ? 0 : 1;
}
