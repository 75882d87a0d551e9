-- A commit waits for the disk and for standbys only after a record of its own, which a value may
-- not have: the server logs many values ahead by one.
SELECT pg_logical_emit_message(true, 'snowmint', '')
