//! Waits without the interpreter's lock, and still handles signals.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use snowmint::{Result, System};

use crate::calls::Stay;
use crate::error::{self, or_raise};
use crate::held::let_go;

/// The longest time until signal handlers run.
const LOOK: Duration = Duration::from_millis(50);

/// A call of this thread that may wait.
struct Wait {
    looked: Instant,
    /// The exception that a signal handler raised, usually `KeyboardInterrupt`.
    raised: Option<PyErr>,
}

thread_local! {
    static WAIT: RefCell<Option<Wait>> = const { RefCell::new(None) };
    /// In a thread that opens something: true once nobody waits for it any more.
    static LEFT: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Makes waits react to signals. Called when the module is imported, because only then is it
/// certain that no fork comes between.
pub(crate) fn hear_signals() {
    System::interrupt_waits_by(is_interrupted);
}

/// Calls the runtime with the interpreter's lock released. If a signal handler raises an exception
/// meanwhile, the wait ends and the exception replaces the result.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    call: impl FnOnce() -> Result<T> + Send,
) -> PyResult<T> {
    // A signal handler that runs within a wait may start a wait of its own.
    let outer = WAIT.replace(Some(Wait { looked: Instant::now(), raised: None }));
    let result = released(py, call);
    match WAIT.replace(outer).and_then(|wait| wait.raised) {
        Some(raised) => Err(raised),
        None => or_raise(py, result),
    }
}

/// Opens something like [`detached`], but on a separate thread, because a signal does not interrupt
/// connecting. If the value comes too late, dropping it closes it.
pub(crate) fn opened<T: Send + 'static>(
    py: Python<'_>,
    open: impl FnOnce() -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let is_left = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&is_left);
    let opens = move || {
        LEFT.replace(Some(told));
        // If the wait was interrupted, the receiver is gone.
        drop(sender.send(catch_unwind(AssertUnwindSafe(open))));
    };
    let thread = thread::Builder::new().name("snowmint-open".to_owned());
    let started = thread.spawn(opens);
    or_raise(py, started.map_err(error::thread_not_started))?;
    let mut receiver = receiver;
    loop {
        let (sent, again) = released(py, move || (receiver.recv_timeout(LOOK), receiver));
        receiver = again;
        match sent {
            Ok(Ok(result)) => return or_raise(py, result),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("a panic is sent, too"),
        }
        if let Err(raised) = py.check_signals() {
            is_left.store(true, Ordering::Relaxed);
            released(py, move || drop(receiver));
            return Err(raised);
        }
    }
}

/// Does something with the interpreter's lock released.
pub(crate) fn released<T: Send>(py: Python<'_>, call: impl FnOnce() -> T + Send) -> T {
    // Begun first, so that it covers taking the interpreter's lock again.
    let _stay = Stay::begin();
    let result = py.detach(call);
    let_go(py);
    result
}

/// Runs the signal handlers that are due, and returns true if a handler raised an exception.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the path has one lifetime only")]
fn is_interrupted() -> bool {
    let due = WAIT.with_borrow_mut(|wait| match wait {
        Some(wait) if wait.raised.is_some() => Some(true),
        Some(wait) if wait.looked.elapsed() >= LOOK => {
            wait.looked = Instant::now();
            None
        }
        // Too early to look again, or a thread of our own, which is interrupted only if its caller
        // has left.
        _ => Some(is_left()),
    });
    if let Some(interrupted) = due {
        return interrupted;
    }
    match Python::try_attach(|py| py.check_signals()) {
        Some(Ok(())) => false,
        Some(Err(raised)) => {
            WAIT.with_borrow_mut(|wait| {
                if let Some(wait) = wait {
                    wait.raised = Some(raised);
                }
            });
            true
        }
        // The interpreter is ending, so the result is not needed.
        None => true,
    }
}

fn is_left() -> bool {
    LEFT.with_borrow(|left| left.as_ref().is_some_and(|left| left.load(Ordering::Relaxed)))
}

/// A value of the runtime that may call a store when it is dropped. It is dropped with the
/// interpreter's lock released.
pub(crate) struct Handle<T: Send>(Option<T>);

impl<T: Send> Handle<T> {
    pub(crate) fn new(value: T) -> Handle<T> {
        Handle(Some(value))
    }
}

impl<T: Send> std::ops::Deref for Handle<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => unreachable!("only `drop` takes the value"),
        }
    }
}

impl<T: Send> Drop for Handle<T> {
    fn drop(&mut self) {
        let value = self.0.take();
        // Without an interpreter, the closure is dropped with the value.
        Python::try_attach(|py| released(py, || drop(value)));
    }
}
