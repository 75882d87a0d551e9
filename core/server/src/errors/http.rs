//! Errors of requests by HTTP.

use std::fmt::Display;

use snowmint::{Code, Error};
use tokio::task::JoinError;

// The members of a body.

snowmint::errors! {
    member_unknown(key: &str, known: &[&str]) => UnknownParameter:
        "{key:?} is not known: there are {}", known.join(", ");

    member_not_text(key: &str) => member_invalid(key): "a string is needed";
    member_not_texts(key: &str) => member_invalid(key): "an array of strings is needed";
    member_not_number(key: &str) => member_invalid(key): "a number of 32 bits is needed";
    member_not_digits(key: &str) => member_invalid(key): "decimal digits are needed";
    member_not_moment(key: &str) => member_invalid(key): "Unix milliseconds are needed";
    member_not_token(key: &str) => member_invalid(key): "32 hexadecimal digits are needed";
    member_invalid(key: &str, why: &str) => InvalidParameter: "{key}: {why}";

    // IDs.

    count_above_limits() => CountOutOfRange: "count is above every limit";
    turn_of_another_server() => LeaseUnavailable: "it is not, or no more, the turn of this server";
    ranges_of_no_segment() => Unsupported: "only a segment has ranges: ask at /ids";
}

/// `why` is the text of an error with this code.
pub(crate) fn id_without_public_form(index: usize, code: Code, why: impl Display) -> Error {
    Error::new(code, format!("ids, at index {index}: {why}"))
}

// The protocol of leases.

snowmint::errors! {
    key_space_of_another_store(own: impl Display, asked: impl Display) => IncarnationChanged:
        "this is the key space {own}, and not {asked}, of which the client is: both would give the \
         same. Name services of one store";

    /// The store's message names holders, who are other clients.
    worker_ids_exhausted() => WorkersExhausted: "no worker ID is free at the moment";

    worker_id_too_large(max_worker_id: u32, max: u32) => InvalidParameter:
        "max_worker_id: {max_worker_id} is above {max}, the largest worker ID of the realm";

    realm_of_no_layout() => RealmMismatch:
        "realm: the text of a layout is needed, as \
         zero:1,time:41,worker:10,sequence:12@1288834974657/1: its fields, its epoch in Unix \
         milliseconds, its tick in milliseconds";

    floor_not_below_reserved() => InvalidParameter:
        "floor_ms is not below reserved_ms: send both as the last answer had them";

    leased_tag_missing(tag: impl Display) => UnknownTag: "no tag is called {tag}";

    // Operators.

    service_starting() => StoreUnavailable:
        "the service starts, and opens its sources: ask again once /admin/state says that it \
         serves; a SIGHUP is obeyed then";

    /// For work on another thread.
    work_unfinished(error: JoinError) => Internal caused_by error: "it did not come to its end";
}
