//! User objects that sources hold, and that may hold the source themselves. The garbage collector
//! can see them.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

/// A Python object shared by a source's Python object and its thread, which may release it without
/// the interpreter's lock.
#[derive(Clone)]
pub(crate) struct Held(Arc<Object>);

/// Only threads with the interpreter's lock lock it, so it is never locked when the process forks.
struct Object(Mutex<Option<Py<PyAny>>>);

impl Held {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> Held {
        Held(Arc::new(Object(Mutex::new(Some(object.clone().unbind())))))
    }

    /// Returns the object, or `None` once the garbage collector has taken it.
    pub(crate) fn get<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.object().as_ref().map(|object| object.bind(py).clone())
    }

    /// Shows the object to the garbage collector. No thread holds a lock for which it would wait.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&*self.object())
    }

    /// Releases the object.
    pub(crate) fn clear(&self) {
        let object = self.object().take();
        drop(object);
    }

    fn object(&self) -> MutexGuard<'_, Option<Py<PyAny>>> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let object = self.0.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        object.into_iter().for_each(give_up);
    }
}

/// Returns the opened source with the object that it holds. After an error it releases the object
/// at once, because the next call of a source may never come.
pub(crate) fn or_let_go<T>(
    py: Python<'_>,
    opened: PyResult<T>,
    held: Option<Held>,
) -> PyResult<(T, Option<Held>)> {
    match opened {
        Ok(opened) => Ok((opened, held)),
        Err(error) => {
            drop(held);
            let_go(py);
            Err(error)
        }
    }
}

/// Objects to release once a thread has the interpreter's lock. pyo3 keeps such a list too, but
/// behind a lock that a thread may hold when the process forks.
static GIVEN_UP: AtomicPtr<GivenUp> = AtomicPtr::new(null_mut());

struct GivenUp {
    object: Py<PyAny>,
    next: *mut GivenUp,
}

fn give_up(object: Py<PyAny>) {
    let mut given_up = Box::new(GivenUp { object, next: GIVEN_UP.load(Ordering::Relaxed) });
    loop {
        let next = given_up.next;
        let first = Box::into_raw(given_up);
        // Release, so that the thread that takes the list sees its contents.
        match GIVEN_UP.compare_exchange(next, first, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(newer) => {
                // SAFETY: made by `Box::into_raw` above, and not on the list.
                given_up = unsafe { Box::from_raw(first) };
                given_up.next = newer;
            }
        }
    }
}

/// Releases the objects that threads without the interpreter's lock gave up.
pub(crate) fn let_go(_py: Python<'_>) {
    if GIVEN_UP.load(Ordering::Relaxed).is_null() {
        return;
    }
    let mut next = GIVEN_UP.swap(null_mut(), Ordering::Acquire);
    while !next.is_null() {
        // SAFETY: everything on the list came from `Box::into_raw`, and only this thread took it.
        let given_up = unsafe { Box::from_raw(next) };
        next = given_up.next;
        drop(given_up.object);
    }
}
