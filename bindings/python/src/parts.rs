//! What an ID says, and which systems it may come from.

use std::time::{SystemTime, UNIX_EPOCH};

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::layout::Preset;
use crate::number::Int;
use crate::time::{Moment, timed_methods};

/// What an ID says. Immutable, hashable, picklable.
///
/// Args:
///     time: Unix milliseconds or an aware ``datetime``.
///     worker_id: all worker fields side by side, the upper first.
///     sequence: the number in its tick.
///     rollback: the rollback counter.
#[pyclass(frozen, eq, hash, module = "snowmint")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Parts(pub(crate) snowmint::Parts);

timed_methods!(Parts, "Start of the ID's tick", {
    #[new]
    #[pyo3(
        signature = (*, time, worker_id=Int(0), sequence=Int(0), rollback=Int(0)),
        text_signature = "(*, time, worker_id=0, sequence=0, rollback=0)"
    )]
    fn new(time: Moment, worker_id: Int<u32>, sequence: Int<u32>, rollback: Int<u32>) -> Parts {
        Parts(snowmint::Parts {
            unix_ms: time.0,
            worker_id: worker_id.0,
            sequence: sequence.0,
            rollback: rollback.0,
        })
    }

    /// The worker ID: all worker fields side by side, the upper first. 0 where there is none.
    #[getter]
    fn worker_id(&self) -> u32 {
        self.0.worker_id
    }

    /// The sequence number in its tick.
    #[getter]
    fn sequence(&self) -> u32 {
        self.0.sequence
    }

    /// The rollback counter; 0 where there is none.
    #[getter]
    fn rollback(&self) -> u32 {
        self.0.rollback
    }

    fn __repr__(&self) -> String {
        let snowmint::Parts { unix_ms, worker_id, sequence, rollback } = self.0;
        format!(
            "snowmint.Parts(time={unix_ms}, worker_id={worker_id}, sequence={sequence}, \
             rollback={rollback})"
        )
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("time", self.0.unix_ms)?;
        keywords.set_item("worker_id", self.0.worker_id)?;
        keywords.set_item("sequence", self.0.sequence)?;
        keywords.set_item("rollback", self.0.rollback)?;
        Ok(((), keywords))
    }
});

/// A preset that an ID may come from, and what the ID says there.
#[pyclass(frozen, get_all, module = "snowmint")]
pub(crate) struct Guess {
    /// The preset.
    preset: Py<Preset>,
    /// The ID's parts in its layout.
    parts: Py<Parts>,
}

#[pymethods]
impl Guess {
    fn __repr__(&self) -> String {
        format!(
            "<snowmint.Guess {}: {}>",
            self.preset.get().__repr__(),
            self.parts.get().__repr__()
        )
    }
}

/// The presets that an ID may come from, likeliest first: those whose constant bits agree and whose
/// time is not more than a day after ``now``, the present unless given. It is a guess: many layouts
/// share their bits.
#[pyfunction]
#[pyo3(signature = (id, *, now=None))]
pub(crate) fn guess(py: Python<'_>, id: Int<u64>, now: Option<Moment>) -> PyResult<Vec<Guess>> {
    let now_ms = now.map_or_else(present_ms, |now| now.0);
    let guesses = snowmint::guess(id.0, now_ms).map(|guess| {
        let preset = Py::new(py, Preset::of(guess.preset))?;
        Ok(Guess { preset, parts: Py::new(py, Parts(guess.parts))? })
    });
    guesses.collect()
}

fn present_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
