//! The acquisition and the renewal of a worker ID, in the rounds of the store's scheduler.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use snowmint_engine::Code;

use super::{LeasedWorker, Work};
use crate::clock::{LOOK_MS, Sample};
use crate::error::Result;
use crate::host::restore::Image;
use crate::host::{Clock, Sleep};
use crate::scheduler::{NOTHING_DUE, Scheduled};
use crate::source_core::{Local, LocalState, lock};
use crate::worker::{FIRST_MARK_MS, Reservation};

/// Renewals are apart by this fraction of the time that a renewal brings, at most a second.
const REST_DIVISOR: i64 = 10;
const REST_MAX_MS: i64 = 1_000;
/// A fixed worker ID's mark moves on only if IDs were taken within this time, on either path.
const IDLE_MS: i64 = 60_000;

/// The next action for a worker ID.
#[derive(Debug, PartialEq, Eq)]
enum Due {
    Nothing(Duration),
    Take { avoid: Option<u32> },
    Extend,
}

impl Scheduled for LeasedWorker {
    fn run_due(self: Arc<Self>) -> Duration {
        let local = self.local();
        let due = {
            let mut local = lock(&local);
            // Under the lock, because closing takes the worker ID under it, and none may be taken
            // afterwards.
            if self.core.is_closed() {
                return NOTHING_DUE;
            }
            let now_ms = self.look_at_clocks(&mut local.work);
            self.note_use(&mut local.work);
            self.due(&local, now_ms)
        };
        match due {
            Due::Nothing(pause) => return pause,
            Due::Take { avoid } => self.take(&local, avoid),
            Due::Extend => self.extend(&local),
        }
        Duration::ZERO
    }
}

impl LeasedWorker {
    /// Returns true if the scheduler has something to do for this worker ID now.
    pub(super) fn is_due(&self, local: &LocalState<Work>, now_ms: i64) -> bool {
        !matches!(self.due(local, now_ms), Due::Nothing(_))
    }

    /// Returns the scheduler's next action, without changing anything.
    fn due(&self, local: &LocalState<Work>, now_ms: i64) -> Due {
        if let Some(rest) = local.retry.rest(&self.host) {
            return Due::Nothing(rest);
        }
        let work = &local.work;
        let Some(reservation) = &work.reservation else {
            return Due::Take { avoid: None };
        };
        let avoid = Some(reservation.worker_id).filter(|_| work.change);
        if work.lost {
            return Due::Take { avoid };
        }
        let boot_ms = self.host.boot_ms();
        let early_ms = renewed_from_ms(reservation).saturating_sub(now_ms);
        let rest_ms = work.rested_boot_ms.saturating_sub(boot_ms);
        let early_ms = if work.timeline.is_in_doubt() { rest_ms } else { early_ms.max(rest_ms) };
        if early_ms > 0 {
            let pause = Duration::from_millis(early_ms.unsigned_abs());
            // A worker ID that should be changed is kept until there is another.
            return if work.change { Due::Take { avoid } } else { Due::Nothing(pause) };
        }
        let idle_ms = boot_ms.saturating_sub(work.asked_boot_ms);
        if !self.worker_ids.is_store() && idle_ms > IDLE_MS {
            return Due::Nothing(NOTHING_DUE);
        }
        Due::Extend
    }

    /// Takes a worker ID, and opens a lane of it.
    pub(super) fn take(&self, local: &Local<Work>, avoid: Option<u32>) {
        let (image, asked_ms) = (Image::present(), self.host.boot_ms());
        let (now_ms, ahead_ms) = self.look_before_asking(local);
        let taken = self.worker_ids.take(avoid, now_ms, ahead_ms);
        match &taken {
            Ok(_) if self.worker_ids.is_store() => self.outlast_lost_lane(local),
            Ok(reservation) => self.await_floor(local, reservation, now_ms),
            Err(_) => {}
        }
        let mut local = lock(local);
        if !image.is_present() {
            return; // another image may have got the same answer
        }
        // Before that, the call that opens the generator returns the failure.
        if local.is_attended() {
            let left = local.work.reservation.filter(|_| local.work.change);
            self.report_taking(&mut local.work, left, &taken);
        }
        match taken.and_then(|reservation| self.enter(&mut local.work, reservation, asked_ms)) {
            Ok(()) => local.retry.clear(),
            Err(error) => {
                // There is no other worker ID. The next call that finds the clock behind asks
                // again.
                local.work.change &= error.code() != Code::WorkersExhausted;
                local.retry.note(error, &self.host);
            }
        }
        // The generator was closed meanwhile, so the worker ID must be given up here.
        if self.core.is_closed() && local.work.reservation.take().is_some() {
            drop(local);
            drop(self.worker_ids.give_up(i64::MAX));
        }
    }

    fn enter(&self, work: &mut Work, reservation: Reservation, asked_ms: i64) -> Result<()> {
        // The lane begins at the store's time, before which nothing could be issued.
        self.note_time(work, &reservation, asked_ms, true);
        work.since_boot_ms = asked_ms;
        if !self.core.is_closed() {
            let lane = self.lane(&reservation, work.rollback);
            if work.change {
                self.owner(work).jump(lane)?;
            } else {
                self.owner(work).open(lane)?;
            }
            self.opened_in.store(self.guard.generation(), Ordering::Relaxed);
        }
        (work.reservation, work.next_tick) = (Some(reservation), self.flake.next_tick());
        (work.lost, work.change) = (false, false);
        if !self.core.is_closed() {
            self.look_at_clocks(work);
            self.move_horizon(work);
        }
        Ok(())
    }

