//! A sequence for each key.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use snowmint::{LazySource, Mint as _, Source, Tag};

use crate::error::{self, or_raise};
use crate::minting::{coroutine, not_pickled, open_as, tag_of};
use crate::number::{Int, Named as _, step_size};
use crate::polls::{self, Polled};
use crate::stats::Stats;
use crate::store::StoreArgument;
use crate::wait::{Handle, detached, opened};

/// Mints a sequence for each of many keys, and persists little: keys are grouped in sections,
/// and only a section's maximum is in the store. Use keys that are counted and so lie close
/// together. Keys that lie far apart, such as snowflakes, each need a separate section and row.
///
/// - Order: the numbers of a key rise strictly in issue order, across threads, ranges and restarts.
///   Between processes that use a key at once there is no order. No key gets a number twice; two
///   keys can have the same number.
/// - Gaps: a restart begins at the section's maximum, so each of its keys skips up to two steps.
/// - Threads: share it. Threads whose keys lie in different sections do not wait for each other.
/// - Store down: numbers of fetched ranges are minted to the end. Then calls fail within their
///   bound, and succeed again by themselves once the store is back.
/// - Fork: a child fetches its own ranges.
/// - Clock: not used.
///
/// Args:
///     tag: the name of the sequences; in a namespace ``shop/chat``.
///     store: a ``Store``.
///     keys_per_section: the number of keys that share a persisted maximum (default 100,000). It
///         can never be changed for a tag.
///     step: the amount by which a section's maximum is raised at a time (default 10,000).
///     wait_ms: the longest time that a call waits for a number (default 5000).
///
/// Raises:
///     ParameterError: if a value is not possible, or the tag has another ``keys_per_section``.
///     StoreError: an error of the store.
#[pyclass(frozen, module = "snowmint")]
pub(crate) struct Sequences {
    inner: Handle<LazySource>,
}

impl Sequences {
    pub(crate) fn new(source: LazySource) -> Sequences {
        Sequences { inner: Handle::new(source) }
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
        let sequences = opened(py, move || builder.open())?;
        Ok(Sequences::new(Source::Sequences(sequences).into()))
    }

    /// Opens a source by its URL, like ``snowmint.open``, with a type that a type checker knows.
    ///
    /// Raises:
    ///     ParameterError: if the URL opens a source of another class.
    ///     SnowmintError: like ``snowmint.open``.
    #[staticmethod]
    #[pyo3(name = "open", signature = (url, *, lazy=false))]
    fn open_url(py: Python<'_>, url: &str, lazy: bool) -> PyResult<Sequences> {
        open_as(py, "sequences", url, lazy).map(Sequences::new)
    }

    /// Opens the source if it was opened with ``lazy=True`` and nothing has used it. Waits up to
    /// the sequences' bound.
    ///
    /// Raises:
    ///     SnowmintError: like ``snowmint.open``; the next use tries again.
    ///     ClosedError: after ``close()``.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.inner.get().map(drop))
    }

    /// Returns the next number of ``key``, an integer from 0 on, waiting up to the sequences'
    /// bound.
    ///
    /// Raises:
    ///     StallError: if no number could be fetched in time.
    ///     ParameterError: ``invalid_key`` for a key whose section's tag would be too long.
    ///     ClosedError: after ``close()``.
    ///     SnowmintError: an error of the store.
    fn next(&self, py: Python<'_>, key: Int<u64>) -> PyResult<u64> {
        let key = key.named(py, "key")?;
        detached(py, || self.inner.next_of_within(key, self.inner.wait()))
    }

    /// Returns the next number of ``key``, waiting up to ``wait_ms`` milliseconds; 0 takes a
    /// fetched number or fails.
    ///
    /// Raises:
    ///     SnowmintError: like ``next``.
    #[pyo3(signature = (key, *, wait_ms))]
    fn next_within(&self, py: Python<'_>, key: Int<u64>, wait_ms: Int<u64>) -> PyResult<u64> {
        let key = key.named(py, "key")?;
        let wait = Duration::from_millis(wait_ms.named(py, "wait_ms")?);
        detached(py, || self.inner.next_of_within(key, wait))
    }

    /// Returns a coroutine for the next number of ``key``, within ``wait_ms`` milliseconds or
    /// the sequences' bound. No thread waits, and the event loop goes on.
    ///
    /// Raises:
    ///     SnowmintError: like ``next``.
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
        polls::poll(py, || self.inner.poll_of(key))
    }

    /// Stops minting. The rest of the fetched ranges is lost. Closing twice is no error.
    /// ``wait_ms`` has no effect, because no store has to know; every source has this parameter.
    #[pyo3(signature = (wait_ms=None))]
    fn close(&self, py: Python<'_>, wait_ms: Option<Int<u64>>) -> PyResult<()> {
        wait_ms.named(py, "wait_ms")?;
        detached(py, || self.inner.close())
    }

    /// Returns the state of the sequences, without that of single sections. Changes nothing,
    /// calls no store and never waits for one.
    fn stats(&self, py: Python<'_>) -> Stats {
        Stats::ask(py, || self.inner.stats())
    }

    /// The tag, without a section.
    #[getter]
    fn tag(&self) -> &str {
        tag_of(&self.inner)
    }

    /// The number of keys that share a persisted maximum.
    ///
    /// Raises:
    ///     SnowmintError: like ``check``.
    #[getter]
    fn keys_per_section(&self, py: Python<'_>) -> PyResult<u64> {
        detached(py, || match self.inner.get()? {
            Source::Sequences(sequences) => Ok(sequences.keys_per_section()),
            _ => Err(error::source_kind_unknown()),
        })
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
        let tag = self.tag();
        match self.inner.try_get() {
            Some(Source::Sequences(sequences)) => {
                let keys = sequences.keys_per_section();
                format!("<snowmint.Sequences of tag '{tag}', {keys} keys a section>")
            }
            _ => format!("<snowmint.Sequences of tag '{tag}'>"),
        }
    }
}
