"""The source of IDs, for the application that sends tasks and for the workers that run them."""
import os

import snowmint

# Lazy: only the URL is read here. Each process of a worker, forked or not, leases a worker ID of its
# own at its first ID.
flake = snowmint.Snowflake.open(f"snowflake+{os.environ['IDS_STORE']}", lazy=True)
