//! The snowflake generator for callers: shared by threads, waiting, and safe across forks.

use std::sync::Arc;
use std::time::Duration;

use snowmint_engine::{
    Action, ClockPolicy, Code, Error as EngineError, Ids, Layout, MAX_COUNT, SequenceStart,
    SharedSnowflake, Stall, StallReason, Timestamp,
};

use self::worker::LeasedWorker;
use crate::error::{Error, Result};
use crate::host::files::Disk;
use crate::host::{Platform, Random};
use crate::stats::Stats;
use crate::waiting::{Attempt, DEFAULT_WAIT, POLL, ask_within, until_ms};

mod builder;
mod worker;

pub use builder::SnowflakeBuilder;

/// A waiter sleeps longer by about this fraction of the time that may be borrowed.
const SPARE_DIVISOR: u32 = 128;
/// The most IDs claimed at once, so that other threads get theirs in between.
const BLOCK: u64 = 1 << 16;

/// Mints snowflake IDs.
///
/// - *Order*: IDs rise strictly in issue order, across threads, clock steps and leases, if time is
///   the top field and the policy neither changes workers nor counts rollbacks.
/// - *Overflow*: a full tick borrows from the future up to the policy's `max_ahead_ms`, then waits
///   without spinning.
/// - *Clock rollback*: as the policy says. The default goes on; no policy repeats an ID.
/// - *Threads*: clone it or share it; minting takes no lock.
/// - *Fork*: a child leases its own worker ID at its first call. With a fixed worker ID it fails
///   with [`Forked`](Code::Forked).
/// - *Crash*: the next holder of the worker ID begins above everything issued.
pub struct Snowflake {
    worker: Arc<LeasedWorker>,
    policy: ClockPolicy,
    wait: Duration,
}

impl Snowflake {
    /// Starts building a generator. It needs a worker ID: [`worker_id`](SnowflakeBuilder::worker_id) or
    /// [`lease_from`](SnowflakeBuilder::lease_from).
    pub fn builder() -> SnowflakeBuilder {
        SnowflakeBuilder {
            layout: Layout::TWITTER,
            policy: ClockPolicy::SNOWMINT,
            start: SequenceStart::Rotate,
            worker_id: None,
            store: None,
            state: None,
            require_state: false,
            reserve_ms: None,
            wait: DEFAULT_WAIT,
            host: Platform::System,
            files: Arc::new(Disk),
        }
    }
}

impl Snowflake {
    /// Returns the next ID, waiting up to the generator's wait bound.
    ///
    /// # Errors
    /// [`ClockBehind`](Code::ClockBehind) and [`SequenceExhausted`](Code::SequenceExhausted) if the
    /// policy does not wait or the wait would exceed the bound,
    /// [`LeaseUnavailable`](Code::LeaseUnavailable) if the reserved time is used up,
    /// [`LayoutExpired`](Code::LayoutExpired), [`Forked`](Code::Forked), [`Closed`](Code::Closed).
    #[inline]
    pub fn next_id(&self) -> Result<u64> {
        match self.try_next_id() {
            Some(id) => Ok(id),
            None => self.next_id_within(self.wait),
        }
    }

    /// Returns the next ID if it is available at once. Takes no lock, makes no outside call and
    /// never waits, so it suits event loops and holders of an interpreter's lock. After `None`,
    /// call [`next_id`](Self::next_id), or [`next_id_within`](Self::next_id_within) with a wait of
    /// zero: that takes a lock, but none that is held during a call of the store.
    #[inline]
    pub fn try_next_id(&self) -> Option<u64> {
        let (flake, now_ms) = self.worker.at_once()?;
        flake.next_id(now_ms).ok()
    }

    /// Returns the next ID, waiting up to `wait`; `Duration::ZERO` never waits.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    #[inline(never)]
    pub fn next_id_within(&self, wait: Duration) -> Result<u64> {
        self.attempt(wait, SharedSnowflake::next_id)
    }

    /// Fills `out` with rising IDs. It waits for each block up to the generator's wait bound.
    ///
    /// # Errors
    /// [`CountOutOfRange`](Code::CountOutOfRange) from a generator that does not wait, for more
    /// than [`most_at_once`](Self::most_at_once); the codes of [`next_id`](Self::next_id), after
    /// which IDs that are already in `out` are lost: a gap.
    pub fn fill(&self, out: &mut [u64]) -> Result<()> {
        self.check_at_once(out.len() as u64, self.wait)?;
        for chunk in out.chunks_mut(self.block_size()) {
            self.block(chunk.len())?.fill(chunk);
        }
        Ok(())
    }

