//! The errors of snowflake generators.

use snowmint_engine::{Code, Timestamp};

use crate::error::Error;

// Settings.

pub(crate) fn worker_id_given_twice() -> Error {
    let message = "a generator has one worker ID, and here are both a fixed one and a store to \
                   lease one from: leave one of them out";
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn worker_id_missing() -> Error {
    let message = "a generator needs one worker ID: a fixed one, or a store to lease one from";
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn reservation_out_of_range(reserve_ms: u32, max_ms: u32) -> Error {
    let message = format!("a reservation of {reserve_ms} ms is not possible: use 100 to {max_ms}");
    Error::new(Code::InvalidParameter, message)
}

/// `max_reserve_ms` is reserved at most, and a tick has at most `max_ms`.
pub(crate) fn tick_too_long(tick_ms: u32, max_reserve_ms: u32, max_ms: u32) -> Error {
    let message = format!(
        "a tick of {tick_ms} ms is too long to mint in, since a worker's time is reserved for \
         {max_reserve_ms} ms at most: use ticks of up to {max_ms} ms"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn max_ahead_too_large(max_ahead_ms: u32, max_ms: u32) -> Error {
    let message = format!(
        "max_ahead_ms={max_ahead_ms} is not possible: use 0 to {max_ms}, since no more time of a \
         worker ID is reserved at once"
    );
    Error::new(Code::InvalidParameter, message)
}

// Minting.

pub(crate) fn count_needs_waiting(count: u64, most: u64) -> Error {
    let message = format!(
        "{count} IDs are never to be had without waiting, as this layout and policy have at most \
         {most} at once: ask for fewer, or wait"
    );
    Error::new(Code::CountOutOfRange, message)
}

pub(crate) fn layout_used_up(since_ms: i64) -> Error {
    let message = format!(
        "the layout's time ends at {}, and none of it is left: it decodes, but mints no more; use \
         a layout with more time bits or a later epoch",
        Timestamp(since_ms)
    );
    Error::new(Code::LayoutExpired, message)
}

pub(crate) fn worker_id_pending() -> Error {
    let message = "this process has no worker ID yet, for the store has not answered so far: ask \
                   again, or wait longer";
    Error::new(Code::LeaseUnavailable, message)
}

pub(crate) fn store_clock_behind(ahead_ms: i64) -> Error {
    let message = format!(
        "the store's clock was set back, and is {ahead_ms} ms behind the time that this source has \
         reached, for which it reserves none: set it right, or open the source anew"
    );
    Error::new(Code::LeaseUnavailable, message)
}

pub(crate) fn time_used_up(failure: Error) -> Error {
    let message = format!(
        "the reserved time of this worker ID is used up, and the store gives no more: {failure}"
    );
    Error::new(Code::LeaseUnavailable, message).caused_by(failure)
}

// Closing.

pub(crate) fn parting_unanswered() -> Error {
    let message = "the store has not answered yet; the lease ends by itself";
    Error::new(Code::WaitTimeout, message)
}
