//! The native module `snowmint._native` of snowmint for Python. Each function converts its
//! arguments, calls one function of the runtime and converts the result. No function decides
//! anything.
//!
//! - *Lock of the interpreter*: held by calls that return at once (`try_next_id`), released for
//!   everything that may wait or call a store (`wait`).
//! - *Errors*: every code of the engine's table is an exception with that code (`error`); a panic
//!   is pyo3's `PanicException`.
//! - *Threads*: every class is frozen; mutable state is behind atomics or locks.
//! - *Forks*: a thread that waits for the interpreter's lock, or calls Python, holds no other lock,
//!   because a forked child would find it locked for ever (`found`, `held`).
//! - *End of the interpreter*: its threads stay where they are (`calls`).

mod buffer;
mod calls;
mod columns;
mod daily;
mod engine;
mod error;
mod events;
mod found;
mod guess;
mod held;
mod layout;
mod lease;
mod methods;
mod migration;
mod minting;
mod number;
mod parts;
mod pickled;
mod policy;
mod polls;
mod public_ids;
mod ring;
mod segment;
mod sequences;
mod snowflake;
mod source;
mod stats;
mod store;
mod store_of_users;
mod text;
mod time;
mod uuids;
mod wait;

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use snowmint::MAX_COUNT;
use snowmint::engine::{MAX_DISTANCE, MAX_NUMBER, MAX_STEP};

/// The native parts of ``snowmint`` and ``snowmint.engine``. Import those modules instead.
// Untested without the interpreter's lock, so it requires the lock.
#[pymodule(name = "_native", gil_used = true)]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    refuse_subinterpreters(module.py())?;
    module.add_class::<snowflake::Snowflake>()?;
    module.add_class::<segment::Segment>()?;
    module.add_class::<daily::Daily>()?;
    module.add_class::<sequences::Sequences>()?;
    module.add_class::<uuids::UuidSource>()?;
    module.add_class::<ring::Ring>()?;
    module.add_class::<layout::Layout>()?;
    module.add_class::<layout::Field>()?;
    module.add_class::<layout::Fit>()?;
    module.add_class::<layout::Preset>()?;
    module.add_class::<parts::Parts>()?;
    module.add_class::<guess::Guess>()?;
    module.add_class::<columns::Columns>()?;
    module.add_class::<text::TextForm>()?;
    module.add_class::<public_ids::PublicIdKeys>()?;
    module.add_class::<public_ids::PublicIds>()?;
    module.add_class::<store::Store>()?;
    module.add_class::<store::SqliteStore>()?;
    module.add_class::<store::MemoryStore>()?;
    module.add_class::<store::TagRow>()?;
    module.add_class::<store::WorkerRow>()?;
    module.add_class::<migration::Migration>()?;
    module.add_class::<stats::Stats>()?;
    module.add_class::<stats::Bucket>()?;
    module.add_class::<stats::Failure>()?;
    module.add_class::<stats::TagNext>()?;
    module.add_class::<lease::Lease>()?;
    module.add_class::<lease::LeaseRequest>()?;
    module.add_class::<error::ErrorCode>()?;
    layout::add_presets(&module.py().get_type::<layout::Layout>())?;
    module.add_function(wrap_pyfunction!(source::open, module)?)?;
    module.add_function(wrap_pyfunction!(source::on_restore, module)?)?;
    module.add_function(wrap_pyfunction!(migration::migrate, module)?)?;
    module.add_function(wrap_pyfunction!(guess::decode, module)?)?;
    module.add_function(wrap_pyfunction!(guess::guess, module)?)?;
    module.add_function(wrap_pyfunction!(text::format, module)?)?;
    module.add_function(wrap_pyfunction!(text::parse, module)?)?;
    module.add_function(wrap_pyfunction!(text::detect, module)?)?;
    module.add_function(wrap_pyfunction!(text::text_forms, module)?)?;
    module.add_function(wrap_pyfunction!(error::error_codes, module)?)?;
    module.add("MAX_COUNT", MAX_COUNT)?;
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    add_engine(module)?;
    found::settle(module)?;
    wait::hear_signals();
    events::log_events();
    calls::watch_exit(module.py())
}

/// Fails in a subinterpreter. Objects that are looked up once, and threads that call Python, belong
/// to the main interpreter.
fn refuse_subinterpreters(py: Python<'_>) -> PyResult<()> {
    // SAFETY: the interpreter's lock is held, which is all that this call requires.
    let present = unsafe { ffi::PyInterpreterState_Get() };
    // SAFETY: it is the present interpreter, which stays while its lock is held.
    match unsafe { ffi::PyInterpreterState_GetID(present) } {
        0 => Ok(()),
        -1 => Err(PyErr::fetch(py)),
        _ => Err(PyImportError::new_err("snowmint._native does not load in subinterpreters")),
    }
}

/// Adds the classes of `snowmint.engine`. Its `Snowflake` has a longer name here, because
/// `snowmint` has another class of that name.
fn add_engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EngineSnowflake", module.py().get_type::<engine::snowflake::EngineSnowflake>())?;
    module.add_class::<engine::segment::SegmentBuffer>()?;
    module.add_class::<engine::segment::Range>()?;
    module.add_class::<engine::segment::Prefetch>()?;
    module.add_class::<engine::segment::Step>()?;
    module.add_class::<policy::ClockPolicy>()?;
    module.add_class::<policy::SequenceStart>()?;
    module.add("MAX_NUMBER", MAX_NUMBER)?;
    module.add("MAX_STEP", MAX_STEP)?;
    module.add("MAX_DISTANCE", MAX_DISTANCE)
}
