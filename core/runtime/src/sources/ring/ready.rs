//! The IDs that are ready in a ring, and the rounds that refill it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use snowmint_engine::{Error as EngineError, Ring};

use crate::error::{Error, Result};
use crate::host::process::ForkGuard;
use crate::host::restore::{Image, Live};
use crate::host::{Clock, Platform};
use crate::scheduler::{NOTHING_DUE, Scheduled};
use crate::source_core::{Local, LocalState, SourceCore, lock};
use crate::sources::{Mint, Source};
use crate::stats::{Bucket, Stats};
use crate::store_handle::StoreState;
use crate::waiting::{Attempt, POLL};

/// The most IDs that one round makes.
const BLOCK: usize = 1024;
/// The longest time before a source that has no IDs is asked again.
const LOOK_MAX: Duration = Duration::from_millis(100);

/// The IDs that are ready, and the source that makes more.
pub(super) struct Ready {
    pub(super) ring: Ring<Box<[AtomicU64]>>,
    pub(super) guard: ForkGuard,
    /// The fork generation of the process that made the IDs.
    pub(super) opened_in: AtomicU64,
    /// The wall time in milliseconds before which the oldest ID may be given out.
    pub(super) good_until_ms: AtomicI64,
    /// The number of times that a tag of the source was fenced.
    pub(super) fences: Arc<AtomicU64>,
    /// The value of `fences` when the IDs were made.
    pub(super) fences_before: AtomicU64,
    /// True from the call of a scheduler until its round.
    pub(super) is_called: AtomicBool,
    pub(super) core: SourceCore<Work>,
    pub(super) state: StoreState,
    pub(super) host: Platform,
    pub(super) source: Source,
    pub(super) every_ms: i64,
}

/// The state of the rounds, in one process.
#[derive(Default)]
pub(super) struct Work {
    /// The batches of the IDs that are ready, the oldest first.
    batches: VecDeque<Batch>,
    /// The number of IDs ever put in.
    pushed: u64,
    /// The number of those that were thrown away.
    thrown: u64,
    /// The number of IDs that callers had taken at the last look.
    taken: u64,
    next_look_boot_ms: i64,
    is_filling: bool,
    /// The reason why the source has no IDs at the moment.
    why: Option<Error>,
    /// The least pause before the source is asked again, which grows while it has none.
    look: Duration,
    retry_boot_ms: i64,
}

/// IDs that were made together.
struct Batch {
    /// The value of [`Work::pushed`] after the last of them.
    end: u64,
    /// The boot time before which they may be given out.
    until_boot_ms: i64,
}

impl Ready {
    /// Takes IDs that are ready, up to the length of `out`.
    #[inline]
    pub(super) fn take(&self, out: &mut [u64]) -> usize {
        let taken = if self.is_good() { self.ring.take_into(out) } else { 0 };
        let is_low = taken == 0 || self.ring.wants_refill();
        if is_low && !self.is_called.load(Ordering::Relaxed) && self.is_here() {
            self.call();
        }
        taken
    }

    /// Returns true if the IDs in the ring may be given out in this process, now.
    #[inline]
    fn is_good(&self) -> bool {
        if self.was_fenced() {
            return false;
        }
        // The coarse wall clock: reading the boot clock costs more than making an ID. Each round
        // adjusts `good_until_ms` to boot time.
        let is_young = || match self.good_until_ms.load(Ordering::Relaxed) {
            i64::MAX => true,
            until_ms => self.host.coarse_ms() < until_ms,
        };
        self.is_here() && is_young()
    }

    /// Returns true if the store went back since the IDs were made: other processes may have them,
    /// too.
    #[inline]
    fn was_fenced(&self) -> bool {
        self.fences.load(Ordering::Acquire) != self.fences_before.load(Ordering::Relaxed)
    }

    /// Returns true if the ring is this process's, and has a scheduler.
    #[inline]
    fn is_here(&self) -> bool {
        self.guard.is(self.opened_in.load(Ordering::Relaxed))
    }

    #[cold]
    fn call(&self) {
        if !self.is_called.swap(true, Ordering::Relaxed) {
            lock(&self.local()).notify();
        }
    }

    /// Takes IDs that are ready, or returns why there are none yet. An error is final.
    pub(super) fn take_or_ask(self: &Arc<Self>, out: &mut [u64]) -> Result<Attempt<usize>> {
        let local = self.local();
        let mut local = lock(&local);
        self.attend(&mut local)?;
        let taken = if self.is_good() { self.ring.take_into(out) } else { 0 };
        if taken > 0 {
            return Ok(Attempt::Done(taken));
        }
        if !self.is_called.swap(true, Ordering::Relaxed) {
            local.notify();
        }
        if let Some(failure) = local.retry.lasting() {
            return Err(failure.clone());
        }
        let why = local.retry.present().or(local.work.why.as_ref()).cloned();
        Ok(Attempt::Later { pause: POLL, why: why.unwrap_or_else(|| EngineError::Empty.into()) })
    }

