//! The errors of this crate, with their messages.

use std::collections::TryReserveError;
use std::fmt::Display;

use snowmint::engine::MAX_DISTANCE;
use snowmint::{Code, Error, MAX_COUNT};

// Arguments that cannot be used.

pub(crate) fn number_out_of_range(what: &str, number: i64) -> Error {
    number_impossible(what, number, &format!("0 to {}", u32::MAX))
}

pub(crate) fn number_negative(what: &str, number: i64) -> Error {
    number_impossible(what, number, "0 or more")
}

fn number_impossible(what: &str, number: i64, expected: &str) -> Error {
    invalid(format!("{what} {number} is not possible: use {expected}"))
}

pub(crate) fn count_out_of_range(count: i64) -> Error {
    let message = format!("{count} is out of range: use 1 to {MAX_COUNT}");
    Error::new(Code::CountOutOfRange, message)
}

pub(crate) fn prefetch_percent_impossible(percent: i64) -> Error {
    invalid(format!("prefetch={percent} is not possible: use 0 to 100 percent"))
}

pub(crate) fn distance_impossible(distance: i64) -> Error {
    invalid(format!("distance={distance} is not possible: use 1 to {MAX_DISTANCE}"))
}

pub(crate) fn uuid_version_impossible(version: i32) -> Error {
    invalid(format!("version={version} is not possible: use 4 or 7"))
}

pub(crate) fn token_of_another_length(length: usize) -> Error {
    invalid(format!("a token of {length} bytes: it has 16"))
}

pub(crate) fn stall_unknown() -> Error {
    invalid("this error is no stall of a generator")
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Code::InvalidParameter, message)
}

// Sources and machines.

pub(crate) fn source_kind_unknown() -> Error {
    Error::new(Code::Unsupported, "this kind of source is not for Java yet")
}

pub(crate) fn call_unsupported() -> Error {
    Error::new(Code::Unsupported, "this source has no such call")
}

/// Returns the error of an interrupted thread, which says nothing about the store.
pub(crate) fn wait_interrupted() -> Error {
    let message = "the thread was interrupted, and waited no longer: nothing was issued; ask again";
    Error::new(Code::WaitTimeout, message)
}

pub(crate) fn no_memory_for_ids(count: u32, cause: TryReserveError) -> Error {
    let message = format!("no memory for {count} IDs: they are issued, and lost");
    Error::new(Code::CountOutOfRange, message).caused_by(cause)
}

// Errors of stores that users wrote; `what` names the method.

pub(crate) fn store_let_go() -> Error {
    Error::new(Code::Closed, "the source is closed, and its store let go")
}

pub(crate) fn store_not_called(what: &str, why: impl Display) -> Error {
    let message = format!("the store's {what} could not be called: {why}");
    Error::new(Code::StoreUnavailable, message)
}

/// Returns the error of a store whose exception is gone.
pub(crate) fn store_failed(what: &str) -> Error {
    Error::new(Code::StoreUnavailable, format!("the store's {what} failed"))
}

pub(crate) fn store_exception_indescribable(what: &str) -> Error {
    let message = format!("the store's {what} failed: an exception that cannot be described");
    Error::new(Code::StoreUnavailable, message)
}

/// Returns the error of a store that threw an exception, with the exception's code if it has one.
pub(crate) fn store_exception(what: &str, code: Option<Code>, description: &str) -> Error {
    match code {
        Some(code) => Error::new(code, description),
        None => {
            let message = format!("the store's {what} failed: {description}");
            Error::new(Code::StoreUnavailable, message)
        }
    }
}

pub(crate) fn lease_invalid(why: impl Display) -> Error {
    Error::new(Code::InvalidAnswer, format!("the store's lease: {why}"))
}

// Defects of snowmint itself.

#[cold]
pub(crate) fn handle_null() -> Error {
    defect("a handle is null")
}

pub(crate) fn shape_unknown(what: &str) -> Error {
    defect(&format!("{what} of another shape"))
}

pub(crate) fn action_unknown() -> Error {
    defect("an action that Java does not know")
}

pub(crate) fn defect(text: &str) -> Error {
    Error::new(Code::Internal, format!("a defect in snowmint: {text}"))
}
