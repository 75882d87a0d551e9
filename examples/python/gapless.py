"""Counts invoices without gaps, in the database of the invoices."""

import sqlite3

# --8<-- [start:tables]
SCHEMA = """
CREATE TABLE counters (name TEXT PRIMARY KEY, last INTEGER NOT NULL);
INSERT INTO counters VALUES ('invoices', 0);
CREATE TABLE invoices (number INTEGER PRIMARY KEY, customer TEXT NOT NULL);
"""
# --8<-- [end:tables]


# --8<-- [start:count]
def add_invoice(database, customer):
    with database:  # a transaction
        (number,) = database.execute(
            "UPDATE counters SET last = last + 1 WHERE name = 'invoices' RETURNING last"
        ).fetchone()
        database.execute("INSERT INTO invoices (number, customer) VALUES (?, ?)", (number, customer))
    return number
# --8<-- [end:count]


database = sqlite3.connect(":memory:")
database.executescript(SCHEMA)
assert add_invoice(database, "ann") == 1
try:
    add_invoice(database, None)
except sqlite3.IntegrityError:
    pass
else:
    raise AssertionError("an invoice without a customer")
assert add_invoice(database, "bo") == 2
