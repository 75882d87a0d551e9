//! Errors as exceptions: a class for each kind of failure, with the code from the engine's table.
//! And the errors of this crate, with their messages.

use std::{fmt, io};

use pyo3::prelude::*;
use snowmint::engine::Error as EngineError;
use snowmint::{Code, CodeGroup, Error, MAX_COUNT, Result, TextForm, Timestamp};

use crate::calls;
use crate::found::Found;
use crate::held::Held;
use crate::pickled::{Reduced, named, reduced};

/// Returns the name of a code's class in `snowmint._errors`.
fn class_name(code: Code) -> &'static str {
    match code.group() {
        CodeGroup::Layout => "LayoutError",
        CodeGroup::Stall => "StallError",
        CodeGroup::Closed => "ClosedError",
        CodeGroup::Text => "TextError",
        CodeGroup::Segment => "SegmentError",
        CodeGroup::Worker => "WorkerError",
        CodeGroup::Store => "StoreError",
        CodeGroup::Url => "UrlError",
        CodeGroup::Parameter => "ParameterError",
        CodeGroup::Internal => "SnowmintError",
    }
}

/// Returns the exception of an error. An exception that caused the error becomes its `__cause__`.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    static CLASSES: Found<Py<PyAny>> = Found::new();
    let code = error.code();
    let classes = CLASSES
        .get_or_try_init(py, || calls::import(py, "snowmint._errors").map(Bound::unbind))
        .map(|module| module.bind(py));
    let raised = classes.and_then(|classes| {
        let arguments = (error.to_string(), code.name(), code.number(), error.wait_ms());
        calls::call(&classes.getattr(class_name(code))?, arguments, None)
    });
    let raised = match raised {
        Ok(instance) => PyErr::from_value(instance),
        Err(failure) => return failure,
    };
    if let Some(cause) = cause(error) {
        raised.set_cause(py, cause.exception(py));
    }
    raised
}

/// Returns the exception of the user's code, from anywhere in the chain of errors.
fn cause(error: &Error) -> Option<&Raised> {
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        if let Some(raised) = error.downcast_ref() {
            return Some(raised);
        }
        source = error.source();
    }
    None
}

/// An exception of the user's code, as the cause of an error.
pub(crate) struct Raised {
    exception: Held,
    shown: String,
}

impl Raised {
    pub(crate) fn new(exception: &Bound<'_, PyAny>, shown: String) -> Raised {
        Raised { exception: Held::new(exception), shown }
    }

    /// Returns the exception.
    pub(crate) fn exception(&self, py: Python<'_>) -> Option<PyErr> {
        self.exception.get(py).map(PyErr::from_value)
    }
}

impl fmt::Debug for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Raised").field(&self.shown).finish()
    }
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl std::error::Error for Raised {}

/// Returns a result with the error as an exception.
pub(crate) fn or_raise<T, E: Into<Error>>(py: Python<'_>, result: Result<T, E>) -> PyResult<T> {
    result.map_err(|error| exception(py, &error.into()))
}

/// A row of the table of error codes, the same in every language.
#[pyclass(frozen, eq, hash, get_all, module = "snowmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct ErrorCode {
    /// The frozen number.
    number: u32,
    /// The frozen name, which exceptions have as ``code``.
    name: &'static str,
    /// One sentence about its meaning.
    summary: &'static str,
}

impl ErrorCode {
    fn of(code: &Code) -> ErrorCode {
        ErrorCode { number: code.number(), name: code.name(), summary: code.summary() }
    }
}

#[pymethods]
impl ErrorCode {
    #[staticmethod]
    fn _of(name: &str) -> PyResult<ErrorCode> {
        named(Code::ALL.iter().find(|code| code.name() == name), "error code", name)
            .map(ErrorCode::of)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&'static str,)> {
        reduced::<Self, _>(py, (self.name,))
    }

    fn __repr__(&self) -> String {
        format!("ErrorCode(number={}, name='{}')", self.number, self.name)
    }
}

/// Returns every error code, by rising number.
#[pyfunction]
pub(crate) fn error_codes() -> Vec<ErrorCode> {
    Code::ALL.iter().map(ErrorCode::of).collect()
}

// The errors of this crate, with their messages. First, arguments that cannot be used.

pub(crate) fn number_out_of_range(name: &str, range: &str) -> Error {
    invalid(format!("{name} is out of range: use {range}"))
}

pub(crate) fn count_out_of_range(count: &str) -> Error {
    let message = format!("{count} is out of range: use 1 to {MAX_COUNT}");
    Error::new(Code::CountOutOfRange, message)
}

pub(crate) fn setting_missing(name: &str) -> Error {
    invalid(format!(
        "{name} is None, as where a setting is missing: give one; only where neither \
         worker_id nor store is written at all, a worker ID is leased from your own \
         ids.db"
    ))
}

pub(crate) fn not_one_allocator() -> Error {
    invalid("a segment needs a store or allocate, one of them")
}

