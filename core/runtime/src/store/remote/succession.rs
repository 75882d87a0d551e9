//! Messages of a server that took another's place, and of its confirmation by an operator.

use snowmint_engine::Code;

use crate::error::Error;
use crate::store::{Incarnation, LeaseRequest};

/// The error of such a server while it gives no worker ID. Its message tells how to shorten the
/// next wait, because one lease of long ago, or a clock that went back once, may have asked for an
/// hour. `table` and `now_ms` are the store's terms for the table and the time.
pub(in crate::store) fn waits(
    request: &LeaseRequest,
    wait_ms: i64,
    longest_ms: i64,
    [table, now_ms]: [&str; 2],
) -> Error {
    let message = format!(
        "no worker ID of realm {} is given for {wait_ms} ms: this server took another's place \
         or has its tables from a copy, and may not know of leases that go on for so long; wait. The longest reservation ever asked for, and \
         an eighth more, are {longest_ms} ms: where all leases are shorter by now, UPDATE \
         {table} SET longest_reserve_ms to what they ask for, and the next wait is shorter. \
         Where this one is longer than twice that, a server's clock was ahead: once all \
         leases are over that the other server gave, UPDATE {table} SET waits_until_ms = \
         {now_ms}",
        request.realm
    );
    Error::new(Code::WorkersExhausted, message)
}

/// Returns the advice that ends the refusals of a server.
pub(in crate::store) fn cure(server: &Option<Incarnation>) -> String {
    format!("{}, and --new-from where tags may be lost", cure_of_ranges(server))
}

/// Returns the same advice for a store whose tags cannot be lost.
pub(in crate::store) fn cure_of_ranges(server: &Option<Incarnation>) -> String {
    format!(
        "vouch for all that this server has, by `snowmint segment vouch URL --server {} \
         --raise-by-steps N`, with N the steps of a tag that may be lost, 0 if none (its --help says how \
         to find N)",
        named(server)
    )
}

/// The error for a confirmation of another server.
pub(in crate::store) fn another(
    vouched: &Option<Incarnation>,
    present: &Option<Incarnation>,
) -> Error {
    let message = format!(
        "this server is {}, not {}: nothing was done; find out what this one lacks, and vouch for \
         it",
        named(present),
        named(vouched)
    );
    Error::new(Code::IncarnationChanged, message)
}

fn named(server: &Option<Incarnation>) -> &str {
    server.as_deref().unwrap_or("unknown")
}
