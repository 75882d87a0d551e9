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

    worker_ids_contended(realm: &str) => StoreLocked:
        "others change the worker IDs of realm {realm} all the time: ask again";

    // A server that took another's place.

    /// The server gives no worker ID yet. The message tells how to shorten the next wait, because one
    /// lease of long ago, or a clock that went back once, may have asked for an hour. `table` and
    /// `now_ms` are the store's terms for the table and the time.
    leases_unknown(
        realm: &str,
        wait_ms: i64,
        longest_ms: i64,
        [table, now_ms]: [&str; 2],
    ) => WorkersExhausted:
        "no worker ID of realm {realm} is given for {wait_ms} ms. This server took another's place \
         or has its tables from a copy, and may not know of leases that go on for so long. Wait. \
         The longest reservation ever asked for, and an eighth more, are {longest_ms} ms: where \
         all leases are shorter by now, UPDATE {table} SET longest_reserve_ms to what they ask \
         for, and the next wait is shorter. Where this one is longer than twice that, a server's \
         clock was ahead: once all leases are over that the other server gave, UPDATE {table} SET \
         waits_until_ms = {now_ms}";

    /// The server gives no worker ID until an operator has confirmed it.
    leases_unvouched(realm: &str, server: &str) => IncarnationChanged:
        "no worker ID of realm {realm} is given: these tables are a copy, and the original ones may \
         still give the same: {}",
        recovery(server);
}

/// Returns the advice that ends the refusals of a server. As it stands, the command only looks.
pub(in crate::store) fn recovery(server: &str) -> String {
    format!(
        "run `snowmint recover --server {server} URL`, which changes nothing yet: it says what to \
         look up, and which command raises the tags and confirms this server"
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_up_worker_ids_are_told_with_the_command_that_ends_a_lease() {
        let message = |held| worker_ids_exhausted("realm", 0, held, None, None).to_string();
        assert!(message(1).contains("`snowmint worker release STORE ID --yes`"), "{}", message(1));
        assert!(message(0).contains("wait"), "{}", message(0));
    }
}
