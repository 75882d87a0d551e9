//! The parts that all sources of 64-bit IDs share.

use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use snowmint::{Attempt, Daily, MAX_COUNT, Result, RingSource, Segment, Snowflake};

use crate::buffer::{self, Lent};
use crate::calls;
use crate::error::{exception, or_raise};
use crate::number::{Count, Int, Named as _};
use crate::wait::{detached, released};

/// A source of 64-bit IDs of the runtime.
pub(crate) trait Minting: Sync {
    /// How many IDs are taken at a time when many are wanted.
    const BLOCK: usize = buffer::BLOCK;

    fn try_next_id(&self) -> Option<u64>;
    fn next_id(&self) -> Result<u64>;
    fn next_id_within(&self, wait: Duration) -> Result<u64>;
    fn next_ids(&self, count: usize) -> Result<Vec<u64>>;
    fn fill(&self, out: &mut [u64]) -> Result<()>;
    fn poll_id(&self) -> Result<Attempt<u64>>;
    fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>>;
    fn close(&self) -> Result<()>;

    /// How long a call waits.
    fn bound(&self) -> Duration;

    /// Refuses what is never to be had without waiting.
    fn check_at_once(&self, _count: usize, _wait: Duration) -> Result<()> {
        Ok(())
    }

    /// How many numbers lie between those of one day and the next, where many are to be of one day.
    fn day(&self) -> Option<u64> {
        None
    }
}

/// The runtime's source behind the trait; `close` differs in whether it can fail.
macro_rules! runtime_source {
    ($source:ident, |$closing:ident| $close:expr $(, { $($own:item)* })?) => {
        impl Minting for $source {
            $($($own)*)?

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

            fn poll_id(&self) -> Result<Attempt<u64>> {
                self.poll_id()
            }

            fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
                self.poll_block(out)
            }

            fn close(&self) -> Result<()> {
                let $closing = self;
                $close
            }

            fn bound(&self) -> Duration {
                self.wait()
            }
        }
    };
}

runtime_source!(Snowflake, |flake| flake.close(), {
    fn check_at_once(&self, count: usize, wait: Duration) -> Result<()> {
        self.check_at_once(count as u64, wait)
    }
});
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
    {
        // All of them must be of one day, which only a single call can ensure.
        const BLOCK: usize = usize::MAX;

        fn day(&self) -> Option<u64> {
            10_u64.checked_pow(self.digits())
        }
    }
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

/// The next ID if it is there at once.
#[inline]
pub(crate) fn try_next_id(py: Python<'_>, source: &impl Minting) -> PyResult<Option<u64>> {
    match source.try_next_id() {
        Some(id) => Ok(Some(id)),
        None => ask_once(py, source),
    }
}

/// Has what is missing fetched, and tells those who would ask again for ever.
#[cold]
#[inline(never)]
fn ask_once(py: Python<'_>, source: &impl Minting) -> PyResult<Option<u64>> {
    match released(py, || source.poll_id()) {
        Ok(Attempt::Done(id)) => Ok(Some(id)),
        Err(error) if error.ends_source() => Err(exception(py, &error)),
        Ok(Attempt::Later { .. }) | Err(_) => Ok(None),
    }
}

pub(crate) fn next_id_within(
    py: Python<'_>,
    source: &impl Minting,
    wait_ms: Int<u64>,
) -> PyResult<u64> {
    let wait = Duration::from_millis(wait_ms.named(py, "wait_ms")?);
    detached(py, || source.next_id_within(wait))
}

pub(crate) fn next_ids<'py, M: Minting>(
    py: Python<'py>,
    source: &M,
    count: Count,
) -> PyResult<Bound<'py, PyAny>> {
    let count = checked(py, source, count, source.bound())?;
    let ids = buffer::array_of_zeros::<u64>(py, count)?;
    fill(source, &ids)?;
    Ok(ids)
}

/// How many IDs one call is to have that waits so long for each block of them.
pub(crate) fn checked(
    py: Python<'_>,
    source: &impl Minting,
    Count(count): Count,
    wait: Duration,
) -> PyResult<usize> {
    if count == 0 || count > MAX_COUNT {
        // The runtime refuses such a count with a reason.
        or_raise(py, source.next_ids(count))?;
    }
    or_raise(py, source.check_at_once(count, wait)).map(|()| count)
}

pub(crate) fn fill<M: Minting>(source: &M, out: &Bound<'_, PyAny>) -> PyResult<()> {
    let lent = Lent::<u64>::writable(out)?;
    or_raise(out.py(), source.check_at_once(lent.len(), source.bound()))?;
    lent.fill(M::BLOCK, |ids| source.fill(ids))
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
