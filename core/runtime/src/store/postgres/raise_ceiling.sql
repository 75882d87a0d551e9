-- The ceiling that standbys are to confirm by this commit: nobody uses it before they have, however
-- the wait for them ends. A server that took another's place begins above the one that was confirmed
-- there, by which that one's own is no use. What was given before is confirmed as well. A sum of
-- integers would pass 2^63.
UPDATE snowmint_segment SET
    previous = previous - next + greatest(next, CASE
        WHEN ceiling_incarnation <> current_setting('snowmint.incarnation', true) THEN pending
    END),
    next = greatest(next, CASE
        WHEN ceiling_incarnation <> current_setting('snowmint.incarnation', true) THEN pending
    END),
    pending = greatest(pending, CAST(
        least(
            9223372036854775807,
            CAST(greatest(CAST(:chunk AS bigint), CAST(:count AS bigint), step) AS numeric) * stride
                + greatest(next, CASE
                    WHEN ceiling_incarnation <> current_setting('snowmint.incarnation', true)
                    THEN pending
                END)
        ) AS bigint
    )),
    ceiling_incarnation = current_setting('snowmint.incarnation', true),
    incarnation = NULL,
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
WHERE tag = :tag AND moved_to IS NULL
    AND current_setting('snowmint.incarnation', true) <> ''
    AND current_setting('snowmint.unconfirmed', true) = ''
    AND coalesce(
        nullif(incarnation, 'untold') = current_setting('snowmint.incarnation', true), TRUE
    )
RETURNING pending, ceiling_incarnation
