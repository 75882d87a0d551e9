-- Notes whether succeed.sql has something to change. This read takes no lock, so that renewals do not
-- wait for whoever acquires. An update would wait for the row, even if it does not match: MariaDB does
-- so from 11.8 on.
SELECT max(is_only) INTO @snowmint_succeeds
FROM snowmint_schema
WHERE incarnation <> @snowmint_incarnation
    OR longest_reserve_ms < CAST(:reserve_ms AS signed) + CAST(:reserve_ms AS signed) DIV 8
