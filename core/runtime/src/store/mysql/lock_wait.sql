-- Before each further statement of a transaction: what is left of the time that all of them may wait
-- for locks. MySQL waits for a second at least.
SET SESSION
    innodb_lock_wait_timeout = greatest(
        1 /*M!100300 - 1 */,
        least(:lock_s, :lock_s - TIMESTAMPDIFF(SECOND, @snowmint_began, UTC_TIMESTAMP(6)))
    ),
    SESSION lock_wait_timeout = greatest(
        1 /*M!100300 - 1 */,
        least(:lock_s, :lock_s - TIMESTAMPDIFF(SECOND, @snowmint_began, UTC_TIMESTAMP(6)))
    )
