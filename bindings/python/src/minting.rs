//! What every source of 64-bit IDs does, once: the classes have it by the macro at the end.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use snowmint::{Daily, MAX_COUNT, Result, RingSource, Segment, Snowflake};

use crate::buffer::{self, Lent};
use crate::calls;
use crate::error::or_raise;
use crate::wait::detached;

/// A source of 64-bit IDs of the runtime.
pub(crate) trait Minting: Sync {
    /// How many IDs are taken at a time when many are wanted.
    const BLOCK: usize = buffer::BLOCK;

    fn try_next_id(&self) -> Option<u64>;
    fn next_id(&self) -> Result<u64>;
    fn next_id_within(&self, wait: Duration) -> Result<u64>;
    fn next_ids(&self, count: usize) -> Result<Vec<u64>>;
    fn fill(&self, out: &mut [u64]) -> Result<()>;
    fn close(&self) -> Result<()>;
}

/// The runtime's source behind the trait; `close` differs in whether it can fail.
macro_rules! runtime_source {
    ($source:ident, |$closing:ident| $close:expr $(, $block:item)?) => {
        impl Minting for $source {
            $($block)?

            #[inline]
            fn try_next_id(&self) -> Option<u64> {
                self.try_next_id()
            }

            fn next_id(&self) -> Result<u64> {
                self.next_id()
            }

            fn next_id_within(&self, wait: Duration) -> Result<u64> {
                self.next_id_within(wait)
            }

            fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
                self.next_ids(count)
            }

            fn fill(&self, out: &mut [u64]) -> Result<()> {
                self.fill(out)
            }

            fn close(&self) -> Result<()> {
                let $closing = self;
                $close
            }
        }
    };
}

runtime_source!(Snowflake, |flake| flake.close());
runtime_source!(RingSource, |ring| ring.close());
runtime_source!(Segment, |segment| {
    segment.close();
    Ok(())
});
runtime_source!(
    Daily,
    |daily| {
        daily.close();
        Ok(())
    },
    // All of them are of one day, which only one call can see to.
    const BLOCK: usize = usize::MAX;
);

/// The next ID: at once with the interpreter's lock held, else waiting without it.
#[inline]
pub(crate) fn next_id(py: Python<'_>, source: &impl Minting) -> PyResult<u64> {
    match source.try_next_id() {
        Some(id) => Ok(id),
        None => wait_for_id(py, source),
    }
}

#[cold]
#[inline(never)]
fn wait_for_id(py: Python<'_>, source: &impl Minting) -> PyResult<u64> {
    detached(py, || source.next_id())
}

pub(crate) fn next_id_within(py: Python<'_>, source: &impl Minting, wait_ms: u64) -> PyResult<u64> {
    detached(py, || source.next_id_within(Duration::from_millis(wait_ms)))
}

pub(crate) fn next_ids<'py, M: Minting>(
    py: Python<'py>,
    source: &M,
    count: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if count == 0 || count > MAX_COUNT {
        // The runtime refuses it, and says why.
        or_raise(py, source.next_ids(count))?;
    }
    let ids = buffer::array_of_zeros::<u64>(py, count)?;
    fill(source, &ids)?;
    Ok(ids)
}

pub(crate) fn fill<M: Minting>(source: &M, out: &Bound<'_, PyAny>) -> PyResult<()> {
    Lent::<u64>::writable(out)?.fill(M::BLOCK, |ids| source.fill(ids))
}

pub(crate) fn close(py: Python<'_>, source: &impl Minting) -> PyResult<()> {
    detached(py, || source.close())
}

/// Calls a coroutine function of `snowmint._asynchronous`.
pub(crate) fn coroutine<'py>(
    name: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    calls::call(&calls::import(py, "snowmint._asynchronous")?.getattr(name)?, arguments, None)
}

/// Why a source cannot be pickled.
pub(crate) fn not_pickled(class: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "a {class} cannot be pickled: a copy would repeat its IDs; open one in each process, or \
         let processes inherit it by fork"
    ))
}

