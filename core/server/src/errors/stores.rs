//! Errors of stores: that of leases, and those that operators look at and change.

use std::fmt::Display;

use snowmint::{Code, Error, redacted};
use tokio::task::JoinError;

// Calls.

pub(crate) fn leases_unset() -> Error {
    Error::new(Code::Unsupported, "nothing is leased here: leases.store is not set")
}

pub(crate) fn leases_unusable(why: Error) -> Error {
    Error::new(why.code(), format!("leases.store: {why}")).caused_by(why)
}

pub(crate) fn calls_too_many() -> Error {
    let message = "the store has as many calls as it takes: ask again a little later";
    Error::new(Code::Overloaded, message)
}

pub(crate) fn operators_too_many() -> Error {
    let message = "another operator's request waits for its store: ask again a little later";
    Error::new(Code::Overloaded, message)
}

pub(crate) fn call_unfinished(error: JoinError) -> Error {
    let message = "the call of the store did not come to its end";
    Error::new(Code::Internal, message).caused_by(error)
}

pub(crate) fn store_unknown(shown: &str) -> Error {
    let message = format!("no store of this server is at {shown:?}: /admin/state lists them");
    Error::new(Code::InvalidParameter, redacted(&message))
}

// Rows.

pub(crate) fn tag_missing(tag: impl Display) -> Error {
    Error::new(Code::UnknownTag, format!("there is no tag {tag}"))
}

pub(crate) fn tag_not_created(tag: impl Display) -> Error {
    let message = format!("there is no tag {tag}: `snowmint segment create` adds it");
    Error::new(Code::UnknownTag, message)
}

pub(crate) fn worker_id_never_taken(worker_id: u32, realm: &str) -> Error {
    let message = format!("nobody ever took worker ID {worker_id} in {realm}");
    Error::new(Code::InvalidParameter, message)
}
