//! Leases of worker IDs, as worker stores written in Python see them.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{self, exception};
use crate::number::{Int, Named as _};
use crate::pickled::{Reduced, reduced};
use crate::time::Moment;

/// 16 bytes that name one state of a lease.
#[derive(Clone, Copy)]
struct TokenArgument(snowmint::Token);

impl<'a, 'py> FromPyObject<'a, 'py> for TokenArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let bytes: &[u8] = object.extract()?;
        bytes
            .try_into()
            .map(TokenArgument)
            .map_err(|_| exception(object.py(), &error::token_of_another_length(bytes.len())))
    }
}

/// A worker ID with the time reserved for it. The holder may issue IDs whose time lies in
/// ``[floor_ms, reserved_ms)``, and nobody else ever may under that worker ID. Times are Unix
/// milliseconds. Immutable, hashable, picklable.
///
/// A store of your own must follow these rules:
///
/// - ``acquire(request)`` takes a worker ID that nobody holds, at most ``max_worker_id`` and not
///   ``avoid``. The lease has the request's token, and its floor is at or above every
///   ``reserved_ms`` that the worker ID ever had. Each call takes another worker ID, even with the
///   same token, because copies of a process have the same token. If no worker ID is free,
///   ``raise WorkerError("all are held", "workers_exhausted")``.
/// - ``renew(lease, token, reserve_ms)`` reserves ``reserve_ms`` from the store's clock on, and
///   never less than before. ``token`` replaces the lease's. A repeat with the same token succeeds
///   again. If the lease is no longer its holder's,
///   ``raise WorkerError("another has it", "lease_lost")``: the source takes another worker ID.
/// - ``release(lease)`` ends it. The worker ID can then be taken above its reserved time, once that
///   is near enough. Releasing a lease that is already lost is no error.
#[pyclass(frozen, eq, hash, module = "snowmint")]
#[derive(PartialEq, Eq)]
pub(crate) struct Lease(pub(crate) snowmint::Lease);

impl Hash for Lease {
    /// Hashes the token, which alone names one state of one lease.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.token.hash(state);
    }
}

#[pymethods]
impl Lease {
    #[new]
    #[pyo3(signature = (
        *, realm, worker_id, epoch, owner, token, floor_ms, reserved_ms, now_ms
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        py: Python<'_>,
        realm: &str,
        worker_id: Int<u32>,
        epoch: Int<u64>,
        owner: &str,
        token: TokenArgument,
        floor_ms: Moment,
        reserved_ms: Moment,
        now_ms: Moment,
    ) -> PyResult<Lease> {
        let worker_id = worker_id.named(py, "worker_id")?;
        let mut lease = snowmint::Lease::new(realm, worker_id, owner, token.0);
        lease.epoch = epoch.named(py, "epoch")?;
        lease.floor_ms = floor_ms.0;
        lease.reserved_ms = reserved_ms.0;
        lease.now_ms = now_ms.0;
        Ok(Lease(lease))
    }

    /// The realm: the layout's canonical text.
    #[getter]
    fn realm(&self) -> &str {
        &self.0.realm
    }

    /// The worker ID.
    #[getter]
    fn worker_id(&self) -> u32 {
        self.0.worker_id
    }

    /// The count of acquisitions of this worker ID.
    #[getter]
    fn epoch(&self) -> u64 {
        self.0.epoch
    }

    /// The name of the holder for operators, and for the store.
    #[getter]
    fn owner(&self) -> &str {
        &self.0.owner
    }

    /// The token, 16 bytes. It changes at every renewal, so only one of two copies of a process
    /// can renew.
    #[getter]
    fn token(&self) -> &[u8] {
        &self.0.token
    }

    /// The first Unix millisecond that the holder may use.
    #[getter]
    fn floor_ms(&self) -> i64 {
        self.0.floor_ms
    }

    /// The first Unix millisecond that the holder may not use.
    #[getter]
    fn reserved_ms(&self) -> i64 {
        self.0.reserved_ms
    }

    /// The store's clock when it granted the lease.
    #[getter]
    fn now_ms(&self) -> i64 {
        self.0.now_ms
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let lease = &self.0;
        let keywords = PyDict::new(py);
        keywords.set_item("realm", &lease.realm)?;
        keywords.set_item("worker_id", lease.worker_id)?;
        keywords.set_item("epoch", lease.epoch)?;
        keywords.set_item("owner", &lease.owner)?;
        keywords.set_item("token", self.token())?;
        keywords.set_item("floor_ms", lease.floor_ms)?;
        keywords.set_item("reserved_ms", lease.reserved_ms)?;
        keywords.set_item("now_ms", lease.now_ms)?;
        Ok(((), keywords))
    }

    fn __repr__(&self) -> String {
        let snowmint::Lease { worker_id, floor_ms, reserved_ms, .. } = self.0;
        format!("<snowmint.Lease of worker {worker_id}, [{floor_ms}, {reserved_ms})>")
    }
}

