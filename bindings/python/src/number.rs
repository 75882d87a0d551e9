//! Integers from Python: no booleans, no floats, nothing that does not fit.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use snowmint::engine::MAX_STEP;

use crate::error::{self, exception};

/// An integer argument of a fixed width. Anything with `__index__` is taken (numpy's integers),
/// booleans and floats are `TypeError`s. What does not fit is refused by whoever knows the argument's
/// name, which a conversion does not.
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

/// How many IDs a call is to have. What its width does not hold is refused at once, in the words that
/// the runtime has for what is too many.
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

/// An argument whose name messages need.
pub(crate) trait Named {
    type Value;

    /// The value, or an `invalid_parameter` that tells the argument's name.
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
    /// The value, or an `invalid_parameter` that tells what is taken: less than the width holds.
    pub(crate) fn within(self, py: Python<'_>, name: &str, range: &str) -> PyResult<T> {
        match self {
            Int::Of(number) => Ok(number),
            Int::OutOfRange => Err(out_of_range(py, name, range)),
        }
    }
}

/// How many numbers a range is to have, which the runtime looks at.
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

/// What a width holds, in words for a message.
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
