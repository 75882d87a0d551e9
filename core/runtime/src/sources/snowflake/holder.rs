//! Holds a worker ID for a generator: its lease, the renewals, the clock, the fork check.
//!
//! The engine's machine is given its reserved time in short *leashes* ([`LEASH_MS`] ahead of the
//! clock): at the end of one the slow path looks at the clocks, and the fast path need not.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use snowmint_engine::{Code, Grant, Lane, Layout, SharedSnowflake};

use crate::clock::{LEASH_MS, Reading, Sample};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::host::process::{ForkGuard, PerProcess};
use crate::host::restore::{self, Image, Live};
use crate::keepers::{self, Kept, NOTHING_DUE, RETRY_MS};
use crate::store::{Lease, LeaseRequest, MAX_SLAB_MS, Token};
use crate::worker::Lessor;

mod state;

use state::{Due, Local, State};

/// The coarse clock lags by less: it ticks 100 to 1000 times a second.
const COARSE_MS: i64 = 12;
/// A renewal follows another after a part of the time which that one brought, of a second at most.
const REST_DIVISOR: i64 = 10;
const REST_MAX_MS: i64 = 1_000;
/// After several failures the store is asked again within this, in milliseconds.
const RETRY_MAX_MS: i64 = 500;
/// A fixed worker ID's mark is moved on only while IDs are asked for this often.
const IDLE_MS: i64 = 10_000;

/// What a lease is held on.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// The realm: the layout's canonical text.
    pub(crate) realm: String,
    /// Names this holder.
    pub(crate) owner: String,
    /// Time reserved by each renewal.
    pub(crate) slab_ms: u32,
    /// How far an ID's time may run ahead of the clock.
    pub(crate) max_ahead_ms: u32,
}

/// A machine and the worker ID it issues under.
pub(crate) struct Holder<H: Host> {
    flake: SharedSnowflake,
    guard: ForkGuard,
    /// That in which it was opened.
    image: Image,
    /// The process in which the machine's lane was opened.
    opened_in: AtomicU64,
    /// What to add to wall time.
    offset_ms: AtomicI64,
    /// The time when the clocks were last looked at.
    seen_ms: AtomicI64,
    closed: AtomicBool,
    /// Clones of the generator. The keeper, which borrows the holder for a round, is none.
    users: AtomicUsize,
    host: H,
    lessor: Lessor,
    terms: Terms,
    local: PerProcess<Local>,
}

impl<H: Host> Holder<H> {
    /// Takes a worker ID and opens the machine's lane.
    pub(crate) fn open(
        flake: SharedSnowflake,
        lessor: Lessor,
        terms: Terms,
        host: H,
    ) -> Result<Holder<H>> {
        flake.layout().check_mints_at(host.now_ms())?;
        let holder = Holder {
            flake,
            guard: ForkGuard::new(),
            image: Image::present(),
            opened_in: AtomicU64::new(0),
            offset_ms: AtomicI64::new(0),
            seen_ms: AtomicI64::new(0),
            closed: AtomicBool::new(false),
            users: AtomicUsize::new(1),
            host,
            lessor,
            terms,
            local: PerProcess::new(),
        };
        let local = holder.local();
        holder.acquire(&local, None);
        match holder.lock(&local).failure.take() {
            Some(failure) => Err(failure),
            None => Ok(holder),
        }
    }

    pub(crate) fn layout(&self) -> &Layout {
        self.flake.layout()
    }

    pub(crate) fn host(&self) -> &H {
        &self.host
    }

    /// The machine and the time, if nothing stands against using them: still the process that
    /// opened the lane.
    #[inline]
    pub(crate) fn at_once(&self) -> Option<(&SharedSnowflake, i64)> {
        if !self.guard.is(self.opened_in.load(Ordering::Relaxed)) {
            return None;
        }
        let coarse_ms =
            self.host.coarse_ms().saturating_add(self.offset_ms.load(Ordering::Relaxed));
        // The coarse clock lags by up to its own tick, and what the precise one has brought within
        // reach would stay out of reach for as long: every call would look at the clocks. A lag
        // above that is a clock set back, which is to be looked at.
        let seen_ms = self.seen_ms.load(Ordering::Relaxed);
        let lags = (0..COARSE_MS).contains(&seen_ms.wrapping_sub(coarse_ms));
        Some((&self.flake, if lags { seen_ms } else { coarse_ms }))
    }

