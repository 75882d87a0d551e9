//! The errors of this crate, with their messages.

use std::collections::TryReserveError;
use std::io;
use std::time::Duration;

use snowmint::{Code, Error, TextForm};

// Unknown names.

snowmint::errors! {
    field_unknown(name: &str) => InvalidParameter: "no field of a layout is called {name:?}";

    name_unknown(what: &str, name: &str, known: &str) => InvalidParameter:
        "no {what} is called {name:?}; there are {known}";

    stall_unknown() => InvalidParameter: "that error is no stall";
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

// Sources, stores and keys.

snowmint::errors! {
    source_of_another_thread() => Closed: "the source is of another thread; open one here";
    keys_of_another_thread() => Closed: "the keys are of another thread; open them here";
    store_closed() => Closed: "the store is closed";
    source_without_ranges() => Unsupported: "only segments give ranges";

    no_memory_for_ids(count: u32, cause: TryReserveError) => CountOutOfRange caused_by cause:
        "no memory for {count} IDs: they are issued, and lost";

    thread_not_started(cause: io::Error) => NoResource caused_by cause:
        "the system gives no thread for a call that waits";

    // Stores written in JavaScript.

    store_of_waiting_thread() => Unsupported:
        "a store written in JavaScript cannot answer while its own thread waits: open the source \
         with await";

    question_dropped() => StoreUnavailable:
        "the thread that the store is written for has ended, or dropped the question";

    answer_late(within: Duration) => OutcomeUnknown:
        "the store has not answered in {} ms: what it says yet is not used", within.as_millis();

    answer_of_another_kind(method: &str) => InvalidAnswer:
        "the store's {method} gave something else than was asked for";
}

/// Returns the error that a store written in JavaScript answered with.
pub(crate) fn store_failed(code: u32, message: String) -> Error {
    Error::new(Code::from_number(code).unwrap_or(Code::StoreUnavailable), message)
}

// Defects.

snowmint::errors! {
    defect(text: &str) => Internal: "a defect in snowmint, please report it: {text}";
}
