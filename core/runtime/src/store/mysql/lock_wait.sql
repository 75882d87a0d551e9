-- Before each further statement of a transaction: the rest of the time that all of them together
-- may wait for locks. MySQL waits for at least a second.
SET SESSION
    innodb_lock_wait_timeout = greatest(
        1 /*M!100300 - 1 */,
        least(:lock_s, :lock_s - TIMESTAMPDIFF(SECOND, @snowmint_began, UTC_TIMESTAMP(6)))
    ),
    SESSION lock_wait_timeout = greatest(
        1 /*M!100300 - 1 */,
        least(:lock_s, :lock_s - TIMESTAMPDIFF(SECOND, @snowmint_began, UTC_TIMESTAMP(6)))
    )
