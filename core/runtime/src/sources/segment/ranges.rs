//! The numbers of a tag that are at hand, and the fetching of more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use snowmint_engine::{
    Code, MAX_STEP, NumberRange, Prefetch, RangeOwner, SegmentBuffer, SharedRange, StepSize,
};

use super::classes::Class;
use super::sizing::Sizing;
use crate::allocations::{Allocations, Requester};
use crate::error::{Error, Result};
use crate::errors;
use crate::host::process::ForkGuard;
use crate::host::restore::Live;
use crate::host::{Clock, Platform};
use crate::reports::Subject;
use crate::retry::is_exhausted;
use crate::scheduler::{NOTHING_DUE, Scheduled, Scheduler, is_forsaken};
use crate::source_core::{Local, LocalState, SourceCore, lock};
use crate::stats::{Bucket, Stats, TagNext, UseRate, runway_ms};
use crate::store::{self, Allocation, AllocationRequest, SegmentStore, Tag};
use crate::store_handle::StoreHandle;
use crate::waiting::{Attempt, POLL};

/// The time between checks whether an operator has raised a tag that went back.
const LOOK_AT_FENCE: Duration = Duration::from_millis(200);

pub(super) struct RangeSource {
    pub(super) range: SharedRange,
    pub(super) guard: ForkGuard,
    /// The generation of the process that fetched the range.
    pub(super) opened_in: AtomicU64,
    /// The number of times the tag was fenced, for sources that keep numbers of it ready.
    pub(super) fences: Arc<AtomicU64>,
    pub(super) core: SourceCore<Work>,
    pub(super) host: Platform,
    pub(super) store: StoreHandle<dyn SegmentStore>,
    pub(super) tag: Tag,
    pub(super) prefetch: Prefetch,
    pub(super) sizing: Sizing,
    pub(super) step: StepSize,
    /// The class of this database, if the tag is in several.
    pub(super) class: Option<Class>,
}

/// The work of a range source, in one process.
pub(super) struct Work {
    buffer: SegmentBuffer,
    /// The count of numbers that a waiting caller wants at once.
    wanted: u64,
    fence: Option<Fence>,
    rate: UseRate,
    /// The end of the last range.
    next: Option<u64>,
    /// Since when the store has owed a range, in boot time.
    asked_boot_ms: Option<i64>,
    /// The size of the range that the numbers at hand belong to.
    at_hand_of: u64,
    /// A caller found no numbers, and there have been none since.
    is_dry: bool,
    /// The scheduler should ask whether the store answers.
    is_to_look: bool,
}

/// The store gave numbers that it had given before. Its next numbers may be another process's too,
/// even above those. The fence stays until an operator has raised the tag above all issued numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Fence {
    /// The number of raises of the tag before; unknown until the store has been asked.
    raises: Option<u64>,
    /// True once the store was asked. The failure is reported only then, because a raise in between
    /// would not be noticed.
    was_asked: bool,
}

impl RangeSource {
    #[inline]
    pub(super) fn is_here(&self) -> bool {
        self.guard.is(self.opened_in.load(Ordering::Relaxed))
    }

    /// Returns up to `n` numbers of one range, if any are at hand.
    #[inline]
    pub(super) fn try_take(&self, n: u64) -> Option<NumberRange> {
        if self.is_here() { self.range.take(n) } else { None }
    }

    #[inline]
    pub(super) fn try_take_one(&self) -> Option<u64> {
        if self.is_here() { self.range.take_one() } else { None }
    }

    /// Returns numbers, or why there are none yet. An error is final.
    pub(super) fn take_or_ask(self: &Arc<Self>, n: u64) -> Result<Attempt<NumberRange>> {
        let local = self.local();
        let mut local = lock(&local);
        self.attend(&mut local)?;
        // Another thread may have installed the next range meanwhile.
        let mut taken = self.range.take(n);
        local.work.wanted = if taken.is_some() { 0 } else { n };
        if self.ask(&mut local) || local.work.asked_boot_ms.is_some() {
            // The known failure is old and may be over, because an operator may have mended the
            // cause.
            local.retry.hope();
        }
        if taken.is_none() && self.restock(&mut local.work) {
            taken = self.range.take(n);
        }
        local.work.is_dry = taken.is_none();
        let is_known = local.work.fence.is_none_or(|fence| fence.was_asked);
        match (taken, local.retry.lasting().filter(|_| is_known)) {
            (Some(range), _) => Ok(Attempt::Done(range)),
            (None, Some(failure)) => Err(failure.clone()),
            (None, None) => {
                let known = local.retry.known().cloned();
                let why = known.unwrap_or_else(|| self.not_yet(&local.work));
                Ok(Attempt::Later { pause: POLL, why })
            }
        }
    }

