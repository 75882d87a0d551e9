//! Errors as exceptions: a class for each kind of failure, with the code from the engine's table.

use std::fmt;

use pyo3::prelude::*;
use snowmint::{Code, CodeGroup, Error, Result};

use crate::calls;
use crate::found::Found;
use crate::held::Held;
use crate::pickled::{Reduced, named, reduced};

/// The name of a code's class in `snowmint._errors`.
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

/// The exception of an error; an exception that caused it is its `__cause__`.
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

/// What the user's code raised, however many errors of ours it led to.
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

    /// The exception.
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

/// A result with the error as an exception.
pub(crate) fn or_raise<T, E: Into<Error>>(py: Python<'_>, result: Result<T, E>) -> PyResult<T> {
    result.map_err(|error| exception(py, &error.into()))
}

/// An argument of the right type with a value that is not possible.
pub(crate) fn invalid(py: Python<'_>, message: &str) -> PyErr {
    exception(py, &Error::new(Code::InvalidParameter, message))
}

/// One row of the table of error codes, the same in every language.
#[pyclass(frozen, eq, hash, get_all, module = "snowmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct ErrorCode {
    /// The frozen number.
    number: u32,
    /// The frozen name, as exceptions carry it in ``code``.
    name: &'static str,
    /// One sentence on what it means.
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

/// Every error code, by rising number.
#[pyfunction]
pub(crate) fn error_codes() -> Vec<ErrorCode> {
    Code::ALL.iter().map(ErrorCode::of).collect()
}
