import sqlite3

with sqlite3.connect("shop.db") as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS ids (tag TEXT PRIMARY KEY, next INTEGER NOT NULL)")
    connection.execute("INSERT OR IGNORE INTO ids VALUES ('orders', 1)")


def connect() -> sqlite3.Connection:
    return sqlite3.connect("shop.db")


# --8<-- [start:allocate]
from snowmint import Segment


def allocate(tag: str, count: int) -> tuple[int, int]:
    """One transaction, in which the database does the arithmetic."""
    with connect() as connection:
        query = "UPDATE ids SET next = next + ? WHERE tag = ? RETURNING next"
        (end,) = connection.execute(query, (count, tag)).fetchone()
    return end - count, end  # the end is not included


orders = Segment("orders", allocate=allocate)
# --8<-- [end:allocate]
assert orders.next_id() + 1 == orders.next_id()
orders.close()
