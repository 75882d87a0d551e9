//! What every source has that gets its IDs from a store: whether it is closed, a part that belongs
//! to one process, its place with the store's keepers, and what went wrong last.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::allocations::Requester;
use crate::error::Result;
use crate::host::process::PerProcess;
use crate::host::restore::{self, Live};
use crate::keepers::{Kept, Pool, Ticket};
use crate::retry::RetryState;
use crate::store::AllocationRequest;

/// The part of a source that is the same in all of them; `W` is what differs, in one process.
///
/// A forked child begins with an empty part of its own: it takes none of its parent's locks.
pub(crate) struct Station<W> {
    closed: AtomicBool,
    desk: PerProcess<Mutex<Desk<W>>>,
}

/// What a source works with, in one process.
pub(crate) struct Desk<W> {
    pub(crate) work: W,
    pub(crate) retry: RetryState,
    ticket: Option<Ticket>,
}

/// The desk of this process, which outlives a lock on it.
pub(crate) type DeskOf<W> = Arc<Mutex<Desk<W>>>;

impl<W: Send + 'static> Station<W> {
    pub(crate) const fn new() -> Station<W> {
        Station { closed: AtomicBool::new(false), desk: PerProcess::new() }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// This process's desk, with work as `begin` gives it.
    pub(crate) fn desk(&self, begin: impl FnOnce() -> W) -> DeskOf<W> {
        self.desk.get_or_init(|| {
            Mutex::new(Desk { work: begin(), retry: RetryState::default(), ticket: None })
        })
    }

    /// This process's desk, if it has one yet.
    pub(crate) fn present_desk(&self) -> Option<DeskOf<W>> {
        self.desk.get()
    }

    /// Closes. Under the desk's lock: what a call puts in place there would be minted after the
    /// end. `false` if it was closed before.
    pub(crate) fn close(&self, _desk: &mut Desk<W>) -> bool {
        !self.closed.swap(true, Ordering::Relaxed)
    }

    /// Before a call mints or asks: fails once the source is closed, and has the store's keepers
    /// look after it from its first call in this process on.
    pub(crate) fn attend<S: Kept + Live>(
        &self,
        desk: &mut Desk<W>,
        source: &Arc<S>,
        pool: impl FnOnce() -> Arc<Pool>,
    ) -> Result<()> {
        if self.is_closed() {
            return Err(snowmint_engine::Error::Closed.into());
        }
        if desk.ticket.is_none() {
            desk.ticket = Some(pool().enter(Arc::<S>::downgrade(source) as Weak<dyn Kept>)?);
            restore::enlist(Arc::<S>::downgrade(source));
        }
        Ok(())
    }
}

pub(crate) fn lock<W>(desk: &Mutex<Desk<W>>) -> MutexGuard<'_, Desk<W>> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W> Desk<W> {
    /// Has a keeper do a round at once.
    pub(crate) fn ring(&self) {
        if let Some(ticket) = &self.ticket {
            ticket.ring();
        }
    }

    /// Has a keeper ask for a range, for whoever is attended.
    pub(crate) fn want(&self, request: AllocationRequest, requester: Weak<dyn Requester>) {
        if let Some(ticket) = &self.ticket {
            ticket.pool().allocations.want(request, requester);
            ticket.ring();
        }
    }

    /// Leaves the keepers' care.
    pub(crate) fn leave(&mut self) {
        self.ticket = None;
    }

    pub(crate) fn is_attended(&self) -> bool {
        self.ticket.is_some()
    }

    /// As at the start, but for the keepers, who go on.
    pub(crate) fn forget(&mut self, work: W) {
        (self.work, self.retry) = (work, RetryState::default());
    }
}
