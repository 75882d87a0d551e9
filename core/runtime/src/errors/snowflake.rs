//! The errors of snowflake generators.

use snowmint_engine::Timestamp;

use crate::error::Error;

// Settings.

errors! {
    worker_id_given_twice() => InvalidParameter:
        "a generator has one worker ID, and here are both a fixed one and a store to lease one \
         from: leave one of them out";

    worker_id_missing() => InvalidParameter:
        "a generator needs one worker ID: a fixed one, or a store to lease one from";

    reservation_out_of_range(reserve_ms: u32, max_ms: u32) => InvalidParameter:
        "a reservation of {reserve_ms} ms is not possible: use 100 to {max_ms}";

    /// `max_reserve_ms` is reserved at most, and a tick has at most `max_ms`.
    tick_too_long(tick_ms: u32, max_reserve_ms: u32, max_ms: u32) => InvalidParameter:
        "a tick of {tick_ms} ms is too long to mint in, since a worker's time is reserved for \
         {max_reserve_ms} ms at most: use ticks of up to {max_ms} ms";

    max_ahead_too_large(max_ahead_ms: u32, max_ms: u32) => InvalidParameter:
        "max_ahead_ms={max_ahead_ms} is not possible: use 0 to {max_ms}, since no more time of a \
         worker ID is reserved at once";

    // Minting.

    count_needs_waiting(count: u64, most: u64) => CountOutOfRange:
        "{count} IDs are never to be had without waiting, as this layout and policy have at most \
         {most} at once: ask for fewer, or wait";

    layout_used_up(since_ms: i64) => LayoutExpired:
        "the layout's time ends at {}, and none of it is left: it decodes, but mints no more; use \
         a layout with more time bits or a later epoch",
        Timestamp(since_ms);

    worker_id_pending() => LeaseUnavailable:
        "this process has no worker ID yet, for the store has not answered so far: ask again, or \
         wait longer";

    store_clock_behind(ahead_ms: i64) => LeaseUnavailable:
        "the store's clock was set back, and is {ahead_ms} ms behind the time that this source has \
         reached, for which it reserves none: set it right, or open the source anew";

    time_used_up(failure: Error) => LeaseUnavailable caused_by failure:
        "the reserved time of this worker ID is used up, and the store gives no more: {failure}";

    // Closing.

    parting_unanswered() => WaitTimeout: "the store has not answered yet; the lease ends by itself";
}
