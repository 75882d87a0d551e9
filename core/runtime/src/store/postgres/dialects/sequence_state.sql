SELECT
    seqstart, seqincrement, seqmax, seqcache, seqcycle, relpersistence = 'p', last_value, is_called,
    has_sequence_privilege(seqrelid, 'USAGE, UPDATE')
FROM {sequence}, pg_sequence JOIN pg_class ON pg_class.oid = seqrelid
WHERE seqrelid = to_regclass(:name)
