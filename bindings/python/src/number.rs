//! Integers as Python gives them: no booleans, no floats, nothing that does not fit.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::error::invalid;

/// An integer argument of a fixed width. Anything with `__index__` is taken (numpy's integers),
/// booleans and floats are `TypeError`s, and what does not fit is an `invalid_parameter`.
#[derive(Clone, Copy)]
pub(crate) struct Int<T>(pub(crate) T);

impl<'a, 'py, T> FromPyObject<'a, 'py> for Int<T>
where
    T: for<'b> FromPyObject<'b, 'py, Error = PyErr> + Bounds,
{
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("an integer is required, not a bool"));
        }
        object.extract().map(Int).map_err(|error: PyErr| {
            let py = object.py();
            if error.is_instance_of::<PyOverflowError>(py) {
                invalid(py, &format!("the integer is out of range: use {}", T::RANGE))
            } else {
                error
            }
        })
    }
}

/// What a width holds, in words for a message.
pub(crate) trait Bounds {
    const RANGE: &'static str;
}

impl Bounds for u8 {
    const RANGE: &'static str = "0 to 255";
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

impl Bounds for usize {
    const RANGE: &'static str = "0 to 18446744073709551615";
}
