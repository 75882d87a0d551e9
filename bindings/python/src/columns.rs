//! Decodes many IDs in one call, into a column for each part.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use snowmint::Layout;

use crate::buffer::{Lent, array_of_zeros, column};
use crate::error;
use crate::pickled::{Reduced, reduced};

/// A column of `Columns`.
type Array = Py<PyAny>;

/// The parts of many IDs: an ``array.array`` for each part, in the order of the IDs.
/// ``numpy.asarray`` takes them without a copy.
#[pyclass(frozen, get_all, module = "snowmint")]
pub(crate) struct Columns {
    /// The starts of the IDs' ticks, in Unix milliseconds: ``array('q')``.
    unix_ms: Py<PyAny>,
    /// The worker IDs: ``array('I')``.
    worker_id: Py<PyAny>,
    /// The sequence numbers: ``array('I')``.
    sequence: Py<PyAny>,
    /// The rollback counters: ``array('I')``.
    rollback: Py<PyAny>,
}

impl Columns {
    fn arrays(&self) -> [&Array; 4] {
        [&self.unix_ms, &self.worker_id, &self.sequence, &self.rollback]
    }
}

#[pymethods]
impl Columns {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.unix_ms.bind(py).len()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, Columns>) -> PyResult<bool> {
        for (own, other) in self.arrays().into_iter().zip(other.get().arrays()) {
            if !own.bind(py).eq(other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[staticmethod]
    fn _of(unix_ms: Array, worker_id: Array, sequence: Array, rollback: Array) -> Columns {
        Columns { unix_ms, worker_id, sequence, rollback }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, Bound<'py, PyTuple>> {
        reduced::<Self, _>(py, PyTuple::new(py, self.arrays())?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<snowmint.Columns of {} IDs>", self.__len__(py)?))
    }
}

/// Decodes the IDs of a buffer, a column or an iterable of integers.
pub(crate) fn decode(layout: &Layout, ids: &Bound<'_, PyAny>) -> PyResult<Columns> {
    let py = ids.py();
    let ids = Lent::<u64>::readable(&column(ids)?)?;
    let unix_ms = array_of_zeros::<i64>(py, ids.len())?;
    let worker_id = array_of_zeros::<u32>(py, ids.len())?;
    let sequence = array_of_zeros::<u32>(py, ids.len())?;
    let rollback = array_of_zeros::<u32>(py, ids.len())?;
    let to_times = Lent::<i64>::writable(&unix_ms)?;
    let [to_workers, to_sequences, to_rollbacks] = [
        Lent::<u32>::writable(&worker_id)?,
        Lent::writable(&sequence)?,
        Lent::writable(&rollback)?,
    ];
    let (times, workers) = (to_times.memory(), to_workers.memory());
    let (sequences, rollbacks) = (to_sequences.memory(), to_rollbacks.memory());
    ids.read(|at, block| {
        for (index, &id) in (at..).zip(block) {
            let parts = layout.decode(id);
            let parts = parts.map_err(|cause| error::id_refused(index, cause))?;
            times.put(index, parts.unix_ms);
            workers.put(index, parts.worker_id);
            sequences.put(index, parts.sequence);
            rollbacks.put(index, parts.rollback);
        }
        Ok(())
    })?;
    Ok(Columns {
        unix_ms: unix_ms.unbind(),
        worker_id: worker_id.unbind(),
        sequence: sequence.unbind(),
        rollback: rollback.unbind(),
    })
}
