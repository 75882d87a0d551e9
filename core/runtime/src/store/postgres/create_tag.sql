-- A row where the tag was made. A server that took another's place may lack tags that not all
-- standbys had confirmed, and would begin them anew: it makes none until an operator has vouched
-- for it. Nor does a session that is not told which server it asks, where others are; what it makes
-- where none is it marks. The row that all who make tags have in common is written where it
-- changes, and no sooner than the tag is made. A tag begins with its first number that is not below
-- the one that an operator named. Ranges are marked as tags are, by the same rule (allocate.sql).
WITH
    server(present, mark) AS (
        SELECT
            nullif(current_setting('snowmint.incarnation', true), ''),
            CASE
                WHEN nullif(current_setting('snowmint.incarnation', true), '') IS NULL
                THEN 'untold'
                ELSE nullif(current_setting('snowmint.unconfirmed', true), '')
            END
    ),
    made AS (
        INSERT INTO snowmint_segment (tag, previous, next, ends, step, stride, updated_ms, incarnation)
        SELECT
            :tag, first, first, :ends, :step, :stride,
            CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint), mark
        FROM server, snowmint_schema, LATERAL (
            SELECT CAST(
                least(
                    9223372036854775807,
                    :start + div(
                        greatest(tags_from - CAST(:start AS numeric), 0) + :stride - 1, :stride
                    ) * :stride
                ) AS bigint
            )
        ) AS beginning (first)
        WHERE coalesce(
            tag_incarnation = present,
            coalesce(tag_incarnation, 'untold') = 'untold'
            AND (present IS NOT NULL OR snowmint_schema.incarnation IS NULL)
        )
        ON CONFLICT (tag) DO NOTHING
        RETURNING incarnation
    ),
    noted AS (
        UPDATE snowmint_schema SET tag_incarnation = made.incarnation
        FROM made
        WHERE tag_incarnation IS DISTINCT FROM made.incarnation
    )
SELECT TRUE FROM made
