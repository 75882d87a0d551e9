//! Errors of requests by HTTP.

use std::fmt::Display;

use snowmint::{Code, Error};
use tokio::task::JoinError;

// The members of a body.

pub(crate) fn member_unknown(key: &str, known: &[&str]) -> Error {
    let message = format!("{key:?} is not known: there are {}", known.join(", "));
    Error::new(Code::UnknownParameter, message)
}

pub(crate) fn member_not_text(key: &str) -> Error {
    member_invalid(key, "a string is needed")
}

pub(crate) fn member_not_texts(key: &str) -> Error {
    member_invalid(key, "an array of strings is needed")
}

pub(crate) fn member_not_number(key: &str) -> Error {
    member_invalid(key, "a number of 32 bits is needed")
}

pub(crate) fn member_not_digits(key: &str) -> Error {
    member_invalid(key, "decimal digits are needed")
}

pub(crate) fn member_not_moment(key: &str) -> Error {
    member_invalid(key, "Unix milliseconds are needed")
}

pub(crate) fn member_not_token(key: &str) -> Error {
    member_invalid(key, "32 hexadecimal digits are needed")
}

fn member_invalid(key: &str, why: &str) -> Error {
    Error::new(Code::InvalidParameter, format!("{key}: {why}"))
}

// IDs.

pub(crate) fn count_above_limits() -> Error {
    Error::new(Code::CountOutOfRange, "count is above every limit")
}

pub(crate) fn turn_of_another_server() -> Error {
    Error::new(Code::LeaseUnavailable, "it is not, or no more, the turn of this server")
}

pub(crate) fn ranges_of_no_segment() -> Error {
    Error::new(Code::Unsupported, "only a segment has ranges: ask at /ids")
}

/// `why` is the text of an error with this code.
pub(crate) fn id_without_public_form(index: usize, code: Code, why: impl Display) -> Error {
    Error::new(code, format!("ids, at index {index}: {why}"))
}

// The protocol of leases.

pub(crate) fn key_space_of_another_store(own: impl Display, asked: impl Display) -> Error {
    let message = format!(
        "this is the key space {own}, and not {asked}, of which the client is: both would give the \
         same. Name services of one store"
    );
    Error::new(Code::IncarnationChanged, message)
}

/// The store's message names holders, who are other clients.
pub(crate) fn worker_ids_exhausted() -> Error {
    Error::new(Code::WorkersExhausted, "no worker ID is free at the moment")
}

pub(crate) fn worker_id_too_large(max_worker_id: u32, max: u32) -> Error {
    let message =
        format!("maxWorkerId: {max_worker_id} is above {max}, the largest worker ID of the realm");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn realm_of_no_layout() -> Error {
    let message = "realm: the text of a layout is needed, as \
                   zero:1,time:41,worker:10,sequence:12@1288834974657/1: its fields, its epoch in \
                   Unix milliseconds, its tick in milliseconds";
    Error::new(Code::RealmMismatch, message)
}

pub(crate) fn floor_not_below_reserved() -> Error {
    let message = "floorMs is not below reservedMs: send both as the last answer had them";
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn leased_tag_missing(tag: impl Display) -> Error {
    Error::new(Code::UnknownTag, format!("no tag is called {tag}"))
}

// Operators.

pub(crate) fn service_starting() -> Error {
    let message = "the service starts, and opens its sources: ask again once /admin/state says \
                   that it serves; a SIGHUP is obeyed then";
    Error::new(Code::StoreUnavailable, message)
}

/// For work on another thread.
pub(crate) fn work_unfinished(error: JoinError) -> Error {
    Error::new(Code::Internal, "it did not come to its end").caused_by(error)
}
