# --8<-- [start:tag]
import os

import snowmint

STORE = os.environ.get("IDS_STORE", "sqlite:/var/lib/shop/ids.db?create=true")

with snowmint.Store.open(STORE) as store:
    store.ensure_tag("tickets")  # an existing tag stays as it is
# --8<-- [end:tag]

# --8<-- [start:source]
and_ = "&" if "?" in STORE else "?"
tickets = snowmint.Segment.open(f"segment+{STORE}{and_}tag=tickets", lazy=True)
# --8<-- [end:source]

assert tickets.next_id() % 1000 == 1
tickets.close()
