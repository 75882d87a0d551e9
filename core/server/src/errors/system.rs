//! Errors of a system that lacks what the service needs.

use std::error::Error as StdError;
use std::io;

use snowmint::Error;

snowmint::errors! {
    resource_missing(
        what: &str,
        error: impl StdError + Send + Sync + 'static,
    ) => NoResource caused_by error:
        "the system gives no {what}";
}

pub(crate) fn event_loop_missing(error: io::Error) -> Error {
    resource_missing("event loop", error)
}

pub(crate) fn thread_missing(error: io::Error) -> Error {
    resource_missing("thread", error)
}

pub(crate) fn signals_missing(error: io::Error) -> Error {
    resource_missing("signals", error)
}

pub(crate) fn random_numbers_missing(error: getrandom::Error) -> Error {
    resource_missing("random numbers", error)
}