    /// Returns `count` rising IDs.
    ///
    /// # Errors
    /// [`CountOutOfRange`](Code::CountOutOfRange) for 0, for more than [`MAX_COUNT`] and, if the
    /// generator does not wait, for more than [`most_at_once`](Self::most_at_once); the codes of
    /// [`next_id`](Self::next_id).
    pub fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
        check_count(count)?;
        self.check_at_once(count as u64, self.wait)?;
        collect(count, |wanted, ids| {
            self.block(wanted.min(self.block_size()))?.append_to(ids);
            Ok(())
        })
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        self.worker.layout()
    }

    /// Returns the state of the generator: its worker ID, its reservation, its clock, and failures.
    pub fn stats(&self) -> Stats {
        self.worker.stats()
    }

    /// The wait bound of a call.
    pub fn wait(&self) -> Duration {
        self.wait
    }

    /// Returns the same generator with another wait bound for its calls; `Duration::ZERO` never
    /// waits.
    #[must_use]
    pub fn with_wait(&self, wait: Duration) -> Snowflake {
        let mut other = self.clone();
        other.wait = wait;
        other
    }

    /// Stops minting and gives up the worker ID. A scheduler tells the store about a leased one,
    /// without a wait here. If the process ends before that, the lease ends by itself after two
    /// seconds to a minute. Closing twice is no error. Dropping the last clone closes too.
    ///
    /// # Errors
    /// An error of a fixed worker ID's state file. The generator is closed all the same.
    pub fn close(&self) -> Result<()> {
        self.worker.close().at_once()
    }

    /// Like [`close`](Self::close), and waits up to `wait` until the store knows.
    ///
    /// # Errors
    /// As [`close`](Self::close); errors of the store; and [`WaitTimeout`](Code::WaitTimeout),
    /// after which the lease ends by itself.
    pub fn close_within(&self, wait: Duration) -> Result<()> {
        self.worker.close().within(wait, self.worker.host())
    }

    /// The most IDs available without waiting if none were taken lately: those of the present tick
    /// and of the time that may be borrowed. With Twitter's layout and the default policy it is
    /// 4,100,096.
    pub fn most_at_once(&self) -> u64 {
        let ticks = self.policy.max_ahead_ms / self.layout().tick_ms();
        (u64::from(ticks) + 1).saturating_mul(self.layout().ids_per_tick())
    }

    /// Fails if `count` IDs can never be available without waiting, for a call that waits up to
    /// `wait`. Otherwise the IDs taken before it fails would be a gap. Call it first if you take
    /// many IDs block by block; [`fill`](Self::fill) and [`next_ids`](Self::next_ids) do.
    ///
    /// # Errors
    /// [`CountOutOfRange`](Code::CountOutOfRange) if `wait` is zero and `count` is above
    /// [`most_at_once`](Self::most_at_once).
    pub fn check_at_once(&self, count: u64, wait: Duration) -> Result<()> {
        let most = self.most_at_once();
        if !wait.is_zero() || count <= most {
            return Ok(());
        }
        let message = format!(
            "{count} IDs are never to be had without waiting, as this layout and policy have at most \
             {most} at once: ask for fewer, or wait"
        );
        Err(Error::new(Code::CountOutOfRange, message))
    }

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
        let (flake, now_ms) = self.worker.at_once()?;
        flake.issue(now_ms, n as u32).ok()
    }

    /// Returns the next ID, or how long to sleep before asking again according to the policy, for
    /// callers that must sleep themselves. It takes a lock, but none that is held during a call of
    /// the store.
    ///
    /// # Errors
    /// The codes of [`next_id`](Self::next_id) that waiting does not mend.
    pub fn poll_id(&self) -> Result<Attempt<u64>> {
        self.poll(SharedSnowflake::next_id)
    }

    /// Fills the beginning of `out` with rising IDs that are claimed at once, and returns their
    /// count; or returns how long to sleep, like [`poll_id`](Self::poll_id). An empty `out` gets 0.
    ///
    /// # Errors
    /// As [`poll_id`](Self::poll_id).
    pub fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        if out.is_empty() {
            return Ok(Attempt::Done(0));
        }
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

    /// Issues, or waits as the policy says.
    fn attempt<T>(
        &self,
        wait: Duration,
        issue: impl Fn(&SharedSnowflake, i64) -> Result<T, EngineError>,
    ) -> Result<T> {
        let mut rollbacks = 0;
        ask_within(wait, self.worker.host(), || match self.ask(&issue, &mut rollbacks)? {
            Attempt::Later { pause, why } if why.code() == Code::SequenceExhausted => {
                let spare = self.spare().min(wait / 4);
                Ok(Attempt::Later { pause: pause.saturating_add(spare), why })
            }
            answer => Ok(answer),
        })
    }

    /// The extra time to sleep after the next ID is due, once all time that may be borrowed is
    /// borrowed. The IDs of that time accumulate, so that threads are not woken for one tick each.
    /// It is random, because threads that claim together take several times as long.
    fn spare(&self) -> Duration {
        let usual = Duration::from_millis(u64::from(self.policy.max_ahead_ms / SPARE_DIVISOR));
        let mut drawn = [0];
        // Without a random number threads wake together, which is only slower.
        drop(self.worker.host().fill(&mut drawn));
        usual.mul_f32(0.5 + f32::from(drawn[0]) / 256.0)
    }

    /// Issues, or returns what the policy waits for. An error is final.
    fn ask<T>(
        &self,
        issue: &impl Fn(&SharedSnowflake, i64) -> Result<T, EngineError>,
        rollbacks: &mut u64,
    ) -> Result<Attempt<T>> {
        loop {
            let (flake, now_ms, rollback) = self.worker.prepare()?;
            let refusal = match issue(flake, now_ms) {
                Ok(issued) => return Ok(Attempt::Done(issued)),
                Err(refusal) => refusal,
            };
            let action = match refusal {
                EngineError::Stall(stall) if self.is_overtaken(stall, now_ms)? => continue,
                EngineError::Stall(stall) => self.policy.action(stall),
                // The lane of this process is not open yet.
                EngineError::Closed => Action::ExtendGrant,
                other => return Err(for_good(other, now_ms)),
            };
            match action {
                Action::Wait { wait_ms } => {
                    let pause = until_ms(wait_ms, self.worker.host());
                    return Ok(Attempt::Later { pause, why: refusal.into() });
                }
                Action::ChangeWorker if !self.worker.want_another_worker() => {}
                Action::ExtendGrant | Action::ChangeWorker => {
                    self.worker.want_time()?;
                    let why = self.worker.out_of_time(refusal);
                    return Ok(Attempt::Later { pause: POLL, why });
                }
                Action::CountRollback
                    if *rollbacks < self.layout().rollback().max()
                        && self.worker.count_rollback(rollback)? =>
                {
                    *rollbacks += 1;
                    continue;
                }
                // The policy fails, or its action is impossible.
                _ => {}
            }
            return Err(refusal.into());
        }
    }

    /// Returns true if the machine is ahead of `now_ms` only because other threads moved it on
    /// after this thread had read the time.
    fn is_overtaken(&self, stall: Stall, now_ms: i64) -> Result<bool> {
        if stall.reason != StallReason::AheadOfClock {
            return Ok(false);
        }
        let (_, later_ms, _) = self.worker.prepare()?;
        Ok(later_ms.saturating_sub_unsigned(stall.wait_ms) >= now_ms)
    }
}

