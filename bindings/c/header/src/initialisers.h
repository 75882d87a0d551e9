/** Options of a snowflake, all at their defaults: set worker_id, store or worker_store. */
#define SNOWMINT_SNOWFLAKE_OPTIONS_INIT                                                            \
  {                                                                                                \
    sizeof(snowmint_snowflake_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,            \
        SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET                                             \
  }

/** Options of a segment, all at their defaults: set tag, and store or allocate. */
#define SNOWMINT_SEGMENT_OPTIONS_INIT                                                              \
  {                                                                                                \
    sizeof(snowmint_segment_options), NULL, NULL, NULL, NULL, NULL, SNOWMINT_UNSET,                \
        SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET                                             \
  }

/** Options of daily numbers, all at their defaults: set tag and store. */
#define SNOWMINT_DAILY_OPTIONS_INIT                                                                \
  {                                                                                                \
    sizeof(snowmint_daily_options), NULL, NULL, NULL, SNOWMINT_UNSET, SNOWMINT_UNSET,              \
        SNOWMINT_UNSET, SNOWMINT_UNSET                                                             \
  }

/** Options of sequences, all at their defaults: set tag and store. */
#define SNOWMINT_SEQUENCES_OPTIONS_INIT                                                            \
  {                                                                                                \
    sizeof(snowmint_sequences_options), NULL, NULL, SNOWMINT_UNSET, SNOWMINT_UNSET, SNOWMINT_UNSET \
  }

/** Stats for a function to fill. */
#define SNOWMINT_STATS_INIT                                                                        \
  {                                                                                                \
    sizeof(snowmint_stats), {0}, 0, 0, 0, 0, 0, {{0, 0}}, 0, 0, 0, 0, 0, {0}, SNOWMINT_OK, 0,      \
        false, false, false, false, false, false, false, false, false, false, false, false, 0, 0,  \
        {0}, false                                                                                 \
  }