    fn extend(&self, local: &Local<Work>) {
        let (before, asked_ms) = (lock(local).work.reservation, self.host.boot_ms());
        let (now_ms, ahead_ms) = self.look_before_asking(local);
        let extended = self.worker_ids.extend(now_ms, ahead_ms);
        let mut local = lock(local);
        if local.work.reservation != before {
            return;
        }
        let Some(reservation) = before else { return };
        self.report_renewal(&mut local.work, &extended);
        match extended {
            Ok(more) => {
                let reservation = Reservation { floor_ms: reservation.floor_ms, ..more };
                self.note_time(&mut local.work, &reservation, asked_ms, false);
                local.work.reservation = Some(reservation);
                self.look_at_clocks(&mut local.work);
                self.move_horizon(&mut local.work);
                local.retry.clear();
            }
            Err(error) => {
                local.work.lost |= error.code() == Code::LeaseLost;
                local.retry.note(error, &self.host);
            }
        }
    }

    /// Renews a new lease before it is used, after the usual rest, if the store is slow.
    pub(super) fn outlast_slow_store(&self, local: &Local<Work>) {
        if self.worker_ids.is_slow() {
            let left_ms = lock(local).work.rested_boot_ms.saturating_sub(self.host.boot_ms());
            self.host.sleep(Duration::from_millis(left_ms.max(0).unsigned_abs()));
            self.extend(local);
        }
    }

    /// Waits until a lane can be used, up to a reservation. The mark of a killed holder, of this
    /// holder before its file failed, or of a new worker ID lies at most that far ahead. If the
    /// lane begins later, the clock went back, which the policy judges. If ticks are too long to
    /// sleep for one here, the policy waits for the next one as after a full tick.
    fn await_floor(&self, local: &Local<Work>, reservation: &Reservation, now_ms: i64) {
        let floor_ms = self.layout().tick_start_ms(self.tick_or_end(reservation.floor_ms));
        let tick_ms = self.layout().tick_ms();
        let (left_ms, wait_max_ms) = if tick_ms <= FIRST_MARK_MS {
            (0, reservation.reserve_ms.max(FIRST_MARK_MS + tick_ms))
        } else {
            (tick_ms, FIRST_MARK_MS)
        };
        let usable_ms = floor_ms.saturating_sub(self.max_ahead_ms.max(left_ms).into());
        self.await_time(local, usable_ms, wait_max_ms.into(), now_ms);
    }

    /// Ends the lane of a lost lease, and waits for the tick after its last. The next lane begins
    /// there, which a policy would take for a clock that went back.
    fn outlast_lost_lane(&self, local: &Local<Work>) {
        let (reached, now_ms) = {
            let work = &mut lock(local).work;
            if !work.lost || work.change {
                return;
            }
            (self.owner(work).close(), self.look_at_clocks(work))
        };
        let tick_ms = self.layout().tick_ms();
        // Ticks that are too long to sleep for are left to the policy, as in `await_floor`.
        let wait_max_ms = if tick_ms <= FIRST_MARK_MS { tick_ms } else { 0 };
        let reached_ms = self.layout().tick_start_ms(reached);
        let usable_ms = reached_ms.saturating_sub(self.max_ahead_ms.into());
        self.await_time(local, usable_ms, wait_max_ms.into(), now_ms);
    }

    /// Waits until `usable_ms`, unless that is further away than `wait_max_ms`, and looks at the
    /// clocks meanwhile.
    fn await_time(&self, local: &Local<Work>, usable_ms: i64, wait_max_ms: i64, mut now_ms: i64) {
        // The time may pass more slowly than the sleep: at half speed while a step back is slewed.
        let until_boot_ms = self.host.boot_ms().saturating_add(2 * wait_max_ms);
        while let wait_ms @ 1.. = usable_ms.saturating_sub(now_ms)
            && wait_ms <= wait_max_ms
            && self.host.boot_ms() < until_boot_ms
        {
            self.host.sleep(Duration::from_millis(wait_ms.min(LOOK_MS).unsigned_abs()));
            (now_ms, _) = self.look_before_asking(local);
        }
    }

    /// Notes whether IDs were taken, because the fast path does not note it.
    fn note_use(&self, work: &mut Work) {
        let next_tick = self.flake.next_tick();
        if mem::replace(&mut work.next_tick, next_tick) != next_tick {
            work.asked_boot_ms = self.host.boot_ms();
        }
    }

    /// Notes when the worker ID's store answered and, if it tells the time, its time.
    fn note_time(
        &self,
        work: &mut Work,
        reservation: &Reservation,
        asked_ms: i64,
        must_follow: bool,
    ) {
        let answered_ms = self.host.boot_ms();
        let rest_ms = (i64::from(reservation.reserve_ms) / REST_DIVISOR).min(REST_MAX_MS);
        work.rested_boot_ms = answered_ms.saturating_add(rest_ms);
        if let Some(store_ms) = reservation.store_ms {
            let sample = Sample { store_ms, asked_ms, answered_ms };
            work.timeline.anchor_to_store(sample, must_follow);
        }
    }

    /// Looks at the clocks. Returns the time, and how far it is ahead of a store's clock that went
    /// back, which must be reserved in addition.
    fn look_before_asking(&self, local: &Local<Work>) -> (i64, u32) {
        let mut local = lock(local);
        let now_ms = self.look_at_clocks(&mut local.work);
        let ahead_ms = local.work.timeline.ahead_of_store_ms();
        (now_ms, u32::try_from(ahead_ms).unwrap_or(u32::MAX))
    }
}

/// Returns when a reservation is renewed: once a third of it is used, so that a renewal that fails
/// can be repeated.
fn renewed_from_ms(reservation: &Reservation) -> i64 {
    reservation.reserved_ms.saturating_sub(i64::from(reservation.reserve_ms) * 2 / 3)
}