    /// Makes numbers available without taking any. Every failure is an error.
    pub(super) fn fetch_first(self: &Arc<Self>) -> Result<Attempt<()>> {
        let local = self.local();
        let mut local = lock(&local);
        self.attend(&mut local)?;
        if self.range.remaining() > 0 || self.restock(&mut local.work) {
            return Ok(Attempt::Done(()));
        }
        if let Some(failure) = local.retry.present() {
            return Err(failure.clone());
        }
        self.ask(&mut local);
        Ok(Attempt::Later { pause: POLL, why: self.not_yet(&local.work) })
    }

    /// Returns true if the store has owed a range for at least `patience`.
    pub(super) fn is_silent_for(&self, patience: Duration) -> bool {
        let asked_boot_ms = lock(&self.local()).work.asked_boot_ms;
        let waited_ms = asked_boot_ms.map(|asked| self.host.boot_ms().saturating_sub(asked));
        waited_ms.is_some_and(|ms| u128::from(ms.unsigned_abs()) >= patience.as_millis())
    }

    /// Fetches numbers if none are at hand, for callers who took some from another range source.
    pub(super) fn stock_up(self: &Arc<Self>) {
        let local = self.local();
        let mut local = lock(&local);
        // A closed source needs no numbers.
        if self.attend(&mut local).is_ok() && self.range.remaining() == 0 {
            self.ask(&mut local);
            local.work.is_dry = !self.restock(&mut local.work);
        }
    }

    /// Makes a scheduler ask whether the store answers.
    pub(super) fn look(self: &Arc<Self>) {
        let local = self.local();
        let mut local = lock(&local);
        // A closed source needs no store.
        if self.attend(&mut local).is_ok() {
            local.work.is_to_look = true;
            local.notify();
        }
    }

    /// Replaces a used-up range by fetched numbers. Returns true if there were any.
    fn restock(&self, work: &mut Work) -> bool {
        let current_count = work.buffer.current_count();
        // A chain without its first range has not run dry.
        let has_begun = current_count > 0 || work.at_hand_of > 0;
        let piece = has_begun.then(|| work.buffer.take_until_request()).flatten();
        let Some(piece) = piece else { return false };
        work.at_hand_of = current_count;
        self.owner(work).replace(piece);
        self.opened_in.store(self.guard.generation(), Ordering::Relaxed);
        true
    }

    /// Requests a range if one is due and the store may be asked. Returns true if it has.
    fn ask(self: &Arc<Self>, local: &mut LocalState<Work>) -> bool {
        let Work { buffer, wanted, fence, .. } = &mut local.work;
        if fence.is_some() || local.retry.rest(&self.host).is_some() {
            return false;
        }
        let Some(request) = buffer.wants(self.host.boot_ms()) else { return false };
        let count = request.step.max(*wanted);
        self.want(local, count);
        true
    }

    /// After a failure, requests a range without waiting for a caller: callers do not ask while
    /// numbers are at hand, and would have to wait once there are none. Returns when to look again.
    fn ask_again(self: &Arc<Self>, local: &mut LocalState<Work>) -> Duration {
        let may_ask = local.retry.present().is_some_and(Error::may_be_mended);
        if !may_ask {
            return NOTHING_DUE;
        }
        match local.retry.rest_ahead(&self.host) {
            Some(rest) => rest,
            None if self.ask(local) => Duration::ZERO,
            None => NOTHING_DUE,
        }
    }

    /// Requests the next range of a chain, which has one request at a time.
    fn ask_behind(self: &Arc<Self>, local: &mut LocalState<Work>) {
        if let Some(request) = local.work.buffer.wants_behind() {
            self.want(local, request.step);
        }
    }

    fn want(self: &Arc<Self>, local: &mut LocalState<Work>, count: u64) {
        local.work.asked_boot_ms.get_or_insert_with(|| self.host.boot_ms());
        let request = AllocationRequest::new(self.tag.clone(), count.min(MAX_STEP));
        let requester = Arc::<Self>::downgrade(self);
        local.want(request, requester);
    }

    fn not_yet(&self, work: &Work) -> Error {
        let tag = self.tag.as_str();
        match work.at_hand_of {
            0 => errors::sources::first_range_pending(tag),
            _ => errors::sources::next_range_pending(tag),
        }
    }

    pub(super) fn close(&self) {
        let local = self.local();
        let mut local = lock(&local);
        self.core.close(&mut local);
        local.leave();
        if self.is_here() {
            self.owner(&mut local.work).close();
        }
    }

    fn local(&self) -> Local<Work> {
        self.core.local(|| self.begin(0))
    }

