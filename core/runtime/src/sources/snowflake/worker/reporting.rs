//! A generator's stats, errors and events.

use std::mem;
use std::sync::atomic::Ordering;

use snowmint_engine::Code;

use super::{LeasedWorker, Work};
use crate::error::{Error, Result};
use crate::errors;
use crate::events::{self, Event, EventKind};
use crate::host::Clock;
use crate::reports::{Reports, Subject, expires_soon};
use crate::source_core::lock;
use crate::stats::Stats;
use crate::store::MAX_RESERVE_AHEAD_MS;
use crate::worker::Reservation;

impl LeasedWorker {
    pub(crate) fn stats(&self) -> Stats {
        let local = self.local();
        let local = lock(&local);
        let mut stats = Stats::new("snowflake", self.core.is_closed(), Some(&local.retry));
        stats.rollbacks = local.work.rollbacks;
        let Some(reservation) = local.work.reservation.filter(|_| self.is_here()) else {
            return stats;
        };
        let offset_ms = self.offset_ms.load(Ordering::Relaxed);
        let now_ms = self.host.now_ms().saturating_add(offset_ms);
        let lived_ms = self.host.boot_ms().saturating_sub(local.work.since_boot_ms);
        let reserved_ms = reservation.reserved_ms.saturating_sub(now_ms);
        let next_ms = self.flake.next_tick().map(|tick| self.layout().tick_start_ms(tick));
        stats.worker_id = Some(reservation.worker_id);
        stats.lease_age_ms = u64::try_from(lived_ms).ok();
        stats.reserved_ms = Some(reserved_ms);
        stats.reserve_ms = self.worker_ids.is_store().then_some(reservation.reserve_ms);
        stats.clock_offset_ms = Some(offset_ms);
        stats.borrowed_ms = next_ms.map(|ms| u64::try_from(ms.saturating_sub(now_ms)).unwrap_or(0));
        stats.runway_ms = Some(u64::try_from(reserved_ms).unwrap_or(0));
        stats
    }

    pub(crate) fn out_of_time(&self, stall: snowmint_engine::Error) -> Error {
        let (failure, ahead_ms) = {
            let local = self.local();
            let local = lock(&local);
            (local.retry.present().cloned(), local.work.timeline.ahead_of_store_ms())
        };
        match failure {
            None if stall == snowmint_engine::Error::Closed => {
                errors::snowflake::worker_id_pending()
            }
            None if ahead_ms > i64::from(MAX_RESERVE_AHEAD_MS) => {
                errors::snowflake::store_clock_behind(ahead_ms)
            }
            None => stall.into(),
            Some(failure) => errors::snowflake::time_used_up(failure),
        }
    }

    /// Reports that the layout ends, if that is soon. The caller must hold no lock.
    pub(crate) fn tell_end(&self) {
        let local = self.local();
        let end = self.end(&mut lock(&local).work);
        if let Some(end) = end {
            events::deliver(&end);
        }
    }

    /// Returns the event that the layout ends soon, once in a process.
    fn end(&self, work: &mut Work) -> Option<Event> {
        let end = expires_soon(&subject(work), self.layout(), self.host.now_ms())?;
        (!mem::replace(&mut work.is_end_told, true)).then_some(end)
    }

    pub(super) fn report_renewal(&self, work: &mut Work, renewed: &Result<Reservation>) {
        let scheduler = self.scheduler();
        let reports = &scheduler.allocations.reports;
        reports.judge(&subject(work), renewed, &self.host);
        match renewed {
            Ok(_) => self.end(work).into_iter().for_each(|end| reports.note(end)),
            Err(error) if error.code() == Code::LeaseLost => {
                let message = format!(
                    "{error}. The generator takes one anew by itself. Unless somebody evicted it, look for a \
                     copy of this process, or for a pause, or a store, that took longer than the lease"
                );
                let (kind, code) = (EventKind::LeaseLost, Some(error.code()));
                reports.note(subject(work).event(kind, code, &message, self.host.now_ms()));
            }
            Err(error) => self.report_loss(work, error),
        }
    }

    /// Notes once that a fixed worker ID's state file is gone.
    fn report_loss(&self, work: &mut Work, error: &Error) {
        let fixed = self.worker_ids.fixed_id().filter(|_| error.code() == Code::StateMissing);
        if fixed.is_some() && !mem::replace(&mut work.is_loss_told, true) {
            let (kind, code) = (EventKind::StateLost, Some(error.code()));
            let message = error.to_string();
            let event = Subject::of_worker(fixed).event(kind, code, &message, self.host.now_ms());
            self.scheduler().allocations.reports.note(event);
        }
    }

    /// Notes the outcome of a scheduler's attempt to take a worker ID. `left` is the one before, if
    /// the policy left it.
    pub(super) fn report_taking(
        &self,
        work: &mut Work,
        left: Option<Reservation>,
        taken: &Result<Reservation>,
    ) {
        if let Err(error) = taken {
            self.report_loss(work, error);
        }
        let scheduler = self.scheduler();
        let reports: &Reports = &scheduler.allocations.reports;
        let worker_id = taken.as_ref().ok().map(|reservation| reservation.worker_id);
        let subject = Subject::of_worker(worker_id);
        reports.judge(&subject, taken, &self.host);
        if let (Some(left), Some(worker_id)) = (left, worker_id) {
            let message = format!(
                "the clock went back, and worker ID {worker_id} was taken in place of {}: see that \
                 this machine's clock is slewed, not set",
                left.worker_id
            );
            let kind = EventKind::WorkerChanged;
            reports.note(subject.event(kind, None, &message, self.host.now_ms()));
        }
    }
}

fn subject(work: &Work) -> Subject {
    Subject::of_worker(work.reservation.map(|reservation| reservation.worker_id))
}
