//! A sequence for each key.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use snowmint::Tag;

use crate::error::or_raise;
use crate::minting::{coroutine, not_pickled};
use crate::number::{Int, Named as _, step_size};
use crate::polls::{self, Polled};
use crate::stats::Stats;
use crate::store::StoreArgument;
use crate::wait::{Handle, detached, opened, released};

/// Mints a sequence for each of many keys, with little to persist: keys are grouped in sections,
/// and only a section's maximum is in the store. Keys that are counted lie close together; of those
/// far apart, as snowflakes, each has a section, and a row, of its own.
///
/// - Order: the numbers of a key rise strictly in issue order, across threads, ranges and restarts;
///   between processes that use a key at once there is no order. No key has a number twice; two
///   keys can have the same number.
/// - Gaps: a restart begins at the section's maximum: each of its keys leaps by up to two steps.
/// - Threads: share it; those whose keys lie in different sections do not wait for each other.
/// - Store down: numbers of fetched ranges are minted to the end, then calls fail within their
///   bound, and go on by themselves when the store is back.
/// - Fork: a child fetches ranges of its own. No clock takes part.
///
/// Args:
///     tag: the name of the sequences; in a namespace ``shop/chat``.
///     store: a ``Store``.
///     keys_per_section: how many keys share a persisted maximum: 100,000 unless given. It can
///         never be changed for a tag.
///     step: by how much a section's maximum is raised at a time: 10,000 unless given.
///     wait_ms: how long a call waits for a number: 5000 unless given.
///
/// Raises:
///     ParameterError: a value that is not possible, or other keys per section than recorded.
///     StoreError: of the store.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Sequences {
    inner: Handle<snowmint::Sequences>,
}

impl Sequences {
    pub(crate) fn new(inner: snowmint::Sequences) -> Sequences {
        Sequences { inner: Handle::new(inner) }
    }
}

#[pymethods]
impl Sequences {
    #[new]
    #[pyo3(signature = (tag, *, store, keys_per_section=None, step=None, wait_ms=None))]
    fn open(
        py: Python<'_>,
        tag: &str,
        store: StoreArgument<'_>,
        keys_per_section: Option<Int<u64>>,
        step: Option<Int<u64>>,
        wait_ms: Option<Int<u64>>,
    ) -> PyResult<Sequences> {
        let tag = or_raise(py, Tag::of_row(tag))?;
        let mut builder = snowmint::Sequences::builder(store.shared()?, tag);
        if let Some(keys) = keys_per_section.named(py, "keys_per_section")? {
            builder = builder.keys_per_section(keys);
        }
        if let Some(step) = step_size(py, step, "step")? {
            builder = builder.step(step);
        }
        if let Some(wait_ms) = wait_ms.named(py, "wait_ms")? {
            builder = builder.wait(Duration::from_millis(wait_ms));
        }
        opened(py, move || builder.open()).map(Sequences::new)
    }

    /// Opens one by its URL, as ``snowmint.open`` does; a type checker knows what it is.
    ///
    /// Raises:
    ///     ParameterError: the URL opens a source of another class.
    ///     SnowmintError: as ``snowmint.open``.
    #[staticmethod]
    #[pyo3(name = "open")]
    fn open_url(py: Python<'_>, url: &str) -> PyResult<Sequences> {
        let url = url.to_owned();
        opened(py, move || snowmint::Sequences::open(&url)).map(Sequences::new)
    }

    /// The next number of ``key``, an integer from 0 on, waiting up to the sequences' bound.
    ///
    /// Raises:
    ///     StallError: none could be fetched in time.
    ///     ParameterError: ``invalid_key`` for a key whose section's tag would be too long.
    ///     ClosedError: after ``close()``.
    ///     SnowmintError: of the store.
    fn next(&self, py: Python<'_>, key: Int<u64>) -> PyResult<u64> {
        let key = key.named(py, "key")?;
        detached(py, || self.inner.next(key))
    }

    /// The next number of ``key``, waiting up to ``wait_ms`` milliseconds; 0 takes a fetched one or
    /// fails.
    ///
    /// Raises:
    ///     SnowmintError: as ``next``.
    #[pyo3(signature = (key, *, wait_ms))]
    fn next_within(&self, py: Python<'_>, key: Int<u64>, wait_ms: Int<u64>) -> PyResult<u64> {
        let key = key.named(py, "key")?;
        let wait = Duration::from_millis(wait_ms.named(py, "wait_ms")?);
        detached(py, || self.inner.next_within(key, wait))
    }

    /// ``await``: the next number of ``key``, within ``wait_ms`` milliseconds, or the sequences'
    /// bound. It waits on no thread, and the event loop goes on.
    ///
    /// Raises:
    ///     SnowmintError: as ``next``.
    #[pyo3(signature = (key, *, wait_ms=None))]
    fn next_async<'py>(
        slf: Bound<'py, Self>,
        key: Int<u64>,
        wait_ms: Option<Int<u64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let key = key.named(py, "key")?;
        let wait = polls::bound(py, wait_ms, slf.get().inner.wait())?.as_secs_f64();
        coroutine("next_of_key", (slf, key, wait), py)
    }

    #[pyo3(name = "_poll_of")]
    fn poll_of(&self, py: Python<'_>, key: u64) -> PyResult<Polled<u64>> {
        polls::poll(py, || self.inner.poll_next(key))
    }

    /// Stops minting; what is left of the fetched ranges is lost. Closing twice is no error.
    /// ``wait_ms`` is there because every source has it: no store has to know.
    #[pyo3(signature = (wait_ms=None))]
    fn close(&self, py: Python<'_>, wait_ms: Option<Int<u64>>) -> PyResult<()> {
        wait_ms.named(py, "wait_ms")?;
        released(py, || self.inner.close());
        Ok(())
    }

    /// What they are doing: a ``Stats``; of single sections nothing is told. Asking changes nothing,
    /// calls no store and never waits for one.
    fn stats(&self, py: Python<'_>) -> Stats {
        Stats::ask(py, || self.inner.stats())
    }

    /// The tag, without a section.
    #[getter]
    fn tag(&self) -> &str {
        self.inner.tag().as_str()
    }

    /// How many keys share a persisted maximum.
    #[getter]
    fn keys_per_section(&self) -> u64 {
        self.inner.keys_per_section()
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py, None)
    }

    fn __aenter__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        coroutine("entered", (slf,), py)
    }

    #[pyo3(signature = (*_exception))]
    fn __aexit__<'py>(
        slf: Bound<'py, Self>,
        _exception: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        coroutine("exited", (slf,), py)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("Sequences"))
    }

    fn __repr__(&self) -> String {
        let (tag, keys) = (self.tag(), self.keys_per_section());
        format!("<snowmint.Sequences of tag '{tag}', {keys} keys a section>")
    }
}
