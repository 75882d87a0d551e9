//! What every source has that gets its IDs from a store: whether it is closed, a part that belongs
//! to one process, its place with the store's scheduler, and what went wrong last.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::allocations::Requester;
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::host::restore::{self, Live};
use crate::retry::RetryState;
use crate::scheduler::{Registration, Scheduled, Scheduler};
use crate::store::AllocationRequest;

/// The part of a source that is the same in all of them; `W` is what differs, in one process.
///
/// A forked child begins with an empty part of its own: it takes none of its parent's locks.
pub(crate) struct SourceCore<W> {
    closed: AtomicBool,
    local: PerProcess<Mutex<LocalState<W>>>,
}

/// What a source works with, in one process.
pub(crate) struct LocalState<W> {
    pub(crate) work: W,
    pub(crate) retry: RetryState,
    registration: Option<Registration>,
}

/// The local state of this process, which outlives a lock on it.
pub(crate) type Local<W> = Arc<Mutex<LocalState<W>>>;

impl<W: Send + 'static> SourceCore<W> {
    pub(crate) const fn new() -> SourceCore<W> {
        SourceCore { closed: AtomicBool::new(false), local: PerProcess::new() }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// This process's local state, with work as `begin` gives it.
    pub(crate) fn local(&self, begin: impl FnOnce() -> W) -> Local<W> {
        self.local.get_or_init(|| {
            Mutex::new(LocalState {
                work: begin(),
                retry: RetryState::default(),
                registration: None,
            })
        })
    }

    /// This process's local state, if it has one yet.
    pub(crate) fn present_local(&self) -> Option<Local<W>> {
        self.local.get()
    }

    /// Closes. Under the local state's lock: what a call puts in place there would be minted after the
    /// end. `false` if it was closed before.
    pub(crate) fn close(&self, _local: &mut LocalState<W>) -> bool {
        !self.closed.swap(true, Ordering::Relaxed)
    }

    /// Before a call mints or asks: fails once the source is closed, and has the store's scheduler
    /// look after it from its first call in this process on.
    pub(crate) fn attend<S: Scheduled + Live>(
        &self,
        local: &mut LocalState<W>,
        source: &Arc<S>,
        scheduler: impl FnOnce() -> Arc<Scheduler>,
    ) -> Result<()> {
        if self.is_closed() {
            return Err(snowmint_engine::Error::Closed.into());
        }
        if local.registration.is_none() {
            local.registration =
                Some(scheduler().register(Arc::<S>::downgrade(source) as Weak<dyn Scheduled>)?);
            restore::enlist(Arc::<S>::downgrade(source));
        }
        Ok(())
    }
}

pub(crate) fn lock<W>(local: &Mutex<LocalState<W>>) -> MutexGuard<'_, LocalState<W>> {
    local.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W> LocalState<W> {
    /// Has a scheduler do a round at once.
    pub(crate) fn notify(&self) {
        if let Some(registration) = &self.registration {
            registration.notify();
        }
    }

    /// Has a scheduler ask for a range, for whoever is attended.
    pub(crate) fn want(&self, request: AllocationRequest, requester: Weak<dyn Requester>) {
        if let Some(registration) = &self.registration {
            registration.scheduler().allocations.want(request, requester);
            registration.notify();
        }
    }

    /// Leaves the scheduler's care.
    pub(crate) fn leave(&mut self) {
        self.registration = None;
    }

    pub(crate) fn is_attended(&self) -> bool {
        self.registration.is_some()
    }

    /// As at the start, but for the scheduler, which goes on.
    pub(crate) fn forget(&mut self, work: W) {
        (self.work, self.retry) = (work, RetryState::default());
    }
}
