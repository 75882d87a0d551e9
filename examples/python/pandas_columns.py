# --8<-- [start:frame]
import numpy as np
import pandas as pd
import snowmint

flake = snowmint.Snowflake.open("snowflake+memory:shop")
# As read_sql gives a BIGINT column.
frame = pd.DataFrame({"id": np.asarray(flake.next_ids(1000)).astype("int64")})
# --8<-- [end:frame]

# --8<-- [start:decode]
columns = flake.layout.decode_many(frame["id"])  # one call, any number of IDs
frame["time"] = pd.to_datetime(np.asarray(columns.unix_ms), unit="ms", utc=True)
frame["worker"] = np.asarray(columns.worker_id)  # no copy
# --8<-- [end:decode]
assert frame["time"].is_monotonic_increasing and frame["worker"].nunique() == 1

# --8<-- [start:mint]
buffer = np.empty(len(frame), dtype="uint64")
flake.fill(buffer)  # in place
frame["batch_id"] = buffer.view("int64")
# --8<-- [end:mint]
assert frame["batch_id"].is_unique

# --8<-- [start:public]
order_ids = snowmint.PublicIdKeys.generate().public_ids("order")
frame["public"] = order_ids.encode_many(frame["id"])
back = np.asarray(order_ids.decode_many(frame["public"])).view("int64")
# --8<-- [end:public]
assert (back == frame["id"]).all()

# --8<-- [start:json]
text = frame.assign(id=frame["id"].astype(str))[["id", "worker"]].to_json(orient="records")
# --8<-- [end:json]
assert f'"id":"{frame["id"][0]}"' in text

# --8<-- [start:arrow]
import pyarrow as pa

column = pa.array(frame["id"])
assert list(flake.layout.decode_many(column).worker_id) == list(frame["worker"])
assert order_ids.decode_many(pa.array(frame["public"]).to_pylist())[0] == frame["id"][0]
# --8<-- [end:arrow]
