"""Creates the tags that ids.py uses. A tag that is there stays as it is, so each deployment runs this."""
import os

import snowmint

with snowmint.Store.open(os.environ["IDS_STORE"]) as store:
    store.ensure_tag("tickets")