    fn local(&self) -> Local<Work> {
        self.core.local(Work::default)
    }

    /// Makes the ring this process's: drops the IDs of a parent, and registers with the scheduler.
    fn attend(self: &Arc<Self>, local: &mut LocalState<Work>) -> Result<()> {
        let was_attended = local.is_attended();
        self.core.attend(local, self, || self.state.scheduler(&self.host))?;
        if !was_attended {
            self.empty();
            self.is_called.store(false, Ordering::Relaxed);
            self.opened_in.store(self.guard.generation(), Ordering::Relaxed);
        }
        Ok(())
    }

    fn empty(&self) {
        self.throw_away(self.ring.capacity() as u64);
    }

    /// Throws away up to `count` IDs, and returns how many.
    fn throw_away(&self, count: u64) -> u64 {
        let (mut block, mut thrown) = ([0; 64], 0);
        while thrown < count {
            let most = (count - thrown).min(block.len() as u64) as usize;
            match self.ring.take_into(&mut block[..most]) {
                0 => break,
                taken => thrown = thrown.saturating_add(taken as u64),
            }
        }
        thrown
    }

    pub(super) fn stats(&self) -> Stats {
        let left = if self.is_here() { self.ring.len() as u64 } else { 0 };
        let mut stats = self.source.stats();
        stats.buckets.insert(0, Bucket { left, size: self.ring.capacity() as u64 });
        stats
    }

    pub(super) fn close(&self) {
        let local = self.local();
        let mut local = lock(&local);
        if self.core.close(&mut local) {
            local.leave();
            self.empty();
        }
    }

    /// Throws away all IDs if a tag of the source was fenced since they were made.
    fn drop_fenced(&self, work: &mut Work) {
        let fences = self.fences.load(Ordering::Acquire);
        if self.fences_before.load(Ordering::Relaxed) != fences {
            let thrown = self.throw_away(self.ring.capacity() as u64);
            work.thrown = work.thrown.saturating_add(thrown);
            work.batches.clear();
            self.fences_before.store(fences, Ordering::Relaxed);
        }
    }

    /// Throws away IDs that are too old, and notes until when the next batch may be given out.
    fn sort_out(&self, work: &mut Work) {
        let now_ms = self.host.boot_ms();
        while let Some(batch) = work.batches.front() {
            let gone = work.pushed.saturating_sub(self.ring.len() as u64);
            if batch.until_boot_ms <= now_ms {
                let old = self.throw_away(batch.end.saturating_sub(gone));
                work.thrown = work.thrown.saturating_add(old);
            } else if batch.end > gone {
                break;
            }
            work.batches.pop_front();
        }
        if let Some(batch) = work.batches.front() {
            self.note_age(batch.until_boot_ms);
        }
    }

    /// Notes the boot time before which the oldest ID may be given out, as a wall time.
    fn note_age(&self, until_boot_ms: i64) {
        let left_ms = until_boot_ms.saturating_sub(self.host.boot_ms());
        let until_ms = match until_boot_ms {
            i64::MAX => i64::MAX,
            _ => self.host.now_ms().saturating_add(left_ms),
        };
        self.good_until_ms.store(until_ms, Ordering::Relaxed);
    }

    /// Returns how many IDs to make now, at most `step`. If none, returns as an error how long none
    /// are to be made and none become too old.
    fn due(&self, local: &mut LocalState<Work>, step: usize) -> Result<usize, Duration> {
        self.wanted(local, step).map_err(|pause| match local.work.batches.front() {
            Some(batch) => pause.min(self.until(batch.until_boot_ms)),
            None => pause,
        })
    }

