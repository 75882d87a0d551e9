//! Errors of stores: that of leases, and those that operators look at and change.

use std::fmt::Display;

use snowmint::{Code, Error, redacted};
use tokio::task::JoinError;

// Calls.

snowmint::errors! {
    leases_unset() => Unsupported: "nothing is leased here: leases.store is not set";

    calls_too_many() => Overloaded:
        "the store has as many calls as it takes: ask again a little later";

    operators_too_many() => Overloaded:
        "another operator's request waits for its store: ask again a little later";

    call_unfinished(error: JoinError) => Internal caused_by error:
        "the call of the store did not come to its end";
}

pub(crate) fn leases_unusable(why: Error) -> Error {
    Error::new(why.code(), format!("leases.store: {why}")).caused_by(why)
}

pub(crate) fn store_unknown(shown: &str) -> Error {
    let message = format!("no store of this server is at {shown:?}: /admin/state lists them");
    Error::new(Code::InvalidParameter, redacted(&message))
}

// Rows.

snowmint::errors! {
    tag_missing(tag: impl Display) => UnknownTag: "there is no tag {tag}";

    tag_not_created(tag: impl Display) => UnknownTag:
        "there is no tag {tag}: `snowmint segment create` adds it";

    worker_id_never_taken(worker_id: u32, realm: &str) => InvalidParameter:
        "nobody ever took worker ID {worker_id} in {realm}";
}
