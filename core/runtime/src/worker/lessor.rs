//! Who reserves the time of a generator's worker ID.

use std::sync::Arc;

use super::fixed::MarkedWorker;
use crate::error::Result;
use crate::store::{Lease, LeaseRequest, Token, WorkerStore};

/// Reserves the time of a generator's worker ID.
pub(crate) enum Lessor {
    Store(Arc<dyn WorkerStore>),
    Mark(Box<MarkedWorker>),
}

impl Lessor {
    /// A worker ID and its first reserved time; `now_ms` is the caller's time.
    pub(crate) fn acquire(&self, request: &LeaseRequest, now_ms: i64) -> Result<Lease> {
        match self {
            Lessor::Store(store) => store.acquire(request),
            Lessor::Mark(worker) => worker.acquire(request, now_ms),
        }
    }

    /// The same lease with more time.
    pub(crate) fn renew(
        &self,
        lease: &Lease,
        next: Token,
        slab_ms: u32,
        now_ms: i64,
    ) -> Result<Lease> {
        match self {
            Lessor::Store(store) => store.renew(lease, next, slab_ms),
            Lessor::Mark(worker) => worker.renew(lease, slab_ms, now_ms),
        }
    }

    /// Gives the worker ID up; everything issued lies below `reached_ms`.
    pub(crate) fn release(&self, lease: &Lease, reached_ms: i64) -> Result<()> {
        match self {
            Lessor::Store(store) => store.release(lease),
            Lessor::Mark(worker) => worker.release(reached_ms),
        }
    }

    /// Drops what other images of this process may have, too.
    pub(crate) fn forget(&self) {
        match self {
            Lessor::Store(_) => {}
            Lessor::Mark(worker) => worker.forget(),
        }
    }

    /// Whether it has other worker IDs to give.
    pub(crate) fn can_change(&self) -> bool {
        matches!(self, Lessor::Store(_))
    }

    /// Whether the store's clock tells the time.
    pub(crate) fn tells_time(&self) -> bool {
        matches!(self, Lessor::Store(_))
    }
}
