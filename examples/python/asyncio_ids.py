# --8<-- [start:asyncio]
import asyncio

import snowmint

flake = snowmint.Snowflake.open("snowflake+sqlite:/var/lib/shop/ids.db?create=true", lazy=True)


async def main() -> list[int]:
    return await asyncio.gather(*(flake.next_id_async() for _ in range(100)))


ids = asyncio.run(main())
# --8<-- [end:asyncio]
assert len(set(ids)) == 100
