//! Pickling and copying objects that users receive and never make. Python makes them again by `_of`
//! of their class, which is not a constructor for users.

use pyo3::PyTypeInfo;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What `__reduce__` gives: a class's `_of`, and what it is called with.
pub(crate) type Reduced<'py, A> = PyResult<(Bound<'py, PyAny>, A)>;

pub(crate) fn reduced<Class: PyTypeInfo, A>(py: Python<'_>, arguments: A) -> Reduced<'_, A> {
    Ok((py.get_type::<Class>().getattr("_of")?, arguments))
}

/// The one of a table by its name, which a pickle of a later version may have and this one not.
pub(crate) fn named<T>(found: Option<T>, what: &str, name: &str) -> PyResult<T> {
    found.ok_or_else(|| {
        PyValueError::new_err(format!("this version of snowmint has no {what} {name:?}"))
    })
}
