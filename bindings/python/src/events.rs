//! Events as records of the standard library's `logging`.
//!
//! They are logged on the runtime's thread for listeners that may block, so a handler that hangs
//! delays no lease's renewal. The interpreter's end does not wait for a handler, as it does for a
//! store's call.

use std::sync::Once;

use pyo3::prelude::*;
use snowmint::{Code, Event, on_event_aside};

use crate::calls::{self, Stay};
use crate::found::Found;
use crate::held::let_go;

/// Starts logging events. Called when the module is imported.
pub(crate) fn log_events() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| on_event_aside(log).for_good());
}

fn log(event: &Event) {
    let _stay = Stay::begin();
    // Without an interpreter, nothing can be logged.
    Python::try_attach(|py| {
        let_go(py);
        // An exception of a filter or handler has no caller, so it goes to `sys.unraisablehook`.
        if let Err(raised) = tell(py, event) {
            raised.write_unraisable(py, None);
        }
    });
}

/// Calls `snowmint._events`.
fn tell(py: Python<'_>, event: &Event) -> PyResult<()> {
    static EVENTS: Found<Py<PyAny>> = Found::new();
    let events =
        EVENTS.get_or_try_init(py, || calls::import(py, "snowmint._events").map(Bound::unbind))?;
    let arguments = (
        event.kind.name(),
        event.kind.severity().name(),
        event.source,
        event.tag.as_deref(),
        event.worker_id,
        event.code.map(Code::name),
        event.message.as_str(),
    );
    calls::call(&events.bind(py).getattr("log")?, arguments, None).map(drop)
}
