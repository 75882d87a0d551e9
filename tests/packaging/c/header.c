/* The headers alone, and their initialisers, in every standard it is for. Compiled, not run. */
#include <snowmint.h>
#include <snowmint_engine.h>

int use_header(void);

int use_header(void) {
  snowmint_snowflake_options flake = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  snowmint_segment_options segment = SNOWMINT_SEGMENT_OPTIONS_INIT;
  snowmint_daily_options daily = SNOWMINT_DAILY_OPTIONS_INIT;
  snowmint_sequences_options sequences = SNOWMINT_SEQUENCES_OPTIONS_INIT;
  snowmint_stats stats = SNOWMINT_STATS_INIT;
  const snowmint_lane lane = {0, UINT64_MAX, 1, 0};
  snowmint_source *source = 0;
  snowmint_kind kind = SNOWMINT_KIND_UUID;
  snowmint_status status = snowmint_source_open_snowflake(&flake, &source);
  if (status == SNOWMINT_CLOSED || snowmint_source_kind(source, &kind) != SNOWMINT_OK) {
    return 1;
  }
  return lane.worker_id == 1 && flake.wait_ms == SNOWMINT_UNSET && segment.step == SNOWMINT_UNSET &&
         daily.digits == SNOWMINT_UNSET && sequences.step == SNOWMINT_UNSET &&
         stats.size == sizeof stats;
}
