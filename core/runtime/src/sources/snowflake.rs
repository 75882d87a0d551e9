//! The snowflake generator for callers: shared by threads, waiting, and safe across forks.

use std::sync::Arc;
use std::time::Duration;

use snowmint_engine::{
    Action, ClockPolicy, Code, Error as EngineError, Ids, Layout, SequenceStart, SharedSnowflake,
    Stall, StallReason,
};

use self::worker::LeasedWorker;
use super::mint::{Mint, Sealed};
use crate::error::{Error, Result};
use crate::errors;
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

impl Sealed for Snowflake {}

impl Mint for Snowflake {
    #[inline]
    fn try_next_id(&self) -> Option<u64> {
        let (flake, now_ms) = self.worker.at_once()?;
        flake.next_id(now_ms).ok()
    }

    fn next_block_within(&self, out: &mut [u64], wait: Duration) -> Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let count = out.len().min(self.block_size());
        let mut ids = match self.at_once(count) {
            Some(ids) => ids,
            None => self.attempt(wait, |flake, now_ms| flake.issue(now_ms, count as u32))?,
        };
        Ok(ids.fill(out))
    }

    fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        if out.is_empty() {
            return Ok(Attempt::Done(0));
        }
        let count = out.len().min(self.block_size());
        let issued = match self.at_once(count) {
            Some(ids) => Attempt::Done(ids),
            None => self.ask(&|flake, now_ms| flake.issue(now_ms, count as u32), &mut 0)?,
        };
        Ok(issued.map(|mut ids| ids.fill(out)))
    }

    fn wait(&self) -> Duration {
        self.wait
    }

    fn with_wait(&self, wait: Duration) -> Snowflake {
        let mut other = self.clone();
        other.wait = wait;
        other
    }

    fn stats(&self) -> Stats {
        self.worker.stats()
    }

    /// Gives up the worker ID. Dropping the last clone closes too.
    fn close_within(&self, wait: Duration) -> Result<()> {
        self.worker.close().within(wait, self.worker.host())
    }

    fn check_at_once(&self, count: u64, wait: Duration) -> Result<()> {
        let most = self.most_at_once();
        if !wait.is_zero() || count <= most {
            return Ok(());
        }
        Err(errors::snowflake::count_needs_waiting(count, most))
    }
}

impl Snowflake {
    /// The layout.
    pub fn layout(&self) -> &Layout {
        self.worker.layout()
    }

    /// The most IDs available without waiting if none were taken lately: those of the present tick
    /// and of the time that may be borrowed. With Twitter's layout and the default policy it is
    /// 4,100,096.
    pub fn most_at_once(&self) -> u64 {
        let ticks = self.policy.max_ahead_ms / self.layout().tick_ms();
        (u64::from(ticks) + 1).saturating_mul(self.layout().ids_per_tick())
    }

    fn block_size(&self) -> usize {
        self.layout().ids_per_tick().clamp(1, BLOCK) as usize
    }

    fn at_once(&self, n: usize) -> Option<Ids> {
        let (flake, now_ms) = self.worker.at_once()?;
        flake.issue(now_ms, n as u32).ok()
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
            errors::snowflake::layout_used_up(since_ms)
        }
        refusal => refusal.into(),
    }
}

#[cfg(test)]
mod tests;
