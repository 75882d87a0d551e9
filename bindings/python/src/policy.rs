//! Clock policies, and the start of the sequence in a fresh tick.

use std::hash::{Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use snowmint::engine::{Action as EngineAction, Stall, StallReason};
use snowmint::{WhenBehind, WhenFull, names};

use crate::error::{self, exception, or_raise};
use crate::number::{Int, Named as _};
use crate::pickled::{Reduced, named, reduced};

/// The reaction of a caller to a stall: fail, wait, or change something and ask again. IDs are
/// unique under every policy. Immutable, hashable, picklable.
///
/// Args:
///     max_ahead_ms: the most that an ID's time may run ahead of the clock, in milliseconds.
///     when_behind: the reaction to a clock that is further behind than that: ``fail``, ``wait N``,
///         ``count_rollback`` or ``change_worker N``. N is the longest wait in milliseconds.
///     when_full: the reaction to a full tick: ``wait`` or ``fail``.
///
/// Raises:
///     ParameterError: if a value is not possible.
#[pyclass(frozen, eq, hash, module = "snowmint.engine")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockPolicy(pub(crate) snowmint::ClockPolicy);

impl Hash for ClockPolicy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.max_ahead_ms(), self.when_behind(), self.when_full()).hash(state);
    }
}

/// A policy argument: a `ClockPolicy` or a name.
#[derive(Clone, Copy)]
pub(crate) struct PolicyArgument(pub(crate) snowmint::ClockPolicy);

impl<'a, 'py> FromPyObject<'a, 'py> for PolicyArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(policy) = object.cast::<ClockPolicy>() {
            return Ok(PolicyArgument(policy.get().0));
        }
        let Ok(name) = object.extract::<String>() else {
            return Err(PyTypeError::new_err("a policy is a ClockPolicy or its name"));
        };
        or_raise(object.py(), names::policy(&name)).map(PolicyArgument)
    }
}

#[pymethods]
impl ClockPolicy {
    #[new]
    #[pyo3(signature = (*, max_ahead_ms, when_behind, when_full="wait"))]
    fn new(
        py: Python<'_>,
        max_ahead_ms: Int<u32>,
        when_behind: &str,
        when_full: &str,
    ) -> PyResult<ClockPolicy> {
        let max_ahead_ms = max_ahead_ms.named(py, "max_ahead_ms")?;
        let (kind, number) = when_behind.split_once(' ').unwrap_or((when_behind, ""));
        let when_behind = match (kind, number, number.parse()) {
            ("fail", "", _) => WhenBehind::Fail,
            ("count_rollback", "", _) => WhenBehind::CountRollback,
            ("wait", _, Ok(max_ms)) => WhenBehind::Wait { max_ms },
            ("change_worker", _, Ok(max_ms)) => WhenBehind::ChangeWorker { max_ms },
            _ => return Err(exception(py, &error::when_behind_impossible(when_behind))),
        };
        let when_full = match when_full {
            "wait" => WhenFull::Wait,
            "fail" => WhenFull::Fail,
            _ => return Err(exception(py, &error::when_full_impossible(when_full))),
        };
        let policy = snowmint::ClockPolicy::new(max_ahead_ms, when_behind);
        Ok(ClockPolicy(policy.with_when_full(when_full)))
    }

    /// Returns the policy with this name.
    ///
    /// Raises:
    ///     ParameterError: if no policy has that name.
    #[staticmethod]
    fn named(py: Python<'_>, name: &str) -> PyResult<ClockPolicy> {
        or_raise(py, names::policy(name)).map(ClockPolicy)
    }

    /// Returns every named policy: a ``dict`` by name.
    #[staticmethod]
    fn all(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let policies = PyDict::new(py);
        for (name, policy) in snowmint::ClockPolicy::ALL {
            policies.set_item(name, ClockPolicy(*policy))?;
        }
        Ok(policies)
    }

    /// The most that an ID's time may run ahead of the clock, in milliseconds.
    #[getter]
    fn max_ahead_ms(&self) -> u32 {
        self.0.max_ahead_ms
    }

    /// The reaction to a clock that is further behind than that.
    #[getter]
    fn when_behind(&self) -> String {
        match self.0.when_behind {
            WhenBehind::Fail => "fail".to_owned(),
            WhenBehind::Wait { max_ms } => format!("wait {max_ms}"),
            WhenBehind::CountRollback => "count_rollback".to_owned(),
            WhenBehind::ChangeWorker { max_ms } => format!("change_worker {max_ms}"),
            _ => UNKNOWN.to_owned(),
        }
    }

