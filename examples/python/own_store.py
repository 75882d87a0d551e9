"""Numbers from a table of your own, reserved by a function."""

import sqlite3
import tempfile
from pathlib import Path

from snowmint import Segment

directory = tempfile.TemporaryDirectory()
DATABASE = Path(directory.name, "shop.db")


def connect():
    return sqlite3.connect(DATABASE)


with connect() as connection:
    connection.execute("CREATE TABLE ids (tag TEXT PRIMARY KEY, next INTEGER NOT NULL)")
    connection.execute("INSERT INTO ids VALUES ('orders', 1)")


# --8<-- [start:allocate]
def allocate(tag, count):
    with connect() as connection:  # one transaction
        query = "UPDATE ids SET next = next + ? WHERE tag = ? RETURNING next"
        end = connection.execute(query, (count, tag)).fetchone()[0]
    return end - count, end  # the end is not included


orders = Segment("orders", allocate=allocate)
print(orders.next_id())
# --8<-- [end:allocate]

assert orders.next_id() == 2
orders.close()
