-- A range below the ceiling, which is given without a word from a standby: whichever takes this
-- server's place begins above. What its caller had confirmed is the ceiling from now on, if that was
-- on this server.
UPDATE snowmint_segment SET
    previous = next,
    next = next + coalesce(CAST(:count AS bigint), step) * stride,
    ceiling = greatest(ceiling, CASE
        WHEN ceiling_incarnation = CAST(:confirmed_on AS text) THEN CAST(:confirmed AS bigint)
    END),
    updated_ms = CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS bigint)
WHERE tag = :tag AND moved_to IS NULL
    AND ceiling_incarnation = nullif(current_setting('snowmint.incarnation', true), '')
    AND coalesce(incarnation = nullif(current_setting('snowmint.incarnation', true), ''), TRUE)
    AND next <= greatest(ceiling, CASE
        WHEN ceiling_incarnation = CAST(:confirmed_on AS text) THEN CAST(:confirmed AS bigint)
    END) - coalesce(CAST(:count AS bigint), step) * stride
    AND next <= ends - coalesce(CAST(:count AS bigint), step) * stride
RETURNING previous, next, stride, step
