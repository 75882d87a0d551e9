//! The remaining work once a generator is closed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::error::Result;
use crate::errors;
use crate::host::{Platform, Sleep};
use crate::scheduler::Scheduler;
use crate::waiting::{Deadline, POLL};
use crate::worker::WorkerIds;

/// The outcome of giving up a worker ID, once it is known.
pub(crate) struct Parting(Arc<Mutex<Option<Result<()>>>>);

impl Parting {
    pub(super) fn done(result: Result<()>) -> Parting {
        Parting(Arc::new(Mutex::new(Some(result))))
    }

    /// Makes a scheduler give up a worker ID. If there is no scheduler, the lease ends by itself.
    pub(super) fn sent(
        scheduler: &Arc<Scheduler>,
        worker_ids: &Arc<WorkerIds>,
        reached_ms: i64,
    ) -> Parting {
        let parting = Parting(Arc::default());
        let (outcome, worker_ids) = (Arc::clone(&parting.0), Arc::clone(worker_ids));
        let sent = scheduler.send(Box::new(move || {
            let result = worker_ids.give_up(reached_ms);
            *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }));
        match sent {
            Ok(()) => parting,
            Err(error) => Parting::done(Err(error)),
        }
    }

    pub(crate) fn within(self, wait: Duration, host: &Platform) -> Result<()> {
        let deadline = Deadline::after(wait, host);
        loop {
            if let Some(outcome) = self.outcome() {
                return outcome;
            }
            if deadline.is_over(host) {
                return Err(errors::snowflake::parting_unanswered());
            }
            host.sleep(POLL);
        }
    }

    fn outcome(&self) -> Option<Result<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
