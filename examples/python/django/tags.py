"""Creates the tags that settings.py names. A tag that is there stays as it is, so each deployment runs this."""
import os

import snowmint

with snowmint.Store.open(os.environ["IDS_STORE"]) as store:
    store.ensure_tag("tickets")
