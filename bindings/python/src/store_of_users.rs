//! Stores that users write in Python, called from keeper threads.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use snowmint::{
    Allocation, Code, Error, Lease as RuntimeLease, LeaseRequest as RuntimeRequest, NumberRange,
    Result, SegmentStore, Tag, TagOptions, Token, WorkerStore,
};

use crate::calls::Entry;
use crate::engine::segment::Range as PyRange;
use crate::held::Held;
use crate::lease::{Lease, LeaseRequest};
use crate::number::Int;

/// Calls Python from any thread, unless the interpreter is ending.
fn call<T>(what: &str, call: impl FnOnce(Python<'_>) -> Result<T>) -> Result<T> {
    let ending = || Error::new(Code::Closed, format!("{what}: the interpreter is ending"));
    let _entry = Entry::begin().ok_or_else(ending)?;
    Python::try_attach(call).ok_or_else(ending)?
}

/// What a call of the user's raised: a snowmint error as itself, anything else as a store that
/// cannot be reached, with the exception as its cause.
fn raised(py: Python<'_>, what: &str, raised: PyErr) -> Error {
    let code = raised.value(py).getattr("number").and_then(|number| number.extract::<u32>());
    let code = code.ok().and_then(Code::from_number).unwrap_or(Code::StoreUnavailable);
    Error::new(code, format!("{what} raised {}", raised.value(py))).caused_by(raised)
}

/// The garbage collector took the source and the object together.
fn gone() -> Error {
    Error::new(Code::Closed, "the source is gone, and its store with it")
}

/// A callable that reserves ranges of numbers.
pub(crate) struct UsersAllocator {
    allocate: Held,
}

impl UsersAllocator {
    pub(crate) fn new(allocate: &Bound<'_, PyAny>) -> PyResult<UsersAllocator> {
        if !allocate.is_callable() {
            return Err(PyTypeError::new_err("allocate is no callable: allocate(tag, count)"));
        }
        Ok(UsersAllocator { allocate: Held::new(allocate) })
    }

    pub(crate) fn held(&self) -> Held {
        self.allocate.clone()
    }
}

impl SegmentStore for UsersAllocator {
    fn allocate(&self, tag: &Tag, count: Option<u64>) -> Result<Allocation> {
        let step = TagOptions::default().step;
        call("allocate", |py| {
            let count = count.unwrap_or(step);
            let allocate = self.allocate.get(py).ok_or_else(gone)?;
            let answer = allocate.call1((tag.as_str(), count));
            let answer = answer.map_err(|error| raised(py, "allocate", error))?;
            Ok(Allocation { range: range(&answer)?, step })
        })
    }
}

/// The range that a callable returned: a `Range`, `(start, end)` or `(start, end, stride)`.
fn range(answer: &Bound<'_, PyAny>) -> Result<NumberRange> {
    if let Ok(range) = answer.cast::<PyRange>() {
        return Ok(range.get().0);
    }
    let nonsense = |error: PyErr| {
        let shown = answer.repr().map_or_else(|_| "something".to_owned(), |repr| repr.to_string());
        let shown: String = shown.chars().take(80).collect();
        let message = format!("allocate returned {shown}: return (start, end), integers");
        Error::new(Code::InvalidRange, message).caused_by(error)
    };
    let numbers = answer.cast::<PyTuple>().map_err(|error| nonsense(error.into()))?;
    let (Int(start), Int(end), Int(stride)): (Int<u64>, Int<u64>, Int<u64>) = match numbers.len() {
        2 => numbers.extract().map(|(start, end)| (start, end, Int(1))),
        _ => numbers.extract(),
    }
    .map_err(nonsense)?;
    Ok(NumberRange::new(start, end, stride)?)
}

/// An object that leases worker IDs by `acquire`, `renew` and `release`.
pub(crate) struct UsersWorkerStore {
    store: Held,
}

impl UsersWorkerStore {
    pub(crate) fn new(store: &Bound<'_, PyAny>) -> PyResult<UsersWorkerStore> {
        for method in ["acquire", "renew", "release"] {
            if !store.getattr_opt(method)?.is_some_and(|method| method.is_callable()) {
                let message = format!("a worker store needs a method {method}");
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(UsersWorkerStore { store: Held::new(store) })
    }

    pub(crate) fn held(&self) -> Held {
        self.store.clone()
    }
}

/// The lease that a method returned.
fn lease(what: &str, answer: &Bound<'_, PyAny>) -> Result<RuntimeLease> {
    match answer.cast::<Lease>() {
        Ok(lease) => Ok(lease.get().0.clone()),
        Err(error) => {
            let message = format!("{what} returned {answer}: return a snowmint.Lease");
            Err(Error::new(Code::StoreUnavailable, message).caused_by(PyErr::from(error)))
        }
    }
}

impl WorkerStore for UsersWorkerStore {
    fn acquire(&self, request: &RuntimeRequest) -> Result<RuntimeLease> {
        call("acquire", |py| {
            let answer = self
                .store
                .get(py)
                .ok_or_else(gone)?
                .call_method1("acquire", (LeaseRequest(request.clone()),));
            lease("acquire", &answer.map_err(|error| raised(py, "acquire", error))?)
        })
    }

    fn renew(&self, held: &RuntimeLease, next: Token, slab_ms: u32) -> Result<RuntimeLease> {
        call("renew", |py| {
            let arguments = (Lease(held.clone()), next.as_slice(), slab_ms);
            let answer = self.store.get(py).ok_or_else(gone)?.call_method1("renew", arguments);
            lease("renew", &answer.map_err(|error| raised(py, "renew", error))?)
        })
    }

    fn release(&self, held: &RuntimeLease) -> Result<()> {
        call("release", |py| {
            let answer = self
                .store
                .get(py)
                .ok_or_else(gone)?
                .call_method1("release", (Lease(held.clone()),));
            answer.map(drop).map_err(|error| raised(py, "release", error))
        })
    }
}
