//! The snowflake generator that everybody uses: shared by threads, waiting, safe across forks.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use snowmint_engine::{
    Action, ClockPolicy, Code, Error as EngineError, Ids, Layout, MAX_COUNT, Pace, Preset,
    SequenceStart, SharedSnowflake, Stall, StallReason,
};

use self::holder::Holder;
use crate::error::{Error, Result};
use crate::host::files::{Disk, Files};
use crate::host::paths::state_directory;
use crate::host::{Host, System};
use crate::keepers::POLL;
use crate::stats::Stats;
use crate::store::{MAX_SLAB_MS, WorkerStore};
use crate::waiting::{Attempt, ask_within, until_ms};
use crate::worker::{LeasedWorker, Lessor, MarkTerms, MarkedWorker, Terms, Worker};

mod holder;

/// How long a call waits for an ID unless told otherwise.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(5);

/// A leased worker ID's time is reserved a minute ahead: an outage of 40 s is not noticed.
const LEASE_SLAB_MS: u32 = 60_000;
/// A fixed one's a second: after a crash the next start waits at most that long.
const MARK_SLAB_MS: u32 = 1_000;
/// A slab is renewed when two thirds of it are left: the next tick must begin within those.
const MAX_TICK_MS: u32 = MAX_SLAB_MS / 3 * 2;
/// The most IDs claimed at once: other threads get theirs in between.
const BLOCK: u64 = 1 << 16;

/// Mints snowflake IDs.
///
/// - *Order*: IDs rise strictly in issue order, across threads, clock steps and leases, if time is
///   the top field and the policy neither changes workers nor counts rollbacks.
/// - *Overflow*: a full tick borrows from the future up to the policy's `max_ahead_ms`, then waits
///   without spinning.
/// - *Clock rollback*: as the policy says; the default goes on, and never repeats an ID.
/// - *Threads*: clone it or share it; minting takes no lock.
/// - *Fork*: a child takes a worker ID of its own at its first call; with a fixed one it fails with
///   [`Code::Forked`].
/// - *Crash*: the next holder of the worker ID begins above everything issued.
pub struct Snowflake<H: Host = System> {
    holder: Arc<Holder<H>>,
    policy: ClockPolicy,
    wait: Duration,
}

impl Snowflake {
    /// Starts building a generator. It needs a worker ID: [`worker`](SnowflakeBuilder::worker) or
    /// [`lease_from`](SnowflakeBuilder::lease_from).
    pub fn builder() -> SnowflakeBuilder {
        SnowflakeBuilder {
            layout: Layout::TWITTER,
            policy: ClockPolicy::SNOWMINT,
            start: SequenceStart::Rotate,
            worker: None,
            store: None,
            state: None,
            require_state: false,
            slab_ms: None,
            wait: DEFAULT_WAIT,
            host: System,
            files: Arc::new(Disk),
        }
    }
}

impl<H: Host> Snowflake<H> {
    /// The next ID, waiting up to the generator's bound.
    ///
    /// # Errors
    /// [`Code::ClockBehind`] and [`Code::SequenceExhausted`] where the policy does not wait or the
    /// wait would pass the bound, [`Code::LeaseUnavailable`] when the reserved time is used up,
    /// [`Code::LayoutExpired`], [`Code::Forked`], [`Code::Closed`].
    #[inline]
    pub fn next_id(&self) -> Result<u64> {
        match self.try_next_id() {
            Some(id) => Ok(id),
            None => self.next_id_within(self.wait),
        }
    }

    /// The next ID if it can be had at once: takes no lock, calls nobody and never waits, as event
    /// loops and holders of an interpreter's lock need it. After `None`, ask
    /// [`next_id`](Self::next_id), or [`next_id_within`](Self::next_id_within) no time at all:
    /// that takes a lock, but none that is held across a call of the store.
    #[inline]
    pub fn try_next_id(&self) -> Option<u64> {
        let (flake, now_ms) = self.holder.at_once()?;
        flake.next_id(now_ms).ok()
    }

    /// The next ID, waiting up to `wait`; `Duration::ZERO` never waits.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    #[inline(never)]
    pub fn next_id_within(&self, wait: Duration) -> Result<u64> {
        self.attempt(wait, SharedSnowflake::next_id)
    }

    /// Fills `out` with rising IDs. Each block waits up to the generator's bound.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id). What `out` then holds is given up: a gap.
    pub fn fill(&self, out: &mut [u64]) -> Result<()> {
        for chunk in out.chunks_mut(self.block_size()) {
            self.block(chunk.len())?.fill(chunk);
        }
        Ok(())
    }

