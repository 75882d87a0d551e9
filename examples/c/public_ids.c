/* Makes the public form of an ID, and reads it. */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>

int main(void) {
  // --8<-- [start:public]
  snowmint_public_id_keys *keys;
  snowmint_public_ids *orders;
  char token[SNOWMINT_PUBLIC_ID_SIZE];
  uint64_t id;
  /* In a service: snowmint_public_id_keys_open("keys.toml", &keys) */
  if (snowmint_public_id_keys_generate(&keys) != SNOWMINT_OK ||
      snowmint_public_ids_open(keys, "order", "token", &orders) != SNOWMINT_OK ||
      snowmint_public_ids_encode(orders, UINT64_C(1541815603606036480), token, sizeof token) !=
          SNOWMINT_OK ||
      snowmint_public_ids_decode(orders, token, &id) != SNOWMINT_OK) {
    fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  printf("%s is %" PRIu64 "\n", token, id);
  snowmint_public_ids_free(orders);
  snowmint_public_id_keys_free(keys);
  // --8<-- [end:public]
  return id == UINT64_C(1541815603606036480) ? 0 : 1;
}