impl Clone for Snowflake {
    fn clone(&self) -> Self {
        self.worker.join_users();
        Snowflake { worker: Arc::clone(&self.worker), policy: self.policy, wait: self.wait }
    }
}

impl Drop for Snowflake {
    fn drop(&mut self) {
        self.worker.leave_users();
    }
}

impl std::fmt::Debug for Snowflake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snowflake")
            .field("layout", self.layout())
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

/// An error that waiting does not mend. Reserved or borrowed time may reach a layout's end before
/// the clock does.
fn for_good(refusal: EngineError, now_ms: i64) -> Error {
    match refusal {
        EngineError::LayoutExpired { since_ms } if now_ms < since_ms => {
            let message = format!(
                "the layout's time ends at {}, and none of it is left: it decodes, but mints no \
                 more; use a layout with more time bits or a later epoch",
                Timestamp(since_ms)
            );
            Error::new(Code::LayoutExpired, message)
        }
        refusal => refusal.into(),
    }
}

/// Collects `count` IDs, if that is within the limit of one call. `append` gets the number still
/// wanted and appends at most that many.
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

pub(crate) fn check_count(count: usize) -> Result<()> {
    if count == 0 || count > MAX_COUNT {
        let (count, max) = (count as u64, MAX_COUNT as u64);
        return Err(EngineError::CountOutOfRange { count, max }.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
