"""The sources of IDs of this application."""
import os

import snowmint

STORE = os.environ["IDS_STORE"]
AND = "&" if "?" in STORE else "?"

# Lazy: only the URLs are read here. The first ID, or check(), opens the store.
flake = snowmint.Snowflake.open(f"snowflake+{STORE}", lazy=True)
tickets = snowmint.Segment.open(f"segment+{STORE}{AND}tag=tickets", lazy=True)
