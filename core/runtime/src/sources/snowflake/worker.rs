//! Holds a worker ID for a generator, with its reserved time, the clock and the fork check.
//!
//! The engine's machine may issue up to a *horizon*, [`crate::clock::HORIZON_MS`] ahead of the
//! clock and never beyond the reserved time. The fast path mints below the horizon without looking
//! at the clocks. The slow path looks at the clocks and moves the horizon.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use snowmint_engine::{Grant, Lane, Layout, SharedSnowflake, SnowflakeOwner};

use crate::clock::{Reading, Timeline};
use crate::error::Result;
use crate::host::process::ForkGuard;
use crate::host::restore::{Image, Live};
use crate::host::{Clock, Platform};
use crate::scheduler::Scheduler;
use crate::source_core::{Local, LocalState, SourceCore, lock};
use crate::waiting::open_within;
use crate::worker::{Reservation, WorkerIds};

mod parting;
mod renewal;
mod reporting;

pub(super) use parting::Parting;

/// The coarse clock lags by less than this: it ticks 100 to 1000 times a second.
const COARSE_MS: i64 = 12;

/// A machine and the worker ID it issues under.
pub(crate) struct LeasedWorker {
    flake: SharedSnowflake,
    guard: ForkGuard,
    /// The image that opened it.
    image: Image,
    /// The generation of the process in which the machine's lane was opened.
    opened_in: AtomicU64,
    /// The difference to add to wall time.
    offset_ms: AtomicI64,
    /// The time at the last look at the clocks.
    seen_ms: AtomicI64,
    /// The number of clones of the generator. The scheduler borrows it for a round and does not
    /// count.
    users: AtomicUsize,
    host: Platform,
    worker_ids: Arc<WorkerIds>,
    /// The largest lead of an ID's time over the clock, in milliseconds.
    max_ahead_ms: u32,
    core: SourceCore<Work>,
}

/// The state of a worker ID's holder, in one process.
#[derive(Default)]
struct Work {
    timeline: Timeline,
    reservation: Option<Reservation>,
    /// The boot times at which the worker ID was taken, and at which it may next get more time.
    since_boot_ms: i64,
    rested_boot_ms: i64,
    /// Another holder has the worker ID or will have it, so another must be taken.
    lost: bool,
    /// The clock went back: another worker ID must be taken, to go on at the clock's time.
    change: bool,
    rollback: u32,
    rollbacks: u64,
    /// The boot time at which IDs were last asked for, and the machine's next tick at the
    /// scheduler's last round.
    asked_boot_ms: i64,
    next_tick: Option<u64>,
    /// True once it was reported that the layout ends soon.
    is_end_told: bool,
    /// True once it was reported that the state file is gone.
    is_loss_told: bool,
}

impl LeasedWorker {
    /// Takes a worker ID within `wait`, and opens the machine's lane.
    pub(crate) fn open(
        flake: SharedSnowflake,
        worker_ids: WorkerIds,
        max_ahead_ms: u32,
        wait: Duration,
        host: Platform,
    ) -> Result<LeasedWorker> {
        flake.layout().check_mints_at(host.now_ms())?;
        let guard = ForkGuard::new();
        let worker = LeasedWorker {
            flake: flake.in_image(guard.word()),
            guard,
            image: Image::present(),
            opened_in: AtomicU64::new(0),
            offset_ms: AtomicI64::new(0),
            seen_ms: AtomicI64::new(0),
            users: AtomicUsize::new(1),
            host,
            worker_ids: Arc::new(worker_ids),
            max_ahead_ms,
            core: SourceCore::new(),
        };
        let local = worker.local();
        let scheduler = worker.scheduler();
        let mut permit = scheduler.admit(wait);
        open_within(wait, &worker.host, || {
            permit.ask(|| worker.take(&local, None));
            lock(&local).retry.present().map_or(Ok(()), |failure| Err(failure.clone()))
        })?;
        worker.outlast_slow_store(&local);
        Ok(worker)
    }