    /// The machine and the precise time, after looking at the clocks and giving it more of the
    /// reserved time.
    pub(crate) fn prepare(self: &Arc<Self>) -> Result<(&SharedSnowflake, i64)> {
        if self.closed.load(Ordering::Relaxed) {
            return Err(snowmint_engine::Error::Closed.into());
        }
        let local = self.local();
        let mut state = self.lock(&local);
        if !state.has_keeper {
            self.join(&local, &mut state)?;
        }
        state.asked_boot_ms = self.host.boot_ms();
        let now_ms = self.look_at_clocks(&mut state);
        if let Some(lease) = &state.lease {
            self.flake.extend(self.leash(lease, now_ms));
        }
        if !matches!(self.due(&mut state, now_ms), Due::Nothing(_)) {
            local.bell.ring();
        }
        Ok((&self.flake, now_ms))
    }

    /// Asks the keeper for more time; an error if the last attempt failed for good.
    pub(crate) fn want_time(&self) -> Result<()> {
        let local = self.local();
        local.bell.ring();
        match &self.lock(&local).failure {
            Some(failure) if !failure.is_transient() => Err(failure.clone()),
            _ => Ok(()),
        }
    }

    /// Asks the keeper for another worker ID; `false` if there are no others.
    pub(crate) fn want_another_worker(&self) -> bool {
        if self.lessor.can_change() {
            let local = self.local();
            self.lock(&local).change = true;
            local.bell.ring();
        }
        self.lessor.can_change()
    }

    /// Why there is no time left.
    pub(crate) fn out_of_time(&self, stall: snowmint_engine::Error) -> Error {
        let local = self.local();
        let failure = self.lock(&local).failure.clone();
        match failure {
            None => stall.into(),
            Some(failure) => {
                let message = format!(
                    "the reserved time of this worker ID is used up, and the store gives no more: \
                     {failure}"
                );
                Error::new(Code::LeaseUnavailable, message).caused_by(failure)
            }
        }
    }

    /// Counts a rollback of the clock in the layout's rollback bits; `false` if it has none.
    pub(crate) fn count_rollback(&self) -> Result<bool> {
        let max = self.layout().rollback().max() as u32;
        let local = self.local();
        let mut state = self.lock(&local);
        let Some(lease) = state.lease.clone().filter(|_| max > 0) else {
            return Ok(false);
        };
        let now_ms = self.look_at_clocks(&mut state);
        state.rollback = state.rollback.wrapping_add(1) & max;
        self.flake.jump(self.lane(&lease, state.rollback, now_ms))?;
        Ok(true)
    }

    /// Stops issuing and gives the worker ID up.
    pub(crate) fn close(&self) -> Result<()> {
        if self.closed.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let local = self.local();
        // Under the lock: whoever opens a lane there has done so, or sees that this is closed.
        let mut state = self.lock(&local);
        if !self.is_here() {
            return Ok(());
        }
        let (reached, lease) = (self.flake.close(), state.lease.take());
        drop(state);
        local.bell.ring();
        match lease {
            Some(lease) => self.lessor.release(&lease, self.layout().tick_start_ms(reached)),
            None => Ok(()),
        }
    }

    /// One more clone of the generator.
    pub(crate) fn join_users(&self) {
        self.users.fetch_add(1, Ordering::Relaxed);
    }

    /// One clone less; the last one closes.
    pub(crate) fn leave_users(&self) {
        if self.users.fetch_sub(1, Ordering::AcqRel) == 1 {
            // Nobody is left to be told; the lease ends by itself.
            drop(self.close());
        }
    }

    /// Whether the lane was opened in this process, and not in a parent.
    fn is_here(&self) -> bool {
        self.guard.is(self.opened_in.load(Ordering::Relaxed))
    }

    fn local(&self) -> Arc<Local> {
        self.local.get_or_init(Local::default)
    }

