//! A user's object that a source holds, and that may hold the source. The garbage collector can see
//! it.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

/// A Python object shared by a source's Python object and its thread, which may let it go without
/// the interpreter's lock.
#[derive(Clone)]
pub(crate) struct Held(Arc<Object>);

/// Locked by threads with the interpreter's lock only, so never when the process forks.
struct Object(Mutex<Option<Py<PyAny>>>);

impl Held {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> Held {
        Held(Arc::new(Object(Mutex::new(Some(object.clone().unbind())))))
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
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let object = self.0.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        object.into_iter().for_each(give_up);
    }
}

/// What was opened, with the object that it holds. Where nothing was, the object is let go at once:
/// the next call of a source may be never.
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

/// Objects to let go, which takes the interpreter's lock. pyo3 keeps such a list, too, but behind a
/// lock that a thread may hold when the process forks.
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

/// Lets go what threads without the interpreter's lock gave up.
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
