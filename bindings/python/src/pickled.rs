//! Pickling and copying of objects that users receive and never make. Python makes them again by
//! `_of` of their class, which is not a constructor for users.

use pyo3::PyTypeInfo;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The result of `__reduce__`: a class's `_of`, and its arguments.
pub(crate) type Reduced<'py, A> = PyResult<(Bound<'py, PyAny>, A)>;

pub(crate) fn reduced<Class: PyTypeInfo, A>(py: Python<'_>, arguments: A) -> Reduced<'_, A> {
    Ok((py.get_type::<Class>().getattr("_of")?, arguments))
}

/// Returns the entry that was found by its name. Fails if there is none: a pickle of a later
/// version may have a name that this version lacks.
pub(crate) fn named<T>(found: Option<T>, what: &str, name: &str) -> PyResult<T> {
    found.ok_or_else(|| {
        PyValueError::new_err(format!("this version of snowmint has no {what} {name:?}"))
    })
}
