//! The errors of this crate, with their messages.

use std::ffi::{CStr, c_int};
use std::str::Utf8Error;

use snowmint::{Code, Error, Tag, TextForm, engine};

// Arguments that cannot be used, with their names.

pub(crate) fn handle_null(kind: &str) -> Error {
    invalid(format!("NULL in place of a {kind}"))
}

pub(crate) fn handle_not_live(kind: &str) -> Error {
    invalid(format!("this is no {kind}, or one that was freed"))
}

pub(crate) fn pointer_null(name: &str) -> Error {
    invalid(format!("{name} is NULL"))
}

pub(crate) fn text_not_utf8(name: &str, text: &CStr, cause: Utf8Error) -> Error {
    invalid(format!("{name} is not UTF-8: {}", text.to_string_lossy())).caused_by(cause)
}

pub(crate) fn hidden_text_not_utf8(name: &str, cause: Utf8Error) -> Error {
    invalid(format!("{name} is not UTF-8")).caused_by(cause)
}

pub(crate) fn array_misaligned(name: &str, needed: usize) -> Error {
    invalid(format!("{name} must stand at a multiple of {needed} bytes"))
}

pub(crate) fn struct_too_large(name: &str, size: usize, known: usize) -> Error {
    let message = format!(
        "{name} has {size} bytes and this library knows {known}: it is older than the header; \
         use the two of one version"
    );
    Error::new(Code::Unsupported, message)
}

/// Returns the error of a struct that has an `_INIT`.
pub(crate) fn struct_too_small(name: &str, size: usize, known: usize) -> Error {
    let cure = format!("begin with {}_INIT", name.to_uppercase());
    size_too_small(name, size, known, &cure)
}

/// Returns the error of a struct whose size the caller sets.
pub(crate) fn set_size_too_small(name: &str, size: usize, known: usize) -> Error {
    size_too_small(name, size, known, &format!("set its size to sizeof({name})"))
}

fn size_too_small(name: &str, size: usize, known: usize, cure: &str) -> Error {
    invalid(format!("{name} has a size of {size} bytes and should have {known}: {cure}"))
}

pub(crate) fn number_out_of_range(name: &str, value: i64) -> Error {
    invalid(format!("{name} cannot be {value}"))
}

pub(crate) fn room_too_small(name: &str, size: usize, needed: usize) -> Error {
    invalid(format!("{name} has room for {size} bytes, and {needed} are needed"))
}

// Options of sources and stores.

pub(crate) fn not_one_allocator() -> Error {
    invalid("set one of store and allocate")
}

pub(crate) fn two_worker_stores() -> Error {
    invalid("store and worker_store are both set")
}

pub(crate) fn worker_store_incomplete() -> Error {
    invalid("a worker store needs acquire, renew and release_lease")
}

pub(crate) fn prefetch_percent_too_large() -> Error {
    invalid("prefetch_percent is 0 to 100")
}

pub(crate) fn used_percent_too_large(percent: u32) -> Error {
    invalid(format!("used_percent is 0 to 100, not {percent}"))
}

// Names and numbers that the engine's tables do not have.

pub(crate) fn preset_missing(index: usize) -> Error {
    invalid(format!("no preset has the index {index}"))
}

pub(crate) fn field_missing(index: u32, count: usize) -> Error {
    invalid(format!("no field {index}: there are {count}"))
}

pub(crate) fn field_unknown(name: &str) -> Error {
    invalid(format!("no field is called {name:?}"))
}

pub(crate) fn text_form_missing(index: usize) -> Error {
    invalid(format!("no text form has the index {index}"))
}

pub(crate) fn text_form_unknown(name: &str) -> Error {
    let known: Vec<_> = TextForm::ALL.iter().map(|form| form.name()).collect();
    let message = format!("no text form is called {name:?}; there are {}", known.join(", "));
    Error::new(Code::UnknownTextForm, message)
}

pub(crate) fn text_form_not_detected(text: &str) -> Error {
    let message = format!("{text:?} is in no form that can be told: name its form");
    Error::new(Code::UnknownTextForm, message)
}

pub(crate) fn policy_unknown() -> Error {
    invalid("when_behind or when_full is none of its kinds")
}

pub(crate) fn start_kind_unknown(kind: u32) -> Error {
    invalid(format!("no start of kind {kind}"))
}

pub(crate) fn stall_unknown() -> Error {
    let (behind, full) = (Code::ClockBehind, Code::SequenceExhausted);
    invalid(format!("no stall: such are {behind}, {full} and the like"))
}

// Values that the header has no name for.

pub(crate) fn action_unknown() -> Error {
    Error::new(Code::Unsupported, "an action that C does not know")
}

pub(crate) fn source_kind_unknown() -> Error {
    Error::new(Code::Unsupported, "a source of another kind")
}

// Sources, stores and IDs.

pub(crate) fn source_without_ranges() -> Error {
    Error::new(Code::Unsupported, "only segments give ranges of numbers")
}

pub(crate) fn source_without_layout() -> Error {
    Error::new(Code::Unsupported, "only snowflakes have a layout")
}

pub(crate) fn tag_missing(tag: &Tag) -> Error {
    Error::new(Code::UnknownTag, format!("the store has no tag {tag}"))
}

/// Returns the error of the ID at an index of an array.
pub(crate) fn id_refused(index: usize, cause: engine::Error) -> Error {
    Error::new(cause.code(), format!("ids[{index}]: {cause}"))
}

// Functions of the caller.

pub(crate) fn allocate_failed(returned: c_int, count: u64, tag: &Tag) -> Error {
    let message = format!(
        "the store's allocate failed: it returned {returned} for {count} numbers of tag {tag}"
    );
    Error::new(Code::StoreUnavailable, message)
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

pub(crate) fn defect(text: &str) -> Error {
    Error::new(Code::Internal, format!("a defect in snowmint, please report it: {text}"))
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Code::InvalidParameter, message)
}
