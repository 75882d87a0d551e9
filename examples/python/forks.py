# --8<-- [start:forks]
import multiprocessing

import snowmint

# Opened once, before the processes start.
flake = snowmint.Snowflake.open("snowflake+sqlite:/var/lib/shop/ids.db?create=true")


def work(_: int) -> tuple[int, int]:
    id = flake.next_id()
    return id, flake.layout.decode(id).worker_id


with multiprocessing.get_context("fork").Pool(2) as pool:
    made = pool.map(work, range(1000), chunksize=10)
# --8<-- [end:forks]
own = flake.next_id()
assert len({own, *(id for id, _ in made)}) == 1001
assert flake.layout.decode(own).worker_id not in {worker for _, worker in made}
