-- Returns when a row was last written, and the latest time in all rows.
SELECT max(updated_ms), max(greatest(updated_ms, expires_ms)) FROM snowmint_worker
