//! The errors of leases of worker IDs.

use snowmint_engine::Code;

use crate::error::Error;
use crate::store::{MAX_NAME_LENGTH, MAX_RESERVE_AHEAD_MS};

// Requests.

errors! {
    /// `what` is the realm or the owner.
    name_unfit(what: &str, length: usize) => InvalidParameter:
        "a {what} of {length} bytes: use 1 to {MAX_NAME_LENGTH}, none of them 0";

    reservation_out_of_range(reserve_ms: u32) => InvalidParameter:
        "a reservation of {reserve_ms} ms: use 1 to {MAX_RESERVE_AHEAD_MS}";

    // Worker IDs.

    lease_lost(realm: &str, worker_id: u32, owner: &str, epoch: u64) => LeaseLost:
        "worker ID {worker_id} of realm {realm} is no longer leased to {owner} (epoch {epoch}): \
         acquire anew";
}

/// `oldest` is the worker ID that is held longest, with its owner.
pub(crate) fn worker_ids_exhausted(
    realm: &str,
    max_worker_id: u32,
    held: u64,
    oldest: Option<(u32, &str)>,
    free_in_ms: Option<i64>,
) -> Error {
    let mut message =
        format!("no worker ID of 0 to {max_worker_id} is free in realm {realm}: {held} held");
    if let Some((worker_id, owner)) = oldest {
        message += &format!(", longest {worker_id} by {owner}");
    }
    if let Some(wait_ms) = free_in_ms {
        message += &format!("; the next may be free in {} ms", wait_ms.max(0));
    }
    let cure = match held {
        0 => "wait: each rests until the time that it reserved is over",
        _ => "end one whose process is gone (`snowmint worker release STORE ID --yes`)",
    };
    message += &format!("; {cure}, or use a layout with more worker bits");
    Error::new(Code::WorkersExhausted, message)
}
