import snowmint

store = snowmint.Store.open("sqlite:/var/lib/shop/ids.db?create=true")
store.ensure_tag("orders")
flake, orders = snowmint.Snowflake(store=store), snowmint.Segment("orders", store=store)
flake.next_id(), orders.next_id()

# --8<-- [start:stats]
of_orders = orders.stats()
print(of_orders.buckets, of_orders.step)            # the ranges at hand, and the size of the next one
print(of_orders.rate, of_orders.runway_ms)          # numbers a second, and how long those at hand last
print(of_orders.last_failure)                       # None, or its code, message, time and is_over
of_flake = flake.stats()
print(of_flake.worker_id, of_flake.lease_age_ms)
print(of_flake.reserved_ms, of_flake.reserve_ms)    # time left without the store, of how much
print(of_flake.clock_offset_ms, of_flake.rollbacks)
# --8<-- [end:stats]
assert of_orders.last_failure is None and of_flake.reserved_ms is not None

# --8<-- [start:logging]
import logging


class Alerts(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        # The message is one line, and says what to do.
        print(record.snowmint_event, record.tag, record.worker_id, record.code, record.getMessage())


logging.getLogger("snowmint").addHandler(Alerts())
# --8<-- [end:logging]