    /// `count` rising IDs.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`] for 0 or more than [`MAX_COUNT`]; as [`next_id`](Self::next_id).
    pub fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
        collect(count, |wanted, ids| {
            self.block(wanted.min(self.block_size()))?.append_to(ids);
            Ok(())
        })
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        self.holder.layout()
    }

    /// What it is doing: its worker ID, what is reserved, its clock, what went wrong.
    pub fn stats(&self) -> Stats {
        self.holder.stats()
    }

    /// How long a call waits.
    pub fn wait(&self) -> Duration {
        self.wait
    }

    /// The same generator with another bound for the calls on it; `Duration::ZERO` never waits.
    #[must_use]
    pub fn with_wait(&self, wait: Duration) -> Snowflake<H> {
        let mut other = self.clone();
        other.wait = wait;
        other
    }

    /// Stops minting, and gives the worker ID up: a leased one without waiting for the store, which
    /// a keeper tells. A process that ends before that leaves it to the lease's end, some seconds.
    /// Closing twice is no error; dropping the last clone closes too.
    ///
    /// # Errors
    /// Of a fixed worker ID's state file. The generator is closed all the same.
    pub fn close(&self) -> Result<()> {
        self.holder.close().at_once()
    }

    /// As [`close`](Self::close), and waits up to `wait` until the store knows.
    ///
    /// # Errors
    /// As there; of the store, and [`Code::WaitTimeout`]: the lease then ends by itself.
    pub fn close_within(&self, wait: Duration) -> Result<()> {
        self.holder.close().within(wait, self.holder.host())
    }

    /// How many IDs are claimed at once.
    fn block_size(&self) -> usize {
        self.layout().ids_per_tick().clamp(1, BLOCK) as usize
    }

    fn block(&self, n: usize) -> Result<Ids> {
        match self.at_once(n) {
            Some(ids) => Ok(ids),
            None => self.attempt(self.wait, |flake, now_ms| flake.issue(now_ms, n as u32)),
        }
    }

    fn at_once(&self, n: usize) -> Option<Ids> {
        let (flake, now_ms) = self.holder.at_once()?;
        flake.issue(now_ms, n as u32).ok()
    }

    /// The next ID, or how long to sleep before asking again, as the policy says: for callers that
    /// must sleep themselves. It takes a lock, but none that is held across a call of the store.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id), of those that no wait mends.
    pub fn poll_id(&self) -> Result<Attempt<u64>> {
        self.poll(SharedSnowflake::next_id)
    }

    /// Fills the beginning of `out` with as many rising IDs as are claimed at once, and says how
    /// many; or how long to sleep, like [`poll_id`](Self::poll_id).
    ///
    /// # Errors
    /// As [`poll_id`](Self::poll_id).
    pub fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        let count = out.len().min(self.block_size());
        let issued = match self.at_once(count) {
            Some(ids) => Attempt::Done(ids),
            None => self.poll(|flake, now_ms| flake.issue(now_ms, count as u32))?,
        };
        Ok(issued.map(|mut ids| ids.fill(out)))
    }

    fn poll<T>(
        &self,
        issue: impl Fn(&SharedSnowflake, i64) -> Result<T, EngineError>,
    ) -> Result<Attempt<T>> {
        self.ask(&issue, &mut 0)
    }

    /// Issues, and does what the policy says for as long as it cannot.
    fn attempt<T>(
        &self,
        wait: Duration,
        issue: impl Fn(&SharedSnowflake, i64) -> Result<T, EngineError>,
    ) -> Result<T> {
        let mut rollbacks = 0;
        ask_within(wait, self.holder.host(), || self.ask(&issue, &mut rollbacks))
    }

    /// Issues, or says what the policy waits for; an error is final.
    fn ask<T>(
        &self,
        issue: &impl Fn(&SharedSnowflake, i64) -> Result<T, EngineError>,
        rollbacks: &mut u64,
    ) -> Result<Attempt<T>> {
        loop {
            let (flake, now_ms, rollback) = self.holder.prepare()?;
            let refusal = match issue(flake, now_ms) {
                Ok(issued) => return Ok(Attempt::Done(issued)),
                Err(refusal) => refusal,
            };
            let action = match refusal {
                EngineError::Stall(stall) if self.is_overtaken(stall, now_ms)? => continue,
                EngineError::Stall(stall) => self.policy.action(stall),
                // The lane of this process is not open yet.
                EngineError::Closed => Action::ExtendGrant,
                other => return Err(other.into()),
            };
            match action {
                Action::Wait { wait_ms } => {
                    let pause = until_ms(wait_ms, self.holder.host());
                    return Ok(Attempt::Later { pause, why: refusal.into() });
                }
                Action::ChangeWorker if !self.holder.want_another_worker() => {}
                Action::ExtendGrant | Action::ChangeWorker => {
                    self.holder.want_time()?;
                    let why = self.holder.out_of_time(refusal);
                    return Ok(Attempt::Later { pause: POLL, why });
                }
                Action::CountRollback
                    if *rollbacks < self.layout().rollback().max()
                        && self.holder.count_rollback(rollback)? =>
                {
                    *rollbacks += 1;
                    continue;
                }
                Action::Fail | Action::CountRollback => {}
            }
            return Err(refusal.into());
        }
    }

    /// Whether the machine is ahead of `now_ms` only because other threads went on with the time
    /// while this one stood still after reading it.
    fn is_overtaken(&self, stall: Stall, now_ms: i64) -> Result<bool> {
        if stall.reason != StallReason::AheadOfClock {
            return Ok(false);
        }
        let (_, later_ms, _) = self.holder.prepare()?;
        Ok(later_ms.saturating_sub_unsigned(stall.wait_ms) >= now_ms)
    }
}

