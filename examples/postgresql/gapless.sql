-- --8<-- [start:tables]
CREATE TABLE counters (name text PRIMARY KEY, last bigint NOT NULL);
INSERT INTO counters VALUES ('invoices', 0);
CREATE TABLE invoices (number bigint PRIMARY KEY, customer text NOT NULL);
-- --8<-- [end:tables]
-- --8<-- [start:count]
WITH next AS (
    UPDATE counters SET last = last + 1 WHERE name = 'invoices' RETURNING last
)
INSERT INTO invoices (number, customer) SELECT last, 'ann' FROM next RETURNING number;
-- --8<-- [end:count]
