from snowmint import Layout, Parts

# --8<-- [start:range]
from datetime import datetime, timezone

begin = Layout.TWITTER.min_id(datetime(2026, 1, 1, tzinfo=timezone.utc))
end = Layout.TWITTER.min_id(datetime(2026, 2, 1, tzinfo=timezone.utc))
query = "SELECT * FROM orders WHERE id >= ? AND id < ? ORDER BY id"  # with begin and end
# --8<-- [end:range]

january, february = datetime(2026, 1, 31, 23, 59, tzinfo=timezone.utc), datetime(2026, 2, 1, tzinfo=timezone.utc)
inside, outside = (Layout.TWITTER.encode(Parts(time=time, worker_id=7)) for time in (january, february))
assert begin <= inside < end <= outside
# The line for a shell has the same bounds.
assert (begin, end - 1) == (2006515713438646272, 2017749737272246271)
