-- Writes a log record. A commit waits for the disk and for standbys only if it has one, and a
-- sequence's value may have none, because the server logs many values ahead.
SELECT pg_logical_emit_message(true, 'snowmint', '')
