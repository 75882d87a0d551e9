//! The parts that all sources of 64-bit IDs share.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use snowmint::{Attempt, LazySource, MAX_COUNT, Mint, Tag};

use crate::buffer::{self, Lent};
use crate::calls;
use crate::error::{exception, or_raise};
use crate::number::{Count, Int, Named as _};
use crate::wait::{detached, opened, released};

/// Opens a source of a kind, or plans to open it at its first use.
pub(crate) fn open_as(
    py: Python<'_>,
    kind: &'static str,
    url: &str,
    lazy: bool,
) -> PyResult<LazySource> {
    if lazy {
        return or_raise(py, snowmint::lazy_as(kind, url));
    }
    let url = url.to_owned();
    opened(py, move || snowmint::open_as(kind, &url)).map(LazySource::from)
}

/// Returns the next ID. If it is not available at once, waits without the interpreter's lock.
#[inline]
pub(crate) fn next_id(py: Python<'_>, source: &impl Mint) -> PyResult<u64> {
    match source.try_next_id() {
        Some(id) => Ok(id),
        None => wait_for_id(py, source),
    }
}

#[cold]
#[inline(never)]
fn wait_for_id(py: Python<'_>, source: &impl Mint) -> PyResult<u64> {
    detached(py, || source.next_id())
}

/// Returns the next ID if it is available at once.
#[inline]
pub(crate) fn try_next_id(py: Python<'_>, source: &impl Mint) -> PyResult<Option<u64>> {
    match source.try_next_id() {
        Some(id) => Ok(Some(id)),
        None => ask_once(py, source),
    }
}

/// Asks the source, which also makes it fetch more. Fails only with an error that ends the source,
/// because the caller would otherwise ask again for ever.
#[cold]
#[inline(never)]
fn ask_once(py: Python<'_>, source: &impl Mint) -> PyResult<Option<u64>> {
    match released(py, || source.poll_id()) {
        Ok(Attempt::Done(id)) => Ok(Some(id)),
        Err(error) if error.ends_source() => Err(exception(py, &error)),
        Ok(Attempt::Later { .. }) | Err(_) => Ok(None),
    }
}

pub(crate) fn next_id_within(
    py: Python<'_>,
    source: &impl Mint,
    wait_ms: Int<u64>,
) -> PyResult<u64> {
    let wait = Duration::from_millis(wait_ms.named(py, "wait_ms")?);
    detached(py, || source.next_id_within(wait))
}

pub(crate) fn next_ids<'py>(
    py: Python<'py>,
    source: &impl Mint,
    count: Count,
) -> PyResult<Bound<'py, PyAny>> {
    let count = checked(py, source, count, source.wait())?;
    let ids = buffer::array_of_zeros::<u64>(py, count)?;
    fill(source, &ids)?;
    Ok(ids)
}

/// Returns the count. Fails if one call, waiting up to `wait` for each block, can never return so
/// many IDs.
pub(crate) fn checked(
    py: Python<'_>,
    source: &impl Mint,
    Count(count): Count,
    wait: Duration,
) -> PyResult<usize> {
    if count == 0 || count > MAX_COUNT {
        // The runtime refuses such a count with a reason.
        or_raise(py, source.next_ids(count))?;
    }
    or_raise(py, source.check_at_once(count as u64, wait)).map(|()| count)
}

pub(crate) fn fill(source: &impl Mint, out: &Bound<'_, PyAny>) -> PyResult<()> {
    let lent = Lent::<u64>::writable(out)?;
    or_raise(out.py(), source.check_at_once(lent.len() as u64, source.wait()))?;
    // Numbers of one day come from one call.
    let block = if source.day_size().is_some() { usize::MAX } else { buffer::BLOCK };
    lent.fill(block, |ids| source.fill(ids))
}

pub(crate) fn close(py: Python<'_>, source: &impl Mint) -> PyResult<()> {
    detached(py, || source.close())
}

/// The tag of a source that has one.
pub(crate) fn tag_of(source: &LazySource) -> &str {
    source.tag().map_or("", Tag::as_str)
}

/// Calls a coroutine function of `snowmint._asynchronous`.
pub(crate) fn coroutine<'py>(
    name: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    calls::call(&calls::import(py, "snowmint._asynchronous")?.getattr(name)?, arguments, None)
}

/// Returns the exception for an attempt to pickle a source.
pub(crate) fn not_pickled(class: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "a {class} cannot be pickled: a copy would repeat its IDs; open one in each process, or \
         let processes inherit it by fork"
    ))
}
