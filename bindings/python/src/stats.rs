//! The statistics of sources.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::pickled::{Reduced, reduced};
use crate::time::timed_methods;
use crate::wait::released;

/// The state of a source at one moment: ``source.stats()``. Reading it changes nothing, calls no
/// store and never waits for one. A value that does not apply to a source is ``None`` or empty.
#[pyclass(frozen, eq, module = "snowmint")]
#[derive(PartialEq)]
pub(crate) struct Stats(ToldStats);

/// The fields of the runtime's `Stats`, which are also read from the `dict` of a pickle.
#[derive(Clone, PartialEq, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct ToldStats {
    kind: String,
    is_closed: bool,
    worker_id: Option<u32>,
    lease_age_ms: Option<u64>,
    reserved_ms: Option<i64>,
    reserve_ms: Option<u32>,
    clock_offset_ms: Option<i64>,
    borrowed_ms: Option<u64>,
    rollbacks: u64,
    buckets: Vec<Bucket>,
    step: Option<u64>,
    rate: Option<f64>,
    runway_ms: Option<u64>,
    last_failure: Option<Failure>,
    tag_next: Option<TagNext>,
}

impl Stats {
    /// Calls `ask` with the interpreter's lock released, because a thread that holds a source's
    /// lock may wait for the interpreter's.
    pub(crate) fn ask(py: Python<'_>, ask: impl FnOnce() -> snowmint::Stats + Send) -> Stats {
        let told = released(py, ask);
        Stats(ToldStats {
            kind: told.kind.to_owned(),
            is_closed: told.is_closed,
            worker_id: told.worker_id,
            lease_age_ms: told.lease_age_ms,
            reserved_ms: told.reserved_ms,
            reserve_ms: told.reserve_ms,
            clock_offset_ms: told.clock_offset_ms,
            borrowed_ms: told.borrowed_ms,
            rollbacks: told.rollbacks,
            buckets: told.buckets.iter().map(Bucket::of).collect(),
            step: told.step,
            rate: told.rate,
            runway_ms: told.runway_ms,
            last_failure: told.last_failure.map(Failure::of),
            tag_next: told.tag_next.as_ref().map(TagNext::of),
        })
    }
}

#[pymethods]
impl Stats {
    /// ``snowflake``, ``segment``, ``daily``, ``sequences`` or ``uuid``; for a ring, the kind of
    /// its source.
    #[getter]
    fn kind(&self) -> &str {
        &self.0.kind
    }

    /// True once the source was closed.
    #[getter]
    fn is_closed(&self) -> bool {
        self.0.is_closed
    }

    /// The worker ID that IDs are minted under.
    #[getter]
    fn worker_id(&self) -> Option<u32> {
        self.0.worker_id
    }

    /// The time that this process has had the worker ID, in milliseconds.
    #[getter]
    fn lease_age_ms(&self) -> Option<u64> {
        self.0.lease_age_ms
    }

    /// The time reserved ahead of the clock, in milliseconds: IDs can be minted that long
    /// without the store. 0 or less when it is used up.
    #[getter]
    fn reserved_ms(&self) -> Option<i64> {
        self.0.reserved_ms
    }

    /// The time that the lease's last renewal reserved, in milliseconds; ``None`` for a fixed
    /// worker ID. The next renewal is due once a third of it is used.
    #[getter]
    fn reserve_ms(&self) -> Option<u32> {
        self.0.reserve_ms
    }

    /// The milliseconds added to the wall clock: its distance from the store's clock, or a step
    /// of it that is not followed.
    #[getter]
    fn clock_offset_ms(&self) -> Option<i64> {
        self.0.clock_offset_ms
    }

    /// The lead of the last ID's time over the clock, in milliseconds.
    #[getter]
    fn borrowed_ms(&self) -> Option<u64> {
        self.0.borrowed_ms
    }

    /// The number of times that the clock went back and was counted in the layout's rollback
    /// bits.
    #[getter]
    fn rollbacks(&self) -> u64 {
        self.0.rollbacks
    }

