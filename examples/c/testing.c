/* A store in memory gives numbers from 1 on, and a machine gives exact IDs. */
// --8<-- [start:test]
#include <snowmint_engine.h>
#include <stddef.h>

int main(void) {
  snowmint_source *orders;
  snowmint_layout *twitter;
  snowmint_machine *machine;
  snowmint_lane lane = {0, UINT64_MAX, 378, 0}; /* all ticks of worker 378 */
  uint64_t number, id;
  if (snowmint_source_open("segment+memory:tests?tag=orders", &orders) != SNOWMINT_OK ||
      snowmint_source_next(orders, &number) != SNOWMINT_OK ||
      snowmint_layout_preset("twitter", &twitter) != SNOWMINT_OK ||
      snowmint_machine_new(twitter, &lane, 0, NULL, &machine) != SNOWMINT_OK ||
      snowmint_machine_issue(machine, INT64_C(1656432460105), 1, &id) != SNOWMINT_OK) {
    return 1;
  }
  snowmint_machine_free(machine);
  snowmint_layout_free(twitter);
  snowmint_source_free(orders);
  return number == 1 && id == UINT64_C(1541815603606036480) ? 0 : 1;
}
// --8<-- [end:test]
