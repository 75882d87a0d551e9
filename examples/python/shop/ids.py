"""The sources of IDs of this application."""
import os

import snowmint

STORE = os.environ["IDS_STORE"]

# Lazy: only the URL is read here. The first ID, or check(), opens the store.
flake = snowmint.Snowflake.open(f"snowflake+{STORE}", lazy=True)
