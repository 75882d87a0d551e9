SELECT TRUE FROM pg_sequence WHERE seqrelid = to_regclass(:name)
