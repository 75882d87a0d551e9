# --8<-- [start:keys]
import os
from pathlib import Path

from snowmint import PublicIdKeys, TextError

# Once. `x` and the mode: an existing file stays, and nobody else may read it.
path = Path("keys.toml")
if not path.exists():
    with open(path, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(PublicIdKeys.generate().to_toml())
# --8<-- [end:keys]

# --8<-- [start:use]
keys = PublicIdKeys.open("keys.toml")
order_ids = keys.public_ids("order")
token = order_ids.encode(1541815603606036480)  # order_1 and 26 symbols more
assert order_ids.decode(token) == 1541815603606036480

for wrong in (token[:-1], token.replace("order", "user"), "1541815603606036480"):
    try:
        order_ids.decode(wrong)
    except TextError as error:  # a ValueError: answer 404
        print(error.code)
# --8<-- [end:use]
    else:
        raise AssertionError(wrong)

# --8<-- [start:many]
tokens = order_ids.encode_many(range(1000))
assert list(order_ids.decode_many(tokens)) == list(range(1000))
# --8<-- [end:many]

# --8<-- [start:forms]
as_uuid = order_ids.encode_uuid(7)  # a uuid.UUID
as_number = order_ids.encode_number(7, 53)  # an integer of 53 bits
# --8<-- [end:forms]
assert keys.public_ids("order", "uuid").decode(str(as_uuid)) == 7
assert keys.public_ids("order", "number53").decode(str(as_number)) == 7