    fn scheduler(&self) -> Arc<Scheduler> {
        self.store.scheduler(&self.host)
    }

    /// The state without numbers. Ranges below `floor`, or below numbers known to be issued, are
    /// refused.
    fn begin(&self, floor: u64) -> Work {
        let floor = floor.max(self.scheduler().allocations.floor(&self.tag));
        let buffer = SegmentBuffer::new(self.prefetch, self.step).above(floor);
        let rate = UseRate::default();
        Work {
            buffer,
            wanted: 0,
            fence: None,
            rate,
            next: None,
            asked_boot_ms: None,
            at_hand_of: 0,
            is_dry: false,
            is_to_look: false,
        }
    }

    /// Gives access to the range. The caller must hold the lock of the local state.
    #[expect(clippy::expect_used, reason = "a second owner would repeat numbers")]
    fn owner(&self, _locked: &mut Work) -> RangeOwner<'_> {
        self.range.owner().expect("one at a time: each is gone before its lock is")
    }

    /// Adopts the segment in this process: drops a range of the parent, and registers with the
    /// scheduler.
    fn attend(self: &Arc<Self>, local: &mut LocalState<Work>) -> Result<()> {
        let was_attended = local.is_attended();
        self.core.attend(local, self, || self.scheduler())?;
        if !was_attended && !self.is_here() {
            self.owner(&mut local.work).close();
        }
        Ok(())
    }

    fn note(
        self: &Arc<Self>,
        local: &mut LocalState<Work>,
        allocated: Result<Allocation>,
        known: &Allocations,
    ) {
        if self.core.is_closed() {
            // The answer does not matter to a closed source.
            return;
        }
        let subject = self.subject(self.has_reserve(&local.work));
        known.reports.judge(&subject, &allocated, &self.host);
        let (left, now_ms) = (self.left(&local.work), self.host.boot_ms());
        local.work.asked_boot_ms = None;
        let Work { buffer, rate, next, .. } = &mut local.work;
        let supplied = allocated.and_then(|Allocation { range, step, .. }| {
            self.class.as_ref().map_or(Ok(()), |class| class.admit(&range))?;
            buffer.resize(self.sizing.step(step)?);
            buffer.supply(range, now_ms)?;
            rate.note(range.count(), left, now_ms);
            *next = Some(range.end());
            Ok(())
        });
        match supplied {
            Ok(()) => {
                local.retry.clear();
                self.ask_behind(local);
            }
            Err(error) => {
                buffer.failed();
                if error.code() == Code::RangeRegressed {
                    self.fence(local, known, &error);
                }
                local.retry.note(error, &self.host);
            }
        }
    }

    /// Stops minting and drops the numbers at hand, because another process may get them too.
    fn fence(&self, local: &mut LocalState<Work>, known: &Allocations, why: &Error) {
        let floor = local.work.buffer.floor();
        known.raise_floor(&self.tag, floor);
        if local.work.fence.is_none() {
            let subject = self.subject(false);
            let can_be_raised = self.store.tells_raises();
            known.reports.note(subject.fenced(why, can_be_raised, self.host.now_ms()));
        }
        self.owner(&mut local.work).close();
        self.fences.fetch_add(1, Ordering::Release);
        local.work = Work { fence: Some(Fence::default()), ..self.begin(floor) };
        local.notify();
    }

    /// The remainder of its numbers by their stride, if there are several databases and it is
    /// known.
    pub(super) fn remainder(&self) -> Option<u64> {
        self.class.as_ref().and_then(Class::remainder)
    }

    fn subject(&self, has_reserve: bool) -> Subject {
        Subject::of_tag("segment", &self.tag, has_reserve)
    }

    /// Returns true if there are numbers to go on with: numbers left, or a range that a caller
    /// counts through itself, until it comes back for more.
    fn has_reserve(&self, work: &Work) -> bool {
        self.left(work) > 0 || (work.at_hand_of > 0 && !work.is_dry)
    }

    /// The count of numbers not given out yet.
    fn left(&self, work: &Work) -> u64 {
        work.buffer.remaining().saturating_add(self.range.remaining())
    }

    pub(super) fn step(&self) -> u64 {
        lock(&self.local()).work.buffer.step()
    }

    pub(super) fn stats(&self) -> Stats {
        let local = self.local();
        let local = lock(&local);
        let Work { buffer, rate, next, at_hand_of, .. } = &local.work;
        let mut stats = Stats::new("segment", self.core.is_closed(), Some(&local.retry));
        stats.buckets = self.buckets(buffer, *at_hand_of);
        stats.step = Some(buffer.step());
        let left = buffer.remaining().saturating_add(self.range.remaining());
        stats.rate = rate.per_s(left, self.host.boot_ms());
        stats.runway_ms = runway_ms(stats.at_hand(), stats.rate);
        stats.tag_next = next.map(|next| TagNext { tag: self.tag.clone(), next });
        stats
    }

    /// The range in use, partly at hand and partly in the buffer, and then the ranges after it.
    fn buckets(&self, buffer: &SegmentBuffer, at_hand_of: u64) -> Vec<Bucket> {
        let at_hand = if self.is_here() { self.range.remaining() } else { 0 };
        let mut buckets = vec![Bucket { left: at_hand, size: at_hand_of }];
        for (index, left) in buffer.ranges().enumerate() {
            let size = if index == 0 { buffer.current_count() } else { left };
            match buckets.first_mut() {
                Some(first) if index == 0 && left < size => {
                    first.left = first.left.saturating_add(left);
                }
                _ => buckets.push(Bucket { left, size }),
            }
        }
        buckets.retain(|bucket| bucket.size > 0);
        buckets
    }

    /// Returns true if the source was closed or dropped while its scheduler waited for the store.
    fn is_over(self: &Arc<Self>) -> bool {
        self.core.is_closed() || is_forsaken(self)
    }

    /// Asks for the tag's row. A missing row is no failure here; a range request reports it,
    /// because the tag may be of a day that is over.
    fn look_at_store(self: &Arc<Self>, local: &Local<Work>) {
        let looked = store::tag(&*self.store, &self.tag);
        if self.is_over() {
            return;
        }
        let subject = self.subject(self.has_reserve(&lock(local).work)).looking();
        self.scheduler().allocations.reports.judge(&subject, &looked, &self.host);
        let mut local = lock(local);
        let has_numbers = matches!(&looked, Ok(Some(row)) if row.next <= row.max);
        local.retry.note_look(looked, &self.host);
        if has_numbers && local.retry.present().is_some_and(is_exhausted) {
            // An operator has raised the tag's max.
            self.ask(&mut local);
        }
    }

    /// Checks whether an operator has raised the tag since it went back.
    fn look_at_fence(self: &Arc<Self>, local: &Local<Work>) {
        let looked = store::tag(&*self.store, &self.tag);
        if self.is_over() {
            return;
        }
        let scheduler = self.scheduler();
        let reports = &scheduler.allocations.reports;
        reports.judge(&self.subject(false).looking(), &looked, &self.host);
        let mut local = lock(local);
        let floor = local.work.buffer.floor();
        if let Some(fence) = &mut local.work.fence {
            fence.was_asked = true;
        }
        match (looked, &mut local.work.fence) {
            (Ok(Some(row)), Some(Fence { raises: Some(before), .. }))
                if row.raises > *before && row.next >= floor =>
            {
                local.work.fence = None;
                local.retry.clear();
                self.ask(&mut local);
                reports.note(self.subject(false).raised(row.next, self.host.now_ms()));
            }
            (Ok(Some(row)), Some(fence @ Fence { raises: None, .. })) => {
                fence.raises = Some(row.raises);
            }
            _ => {}
        }
    }
}

