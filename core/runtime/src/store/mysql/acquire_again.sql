-- MySQL assigns from left to right, so floor_ms is set before reserved_ms. The clock is constant
-- within a statement.
UPDATE snowmint_worker SET
    owner = :owner,
    epoch = epoch + 1,
    token = :token,
    floor_ms = greatest(reserved_ms, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000),
    reserved_ms = greatest(
        reserved_ms,
        TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 + CAST(:reserve_ms AS signed)
    ),
    expires_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 + CAST(:reserve_ms AS signed),
    updated_ms = TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
WHERE realm = :realm AND worker_id = :worker_id
    AND expires_ms <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
    AND reserved_ms <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000
        + CAST(:reach_ms AS signed)
