//! The errors of this crate, with their messages.

use std::ffi::{CStr, c_int};
use std::str::Utf8Error;

use snowmint::{Code, Error, Tag, TextForm, engine};

// Arguments that cannot be used, with their names.

snowmint::errors! {
    handle_null(kind: &str) => InvalidParameter: "NULL in place of a {kind}";
    handle_not_live(kind: &str) => InvalidParameter: "this is no {kind}, or one that was freed";
    pointer_null(name: &str) => InvalidParameter: "{name} is NULL";

    array_misaligned(name: &str, needed: usize) => InvalidParameter:
        "{name} must stand at a multiple of {needed} bytes";

    struct_too_large(name: &str, size: usize, known: usize) => Unsupported:
        "{name} has {size} bytes and this library knows {known}: it is older than the header; use \
         the two of one version";

    /// Returns the error of a struct whose size the caller sets.
    set_size_too_small(name: &str, size: usize, known: usize) => size_too_small(name, size, known):
        "set its size to sizeof({name})";

    size_too_small(name: &str, size: usize, known: usize, cure: &str) => InvalidParameter:
        "{name} has a size of {size} bytes and should have {known}: {cure}";

    number_out_of_range(name: &str, value: i64) => InvalidParameter: "{name} cannot be {value}";

    room_too_small(name: &str, size: usize, needed: usize) => InvalidParameter:
        "{name} has room for {size} bytes, and {needed} are needed";
}

pub(crate) fn text_not_utf8(name: &str, text: &CStr, cause: Utf8Error) -> Error {
    invalid(format!("{name} is not UTF-8: {}", text.to_string_lossy())).caused_by(cause)
}

pub(crate) fn hidden_text_not_utf8(name: &str, cause: Utf8Error) -> Error {
    invalid(format!("{name} is not UTF-8")).caused_by(cause)
}

/// Returns the error of a struct that has an `_INIT`.
pub(crate) fn struct_too_small(name: &str, size: usize, known: usize) -> Error {
    let cure = format!("begin with {}_INIT", name.to_uppercase());
    size_too_small(name, size, known, &cure)
}

// Options of sources and stores.

snowmint::errors! {
    not_one_allocator() => InvalidParameter: "set one of store and allocate";
    two_worker_stores() => InvalidParameter: "store and worker_store are both set";

    worker_store_incomplete() => InvalidParameter:
        "a worker store needs acquire, renew and release_lease";

    prefetch_percent_too_large() => InvalidParameter: "prefetch_percent is 0 to 100";

    used_percent_too_large(percent: u32) => InvalidParameter:
        "used_percent is 0 to 100, not {percent}";

    // Names and numbers that the engine's tables do not have.

    preset_missing(index: usize) => InvalidParameter: "no preset has the index {index}";

    field_missing(index: u32, count: usize) => InvalidParameter:
        "no field {index}: there are {count}";

    field_unknown(name: &str) => InvalidParameter: "no field is called {name:?}";
    text_form_missing(index: usize) => InvalidParameter: "no text form has the index {index}";

    text_form_not_detected(text: &str) => UnknownTextForm:
        "{text:?} is in no form that can be told: name its form";

    policy_unknown() => InvalidParameter: "when_behind or when_full is none of its kinds";
    start_kind_unknown(kind: u32) => InvalidParameter: "no start of kind {kind}";
}

pub(crate) fn text_form_unknown(name: &str) -> Error {
    let known: Vec<_> = TextForm::ALL.iter().map(|form| form.name()).collect();
    let message = format!("no text form is called {name:?}; there are {}", known.join(", "));
    Error::new(Code::UnknownTextForm, message)
}

pub(crate) fn stall_unknown() -> Error {
    let (behind, full) = (Code::ClockBehind, Code::SequenceExhausted);
    invalid(format!("no stall: such are {behind}, {full} and the like"))
}

// Values that the header has no name for.

snowmint::errors! {
    action_unknown() => Unsupported: "an action that C does not know";
    source_kind_unknown() => Unsupported: "a source of another kind";

    // Sources, stores and IDs.

    source_without_ranges() => Unsupported: "only segments give ranges of numbers";
    source_without_layout() => Unsupported: "only snowflakes have a layout";
    tag_missing(tag: &Tag) => UnknownTag: "the store has no tag {tag}";
}

/// Returns the error of the ID at an index of an array.
pub(crate) fn id_refused(index: usize, cause: engine::Error) -> Error {
    Error::new(cause.code(), format!("ids[{index}]: {cause}"))
}

// Functions of the caller.

snowmint::errors! {
    allocate_failed(returned: c_int, count: u64, tag: &Tag) => StoreUnavailable:
        "the store's allocate failed: it returned {returned} for {count} numbers of tag {tag}";
}

/// Returns the error of a worker store's function `what`.
pub(crate) fn worker_store_failed(what: &str, returned: c_int) -> Error {
    let code = u32::try_from(returned).ok().and_then(Code::from_number);
    let status = code.map_or_else(
        || returned.to_string(),
        |code| format!("SNOWMINT_{} ({returned})", code.name().to_uppercase()),
    );
    let cure = if code == Some(Code::LeaseLost) { ": acquire anew" } else { "" };
    let message = format!("the store's {what} failed: it returned {status}{cure}");
    Error::new(code.unwrap_or(Code::StoreUnavailable), message)
}

// Defects.

snowmint::errors! {
    defect(text: &str) => Internal: "a defect in snowmint, please report it: {text}";
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Code::InvalidParameter, message)
}