    /// The reaction to a full tick.
    #[getter]
    fn when_full(&self) -> &'static str {
        match self.0.when_full {
            WhenFull::Wait => "wait",
            WhenFull::Fail => "fail",
            _ => UNKNOWN,
        }
    }

    /// Returns the next step after a stall of ``engine.Snowflake``: ``fail``, ``wait N``
    /// (milliseconds), ``count_rollback``, ``change_worker`` or ``extend_grant``; then ask again.
    ///
    /// Raises:
    ///     ParameterError: if the error is not a stall.
    fn action(&self, py: Python<'_>, stall: &Bound<'_, PyAny>) -> PyResult<String> {
        let no_stall = || exception(py, &error::stall_unknown());
        let part = |name| stall.getattr(name).map_err(|_| no_stall());
        let number: u32 = part("number")?.extract()?;
        let wait_ms: Option<u64> = part("wait_ms")?.extract()?;
        let reasons = [
            StallReason::AheadOfClock,
            StallReason::SequenceExhausted,
            StallReason::GrantExhausted,
        ];
        let reason = reasons.into_iter().find(|reason| reason.code().number() == number);
        let (Some(reason), Some(wait_ms)) = (reason, wait_ms) else {
            return Err(no_stall());
        };
        Ok(match self.0.action(Stall::new(wait_ms, reason)) {
            EngineAction::Fail => "fail".to_owned(),
            EngineAction::Wait { wait_ms } => format!("wait {wait_ms}"),
            EngineAction::CountRollback => "count_rollback".to_owned(),
            EngineAction::ChangeWorker => "change_worker".to_owned(),
            EngineAction::ExtendGrant => "extend_grant".to_owned(),
            _ => UNKNOWN.to_owned(),
        })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("max_ahead_ms", self.max_ahead_ms())?;
        keywords.set_item("when_behind", self.when_behind())?;
        keywords.set_item("when_full", self.when_full())?;
        Ok(((), keywords))
    }

    fn __repr__(&self) -> String {
        format!(
            "snowmint.engine.ClockPolicy(max_ahead_ms={}, when_behind='{}', when_full='{}')",
            self.max_ahead_ms(),
            self.when_behind(),
            self.when_full()
        )
    }
}

/// The placeholder for anything that this binding has no name for.
pub(crate) const UNKNOWN: &str = "unknown";

/// The start of the sequence in a fresh tick.
#[pyclass(frozen, eq, hash, module = "snowmint.engine")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct SequenceStart(pub(crate) snowmint::SequenceStart);

impl SequenceStart {
    /// Returns its name, number and seed.
    fn said(self) -> (&'static str, u32, u64) {
        match self.0 {
            snowmint::SequenceStart::Zero => ("zero", 0, 0),
            snowmint::SequenceStart::Vibrate { max_offset } => ("vibrate", max_offset, 0),
            snowmint::SequenceStart::Random { below, seed } => ("random", below, seed),
            snowmint::SequenceStart::Rotate => ("rotate", 0, 0),
            _ => (UNKNOWN, 0, 0),
        }
    }
}

impl Hash for SequenceStart {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.said().hash(state);
    }
}

/// A sequence start argument: a `SequenceStart` or its text.
#[derive(Clone, Copy)]
pub(crate) struct StartArgument(pub(crate) snowmint::SequenceStart);

impl<'a, 'py> FromPyObject<'a, 'py> for StartArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(start) = object.cast::<SequenceStart>() {
            return Ok(StartArgument(start.get().0));
        }
        let Ok(text) = object.extract::<String>() else {
            return Err(PyTypeError::new_err("a start is a SequenceStart or its text"));
        };
        or_raise(object.py(), names::sequence_start(&text)).map(StartArgument)
    }
}

#[pymethods]
impl SequenceStart {
    /// Begins at 0. At one ID a tick, all IDs are then even for ever.
    #[staticmethod]
    fn zero() -> SequenceStart {
        SequenceStart(snowmint::SequenceStart::Zero)
    }

    /// Begins one above the last sequence number, modulo ``max_offset + 1``, like
    /// ShardingSphere.
    #[staticmethod]
    fn vibrate(py: Python<'_>, max_offset: Int<u32>) -> PyResult<SequenceStart> {
        let max_offset = max_offset.named(py, "max_offset")?;
        Ok(SequenceStart(snowmint::SequenceStart::Vibrate { max_offset }))
    }

    /// Begins at a pseudo-random number below a bound, different for each tick and seed. Leaf
    /// uses 100.
    #[staticmethod]
    #[pyo3(signature = (*, below, seed))]
    fn random(py: Python<'_>, below: Int<u32>, seed: Int<u64>) -> PyResult<SequenceStart> {
        let (below, seed) = (below.named(py, "below")?, seed.named(py, "seed")?);
        Ok(SequenceStart(snowmint::SequenceStart::Random { below, seed }))
    }

    /// Begins one above the last sequence number, back to 0 from half the sequence on, like
    /// CosId.
    #[staticmethod]
    fn rotate() -> SequenceStart {
        SequenceStart(snowmint::SequenceStart::Rotate)
    }

    #[staticmethod]
    fn _of(name: &str, number: u32, seed: u64) -> PyResult<SequenceStart> {
        let start = match name {
            "zero" => Some(snowmint::SequenceStart::Zero),
            "vibrate" => Some(snowmint::SequenceStart::Vibrate { max_offset: number }),
            "random" => Some(snowmint::SequenceStart::Random { below: number, seed }),
            "rotate" => Some(snowmint::SequenceStart::Rotate),
            _ => None,
        };
        named(start, "sequence start", name).map(SequenceStart)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&'static str, u32, u64)> {
        reduced::<Self, _>(py, self.said())
    }

    fn __repr__(&self) -> String {
        match self.0 {
            snowmint::SequenceStart::Zero => "SequenceStart.zero()".to_owned(),
            snowmint::SequenceStart::Vibrate { max_offset } => {
                format!("SequenceStart.vibrate({max_offset})")
            }
            snowmint::SequenceStart::Random { below, seed } => {
                format!("SequenceStart.random(below={below}, seed={seed})")
            }
            snowmint::SequenceStart::Rotate => "SequenceStart.rotate()".to_owned(),
            other => format!("{other:?}"),
        }
    }
}
