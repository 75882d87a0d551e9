//! Polls of a source between a coroutine's sleeps: see `snowmint._asynchronous`.

use std::time::Duration;

use pyo3::prelude::*;
use snowmint::engine::Error as EngineError;
use snowmint::{Attempt, Mint, Result};

use crate::buffer::array_of;
use crate::error::{exception, or_raise};
use crate::minting::checked;
use crate::number::{Count, Int, Named as _};
use crate::wait::released;

/// The most IDs minted at a time, so that the event loop soon goes on.
const AT_MOST: usize = 1 << 16;

/// The result, or `None` and the seconds to sleep before asking again.
pub(crate) type Polled<T> = (Option<T>, f64);

/// Returns the longest time that a coroutine waits.
pub(crate) fn bound(
    py: Python<'_>,
    wait_ms: Option<Int<u64>>,
    usual: Duration,
) -> PyResult<Duration> {
    let wait_ms = wait_ms.named(py, "wait_ms")?;
    Ok(wait_ms.map_or(usual, Duration::from_millis))
}

/// Returns the count of IDs, and the distance between two days if numbers of different days must
/// not be mixed.
pub(crate) fn count(
    py: Python<'_>,
    source: &impl Mint,
    count: Count,
    wait: Duration,
) -> PyResult<(usize, Option<u64>)> {
    let (count, day) = (checked(py, source, count, wait)?, source.day_size());
    match day {
        Some(day) if count as u64 >= day => {
            let error = EngineError::CountOutOfRange { count: count as u64, max: day - 1 };
            Err(exception(py, &error.into()))
        }
        day => Ok((count, day)),
    }
}

pub(crate) fn poll_id(py: Python<'_>, source: &impl Mint) -> PyResult<Polled<u64>> {
    match source.try_next_id() {
        Some(id) => Ok((Some(id), 0.0)),
        None => poll(py, || source.poll_id()),
    }
}

pub(crate) fn poll_block<'py>(
    py: Python<'py>,
    source: &impl Mint,
    at_most: usize,
) -> PyResult<Polled<Bound<'py, PyAny>>> {
    let mut ids = vec![0; at_most.min(AT_MOST)];
    let (filled, pause) = poll(py, || source.poll_block(&mut ids))?;
    let block = filled.map(|filled| array_of(py, ids.into_iter().take(filled)));
    Ok((block.transpose()?, pause))
}

/// Calls `ask` with the interpreter's lock released, because a thread that holds a source's lock
/// may wait for the interpreter's.
pub(crate) fn poll<T: Send>(
    py: Python<'_>,
    ask: impl FnOnce() -> Result<Attempt<T>> + Send,
) -> PyResult<Polled<T>> {
    Ok(match or_raise(py, released(py, ask))? {
        Attempt::Done(answer) => (Some(answer), 0.0),
        Attempt::Later { pause, why } if why.ends_by_clock() => (None, pause.as_secs_f64()),
        Attempt::Later { .. } => (None, 0.0),
    })
}