pub(crate) fn when_behind_impossible(written: &str) -> Error {
    invalid(format!(
        "when_behind={written:?} is not possible: use fail, wait N, \
         count_rollback or change_worker N"
    ))
}

pub(crate) fn when_full_impossible(written: &str) -> Error {
    invalid(format!("when_full={written:?} is not possible: use wait or fail"))
}

pub(crate) fn stall_unknown() -> Error {
    invalid("this is no stall of a generator")
}

pub(crate) fn token_of_another_length(length: usize) -> Error {
    invalid(format!("a token of {length} bytes: it has 16"))
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Code::InvalidParameter, message)
}

// Memory that Python lends.

pub(crate) fn buffer_read_only() -> Error {
    invalid("the buffer is read-only")
}

pub(crate) fn buffer_of_another_byte_order(format: &str) -> Error {
    invalid(format!(
        "the buffer has the byte order of another machine, format {format:?}: copy it first to \
         this machine's, as numpy's astype(\"uint64\") does"
    ))
}

pub(crate) fn buffer_of_other_items(size: usize, format: &str) -> Error {
    invalid(format!(
        "the buffer has items of {size} bytes and format {format:?}: 64-bit integers are \
         needed, as in array('Q') or a numpy array of dtype uint64"
    ))
}

pub(crate) fn buffer_not_contiguous() -> Error {
    invalid("the buffer is not contiguous: copy it first")
}

pub(crate) fn not_one_column(dimensions: usize) -> Error {
    invalid(format!("one column is needed, not {dimensions} dimensions"))
}

// Layouts, IDs and times.

pub(crate) fn layout_of_preset(name: &str, constant: &str) -> Error {
    let message =
        format!("{name} is a preset's name: use Layout.{constant} or Layout.named(\"{name}\")");
    Error::new(Code::InvalidLayout, message)
}

pub(crate) fn layout_with_epoch() -> Error {
    let message = "a layout's own text, with epoch and tick, is read by Layout.named";
    Error::new(Code::InvalidLayout, message)
}

pub(crate) fn preset_not_found(id: u64, why: &str) -> Error {
    let message = format!("{id}: {why}; name its layout");
    Error::new(Code::UnknownLayout, message)
}

/// Returns the error of the ID at an index.
pub(crate) fn id_refused(index: usize, cause: EngineError) -> Error {
    Error::new(cause.code(), format!("{cause}; it has index {index}"))
}

pub(crate) fn digits_invalid(cause: EngineError) -> Error {
    Error::new(Code::InvalidText, format!("{cause}; snowmint.parse reads the other forms"))
}

pub(crate) fn text_form_unknown(name: &str) -> Error {
    let known: Vec<_> = TextForm::ALL.iter().map(|form| form.name()).collect();
    let message = format!("no text form is called {name:?}; there are {}", known.join(", "));
    Error::new(Code::UnknownTextForm, message)
}

pub(crate) fn time_without_datetime(unix_ms: i64) -> Error {
    let message = format!(
        "{} is no datetime, whose years are 1 to 9999: take the time in milliseconds",
        Timestamp(unix_ms)
    );
    Error::new(Code::InvalidTime, message)
}

pub(crate) fn datetime_without_zone() -> Error {
    let message = "a datetime without a time zone: give it one, such as timezone.utc";
    Error::new(Code::InvalidTime, message)
}

// Sources and stores.

pub(crate) fn source_kind_unknown() -> Error {
    Error::new(Code::Unsupported, "Python has no such source")
}

pub(crate) fn store_closed() -> Error {
    Error::new(Code::Closed, "the store is closed; open it anew")
}

pub(crate) fn thread_not_started(cause: io::Error) -> Error {
    Error::new(Code::NoResource, "no thread can be started").caused_by(cause)
}

// Stores that users write; `what` names the method.

pub(crate) fn interpreter_ending(what: &str) -> Error {
    Error::new(Code::Closed, format!("{what}: the interpreter is ending"))
}

/// Returns the error of a source that the garbage collector took together with the object.
pub(crate) fn source_gone() -> Error {
    Error::new(Code::Closed, "the source is gone, and its store with it")
}

/// Returns the error of a store that raised an exception, which may have the number of a code.
pub(crate) fn store_failed(number: Option<u32>, message: String, raised: Raised) -> Error {
    let code = number.and_then(Code::from_number).unwrap_or(Code::StoreUnavailable);
    Error::new(code, message).caused_by(raised)
}

/// Returns the error of a function of `snowmint._stores`, which runs all of the user's code.
pub(crate) fn stores_function_broken(function: &str, why: impl fmt::Display) -> Error {
    Error::new(Code::Internal, format!("snowmint._stores.{function}: {why}"))
}

/// Returns the error of an answer that `snowmint._stores` should not have let pass.
pub(crate) fn answer_of_another_type(what: &str) -> Error {
    Error::new(Code::Internal, format!("{what}: an answer of another type"))
}