impl<H: Host> Clone for Snowflake<H> {
    fn clone(&self) -> Self {
        self.holder.join_users();
        Snowflake { holder: Arc::clone(&self.holder), policy: self.policy, wait: self.wait }
    }
}

impl<H: Host> Drop for Snowflake<H> {
    fn drop(&mut self) {
        self.holder.leave_users();
    }
}

impl<H: Host> std::fmt::Debug for Snowflake<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snowflake")
            .field("layout", self.layout())
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

/// So many IDs in a vector, if the number is within the limit of one call. `append` gets the number
/// still wanted, and appends at most so many.
pub(crate) fn collect(
    count: usize,
    append: impl Fn(usize, &mut Vec<u64>) -> Result<()>,
) -> Result<Vec<u64>> {
    check_count(count)?;
    let mut ids = Vec::with_capacity(count);
    while ids.len() < count {
        append(count - ids.len(), &mut ids)?;
    }
    Ok(ids)
}

/// Checks how many IDs one call is to return.
pub(crate) fn check_count(count: usize) -> Result<()> {
    if count == 0 || count > MAX_COUNT {
        let (count, max) = (count as u64, MAX_COUNT as u64);
        return Err(EngineError::CountOutOfRange { count, max }.into());
    }
    Ok(())
}

/// Builds a [`Snowflake`].
#[must_use]
pub struct SnowflakeBuilder<H: Host = System> {
    layout: Layout,
    policy: ClockPolicy,
    start: SequenceStart,
    worker: Option<Worker>,
    store: Option<Arc<dyn WorkerStore>>,
    state: Option<PathBuf>,
    require_state: bool,
    slab_ms: Option<u32>,
    wait: Duration,
    host: H,
    files: Arc<dyn Files>,
}

impl<H: Host> SnowflakeBuilder<H> {
    /// The layout; Twitter's unless set.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// A preset's layout, clock policy and sequence start: IDs as its system mints them.
    pub fn preset(mut self, preset: &Preset) -> Self {
        (self.layout, self.policy, self.start) = (preset.layout, preset.policy, preset.start);
        self
    }