    /// The ranges at hand as a tuple of ``Bucket``, beginning with the range in use. For a ring,
    /// its ready IDs come first.
    #[getter]
    fn buckets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.buckets.iter().copied())
    }

    /// The count of numbers that the next range will have.
    #[getter]
    fn step(&self) -> Option<u64> {
        self.0.step
    }

    /// Numbers used per second between the last two ranges, or since the last one if that is
    /// longer; ``None`` before there were two.
    #[getter]
    fn rate(&self) -> Option<f64> {
        self.0.rate
    }

    /// The time that the numbers at hand last at that rate, or the reserved time, in
    /// milliseconds.
    #[getter]
    fn runway_ms(&self) -> Option<u64> {
        self.0.runway_ms
    }

    /// The last failure of the store.
    #[getter]
    fn last_failure(&self) -> Option<Failure> {
        self.0.last_failure.clone()
    }

    /// The tag's next number after the last range that this process reserved; ``None`` before
    /// there was one.
    #[getter]
    fn tag_next(&self) -> Option<TagNext> {
        self.0.tag_next.clone()
    }

    #[staticmethod]
    fn _of(told: ToldStats) -> Stats {
        Stats(told)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (ToldStats,)> {
        reduced::<Self, _>(py, (self.0.clone(),))
    }

    /// Writes the values that apply to the source, with their names.
    fn __repr__(&self) -> String {
        let ToldStats { kind, is_closed, rollbacks, buckets, .. } = &self.0;
        let mut told = format!("Stats(kind='{kind}', is_closed={}", shown(*is_closed));
        let mut tell = |name: &str, value: Option<String>| {
            value.iter().for_each(|value| told.extend([", ", name, "=", value]));
        };
        tell("worker_id", text(self.0.worker_id));
        tell("lease_age_ms", text(self.0.lease_age_ms));
        tell("reserved_ms", text(self.0.reserved_ms));
        tell("reserve_ms", text(self.0.reserve_ms));
        tell("clock_offset_ms", text(self.0.clock_offset_ms));
        tell("borrowed_ms", text(self.0.borrowed_ms));
        tell("rollbacks", text((*rollbacks > 0).then_some(rollbacks)));
        let each: String = buckets.iter().map(|bucket| bucket.__repr__() + ", ").collect();
        tell("buckets", (!each.is_empty()).then(|| format!("({})", each.trim_end())));
        tell("step", text(self.0.step));
        tell("rate", text(self.0.rate));
        tell("runway_ms", text(self.0.runway_ms));
        tell("last_failure", self.last_failure().map(|failure| failure.__repr__()));
        tell("tag_next", self.tag_next().map(|tag_next| tag_next.__repr__()));
        told + ")"
    }
}

fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// Returns a boolean as Python writes it.
fn shown(is: bool) -> &'static str {
    if is { "True" } else { "False" }
}

/// A range of numbers at hand.
#[pyclass(frozen, eq, hash, get_all, from_py_object, module = "snowmint")]
#[derive(Clone, Copy, PartialEq, Hash)]
pub(crate) struct Bucket {
    /// The count of its numbers that are left.
    left: u64,
    /// The count of numbers that it had.
    size: u64,
}

impl Bucket {
    fn of(bucket: &snowmint::Bucket) -> Bucket {
        Bucket { left: bucket.left, size: bucket.size }
    }
}

#[pymethods]
impl Bucket {
    #[staticmethod]
    fn _of(left: u64, size: u64) -> Bucket {
        Bucket { left, size }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (u64, u64)> {
        reduced::<Self, _>(py, (self.left, self.size))
    }

    fn __repr__(&self) -> String {
        format!("Bucket(left={}, size={})", self.left, self.size)
    }
}

/// A tag with the first number that no range of this process had.
#[pyclass(frozen, eq, hash, get_all, from_py_object, module = "snowmint")]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct TagNext {
    /// The tag, with its date if its numbers are of a day.
    tag: String,
    /// The number. Other processes may have reserved higher ones since.
    next: u64,
}

impl TagNext {
    fn of(tag_next: &snowmint::TagNext) -> TagNext {
        TagNext { tag: tag_next.tag.to_string(), next: tag_next.next }
    }
}

#[pymethods]
impl TagNext {
    #[staticmethod]
    fn _of(tag: String, next: u64) -> TagNext {
        TagNext { tag, next }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&str, u64)> {
        reduced::<Self, _>(py, (&self.tag, self.next))
    }

    fn __repr__(&self) -> String {
        format!("TagNext(tag='{}', next={})", self.tag, self.next)
    }
}

/// A failure of a store.
#[pyclass(frozen, eq, hash, from_py_object, module = "snowmint")]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct Failure(ToldFailure);

/// The fields of the runtime's `Failure`.
#[derive(Clone, PartialEq, Hash)]
struct ToldFailure {
    code: String,
    message: String,
    unix_ms: i64,
    is_over: bool,
}

impl Failure {
    fn of(failure: snowmint::Failure) -> Failure {
        let snowmint::Failure { code, message, unix_ms, is_over, .. } = failure;
        Failure(ToldFailure { code: code.name().to_owned(), message, unix_ms, is_over })
    }
}

timed_methods!(Failure, "The time of the failure by this machine's clock", {
    /// The name of its code, which an exception has as ``code``.
    #[getter]
    fn code(&self) -> &str {
        &self.0.code
    }

    /// Its message.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// True if the store has answered since.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over
    }

    #[staticmethod]
    fn _of(code: String, message: String, unix_ms: i64, is_over: bool) -> Failure {
        Failure(ToldFailure { code, message, unix_ms, is_over })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&str, &str, i64, bool)> {
        let ToldFailure { code, message, unix_ms, is_over } = &self.0;
        reduced::<Self, _>(py, (code, message, *unix_ms, *is_over))
    }

    fn __repr__(&self) -> String {
        let ToldFailure { code, message, unix_ms, is_over } = &self.0;
        let is_over = shown(*is_over);
        format!("Failure(code='{code}', message={message:?}, unix_ms={unix_ms}, is_over={is_over})")
    }
});
