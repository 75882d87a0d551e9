"""The sources of IDs of this application."""
import os

import snowmint

STORE = os.environ["IDS_STORE"]
AND = "&" if "?" in STORE else "?"

# Lazy: only the URLs are read here. The first ID, or check(), opens the store.
flake = snowmint.Snowflake.open(f"snowflake+{STORE}{AND}wait_ms=1000", lazy=True)
# Each process reserves 10 numbers at a time. Without step=, ranges grow to thousands.
tickets = snowmint.Segment.open(f"segment+{STORE}{AND}tag=tickets&step=10&wait_ms=1000", lazy=True)


def new_id() -> int:
    return flake.next_id()


def new_ticket() -> int:
    return tickets.next_id()