/// The methods of a class over a source of 64-bit IDs, after its own ones.
macro_rules! source_methods {
    ($class:ident, $noun:literal, { $($own:tt)* }) => {
        #[pymethods]
        impl $class {
            $($own)*

            /// Opens one by its URL, as ``snowmint.open`` does; a type checker knows what it is.
            ///
            /// Raises:
            ///     ParameterError: the URL opens a source of another class.
            ///     SnowmintError: as ``snowmint.open``.
            #[staticmethod]
            #[pyo3(name = "open")]
            fn open_url(py: Python<'_>, url: &str) -> PyResult<$class> {
                let take = |source| match source {
                    snowmint::Source::$class(inner) => Some(inner),
                    _ => None,
                };
                $crate::source::open_as(py, url, stringify!($class), take).map($class::new)
            }

            /// The next ID, waiting up to the source's bound with the interpreter's lock released.
            ///
            /// Raises:
            ///     StallError: none could be had within the bound; ``wait_ms`` says when, if known.
            ///     ClosedError: after ``close()``.
            ///     SnowmintError: of the store or the worker ID.
            #[inline]
            fn next_id(&self, py: Python<'_>) -> PyResult<u64> {
                $crate::minting::next_id(py, &*self.inner)
            }

            /// The next ID if it can be had at once, else ``None``: takes no lock, calls nobody and
            /// never waits.
            fn try_next_id(&self) -> Option<u64> {
                self.inner.try_next_id()
            }

            /// The next ID, waiting up to ``wait_ms`` milliseconds; 0 never waits.
            ///
            /// Raises:
            ///     SnowmintError: as ``next_id``.
            fn next_id_within(
                &self,
                py: Python<'_>,
                wait_ms: $crate::number::Int<u64>,
            ) -> PyResult<u64> {
                $crate::minting::next_id_within(py, &*self.inner, wait_ms.0)
            }

            /// The next ``count`` IDs, rising, as an ``array('Q')``; at most ``MAX_COUNT``.
            ///
            /// Raises:
            ///     ParameterError: ``count_out_of_range`` for 0 or too many.
            ///     SnowmintError: as ``next_id``; IDs minted before the failure are a gap.
            fn next_ids<'py>(
                &self,
                py: Python<'py>,
                count: $crate::number::Int<usize>,
            ) -> PyResult<Bound<'py, PyAny>> {
                $crate::minting::next_ids(py, &*self.inner, count.0)
            }

            /// Fills a writable buffer of 64-bit integers (``array('Q')``, numpy, memoryview) with
            /// rising IDs. In a signed one, IDs from 2**63 on are negative.
            ///
            /// Raises:
            ///     TypeError: not a buffer.
            ///     ParameterError: items of another size, read-only, or not contiguous.
            ///     SnowmintError: as ``next_id``; what the buffer then holds is given up, a gap.
            fn fill(&self, buffer: &Bound<'_, PyAny>) -> PyResult<()> {
                $crate::minting::fill(&*self.inner, buffer)
            }

            /// ``await``: the next ID. It is there at once as a rule; what must be waited for is
            /// waited for on a thread, and the event loop goes on.
            fn next_id_async<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                $crate::minting::coroutine("next_id", (slf,), py)
            }

            /// ``await``: the next ``count`` IDs, as ``next_ids``, minted on a thread.
            fn next_ids_async<'py>(
                slf: Bound<'py, Self>,
                count: Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                $crate::minting::coroutine("next_ids", (slf, count), py)
            }

            /// What it is doing: a ``Stats``. Asking changes nothing, calls no store and never waits
            /// for one.
            fn stats(&self, py: Python<'_>) -> $crate::stats::Stats {
                $crate::stats::Stats::ask(py, || self.inner.stats())
            }

            fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            #[inline]
            fn __next__(&self, py: Python<'_>) -> PyResult<u64> {
                $crate::minting::next_id(py, &*self.inner)
            }

            fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            #[pyo3(signature = (*_exception))]
            fn __exit__(
                &self,
                py: Python<'_>,
                _exception: &Bound<'_, pyo3::types::PyTuple>,
            ) -> PyResult<()> {
                $crate::minting::close(py, &*self.inner)
            }

            fn __aiter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
                slf
            }

            fn __anext__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                Self::next_id_async(slf)
            }

            fn __aenter__<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                $crate::minting::coroutine("entered", (slf,), py)
            }

            #[pyo3(signature = (*_exception))]
            fn __aexit__<'py>(
                slf: Bound<'py, Self>,
                _exception: &Bound<'py, pyo3::types::PyTuple>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let py = slf.py();
                $crate::minting::coroutine("exited", (slf,), py)
            }

            fn __reduce__(&self) -> PyResult<()> {
                Err($crate::minting::not_pickled($noun))
            }
        }
    };
}
pub(crate) use source_methods;
