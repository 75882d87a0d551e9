from snowmint import Layout, Parts

# --8<-- [start:range]
from datetime import datetime, timezone

begin = Layout.TWITTER.min_id(datetime(2026, 1, 1, tzinfo=timezone.utc))
end = Layout.TWITTER.min_id(datetime(2026, 2, 1, tzinfo=timezone.utc))
query = "SELECT * FROM orders WHERE id >= ? AND id < ? ORDER BY id"  # with begin and end
# --8<-- [end:range]

# --8<-- [start:day]
from datetime import timedelta
from zoneinfo import ZoneInfo

shanghai = ZoneInfo("Asia/Shanghai")
day = datetime(2026, 1, 31, tzinfo=shanghai)
day_begin = Layout.TWITTER.min_id(day)
day_end = Layout.TWITTER.min_id(day + timedelta(days=1))  # the next local midnight
# --8<-- [end:day]

# --8<-- [start:time]
time = Layout.TWITTER.decode(1541815603606036480).time
print(time)  # 2022-06-28 16:07:40.105000+00:00
print(time.astimezone(shanghai))  # 2022-06-29 00:07:40.105000+08:00
# --8<-- [end:time]

january, february = datetime(2026, 1, 31, 23, 59, tzinfo=timezone.utc), datetime(2026, 2, 1, tzinfo=timezone.utc)
inside, outside = (Layout.TWITTER.encode(Parts(time=time, worker_id=7)) for time in (january, february))
assert begin <= inside < end <= outside
# The line for a shell has the same bounds.
assert (begin, end - 1) == (2006515713438646272, 2017749737272246271)
assert (day_begin, day_end - 1) == (2017266553451446272, 2017628941317046271)
assert str(time) == "2022-06-28 16:07:40.105000+00:00"
