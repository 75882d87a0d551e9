"""Opens a source, mints an ID and reads it."""

# --8<-- [start:mint]
import snowmint

flake = snowmint.open("snowflake+sqlite:/tmp/ids.db?create=true")
id = flake.next_id()
parts = flake.layout.decode(id)
print(id, "was minted by worker", parts.worker_id, "at", parts.time)
# --8<-- [end:mint]
flake.close()
