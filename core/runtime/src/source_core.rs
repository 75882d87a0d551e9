//! The state that all sources on a store have in common: whether they are closed, their
//! registration with the store's scheduler, and their last failure.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::allocations::Requester;
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::host::restore::{self, Live};
use crate::retry::RetryState;
use crate::scheduler::{Registration, Scheduled, Scheduler};
use crate::store::AllocationRequest;

/// The common part of a source; `W` is the part that differs, as one process has it.
///
/// A forked child begins with a local state of its own, so it takes none of its parent's locks.
pub(crate) struct SourceCore<W> {
    closed: AtomicBool,
    local: PerProcess<Mutex<LocalState<W>>>,
}

/// The state of a source in one process.
pub(crate) struct LocalState<W> {
    pub(crate) work: W,
    pub(crate) retry: RetryState,
    registration: Option<Registration>,
}

/// A shared local state, which stays valid while it is locked.
pub(crate) type Local<W> = Arc<Mutex<LocalState<W>>>;

impl<W: Send + 'static> SourceCore<W> {
    pub(crate) const fn new() -> SourceCore<W> {
        SourceCore { closed: AtomicBool::new(false), local: PerProcess::new() }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Returns this process's local state, and begins one with `begin` if there is none.
    pub(crate) fn local(&self, begin: impl FnOnce() -> W) -> Local<W> {
        self.local.get_or_init(|| {
            Mutex::new(LocalState {
                work: begin(),
                retry: RetryState::default(),
                registration: None,
            })
        })
    }

    /// Returns this process's local state, if it has one yet.
    pub(crate) fn present_local(&self) -> Option<Local<W>> {
        self.local.get()
    }

    /// Closes the source, and returns false if it was closed before. The local state must be
    /// locked, so that no call stores numbers there after the end.
    pub(crate) fn close(&self, _local: &mut LocalState<W>) -> bool {
        !self.closed.swap(true, Ordering::Relaxed)
    }

    /// Fails if the source is closed. At the first call in this process, registers the source with
    /// the store's scheduler. Call it before minting or asking.
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
    /// Makes the scheduler run a round of this source at once.
    pub(crate) fn notify(&self) {
        if let Some(registration) = &self.registration {
            registration.notify();
        }
    }

    /// Makes the scheduler request a range, if the source is registered.
    pub(crate) fn want(&self, request: AllocationRequest, requester: Weak<dyn Requester>) {
        if let Some(registration) = &self.registration {
            registration.scheduler().allocations.want(request, requester);
            registration.notify();
        }
    }

    /// Ends the registration with the scheduler.
    pub(crate) fn leave(&mut self) {
        self.registration = None;
    }

    pub(crate) fn is_attended(&self) -> bool {
        self.registration.is_some()
    }

    /// Starts over with `work`. The registration with the scheduler stays.
    pub(crate) fn forget(&mut self, work: W) {
        (self.work, self.retry) = (work, RetryState::default());
    }
}
