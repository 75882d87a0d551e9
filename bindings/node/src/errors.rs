//! The errors of this crate, with their messages.

use std::collections::TryReserveError;
use std::io;
use std::time::Duration;

use snowmint::{Code, Error, TextForm};

// Unknown names.

pub(crate) fn field_unknown(name: &str) -> Error {
    let message = format!("no field of a layout is called {name:?}");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn text_form_unknown(name: &str) -> Error {
    let known: Vec<_> = TextForm::ALL.iter().map(|form| form.name()).collect();
    let message = format!("no text form is called {name:?}; there are {}", known.join(", "));
    Error::new(Code::UnknownTextForm, message)
}

pub(crate) fn sequence_start_unknown(name: &str) -> Error {
    name_unknown("sequence start", name, "zero, vibrate, random or rotate")
}

pub(crate) fn when_behind_unknown(name: &str) -> Error {
    let known = "fail, wait, count_rollback or change_worker";
    name_unknown("rule for a clock that is behind", name, known)
}

pub(crate) fn when_full_unknown(name: &str) -> Error {
    name_unknown("rule for a full tick", name, "wait or fail")
}

fn name_unknown(what: &str, name: &str, known: &str) -> Error {
    Error::new(Code::InvalidParameter, format!("no {what} is called {name:?}; there are {known}"))
}

pub(crate) fn stall_unknown() -> Error {
    Error::new(Code::InvalidParameter, "that error is no stall")
}

// Sources, stores and keys.

pub(crate) fn source_of_another_thread() -> Error {
    Error::new(Code::Closed, "the source is of another thread; open one here")
}

pub(crate) fn keys_of_another_thread() -> Error {
    Error::new(Code::Closed, "the keys are of another thread; open them here")
}

pub(crate) fn store_closed() -> Error {
    Error::new(Code::Closed, "the store is closed")
}

pub(crate) fn source_without_ranges() -> Error {
    Error::new(Code::Unsupported, "only segments give ranges")
}

pub(crate) fn no_memory_for_ids(count: u32, cause: TryReserveError) -> Error {
    let message = format!("no memory for {count} IDs: they are issued, and lost");
    Error::new(Code::CountOutOfRange, message).caused_by(cause)
}

pub(crate) fn thread_not_started(cause: io::Error) -> Error {
    let message = "the system gives no thread for a call that waits";
    Error::new(Code::NoResource, message).caused_by(cause)
}

// Stores written in JavaScript.

/// Returns the error that a store written in JavaScript answered with.
pub(crate) fn store_failed(code: u32, message: String) -> Error {
    Error::new(Code::from_number(code).unwrap_or(Code::StoreUnavailable), message)
}

pub(crate) fn store_of_waiting_thread() -> Error {
    let message = "a store written in JavaScript cannot answer while its own thread \
                   waits: open the source with await";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn question_dropped() -> Error {
    let message = "the thread that the store is written for has ended, or dropped the question";
    Error::new(Code::StoreUnavailable, message)
}

pub(crate) fn answer_late(within: Duration) -> Error {
    let message = format!(
        "the store has not answered in {} ms: what it says yet is not used",
        within.as_millis()
    );
    Error::new(Code::OutcomeUnknown, message)
}

pub(crate) fn answer_of_another_kind(method: &str) -> Error {
    let message = format!("the store's {method} gave something else than was asked for");
    Error::new(Code::InvalidAnswer, message)
}

// Defects.

pub(crate) fn defect(text: &str) -> Error {
    Error::new(Code::Internal, format!("a defect in snowmint, please report it: {text}"))
}