    fn wanted(&self, local: &mut LocalState<Work>, step: usize) -> Result<usize, Duration> {
        if let Some(rest) = local.retry.rest(&self.host) {
            return Err(rest);
        }
        let (work, now_ms) = (&mut local.work, self.host.boot_ms());
        let rest = self.until(work.retry_boot_ms);
        if !rest.is_zero() {
            return Err(rest);
        }
        let ready = self.ring.len();
        let mut pause = self.until(work.next_look_boot_ms);
        let is_called = self.is_called.swap(false, Ordering::Relaxed);
        work.is_filling |= is_called;
        if pause.is_zero() {
            let taken = work.pushed.saturating_sub(ready as u64).saturating_sub(work.thrown);
            let is_used = taken != work.taken;
            work.taken = taken;
            work.is_filling |= is_used;
            if !is_used && !is_called && work.why.take().is_some() {
                // The source has no IDs, and no caller wants any.
                work.is_filling = false;
            }
            work.next_look_boot_ms = now_ms.saturating_add(self.every_ms);
            let every = Duration::from_millis(self.every_ms.unsigned_abs());
            pause = if is_used || work.is_filling { every } else { NOTHING_DUE };
        }
        let free = self.most(step).saturating_sub(ready);
        work.is_filling &= free > 0;
        if work.is_filling { Ok(free.min(BLOCK).min(step)) } else { Err(pause) }
    }

    /// Returns how many IDs are to be ready. Daily numbers have at most one range ready, because a
    /// day has few numbers, which other processes need too.
    #[cfg_attr(not(feature = "daily"), expect(unused_variables, reason = "of days alone"))]
    fn most(&self, step: usize) -> usize {
        match self.source {
            #[cfg(feature = "daily")]
            Source::Daily(_) => self.ring.capacity().min(step),
            _ => self.ring.capacity(),
        }
    }

    /// Returns the time until `boot_ms`, zero if that is past.
    fn until(&self, boot_ms: i64) -> Duration {
        let left_ms = boot_ms.saturating_sub(self.host.boot_ms());
        Duration::from_millis(left_ms.max(0).unsigned_abs())
    }

    /// Returns the boot time before which IDs made now may be given out.
    fn until_boot_ms(&self, now_ms: i64) -> i64 {
        match &self.source {
            Source::Snowflake(_) => now_ms.saturating_add(self.every_ms),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => now_ms.saturating_add(daily.left_of_day_ms(self.host.now_ms())),
            _ => i64::MAX,
        }
    }

    /// Puts IDs into the ring.
    fn put(&self, local: &mut LocalState<Work>, ids: &[u64], until_boot_ms: i64) {
        let Some(mut producer) = self.ring.producer() else { return };
        let work = &mut local.work;
        if work.batches.is_empty() {
            // Noted before callers can take the IDs.
            self.note_age(until_boot_ms);
        }
        let pushed = producer.push(ids);
        work.pushed = work.pushed.saturating_add(pushed as u64);
        work.batches.push_back(Batch { end: work.pushed, until_boot_ms });
        (work.why, work.look) = (None, Duration::ZERO);
        local.retry.clear();
    }

    /// Notes why the source has no IDs, and when it is asked again.
    fn put_off(&self, work: &mut Work, pause: Duration, why: Error) {
        let mut pause = pause.max(POLL);
        if !why.ends_by_clock() {
            // A source without IDs, for example because its store is down, is asked ever less often.
            pause = pause.max(work.look);
            work.look = (work.look * 2).clamp(POLL, LOOK_MAX);
        }
        let pause = pause.min(LOOK_MAX);
        work.retry_boot_ms = self.host.boot_ms().saturating_add(pause.as_millis() as i64);
        work.why = Some(why);
    }
}

impl Scheduled for Ready {
    fn run_due(self: Arc<Self>) -> Duration {
        let (image, local) = (Image::present(), self.local());
        let step = self.source.step().map_or(usize::MAX, |step| step as usize);
        let due = {
            let mut local = lock(&local);
            if self.core.is_closed() {
                return NOTHING_DUE;
            }
            self.drop_fenced(&mut local.work);
            self.sort_out(&mut local.work);
            self.due(&mut local, step)
        };
        let wanted = match due {
            Ok(wanted) => wanted,
            Err(pause) => return pause,
        };
        let begun_ms = self.host.boot_ms();
        let mut until_ms = self.until_boot_ms(begun_ms);
        let mut block = vec![0; wanted];
        let made = self.source.poll_block(&mut block);
        if until_ms <= begun_ms {
            // The day had ended, so the IDs are of the next day.
            until_ms = self.until_boot_ms(begun_ms);
        }
        let mut local = lock(&local);
        if self.core.is_closed() || !image.is_present() {
            return Duration::ZERO;
        }
        match made {
            Ok(Attempt::Done(count)) => {
                self.put(&mut local, &block[..count], until_ms);
            }
            Ok(Attempt::Later { pause, why }) => self.put_off(&mut local.work, pause, why),
            Err(error) => local.retry.note(error, &self.host),
        }
        // The next round returns the pause.
        Duration::ZERO
    }
}

impl Live for Ready {
    fn forget(&self) {
        let Some(local) = self.core.present_local() else { return };
        let mut local = lock(&local);
        self.empty();
        local.forget(Work::default());
    }
}
