//! Ranges of numbers, and the buffer that keeps enough of them.

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use snowmint::engine::SegmentBuffer as Machine;

use crate::buffer::array_of;
use crate::error::or_raise;
use crate::minting::not_pickled;
use crate::number::{Int, Named as _, out_of_range, step_size};
use crate::pickled::{Reduced, named, reduced};
use crate::policy::UNKNOWN;
use crate::time::Moment;

/// A range of reserved numbers: ``start``, ``start + stride``, … below ``end``. Immutable,
/// hashable, picklable.
///
/// Raises:
///     SegmentError: ``invalid_range`` if it has no number or passes the limits.
#[pyclass(frozen, eq, hash, module = "snowmint.engine")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Range(pub(crate) snowmint::NumberRange);

#[pymethods]
impl Range {
    #[new]
    #[pyo3(signature = (start, end, stride=Int::Of(1)), text_signature = "(start, end, stride=1)")]
    fn new(py: Python<'_>, start: Int<u64>, end: Int<u64>, stride: Int<u64>) -> PyResult<Range> {
        let (start, end) = (start.named(py, "start")?, end.named(py, "end")?);
        let range = snowmint::NumberRange::new(start, end, stride.named(py, "stride")?);
        or_raise(py, range).map(Range)
    }

    /// The first number.
    #[getter]
    fn start(&self) -> u64 {
        self.0.start()
    }

    /// The first number past the range.
    #[getter]
    fn end(&self) -> u64 {
        self.0.end()
    }

    /// The distance between two numbers.
    #[getter]
    fn stride(&self) -> u64 {
        self.0.stride()
    }

    /// The count of its numbers: at least 1.
    #[getter]
    fn count(&self) -> u64 {
        self.0.count()
    }

    /// Returns its numbers, rising, as an ``array('Q')``.
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array_of(py, self.0.numbers())
    }

    fn __getnewargs__(&self) -> (u64, u64, u64) {
        (self.start(), self.end(), self.stride())
    }

    fn __repr__(&self) -> String {
        let (start, end, stride) = (self.start(), self.end(), self.stride());
        format!("snowmint.engine.Range({start}, {end}, {stride})")
    }
}

/// The rule for requesting the next range.
#[pyclass(frozen, eq, hash, module = "snowmint.engine")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prefetch(snowmint::Prefetch);

impl Prefetch {
    /// Returns its name and number.
    fn said(self) -> (&'static str, u32) {
        match self.0 {
            snowmint::Prefetch::DoubleBucket { used_percent } => {
                ("double_bucket", used_percent.into())
            }
            snowmint::Prefetch::Chain { distance } => ("chain", distance),
            _ => (UNKNOWN, 0),
        }
    }
}

impl Hash for Prefetch {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.said().hash(state);
    }
}

#[pymethods]
impl Prefetch {
    /// Keeps one range beside the current one, requested once ``used_percent`` of the current is
    /// used.
    ///
    /// Raises:
    ///     ParameterError: for more than 100.
    #[staticmethod]
    fn double_bucket(py: Python<'_>, used_percent: Int<u8>) -> PyResult<Prefetch> {
        bucket(py, used_percent, "used_percent").map(Prefetch)
    }

    /// Keeps ``distance`` ranges behind the current one, 1 to ``MAX_DISTANCE``; values outside
    /// are clamped. The distance doubles when the chain runs dry within 5 s of a supply. Otherwise
    /// it halves, down to the given distance.
    #[staticmethod]
    fn chain(py: Python<'_>, distance: Int<u32>) -> PyResult<Prefetch> {
        let distance = distance.named(py, "distance")?;
        Ok(Prefetch(snowmint::Prefetch::Chain { distance }))
    }

    #[staticmethod]
    fn _of(name: &str, number: u32) -> PyResult<Prefetch> {
        let prefetch = match (name, u8::try_from(number)) {
            ("double_bucket", Ok(used_percent)) => {
                Some(snowmint::Prefetch::DoubleBucket { used_percent })
            }
            ("chain", _) => Some(snowmint::Prefetch::Chain { distance: number }),
            _ => None,
        };
        named(prefetch, "prefetch", name).map(Prefetch)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&'static str, u32)> {
        reduced::<Self, _>(py, self.said())
    }

    fn __repr__(&self) -> String {
        match self.0 {
            snowmint::Prefetch::DoubleBucket { used_percent } => {
                format!("Prefetch.double_bucket({used_percent})")
            }
            snowmint::Prefetch::Chain { distance } => format!("Prefetch.chain({distance})"),
            other => format!("{other:?}"),
        }
    }
}

fn bucket(py: Python<'_>, percent: Int<u8>, name: &str) -> PyResult<snowmint::Prefetch> {
    match percent {
        Int::Of(used_percent @ 0..=100) => Ok(snowmint::Prefetch::DoubleBucket { used_percent }),
        Int::Of(_) | Int::OutOfRange => Err(out_of_range(py, name, "0 to 100, percent of a range")),
    }
}

/// A prefetch argument: a `Prefetch`, or the percentage of a double bucket.
#[derive(Clone, Copy)]
pub(crate) struct PrefetchArgument(pub(crate) snowmint::Prefetch);

impl<'a, 'py> FromPyObject<'a, 'py> for PrefetchArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(prefetch) = object.cast::<Prefetch>() {
            return Ok(PrefetchArgument(prefetch.get().0));
        }
        bucket(object.py(), object.extract()?, "prefetch").map(PrefetchArgument)
    }
}