impl Scheduled for RangeSource {
    fn run_due(self: Arc<Self>) -> Duration {
        let local = self.local();
        let (is_fenced, is_to_look) = {
            let mut local = lock(&local);
            if self.core.is_closed() {
                return NOTHING_DUE;
            }
            (local.work.fence.is_some(), std::mem::take(&mut local.work.is_to_look))
        };
        if is_fenced {
            self.look_at_fence(&local);
            return LOOK_AT_FENCE;
        }
        if is_to_look {
            self.look_at_store(&local);
        }
        let (scheduler, store, host) =
            (self.scheduler(), Arc::clone(self.store.store()), self.host.clone());
        // Held weakly, so that a source dropped during the call is gone when the answer comes.
        let ranges = Arc::downgrade(&self);
        drop(self);
        // A single call may not fetch all that was requested.
        if scheduler.allocations.fetch(&*store, &host) {
            return Duration::ZERO;
        }
        ranges.upgrade().map_or(NOTHING_DUE, |ranges| ranges.ask_again(&mut lock(&local)))
    }
}

impl Requester for RangeSource {
    fn answer(self: Arc<Self>, allocated: Result<Allocation>, known: &Allocations) {
        self.note(&mut lock(&self.local()), allocated, known);
    }
}

impl Live for RangeSource {
    fn forget(&self) {
        let Some(local) = self.core.present_local() else { return };
        let mut local = lock(&local);
        if local.work.fence.is_some() {
            // No numbers are at hand, and the tag stays fenced.
            return;
        }
        self.owner(&mut local.work).close();
        let work = self.begin(local.work.buffer.floor());
        local.forget(work);
    }
}