    pub(crate) fn layout(&self) -> &Layout {
        self.flake.layout()
    }

    pub(crate) fn host(&self) -> &Platform {
        &self.host
    }

    /// Returns the machine and the time, if this is still the process that opened the lane.
    #[inline]
    pub(crate) fn at_once(&self) -> Option<(&SharedSnowflake, i64)> {
        if !self.guard.is(self.opened_in.load(Ordering::Relaxed)) {
            return None;
        }
        let coarse_ms =
            self.host.coarse_ms().saturating_add(self.offset_ms.load(Ordering::Relaxed));
        // The coarse clock lags by up to its own tick. Without this, time that the precise clock
        // has brought within reach would stay out of reach that long, and every call would look at
        // the clocks. A larger lag is a clock that was set back, and needs a look.
        let seen_ms = self.seen_ms.load(Ordering::Relaxed);
        let lags = (0..COARSE_MS).contains(&seen_ms.wrapping_sub(coarse_ms));
        Some((&self.flake, if lags { seen_ms } else { coarse_ms }))
    }

    /// Looks at the clocks and gives the machine more of the reserved time. Returns the machine,
    /// the precise time, and the lane's count of rollbacks.
    pub(crate) fn prepare(self: &Arc<Self>) -> Result<(&SharedSnowflake, i64, u32)> {
        let local = self.local();
        let mut local = lock(&local);
        self.attend(&mut local)?;
        local.work.asked_boot_ms = self.host.boot_ms();
        let now_ms = self.look_at_clocks(&mut local.work);
        self.move_horizon(&mut local.work);
        if self.is_due(&local, now_ms) {
            local.notify();
        }
        Ok((&self.flake, now_ms, local.work.rollback))
    }

    /// Asks the scheduler for more time. Fails if the last attempt failed for good, or if this
    /// process cannot get any.
    pub(crate) fn want_time(&self) -> Result<()> {
        self.worker_ids.check_image()?;
        let local = self.local();
        let local = lock(&local);
        local.notify();
        local.retry.lasting().map_or(Ok(()), |failure| Err(failure.clone()))
    }

    /// Asks the scheduler for another worker ID. Returns false if there are no others.
    pub(crate) fn want_another_worker(&self) -> bool {
        if self.worker_ids.is_store() {
            let local = self.local();
            let mut local = lock(&local);
            local.work.change = true;
            local.notify();
        }
        self.worker_ids.is_store()
    }

    /// Counts a rollback of the clock in the layout's rollback bits, unless another thread has
    /// counted it since the count was `seen`. Returns false if the layout has none.
    pub(crate) fn count_rollback(&self, seen: u32) -> Result<bool> {
        let max = self.layout().rollback().max() as u32;
        let local = self.local();
        let mut local = lock(&local);
        let work = &mut local.work;
        let Some(reservation) = work.reservation.filter(|_| max > 0) else {
            return Ok(false);
        };
        if work.rollback == seen {
            work.rollback = work.rollback.wrapping_add(1) & max;
            work.rollbacks = work.rollbacks.saturating_add(1);
            let lane = self.lane(&reservation, work.rollback);
            self.owner(work).jump(lane)?;
        }
        Ok(true)
    }

    /// Stops issuing, and returns the remaining work: the worker ID must be given up.
    pub(super) fn close(&self) -> Parting {
        let local = self.local();
        let mut local = lock(&local);
        if !self.core.close(&mut local) || !self.is_here() {
            return Parting::done(Ok(()));
        }
        let reached_ms = self.layout().tick_start_ms(self.owner(&mut local.work).close());
        let reservation = local.work.reservation.take();
        local.leave();
        drop(local);
        match reservation {
            None => Parting::done(Ok(())),
            // The mark is a local file, so no scheduler is needed.
            Some(_) if !self.worker_ids.is_store() => {
                Parting::done(self.worker_ids.give_up(reached_ms))
            }
            Some(_) => Parting::sent(&self.scheduler(), &self.worker_ids, reached_ms),
        }
    }

