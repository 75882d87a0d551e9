//! The parts of an ID.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::calls;
use crate::number::{Int, Named as _};
use crate::time::{Moment, timed_methods};

/// The parts of an ID. Immutable, hashable, picklable.
///
/// Args:
///     time: Unix milliseconds or an aware ``datetime``.
///     worker_id: all worker fields side by side, the upper first.
///     sequence: the sequence number in its tick.
///     rollback: the rollback counter.
#[pyclass(frozen, eq, hash, module = "snowmint")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Parts(pub(crate) snowmint::Parts);

timed_methods!(Parts, "The start of the ID's tick", {
    #[new]
    #[pyo3(
        signature = (*, time, worker_id=Int::Of(0), sequence=Int::Of(0), rollback=Int::Of(0)),
        text_signature = "(*, time, worker_id=0, sequence=0, rollback=0)"
    )]
    fn new(
        py: Python<'_>,
        time: Moment,
        worker_id: Int<u32>,
        sequence: Int<u32>,
        rollback: Int<u32>,
    ) -> PyResult<Parts> {
        Ok(Parts(snowmint::Parts {
            unix_ms: time.0,
            worker_id: worker_id.named(py, "worker_id")?,
            sequence: sequence.named(py, "sequence")?,
            rollback: rollback.named(py, "rollback")?,
        }))
    }

    /// The worker ID: all worker fields side by side, the upper first. 0 if there is none.
    #[getter]
    fn worker_id(&self) -> u32 {
        self.0.worker_id
    }

    /// The sequence number in its tick.
    #[getter]
    fn sequence(&self) -> u32 {
        self.0.sequence
    }

    /// The rollback counter; 0 if there is none.
    #[getter]
    fn rollback(&self) -> u32 {
        self.0.rollback
    }

    /// Returns the parts as a ``dict``, from which ``Parts(**…)`` makes them again.
    ///
    /// Raises:
    ///     ParameterError: ``invalid_time``, like ``time``.
    fn asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parts = PyDict::new(py);
        parts.set_item("time", self.time(py)?)?;
        parts.set_item("worker_id", self.0.worker_id)?;
        parts.set_item("sequence", self.0.sequence)?;
        parts.set_item("rollback", self.0.rollback)?;
        Ok(parts)
    }

    /// Lets Pydantic's models take ``Parts``, or the ``dict`` that ``asdict`` returns.
    #[classmethod]
    fn __get_pydantic_core_schema__<'py>(
        class: &Bound<'py, PyType>,
        _source: &Bound<'py, PyAny>,
        _handler: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let schema = calls::import(class.py(), "snowmint.pydantic")?.getattr("_parts_schema")?;
        calls::call(&schema, (), None)
    }

    pub(crate) fn __repr__(&self) -> String {
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