/// The request for a lease. Immutable, hashable, picklable.
#[pyclass(frozen, eq, hash, module = "snowmint")]
pub(crate) struct LeaseRequest {
    pub(crate) request: snowmint::LeaseRequest,
    pub(crate) token: snowmint::Token,
}

/// The contents of a request: its realm, largest worker ID, owner, token, reservation, greatest
/// time ahead, the worker ID to avoid, and whether reserved time counts.
type Said<'a> = (&'a str, u32, &'a str, &'a [u8], u32, u32, Option<u32>, bool);

impl LeaseRequest {
    fn said(&self) -> Said<'_> {
        let snowmint::LeaseRequest {
            realm, max_worker_id, owner, reserve_ms, max_ahead_ms, ..
        } = &self.request;
        let (avoid, past_reserved) = (self.request.avoid, self.request.past_reserved);
        let (reserve_ms, max_ahead_ms) = (*reserve_ms, *max_ahead_ms);
        (realm, *max_worker_id, owner, &self.token, reserve_ms, max_ahead_ms, avoid, past_reserved)
    }
}

impl PartialEq for LeaseRequest {
    fn eq(&self, other: &LeaseRequest) -> bool {
        self.said() == other.said()
    }
}

impl Hash for LeaseRequest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.said().hash(state);
    }
}

#[pymethods]
impl LeaseRequest {
    /// The realm: the layout's canonical text.
    #[getter]
    fn realm(&self) -> &str {
        &self.request.realm
    }

    /// The largest worker ID of the layout.
    #[getter]
    fn max_worker_id(&self) -> u32 {
        self.request.max_worker_id
    }

    /// The name of the holder: host, process and a random part.
    #[getter]
    fn owner(&self) -> &str {
        &self.request.owner
    }

    /// The lease's first token, 16 bytes.
    #[getter]
    fn token(&self) -> &[u8] {
        &self.token
    }

    /// The time to reserve ahead of the store's clock, in milliseconds. The lease lives as long
    /// without renewal. It is at most an hour, and a day more if the store's clock was set back.
    #[getter]
    fn reserve_ms(&self) -> u32 {
        self.request.reserve_ms
    }

    /// The most that the generator's time can be ahead of the store's clock, in milliseconds.
    /// The floor may lie only ``reach_ms`` ahead.
    #[getter]
    fn max_ahead_ms(&self) -> u32 {
        self.request.max_ahead_ms
    }

    /// The most that the floor may lie ahead of the store's clock, in milliseconds. A worker ID
    /// whose reserved time goes further is not taken. It is at most ``max_ahead_ms``, and leaves at
    /// least a quarter of the reservation.
    #[getter]
    fn reach_ms(&self) -> i64 {
        self.request.reach_ms()
    }

    /// A worker ID not to take, which the source just left because of the clock; or ``None``.
    #[getter]
    fn avoid(&self) -> Option<u32> {
        self.request.avoid
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are what a request says")]
    fn _of(
        realm: &str,
        max_worker_id: u32,
        owner: &str,
        token: TokenArgument,
        reserve_ms: u32,
        max_ahead_ms: u32,
        avoid: Option<u32>,
        past_reserved: bool,
    ) -> LeaseRequest {
        let mut request = snowmint::LeaseRequest::new(realm, owner);
        request.max_worker_id = max_worker_id;
        request.reserve_ms = reserve_ms;
        request.max_ahead_ms = max_ahead_ms;
        request.avoid = avoid;
        request.past_reserved = past_reserved;
        LeaseRequest { request, token: token.0 }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, Said<'_>> {
        reduced::<Self, _>(py, self.said())
    }

    fn __repr__(&self) -> String {
        format!("<snowmint.LeaseRequest of realm '{}'>", self.request.realm)
    }
}