/// The size of ranges, between ``min`` and ``max`` numbers, by Leaf's rule. A range that lasted
/// less than 15 minutes doubles the size, and a range that lasted 30 minutes or more halves it.
/// Immutable, hashable, picklable.
///
/// Raises:
///     ParameterError: ``invalid_step``.
#[pyclass(frozen, eq, hash, module = "snowmint.engine")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    step: snowmint::StepSize,
    min: u64,
    max: u64,
}

impl Hash for Step {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.min, self.max).hash(state);
    }
}

#[pymethods]
impl Step {
    #[new]
    #[pyo3(signature = (min, max=None))]
    fn new(py: Python<'_>, min: Int<u64>, max: Option<Int<u64>>) -> PyResult<Step> {
        let min = step_size(py, Some(min), "min")?.unwrap_or_default();
        let max = step_size(py, max, "max")?.unwrap_or(min);
        let step = snowmint::StepSize::adaptive(min, max);
        Ok(Step { step: or_raise(py, step)?, min, max })
    }

    fn __getnewargs__(&self) -> (u64, u64) {
        (self.min, self.max)
    }

    fn __repr__(&self) -> String {
        format!("snowmint.engine.Step({}, {})", self.min, self.max)
    }
}

/// A step argument: a `Step`, or an integer for a constant step.
#[derive(Clone, Copy)]
pub(crate) struct StepArgument(pub(crate) snowmint::StepSize);

impl<'a, 'py> FromPyObject<'a, 'py> for StepArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(step) = object.cast::<Step>() {
            return Ok(StepArgument(step.get().step));
        }
        let step = step_size(object.py(), Some(object.extract()?), "step")?.unwrap_or_default();
        let step = snowmint::StepSize::fixed(step);
        or_raise(object.py(), step).map(StepArgument)
    }
}

/// The ready ranges of one tag, in the order in which they were supplied, and the decision when
/// to get more. It is the machine behind ``snowmint.Segment``, without a clock or a store.
///
/// Numbers rise strictly: a range that does not lie above everything supplied before is refused.
/// Times are any milliseconds that rise.
///
/// Args:
///     prefetch: the rule for requesting the next range.
///     step: the count of numbers in a range: an integer, or a ``Step`` that adapts.
///     above: the lowest number of any range; a range that begins below it is refused.
#[pyclass(frozen, module = "snowmint.engine")]
pub(crate) struct SegmentBuffer {
    machine: Mutex<Machine>,
}

impl SegmentBuffer {
    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl SegmentBuffer {
    #[new]
    #[pyo3(
        signature = (*, prefetch, step, above=Int::Of(0)),
        text_signature = "(*, prefetch, step, above=0)"
    )]
    fn new(
        py: Python<'_>,
        prefetch: PrefetchArgument,
        step: StepArgument,
        above: Int<u64>,
    ) -> PyResult<SegmentBuffer> {
        let machine = Machine::new(prefetch.0, step.0).above(above.named(py, "above")?);
        Ok(SegmentBuffer { machine: Mutex::new(machine) })
    }

    /// Returns the count of numbers to request from the store now, or ``None``. It requests
    /// once: the next request comes only after ``supply`` or ``failed``.
    fn wants(&self, now: Moment) -> Option<u64> {
        self.machine().wants(now.0).map(|request| request.step)
    }

    /// Takes up to ``n`` numbers of one range; ``None`` if the buffer is empty or ``n`` is 0.
    fn take(&self, py: Python<'_>, n: Int<u64>) -> PyResult<Option<Range>> {
        let n = n.named(py, "n")?;
        Ok(self.machine().take(n).map(Range))
    }

    /// Takes the numbers up to the point where the next request is due.
    fn take_until_request(&self) -> Option<Range> {
        self.machine().take_until_request().map(Range)
    }

    /// Adds a range.
    ///
    /// Raises:
    ///     SegmentError: ``range_regressed``; the range is not used, and the buffer may ask again.
    ///     ParameterError: ``count_out_of_range`` if there was no request and the buffer is full.
    #[pyo3(signature = (range, *, now))]
    fn supply(&self, py: Python<'_>, range: &Bound<'_, Range>, now: Moment) -> PyResult<()> {
        let supplied = self.machine().supply(range.get().0, now.0);
        or_raise(py, supplied)
    }

    /// Reports that the request failed; the buffer may ask again.
    fn failed(&self) {
        self.machine().failed();
    }

    /// Uses another step from the next request on.
    fn resize(&self, step: StepArgument) {
        self.machine().resize(step.0);
    }

    /// The count of numbers that are ready.
    #[getter]
    fn remaining(&self) -> u64 {
        self.machine().remaining()
    }

    /// The step of the last range supplied.
    #[getter]
    fn step(&self) -> u64 {
        self.machine().step()
    }

    /// The lowest number with which a further range may begin.
    #[getter]
    fn floor(&self) -> u64 {
        self.machine().floor()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("SegmentBuffer"))
    }

    fn __repr__(&self) -> String {
        let machine = self.machine();
        let (remaining, floor) = (machine.remaining(), machine.floor());
        format!("<snowmint.engine.SegmentBuffer of {remaining} numbers below {floor}>")
    }
}
