//! Integers from Python. Booleans, floats and numbers that do not fit are refused.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use snowmint::engine::MAX_STEP;

use crate::error::{self, exception};

/// An integer argument of a fixed width. It accepts anything with `__index__`, for example numpy's
/// integers; booleans and floats are `TypeError`s. Code that knows the argument's name refuses a
/// number that does not fit, because a conversion does not know it.
#[derive(Clone, Copy)]
pub(crate) enum Int<T> {
    Of(T),
    OutOfRange,
}

impl<'a, 'py, T> FromPyObject<'a, 'py> for Int<T>
where
    T: for<'b> FromPyObject<'b, 'py, Error = PyErr>,
{
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("an integer is required, not a bool"));
        }
        match object.extract() {
            Ok(number) => Ok(Int::Of(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Int::OutOfRange)
            }
            Err(error) => Err(error),
        }
    }
}

/// The count of IDs that a call requests. A count that does not fit its width is refused at once,
/// with the runtime's message for a count that is too large.
#[derive(Clone, Copy)]
pub(crate) struct Count(pub(crate) usize);

impl<'a, 'py> FromPyObject<'a, 'py> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract()? {
            Int::Of(count) => Ok(Count(count)),
            Int::OutOfRange => {
                // Python does not print integers of many thousand digits.
                let count =
                    object.str().map_or_else(|_| "count".to_owned(), |text| text.to_string());
                Err(exception(object.py(), &error::count_out_of_range(&count)))
            }
        }
    }
}

/// An argument whose name appears in messages.
pub(crate) trait Named {
    type Value;

    /// Returns the value. Fails with an `invalid_parameter` that contains the argument's name.
    fn named(self, py: Python<'_>, name: &str) -> PyResult<Self::Value>;
}

impl<T: Bounds> Named for Int<T> {
    type Value = T;

    #[inline]
    fn named(self, py: Python<'_>, name: &str) -> PyResult<T> {
        match self {
            Int::Of(number) => Ok(number),
            Int::OutOfRange => Err(out_of_range(py, name, T::RANGE)),
        }
    }
}

impl<T> Int<T> {
    /// Returns the value. Fails with an `invalid_parameter` that contains the accepted `range`,
    /// which is narrower than the width.
    pub(crate) fn within(self, py: Python<'_>, name: &str, range: &str) -> PyResult<T> {
        match self {
            Int::Of(number) => Ok(number),
            Int::OutOfRange => Err(out_of_range(py, name, range)),
        }
    }
}

/// Returns the count of numbers in a range. The runtime checks it against the limits.
pub(crate) fn step_size(
    py: Python<'_>,
    step: Option<Int<u64>>,
    name: &str,
) -> PyResult<Option<u64>> {
    step.map(|step| step.within(py, name, &format!("1 to {MAX_STEP}"))).transpose()
}

impl<A: Named> Named for Option<A> {
    type Value = Option<A::Value>;

    fn named(self, py: Python<'_>, name: &str) -> PyResult<Option<A::Value>> {
        self.map(|argument| argument.named(py, name)).transpose()
    }
}

#[cold]
pub(crate) fn out_of_range(py: Python<'_>, name: &str, range: &str) -> PyErr {
    exception(py, &error::number_out_of_range(name, range))
}

/// The range of a width, in words for a message.
pub(crate) trait Bounds {
    const RANGE: &'static str;
}

impl Bounds for u32 {
    const RANGE: &'static str = "0 to 4294967295";
}

impl Bounds for u64 {
    const RANGE: &'static str = "0 to 18446744073709551615";
}

impl Bounds for i64 {
    const RANGE: &'static str = "-9223372036854775808 to 9223372036854775807";
}
