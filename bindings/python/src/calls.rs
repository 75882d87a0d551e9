//! Entering the interpreter from code that runs without its lock, and the interpreter's end.
//!
//! A thread that waits for the lock when the interpreter ends is ended there and then, in the middle
//! of its frames, which Rust's do not survive. So before that no further thread begins to enter, and
//! those that have begun are waited for.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyCFunction;

/// Those inside are waited for so many times [`POLL`], 5 s: a store that hangs must not keep the
/// process from ending.
const POLLS: u32 = 5_000;
const POLL: Duration = Duration::from_millis(1);
const COUNT: u64 = u32::MAX as u64;

/// The process in the upper half, how many of its threads are entering or inside in the lower one:
/// a forked child has none of its parent's threads. No lock: it could be held when the process
/// forks.
static INSIDE: AtomicU64 = AtomicU64::new(0);
/// The thread that ends the interpreter.
static ENDING: OnceLock<ThreadId> = OnceLock::new();

/// A thread that is entering the interpreter, or inside.
pub(crate) struct Entry {
    process: u64,
}

impl Entry {
    /// Begins to enter; `None` when the interpreter is ending.
    pub(crate) fn begin() -> Option<Entry> {
        let process = u64::from(process::id()) << 32;
        // Counted before looking: whoever says that it ends then sees the count.
        let more = |word| Some(if word & !COUNT == process { word + 1 } else { process | 1 });
        INSIDE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok();
        let entry = Entry { process };
        ENDING.get().is_none_or(|ending| *ending == thread::current().id()).then_some(entry)
    }

    /// Begins to enter; when the interpreter is ending the thread stays here, as it would stay away
    /// for ever inside.
    pub(crate) fn begin_or_stay() -> Entry {
        loop {
            match Entry::begin() {
                Some(entry) => return entry,
                None => thread::sleep(Duration::MAX),
            }
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        // In a child forked meanwhile the count may be a new one.
        let less = |word| (word & !COUNT == self.process && word & COUNT > 0).then(|| word - 1);
        INSIDE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).ok();
    }
}

/// Has the interpreter's end wait for those inside. Called when the module is imported: exit
/// handlers that are registered later run before, and may mint and wait for other threads.
pub(crate) fn watch_exit(py: Python<'_>) -> PyResult<()> {
    let end = PyCFunction::new_closure(py, None, None, |arguments, _| {
        ENDING.get_or_init(|| thread::current().id());
        arguments.py().detach(await_those_inside);
    })?;
    py.import("atexit")?.call_method1("register", (end,))?;
    Ok(())
}

fn await_those_inside() {
    let process = u64::from(process::id()) << 32;
    for _ in 0..POLLS {
        let word = INSIDE.load(Ordering::SeqCst);
        if word & !COUNT != process || word & COUNT == 0 {
            return;
        }
        thread::sleep(POLL);
    }
}
