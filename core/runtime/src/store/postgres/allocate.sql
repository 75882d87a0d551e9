-- The last range has what is left below `ends`, and leaves the tag at the next number of its class. A
-- sum of integers would pass 2^63. A server that took another's place may lack ranges that no standby
-- had confirmed: it gives none until an operator has raised the tag. Those below a ceiling it may
-- lack as well, and begins above the one that was confirmed. Nor does a session give any that is not
-- told which server it asks, where others are; what it takes where none is it marks, as no later one
-- can tell whether its own server gave it.
UPDATE snowmint_segment SET
    previous = greatest(next, CASE
        WHEN ceiling_incarnation <> current_setting('snowmint.incarnation', true) THEN pending
    END),
    next = CAST(
        least(
            9223372036854775807,
            stride * least(
                CAST(coalesce(CAST(:count AS bigint), step) AS numeric),
                div(
                    CAST(ends AS numeric) + stride - 1 - greatest(next, CASE
                        WHEN ceiling_incarnation
                            <> current_setting('snowmint.incarnation', true)
                        THEN pending
                    END),
                    stride
                )
            ) + greatest(next, CASE
                    WHEN ceiling_incarnation <> current_setting('snowmint.incarnation', true)
                    THEN pending
                END)
        ) AS bigint
    ),
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint),
    incarnation = CASE
        WHEN nullif(current_setting('snowmint.incarnation', true), '') IS NULL THEN 'untold'
        ELSE nullif(current_setting('snowmint.unconfirmed', true), '')
    END
WHERE tag = :tag AND moved_to IS NULL
    AND ends > greatest(next, CASE
        WHEN ceiling_incarnation <> current_setting('snowmint.incarnation', true) THEN pending
    END)
    AND coalesce(
        incarnation = nullif(current_setting('snowmint.incarnation', true), ''),
        coalesce(incarnation, 'untold') = 'untold' AND (
            current_setting('snowmint.incarnation', true) <> ''
            OR (SELECT snowmint_schema.incarnation FROM snowmint_schema) IS NULL
            AND ceiling_incarnation IS NULL
        )
    )
RETURNING previous, next, stride, step