    fn lock<'a>(&self, local: &'a Local) -> MutexGuard<'a, State> {
        local.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the generator this process's: ends a lane of its parent or of an earlier image, and
    /// starts a keeper.
    fn join(self: &Arc<Self>, local: &Local, state: &mut State) -> Result<()> {
        restore::enlist(Arc::<Self>::downgrade(self));
        // After that: a restore before it could not tell.
        if !self.image.is_present() {
            self.flake.close();
            state.forget();
        }
        keepers::start(
            &self.host,
            "snowmint-lease",
            Arc::downgrade(self),
            Arc::clone(&local.bell),
        )?;
        state.has_keeper = true;
        Ok(())
    }

    fn look_at_clocks(&self, state: &mut State) -> i64 {
        let time = state.timeline.look(Reading::of(&self.host));
        self.offset_ms.store(time.offset_ms, Ordering::Relaxed);
        self.seen_ms.store(time.now_ms, Ordering::Relaxed);
        time.now_ms
    }

    fn due(&self, state: &mut State, now_ms: i64) -> Due {
        let wait_ms = state.retry_boot_ms.saturating_sub(self.host.boot_ms());
        if wait_ms > 0 {
            return Due::Nothing(Duration::from_millis(wait_ms.unsigned_abs()));
        }
        let Some(lease) = &state.lease else {
            return Due::Acquire { avoid: None };
        };
        if state.lost || state.change {
            let avoid = Some(lease.worker_id).filter(|_| state.change);
            return Due::Acquire { avoid };
        }
        let left_ms = lease.reserved_ms.saturating_sub(now_ms);
        let early_ms = left_ms.saturating_sub(self.renew_at_ms());
        let rest_ms = state.rested_boot_ms.saturating_sub(self.host.boot_ms());
        let early_ms = if state.timeline.is_in_doubt() { rest_ms } else { early_ms.max(rest_ms) };
        if early_ms > 0 {
            return Due::Nothing(Duration::from_millis(early_ms.unsigned_abs()));
        }
        let idle_ms = self.host.boot_ms().saturating_sub(state.asked_boot_ms);
        if !self.lessor.can_change() && idle_ms > IDLE_MS {
            return Due::Nothing(NOTHING_DUE);
        }
        match state.next_token.map_or_else(|| self.host.token(), Ok) {
            Ok(token) => {
                state.next_token = Some(token);
                Due::Renew(lease.clone(), token)
            }
            Err(error) => {
                self.note_failure(state, error);
                Due::Nothing(Duration::from_millis(RETRY_MS.unsigned_abs()))
            }
        }
    }

    /// A lease is renewed once this much of its time is left: two thirds of a slab.
    fn renew_at_ms(&self) -> i64 {
        i64::from(self.terms.slab_ms) * 2 / 3
    }

    /// Takes a worker ID; what comes of it is in the state.
    fn acquire(&self, local: &Local, avoid: Option<u32>) {
        let (image, asked_ms) = (Image::present(), self.host.boot_ms());
        let (now_ms, slab_ms) = self.look_before_asking(local);
        let request = self.request(avoid, slab_ms);
        let taken = request.and_then(|request| self.lessor.acquire(&request, now_ms));
        if let Some(lease) = taken.as_ref().ok().filter(|_| !self.lessor.tells_time()) {
            self.await_floor(lease, now_ms);
        }
        let mut state = self.lock(local);
        if !image.is_present() {
            return; // another image may have had the same answer
        }
        let entered = taken.and_then(|lease| self.enter(&mut state, lease, asked_ms));
        match entered {
            Ok(left) => {
                drop(state);
                if let Some(left) = left {
                    // Its time stays reserved whatever becomes of this call.
                    drop(self.lessor.release(&left, left.reserved_ms));
                }
            }
            Err(error) => self.note_failure(&mut state, error),
        }
    }

    /// Waits until a lane can be used, up to a slab: so far ahead lies the mark of a holder that was
    /// killed, or of this one before its file failed. Further ahead, the clock went back, which is
    /// the policy's to judge.
    fn await_floor(&self, lease: &Lease, now_ms: i64) {
        let floor_ms = self.layout().tick_start_ms(self.tick_or_end(lease.floor_ms));
        let usable_ms = floor_ms.saturating_sub(self.terms.max_ahead_ms.into());
        let wait_ms = usable_ms.saturating_sub(now_ms);
        if (1..=self.terms.slab_ms.into()).contains(&wait_ms) {
            self.host.sleep(Duration::from_millis(wait_ms.unsigned_abs()));
        }
    }

    /// Opens the lane of a new lease; returns the lease left for it.
    fn enter(&self, state: &mut State, lease: Lease, asked_ms: i64) -> Result<Option<Lease>> {
        if self.closed.load(Ordering::Relaxed) {
            return Ok(Some(lease));
        }
        // The lane begins at the store's time: before it, nothing could be issued.
        self.note_time(state, &lease, asked_ms, true);
        let now_ms = self.look_at_clocks(state);
        let lane = self.lane(&lease, state.rollback, now_ms);
        if state.change {
            self.flake.jump(lane)?;
        } else {
            self.flake.open(lane)?;
        }
        self.opened_in.store(self.guard.generation(), Ordering::Relaxed);
        let left = state.lease.replace(lease).filter(|_| !state.lost);
        (state.lost, state.change, state.next_token) = (false, false, None);
        state.note_success();
        Ok(left)
    }

    fn renew(&self, local: &Local, lease: &Lease, token: Token) {
        let asked_ms = self.host.boot_ms();
        let (now_ms, slab_ms) = self.look_before_asking(local);
        let renewed = self.lessor.renew(lease, token, slab_ms, now_ms);
        let mut state = self.lock(local);
        if state.lease.as_ref() != Some(lease) {
            return;
        }
        match renewed {
            Ok(renewed) => {
                self.note_time(&mut state, &renewed, asked_ms, false);
                let now_ms = self.look_at_clocks(&mut state);
                self.flake.extend(self.leash(&renewed, now_ms));
                state.lease = Some(renewed);
                state.next_token = None;
                state.note_success();
            }
            Err(error) => {
                state.lost |= error.code() == Code::LeaseLost;
                state.next_token = state.next_token.filter(|_| !state.lost);
                self.note_failure(&mut state, error);
            }
        }
    }

    fn request(&self, avoid: Option<u32>, slab_ms: u32) -> Result<LeaseRequest> {
        Ok(LeaseRequest {
            realm: self.terms.realm.clone(),
            max_worker_id: self.layout().max_worker_id(),
            owner: self.terms.owner.clone(),
            token: self.host.token()?,
            slab_ms,
            max_ahead_ms: self.terms.max_ahead_ms,
            avoid,
        })
    }

    fn lane(&self, lease: &Lease, rollback: u32, now_ms: i64) -> Lane {
        let floor = self.tick_or_end(lease.floor_ms);
        let grant = Grant { floor, reserved: self.leash(lease, now_ms) };
        Lane { worker_id: lease.worker_id, rollback, grant }
    }

    /// The first tick the machine may not use before the clocks are looked at again. Floors and
    /// ends of leases are both rounded down to ticks: disjoint leases stay disjoint.
    fn leash(&self, lease: &Lease, now_ms: i64) -> u64 {
        let ahead_ms = LEASH_MS.saturating_add(i64::from(self.terms.max_ahead_ms));
        let trusted = self.tick_or_end(now_ms.saturating_add(ahead_ms)).saturating_add(1);
        trusted.min(self.tick_or_end(lease.reserved_ms))
    }

    fn tick_or_end(&self, unix_ms: i64) -> u64 {
        match self.layout().tick_at(unix_ms) {
            Ok(tick) => tick,
            Err(_) if unix_ms < self.layout().epoch_ms() => 0,
            Err(_) => self.layout().ticks(),
        }
    }

    /// Notes when the store answered and, where it tells the time, what it said.
    fn note_time(&self, state: &mut State, lease: &Lease, asked_ms: i64, must_follow: bool) {
        let answered_ms = self.host.boot_ms();
        let granted_ms = lease.reserved_ms.saturating_sub(lease.now_ms);
        let rest_ms = (granted_ms / REST_DIVISOR).clamp(0, REST_MAX_MS);
        state.rested_boot_ms = answered_ms.saturating_add(rest_ms);
        if self.lessor.tells_time() {
            let sample = Sample { store_ms: lease.now_ms, asked_ms, answered_ms };
            state.timeline.anchor_to_store(sample, must_follow);
        }
    }

    /// The time, and how much to ask for: a slab above the time, which is ahead of the store's clock
    /// where that went back.
    fn look_before_asking(&self, local: &Local) -> (i64, u32) {
        let mut state = self.lock(local);
        let now_ms = self.look_at_clocks(&mut state);
        let ahead_ms = u32::try_from(state.timeline.ahead_of_store_ms()).unwrap_or(u32::MAX);
        (now_ms, self.terms.slab_ms.saturating_add(ahead_ms).min(MAX_SLAB_MS))
    }

    fn note_failure(&self, state: &mut State, error: Error) {
        let pause_ms = (RETRY_MS << state.failures.min(8)).min(RETRY_MAX_MS);
        // Holders that lost the store together do not come back together.
        let mut jitter = [0; 1];
        let jitter_ms = self.host.fill(&mut jitter).map_or(0, |()| i64::from(jitter[0]) / 2);
        state.retry_boot_ms = self.host.boot_ms().saturating_add(pause_ms + jitter_ms);
        state.failures = state.failures.saturating_add(1);
        state.failure = Some(error);
    }
}

impl<H: Host> Kept for Holder<H> {
    fn keep(&self) -> Duration {
        let local = self.local();
        let due = {
            let mut state = self.lock(&local);
            // Under the lock: whoever closes takes the lease under it, and none is to follow.
            if self.closed.load(Ordering::Relaxed) {
                return NOTHING_DUE;
            }
            let now_ms = self.look_at_clocks(&mut state);
            self.due(&mut state, now_ms)
        };
        match due {
            Due::Nothing(pause) => return pause,
            Due::Acquire { avoid } => self.acquire(&local, avoid),
            Due::Renew(lease, token) => self.renew(&local, &lease, token),
        }
        Duration::ZERO
    }
}

impl<H: Host> Live for Holder<H> {
    fn forget(&self) {
        let Some(local) = self.local.get() else { return };
        let mut state = self.lock(&local);
        self.flake.close();
        self.lessor.forget();
        state.forget();
    }
}

impl<H: Host> Drop for Holder<H> {
    fn drop(&mut self) {
        // Nobody is left to be told; the lease ends by itself.
        drop(self.close());
        if let Some(local) = self.local.get() {
            local.bell.ring();
        }
    }
}
