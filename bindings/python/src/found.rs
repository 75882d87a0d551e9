//! Python objects that are looked up at first use, and kept.

use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyInt;

use crate::calls;
use crate::calls::Stay;

/// A value that is made at first use. It never makes a thread wait. With `PyOnceLock` alone, a
/// thread would take the interpreter's lock, or import a module, while it makes the value. A child
/// forked meanwhile would wait for that thread for ever.
pub(crate) struct Found<T>(PyOnceLock<T>);

impl<T> Found<T> {
    pub(crate) const fn new() -> Found<T> {
        Found(PyOnceLock::new())
    }

    /// Returns the value. Threads that arrive first together each make a value, and only the first
    /// is kept.
    pub(crate) fn get_or_try_init(
        &self,
        py: Python<'_>,
        make: impl Fn() -> PyResult<T>,
    ) -> PyResult<&T> {
        loop {
            if let Some(value) = self.0.get(py) {
                return Ok(value);
            }
            // Set with the interpreter's lock held throughout, so that no fork comes between.
            drop(self.0.set(py, make()?));
        }
    }
}

impl Found<Py<PyAny>> {
    /// Returns the attribute `name` of a module.
    pub(crate) fn import<'py>(
        &self,
        py: Python<'py>,
        module: &str,
        name: &str,
    ) -> PyResult<&Bound<'py, PyAny>> {
        let found = || Ok(calls::import(py, module)?.getattr(name)?.unbind());
        self.get_or_try_init(py, found).map(|found| found.bind(py))
    }
}

/// Makes pyo3 create everything that it would create at first use, behind locks that a thread may
/// hold when the process forks. Called when the module is imported, after everything is in it.
pub(crate) fn settle(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    py.get_type::<PanicException>();
    // The names of attributes, for messages about a wrong type.
    let int = py.get_type::<PyInt>();
    int.name()?;
    int.qualname()?;
    int.module()?;
    // The note about an argument out of range.
    drop(module.getattr("guess")?.call1((-1,)));
    // pyo3's check that the interpreter runs, which threads from outside make.
    let _stay = Stay::begin();
    py.detach(|| Python::try_attach(|_| ()));
    Ok(())
}
