//! Calls Python from threads that the interpreter may end.
//!
//! When the interpreter ends, it ends every other thread that takes its lock, by unwinding the
//! thread's frames. Rust's frames do not survive that, so the thread has to stay where it is until
//! the process ends. Where pyo3 takes the lock, it does this. [`call`] and [`import`] do it where
//! Python code takes the lock after a wait or a switch of threads.

use std::process;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyString, PyTuple};

// Part of the stable interface. pyo3 declares them as functions that do not unwind.
#[cfg_attr(windows, link(name = "python3", kind = "raw-dylib"))]
unsafe extern "C-unwind" {
    fn PyImport_Import(name: *mut PyObject) -> *mut PyObject;
    fn PyObject_Call(
        callable: *mut PyObject,
        arguments: *mut PyObject,
        keywords: *mut PyObject,
    ) -> *mut PyObject;
}

/// Calls a function that is written in Python. Does not return if the interpreter ends meanwhile.
pub(crate) fn call<'py>(
    callable: &Bound<'py, PyAny>,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = callable.py();
    let arguments = arguments.into_pyobject(py).map_err(Into::into)?;
    let keywords = keywords.map_or(null_mut(), Bound::as_ptr);
    let _stay = Stay::begin();
    // SAFETY: the objects live as long as the borrows, and the interpreter's lock is held.
    let answer = unsafe { PyObject_Call(callable.as_ptr(), arguments.as_ptr(), keywords) };
    // SAFETY: the call returned a new reference, or null and an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, answer) }
}

/// Imports a module like [`call`]. The end of the interpreter waits for it, because CPython then
/// takes away the lock of all imports, even while a thread waits for it.
pub(crate) fn import<'py>(py: Python<'py>, module: &str) -> PyResult<Bound<'py, PyAny>> {
    let name = PyString::new(py, module);
    let (_entry, _stay) = (IMPORTS.enter(), Stay::begin());
    // SAFETY: the name lives as long as the borrow, and the interpreter's lock is held.
    let module = unsafe { PyImport_Import(name.as_ptr()) };
    // SAFETY: the call returned a new reference, or null and an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, module) }
}

/// While a value of this type lives, the interpreter cannot unwind its thread: the thread stops
/// where the interpreter begins to end it.
///
/// The C library runs cleanup handlers before it unwinds any frame. Rust's own handlers are no
/// replacement, because a linker may have tied them to another unwinder than the system's.
pub(crate) struct Stay(());

impl Stay {
    pub(crate) fn begin() -> Stay {
        stay::enter();
        Stay(())
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        stay::leave();
    }
}

#[cfg(target_os = "linux")]
mod stay {
    use std::cell::{Cell, UnsafeCell};
    use std::ffi::{c_int, c_void};
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;
    use std::thread;
    use std::time::Duration;

    /// `struct _pthread_cleanup_buffer` of glibc; the struct of musl is the beginning of it.
    #[repr(C)]
    struct Buffer {
        routine: *mut c_void,
        argument: *mut c_void,
        cancel_type: c_int,
        previous: *mut c_void,
    }

    unsafe extern "C" {
        fn _pthread_cleanup_push(
            buffer: *mut Buffer,
            routine: extern "C" fn(*mut c_void),
            argument: *mut c_void,
        );
        fn _pthread_cleanup_pop(buffer: *mut Buffer, execute: c_int);
    }

    thread_local! {
        /// Not on the stack, so that no frame is left before its handler runs.
        static BUFFER: Box<UnsafeCell<MaybeUninit<Buffer>>> =
            Box::new(UnsafeCell::new(MaybeUninit::uninit()));
        static DEPTH: Cell<u32> = const { Cell::new(0) };
    }

    extern "C" fn stay_for_ever(_: *mut c_void) {
        loop {
            thread::sleep(Duration::MAX);
        }
    }

    pub(super) fn enter() {
        let depth = DEPTH.get();
        DEPTH.set(depth + 1);
        if depth > 0 {
            return;
        }
        let buffer = BUFFER.with(|buffer| buffer.get().cast());
        // SAFETY: the buffer is this thread's, lives as long as it, and is in no list, because the
        // depth was 0.
        unsafe { _pthread_cleanup_push(buffer, stay_for_ever, null_mut()) };
    }

    pub(super) fn leave() {
        let depth = DEPTH.get().saturating_sub(1);
        DEPTH.set(depth);
        if depth == 0 {
            let buffer = BUFFER.with(|buffer| buffer.get().cast());
            // SAFETY: it is the last one entered by this thread, whose calls are nested.
            unsafe { _pthread_cleanup_pop(buffer, 0) };
        }
    }
}

/// On other systems, the end of a thread unwinds no frame.
#[cfg(not(target_os = "linux"))]
mod stay {
    pub(super) fn enter() {}

    pub(super) fn leave() {}
}

/// The longest time to wait for calls in progress, because a store that hangs must not keep the
/// process from ending.
const WAIT: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(1);

/// Calls of stores that users write.
static CALLS: Inside = Inside::new();
static IMPORTS: Inside = Inside::new();
/// True once the interpreter waits for calls in progress. It does not wait for later calls.
static ENDING: AtomicBool = AtomicBool::new(false);

/// A count of threads that do something. The upper half is the process, and the lower half is how
/// many of its threads are counted, because a forked child has none of its parent's threads. It is
/// not a lock, because a lock could be held when the process forks.
struct Inside(AtomicU64);

impl Inside {
    const COUNT: u64 = u32::MAX as u64;

    const fn new() -> Inside {
        Inside(AtomicU64::new(0))
    }

    fn this_process() -> u64 {
        u64::from(process::id()) << 32
    }

    fn enter(&'static self) -> Entry {
        let process = Inside::this_process();
        let more = |word| {
            let counts = word & !Inside::COUNT == process;
            Some(if counts { word + 1 } else { process | 1 })
        };
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok();
        Entry { inside: self, process }
    }

    fn is_empty(&self) -> bool {
        let word = self.0.load(Ordering::SeqCst);
        word & !Inside::COUNT != Inside::this_process() || word & Inside::COUNT == 0
    }
}

/// A thread that is counted, until it is dropped.
pub(crate) struct Entry {
    inside: &'static Inside,
    /// The process in which it is counted.
    process: u64,
}

impl Entry {
    /// Counts a call of a user's store, unless the interpreter is ending.
    pub(crate) fn of_a_call() -> Option<Entry> {
        (!ENDING.load(Ordering::SeqCst)).then(|| CALLS.enter())
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        // In a child that was forked meanwhile, the count may be a new one.
        let less = |word| {
            let counts = word & !Inside::COUNT == self.process;
            (counts && word & Inside::COUNT > 0).then(|| word - 1)
        };
        self.inside.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).ok();
    }
}

/// Makes the end of the interpreter wait for imports, and for calls of users' stores, so that no
/// reservation is cut off in the middle. Called when the module is imported. Exit handlers that
/// were registered earlier run later, and can still mint.
pub(crate) fn watch_exit(py: Python<'_>) -> PyResult<()> {
    let end = PyCFunction::new_closure(py, None, None, |arguments, _| {
        ENDING.store(true, Ordering::SeqCst);
        let begun = Instant::now();
        // Checked with the interpreter's lock held, so that no call begins before the end does.
        while !(CALLS.is_empty() && IMPORTS.is_empty()) && begun.elapsed() < WAIT {
            arguments.py().detach(|| thread::sleep(POLL));
        }
    })?;
    py.import("atexit")?.call_method1("register", (end,))?;
    Ok(())
}
