//! Stores that users write in Python, called from scheduler threads.
//!
//! Each call goes through a function of `snowmint._stores`, which runs all of the user's code.
//! Reading its result here runs none.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use snowmint::{
    Allocation, AllocationRequest, Call, Lease as RuntimeLease, LeaseRequest as RuntimeRequest,
    Result, TagAllocator, WorkerStore,
};

use crate::calls::{self, Entry, Stay};
use crate::engine::segment::Range;
use crate::error::{self, Raised};
use crate::found::Found;
use crate::held::{Held, let_go};
use crate::lease::{Lease, LeaseRequest};

/// Calls Python from any thread, unless the interpreter is ending.
fn attached<T>(what: &str, call: impl FnOnce(Python<'_>) -> Result<T>) -> Result<T> {
    let (_entry, _stay) = (Entry::of_a_call(), Stay::begin());
    Python::try_attach(|py| {
        let_go(py);
        call(py)
    })
    .ok_or_else(|| error::interpreter_ending(what))?
}

/// Calls a function of `snowmint._stores`. Returns a failure of the user's code as an error.
fn ask<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
) -> Result<Bound<'py, PyAny>> {
    static STORES: Found<Py<PyAny>> = Found::new();
    let broken = |why: PyErr| error::stores_function_broken(function, why);
    let stores =
        STORES.get_or_try_init(py, || calls::import(py, "snowmint._stores").map(Bound::unbind));
    let asked = stores.and_then(|stores| stores.bind(py).getattr(function)).map_err(broken)?;
    let answer = calls::call(&asked, arguments, None).map_err(broken)?;
    let Ok(failure) = answer.cast::<PyTuple>() else { return Ok(answer) };
    let failure = failure.extract::<(Option<u32>, String, Bound<'py, PyAny>)>();
    let (number, message, exception) = failure.map_err(broken)?;
    let raised = Raised::new(&exception, message.clone());
    Err(error::store_failed(number, message, raised))
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

impl TagAllocator for UsersAllocator {
    fn reserve(&self, request: &AllocationRequest, _: &Call) -> Result<Allocation> {
        let AllocationRequest { tag, count, .. } = request;
        let step = self.step();
        attached("allocate", |py| {
            let allocate = self.allocate.get(py).ok_or_else(error::source_gone)?;
            let arguments = (allocate, tag.as_str(), count.unwrap_or(step));
            let range = ask(py, "allocate", arguments)?;
            let range = range.cast::<Range>();
            let range = range.map_err(|_| error::answer_of_another_type("allocate"))?;
            Ok(Allocation::new(range.get().0, step))
        })
    }
}

/// An object that leases worker IDs by `acquire`, `renew` and `release`.
pub(crate) struct UsersWorkerStore {
    store: Held,
}

impl UsersWorkerStore {
    pub(crate) fn new(store: &Bound<'_, PyAny>) -> PyResult<UsersWorkerStore> {
        refuse_class(store)?;
        for method in ["acquire", "renew", "release"] {
            if !store.getattr_opt(method)?.is_some_and(|method| method.is_callable()) {
                let message = format!(
                    "store should be a Store, as of Store.open(\"sqlite:ids.db\"), or an object with \
                     acquire, renew and release: this {} has no {method}",
                    store.get_type().name()?
                );
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(UsersWorkerStore { store: Held::new(store) })
    }

    pub(crate) fn held(&self) -> Held {
        self.store.clone()
    }

    /// Calls a method, which returns a lease or, if it is `release`, nothing.
    fn call<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
    ) -> Result<Bound<'py, PyAny>> {
        let store = self.store.get(py).ok_or_else(error::source_gone)?;
        ask(py, "call", (store, method, arguments))
    }
}

/// Fails for a class that was passed instead of an instance.
fn refuse_class(store: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = store.py();
    let Ok(class) = store.cast::<PyType>() else { return Ok(()) };
    let look = calls::import(py, "inspect")?.getattr("getattr_static")?;
    let acquire = calls::call(&look, (class, "acquire", py.None()), None)?;
    if !acquire.is_instance(&calls::import(py, "types")?.getattr("FunctionType")?)? {
        return Ok(());
    }
    let message = format!("store should be an instance of {}, not the class", class.name()?);
    Err(PyTypeError::new_err(message))
}

/// Returns the lease that a method returned.
fn lease(method: &str, answer: &Bound<'_, PyAny>) -> Result<RuntimeLease> {
    let lease = answer.cast::<Lease>();
    let lease = lease.map_err(|_| error::answer_of_another_type(method))?;
    Ok(lease.get().0.clone())
}

impl WorkerStore for UsersWorkerStore {
    fn acquire(&self, request: &RuntimeRequest, call: &Call) -> Result<RuntimeLease> {
        attached("acquire", |py| {
            let request = LeaseRequest { request: request.clone(), token: call.attempt };
            lease("acquire", &self.call(py, "acquire", (request,))?)
        })
    }

    fn renew(&self, held: &RuntimeLease, reserve_ms: u32, call: &Call) -> Result<RuntimeLease> {
        attached("renew", |py| {
            let arguments = (Lease(held.clone()), call.attempt.as_slice(), reserve_ms);
            lease("renew", &self.call(py, "renew", arguments)?)
        })
    }

    fn release(&self, held: &RuntimeLease, _: &Call) -> Result<()> {
        attached("release", |py| self.call(py, "release", (Lease(held.clone()),)).map(drop))
    }
}
