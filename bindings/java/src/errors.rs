//! The errors of this crate, with their messages.

use std::collections::TryReserveError;
use std::fmt::Display;

use snowmint::engine::MAX_DISTANCE;
use snowmint::{Code, Error, MAX_COUNT};

// Arguments that cannot be used.

snowmint::errors! {
    number_impossible(what: &str, number: i64, expected: &str) => InvalidParameter:
        "{what} {number} is not possible: use {expected}";

    count_out_of_range(count: i64) => CountOutOfRange:
        "{count} is out of range: use 1 to {MAX_COUNT}";

    prefetch_percent_impossible(percent: i64) => InvalidParameter:
        "prefetch={percent} is not possible: use 0 to 100 percent";

    distance_impossible(distance: i64) => InvalidParameter:
        "distance={distance} is not possible: use 1 to {MAX_DISTANCE}";

    uuid_version_impossible(version: i32) => InvalidParameter:
        "version={version} is not possible: use 4 or 7";

    token_of_another_length(length: usize) => InvalidParameter:
        "a token of {length} bytes: it has 16";

    stall_unknown() => InvalidParameter: "this error is no stall of a generator";
}

pub(crate) fn number_out_of_range(what: &str, number: i64) -> Error {
    number_impossible(what, number, &format!("0 to {}", u32::MAX))
}

pub(crate) fn number_negative(what: &str, number: i64) -> Error {
    number_impossible(what, number, "0 or more")
}

// Sources and machines.

snowmint::errors! {
    source_kind_unknown() => Unsupported: "this kind of source is not for Java yet";
    call_unsupported() => Unsupported: "this source has no such call";

    /// Returns the error of an interrupted thread, which says nothing about the store.
    wait_interrupted() => WaitTimeout:
        "the thread was interrupted, and waited no longer: nothing was issued; ask again";

    no_memory_for_ids(count: u32, cause: TryReserveError) => CountOutOfRange caused_by cause:
        "no memory for {count} IDs: they are issued, and lost";

    // Errors of stores that users wrote; `what` names the method.

    store_let_go() => Closed: "the source is closed, and its store let go";

    store_not_called(what: &str, why: impl Display) => StoreUnavailable:
        "the store's {what} could not be called: {why}";

    /// Returns the error of a store whose exception is gone.
    store_failed(what: &str) => StoreUnavailable: "the store's {what} failed";

    store_exception_indescribable(what: &str) => StoreUnavailable:
        "the store's {what} failed: an exception that cannot be described";

    lease_invalid(why: impl Display) => InvalidAnswer: "the store's lease: {why}";
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

// Defects of snowmint itself.

snowmint::errors! {
    defect(text: &str) => Internal: "a defect in snowmint: {text}";
}

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
