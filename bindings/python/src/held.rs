//! An object of the user's that a source holds, and that may hold the source: the garbage collector
//! is shown it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

/// A Python object shared by a source's Python object and its thread.
#[derive(Clone)]
pub(crate) struct Held(Arc<Mutex<Option<Py<PyAny>>>>);

impl Held {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> Held {
        Held(Arc::new(Mutex::new(Some(object.clone().unbind()))))
    }

    /// The object; `None` once the garbage collector has taken it.
    pub(crate) fn get<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.object().as_ref().map(|object| object.bind(py).clone())
    }

    /// Shows the garbage collector the object. Nothing is held that it would wait for.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&*self.object())
    }

    /// Lets the object go.
    pub(crate) fn clear(&self) {
        let object = self.object().take();
        drop(object);
    }

    fn object(&self) -> MutexGuard<'_, Option<Py<PyAny>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