    pub(crate) fn join_users(&self) {
        self.users.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a dropped clone; the last one closes.
    pub(crate) fn leave_users(&self) {
        if self.users.fetch_sub(1, Ordering::AcqRel) == 1 {
            // No caller is left for the outcome. If giving up fails, the lease ends by itself.
            drop(self.close());
        }
    }

    /// Returns true if the lane was opened in this process, and not in a parent.
    fn is_here(&self) -> bool {
        self.guard.is(self.opened_in.load(Ordering::Relaxed))
    }

    fn local(&self) -> Local<Work> {
        self.core.local(Work::default)
    }

    pub(super) fn scheduler(&self) -> Arc<Scheduler> {
        self.worker_ids.scheduler(&self.host)
    }

    /// Adopts the generator in this process: ends a lane of a parent or of an earlier image, and
    /// registers with the scheduler.
    fn attend(self: &Arc<Self>, local: &mut LocalState<Work>) -> Result<()> {
        let was_attended = local.is_attended();
        self.core.attend(local, self, || self.scheduler())?;
        // After registering, because a restore before that could not notify this source.
        if !was_attended && !self.image.is_present() {
            self.owner(&mut local.work).close();
            local.forget(Work::default());
        }
        Ok(())
    }

    /// Gives access to the machine's lane. The caller must hold the lock of the local state.
    #[expect(clippy::expect_used, reason = "a second owner would repeat IDs")]
    fn owner(&self, _locked: &mut Work) -> SnowflakeOwner<'_> {
        self.flake.owner().expect("one at a time: each is gone before its lock is")
    }

    fn look_at_clocks(&self, work: &mut Work) -> i64 {
        let time = work.timeline.look(Reading::take(&self.host));
        self.offset_ms.store(time.offset_ms, Ordering::Relaxed);
        self.seen_ms.store(time.now_ms, Ordering::Relaxed);
        time.now_ms
    }

    /// A lane without time. Only `move_horizon` gives time.
    fn lane(&self, reservation: &Reservation, rollback: u32) -> Lane {
        let floor = self.tick_or_end(reservation.floor_ms);
        let grant = Grant { floor, reserved: floor };
        Lane { worker_id: reservation.worker_id, rollback, grant }
    }

    /// Gives the machine more of the reserved time. The holder's right to the worker ID is checked
    /// after the time was read, so that a horizon never reaches further than was true then.
    fn move_horizon(&self, work: &mut Work) {
        let Some(reservation) = work.reservation else { return };
        if self.worker_ids.may_go_on() {
            let reserved = self.horizon(&reservation, work.timeline.horizon_ms());
            self.owner(work).extend(reserved);
        } else {
            work.reservation = None;
        }
    }

    /// The first tick that the machine may not use before the next look at the clocks. Floors and
    /// ends of leases are both rounded down to ticks, so that disjoint leases stay disjoint.
    fn horizon(&self, reservation: &Reservation, horizon_ms: i64) -> u64 {
        let furthest_ms = horizon_ms.saturating_add(i64::from(self.max_ahead_ms));
        let trusted = self.tick_or_end(furthest_ms).saturating_add(1);
        trusted.min(self.tick_or_end(reservation.reserved_ms))
    }

    fn tick_or_end(&self, unix_ms: i64) -> u64 {
        match self.layout().tick_at(unix_ms) {
            Ok(tick) => tick,
            Err(_) if unix_ms < self.layout().epoch_ms() => 0,
            Err(_) => self.layout().ticks(),
        }
    }
}

impl Live for LeasedWorker {
    fn forget(&self) {
        let Some(local) = self.core.present_local() else { return };
        let mut local = lock(&local);
        self.owner(&mut local.work).close();
        self.worker_ids.forget();
        local.forget(Work::default());
    }
}

impl Drop for LeasedWorker {
    fn drop(&mut self) {
        // No caller is left for the outcome. If giving up fails, the lease ends by itself.
        drop(self.close());
    }
}
