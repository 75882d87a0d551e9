-- Begins the key space.
INSERT INTO snowmint_schema (version, incarnation, tag_incarnation)
VALUES (1, current_setting('snowmint.incarnation'), current_setting('snowmint.incarnation'))
ON CONFLICT DO NOTHING
