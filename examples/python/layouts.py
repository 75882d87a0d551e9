# --8<-- [start:layouts]
from datetime import datetime, timezone

import snowmint
from snowmint import Layout, Parts

new_year = datetime(2026, 1, 1, tzinfo=timezone.utc)
parts = Layout.TWITTER.decode(1541815603606036480)
assert (parts.time.year, parts.worker_id, parts.sequence) == (2022, 378, 0)
assert Layout.TWITTER.decode(Layout.TWITTER.encode(Parts(time=new_year, worker_id=378))).time == new_year
assert Layout.TWITTER.worker_parts(378) == {"datacenter": 11, "worker": 26}
first = Layout.DISCORD.min_id(new_year)  # the bound for a page by time
# --8<-- [end:layouts]

# --8<-- [start:own]
own = Layout("time:41,worker:10,sequence:12", epoch=new_year)
print(own.expires, own.ids_per_second, own.fits(53))
assert Layout.named(str(own)) == own  # str() has the epoch and the tick, own.text does not
# --8<-- [end:own]

# --8<-- [start:guess]
guess = snowmint.guess(1541815603606036480)[0]  # likely guesses come first: their doubt is None
assert guess.preset.name == "twitter"
likely = snowmint.decode("175928847299117063", beside="guild_id")  # the key beside it counts
discord = snowmint.decode("175928847299117063", "discord")
# --8<-- [end:guess]

# --8<-- [start:text]
assert snowmint.format(1541815603606036480, "base32") == "1ASD13XH1F800"
assert snowmint.parse("1ASD13XH1F800", "base32") == 1541815603606036480
# --8<-- [end:text]