    /// The clock policy; [`ClockPolicy::SNOWMINT`] unless set.
    pub fn policy(mut self, policy: ClockPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Where a fresh tick's sequence begins; [`SequenceStart::Rotate`] unless set.
    pub fn sequence_start(mut self, start: SequenceStart) -> Self {
        self.start = start;
        self
    }

    /// A worker ID fixed from outside, its time reserved in a state file.
    pub fn worker(mut self, worker: Worker) -> Self {
        self.worker = Some(worker);
        self
    }

    /// A worker ID leased from a store.
    pub fn lease_from(mut self, store: Arc<dyn WorkerStore>) -> Self {
        self.store = Some(store);
        self
    }

    /// The directory of a fixed worker ID's state file; the user's state directory unless set.
    pub fn state_directory(mut self, directory: impl AsRef<Path>) -> Self {
        self.state = Some(directory.as_ref().to_owned());
        self
    }

    /// Whether a fixed worker ID is refused where its state file is missing. Unless set, IDs then
    /// begin above all that an earlier run can have issued, if the clock has not gone back since,
    /// and that run had no greater `max_ahead_ms`. To rest on neither, set it after the first start.
    pub fn require_state(mut self, require_state: bool) -> Self {
        self.require_state = require_state;
        self
    }

    /// How much time each renewal reserves, 100 ms to an hour: with a lease also the outage of the
    /// store that can be bridged, with a fixed worker ID the longest wait after a crash.
    pub fn slab_ms(mut self, slab_ms: u32) -> Self {
        self.slab_ms = Some(slab_ms);
        self
    }

    /// How long a call waits for an ID: [`DEFAULT_WAIT`] unless set.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Another host than the operating system, and other files: for simulation.
    pub fn host<H2: Host>(self, host: H2, files: Arc<dyn Files>) -> SnowflakeBuilder<H2> {
        SnowflakeBuilder {
            layout: self.layout,
            policy: self.policy,
            start: self.start,
            worker: self.worker,
            store: self.store,
            state: self.state,
            require_state: self.require_state,
            slab_ms: self.slab_ms,
            wait: self.wait,
            host,
            files,
        }
    }

    /// Takes the worker ID and opens the generator. Calls the store. Where the last holder of a
    /// fixed worker ID was killed and the policy does not borrow, it waits for the time which that
    /// one had reserved, up to a slab: a second unless set. Without a state file it waits as long.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`] without a worker ID or with two, for a slab out of range, or for a
    /// layout whose ticks are longer than 40 minutes;
    /// [`Code::EpochInFuture`] and [`Code::LayoutExpired`]; [`Code::WorkerInUse`],
    /// [`Code::MarkAhead`], [`Code::StateMissing`], [`Code::UnsafeSetting`] for a state file that
    /// others could change, [`Code::WorkersExhausted`], or of the store.
    pub fn open(self) -> Result<Snowflake<H>> {
        let Slab { least_ms, slab_ms } = self.check_time()?;
        let realm = realm(&self.layout);
        let max_ahead_ms = self.policy.max_ahead_ms;
        let lessor = match (&self.worker, &self.store) {
            (Some(worker), None) => self.marked(worker, realm, slab_ms)?,
            (None, Some(store)) => {
                let max_worker_id = self.layout.max_worker_id();
                let terms = Terms { realm, max_worker_id, least_ms, slab_ms, max_ahead_ms };
                let (store, host) = (Arc::clone(store), self.host.clone());
                Lessor::Store(Box::new(LeasedWorker::new(store, terms, host)))
            }
            _ => {
                let message = "a generator needs one worker ID: a fixed one, or a store to lease \
                               one from";
                return Err(Error::new(Code::InvalidParameter, message));
            }
        };
        let pace = Pace { max_ahead_ms, start: self.start };
        let flake = SharedSnowflake::closed(self.layout, pace);
        let holder = Arc::new(Holder::open(flake, lessor, max_ahead_ms, self.host)?);
        // Starts the keeper: a clock that stands still would never lead to the slow path.
        holder.prepare()?;
        Ok(Snowflake { holder, policy: self.policy, wait: self.wait })
    }

    fn marked(&self, worker: &Worker, realm: String, slab_ms: u32) -> Result<Lessor> {
        let terms = MarkTerms {
            realm,
            worker_id: worker.resolve(&self.layout)?,
            slab_ms,
            tick_ms: self.layout.tick_ms(),
            max_ahead_ms: self.policy.max_ahead_ms,
            require_state: self.require_state,
        };
        let directory = self.state.clone().map_or_else(state_directory, Ok)?;
        let worker = MarkedWorker::open(Arc::clone(&self.files), &directory, terms)?;
        Ok(Lessor::Mark(Box::new(worker)))
    }

    /// Checks the layout against the clock, and gives the slab.
    pub(crate) fn check_time(&self) -> Result<Slab> {
        self.layout.check_mints_at(self.host.now_ms())?;
        let default_ms = if self.worker.is_some() { MARK_SLAB_MS } else { LEASE_SLAB_MS };
        let slab_ms = self.slab_ms.unwrap_or(default_ms);
        if !(100..=MAX_SLAB_MS).contains(&slab_ms) {
            let message =
                format!("a slab of {slab_ms} ms is not possible: use 100 to {MAX_SLAB_MS}");
            return Err(Error::new(Code::InvalidParameter, message));
        }
        let tick_ms = self.layout.tick_ms();
        if tick_ms > MAX_TICK_MS {
            let message = format!(
                "a tick of {tick_ms} ms is too long to mint in, since a worker's time is reserved \
                 for {MAX_SLAB_MS} ms at most: use ticks of up to {MAX_TICK_MS} ms"
            );
            return Err(Error::new(Code::InvalidParameter, message));
        }
        let bursts_ms = self.policy.max_ahead_ms.saturating_mul(2);
        let ticks_ms = tick_ms.saturating_mul(4);
        let least_ms = bursts_ms.max(ticks_ms).min(MAX_SLAB_MS);
        Ok(Slab { least_ms, slab_ms: slab_ms.max(least_ms) })
    }
}

/// How much time is reserved at once.
pub(crate) struct Slab {
    /// It covers the borrowing of two bursts, and at least four ticks.
    least_ms: u32,
    slab_ms: u32,
}

/// Names a layout for stores: those who share it share worker IDs.
fn realm(layout: &Layout) -> String {
    format!("{layout}@{}/{}", layout.epoch_ms(), layout.tick_ms())
}

#[cfg(test)]
mod tests;
