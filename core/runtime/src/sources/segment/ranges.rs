//! The numbers at hand of a tag, and what gets more of them.

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
use crate::host::process::ForkGuard;
use crate::host::restore::Live;
use crate::host::{Clock, Platform};
use crate::reports::Subject;
use crate::retry::is_exhausted;
use crate::scheduler::{NOTHING_DUE, Scheduled, Scheduler, is_forsaken};
use crate::source_core::{Local, LocalState, SourceCore, lock};
use crate::stats::{Bucket, Pace, Stats, runway_ms};
use crate::store::{self, Allocation, AllocationRequest, SegmentStore, Tag};
use crate::store_handle::StoreHandle;
use crate::waiting::{Attempt, POLL};

/// A tag that went back is looked at this often, for an operator to have raised it.
const LOOK_AT_FENCE: Duration = Duration::from_millis(200);

/// The numbers at hand, and what gets more of them.
pub(super) struct RangeSource {
    pub(super) range: SharedRange,
    pub(super) guard: ForkGuard,
    /// The process that the range was fetched in.
    pub(super) opened_in: AtomicU64,
    /// How often it was fenced, for whoever keeps numbers of it.
    pub(super) fences: Arc<AtomicU64>,
    pub(super) core: SourceCore<Work>,
    pub(super) host: Platform,
    pub(super) store: StoreHandle<dyn SegmentStore>,
    pub(super) tag: Tag,
    pub(super) prefetch: Prefetch,
    pub(super) sizing: Sizing,
    pub(super) step: StepSize,
    /// Where the tag is in several databases.
    pub(super) class: Option<Class>,
}

/// What a range source works with, in one process.
pub(super) struct Work {
    buffer: SegmentBuffer,
    /// How many a waiting caller wants at once.
    wanted: u64,
    fence: Option<Fence>,
    pace: Pace,
    /// Since when the store owes a range, in boot time.
    asked_boot_ms: Option<i64>,
    /// How many numbers the range had that the numbers at hand are of.
    at_hand_of: u64,
    /// A caller found no numbers, and nobody has found any since.
    is_dry: bool,
    /// The scheduler is to ask whether the store answers.
    is_to_look: bool,
}

/// The store gave numbers that it had given before: what it gives from now on may be another's,
/// even above those. It stays so until an operator has raised the tag past all that were issued.
#[derive(Clone, Copy, Debug, Default)]
struct Fence {
    /// How often an operator had raised the tag before; unknown until the store has been asked.
    raises: Option<u64>,
    /// Whether it was. Nobody is told before: who raises the tag at once would not be noticed.
    was_asked: bool,
}

impl RangeSource {
    #[inline]
    pub(super) fn is_here(&self) -> bool {
        self.guard.is(self.opened_in.load(Ordering::Relaxed))
    }

    /// Up to `n` numbers that lie together, if any are at hand.
    #[inline]
    pub(super) fn try_take(&self, n: u64) -> Option<NumberRange> {
        if self.is_here() { self.range.take(n) } else { None }
    }

    /// A number, if one is at hand.
    #[inline]
    pub(super) fn try_take_one(&self) -> Option<u64> {
        if self.is_here() { self.range.take_one() } else { None }
    }

    /// Numbers, or why there are none yet; an error is final.
    pub(super) fn take_or_ask(self: &Arc<Self>, n: u64) -> Result<Attempt<NumberRange>> {
        let local = self.local();
        let mut local = lock(&local);
        self.attend(&mut local)?;
        // Another thread may have put the next range in place by now.
        let mut taken = self.range.take(n);
        local.work.wanted = if taken.is_some() { 0 } else { n };
        if self.ask(&mut local) || local.work.asked_boot_ms.is_some() {
            // Of a while ago, it may be over: an operator may have put right what it was.
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

    /// Has numbers at hand, and takes none; whatever fails is an error.
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

    /// Whether the store has owed a range for so long.
    pub(super) fn is_silent_for(&self, patience: Duration) -> bool {
        let asked_boot_ms = lock(&self.local()).work.asked_boot_ms;
        let waited_ms = asked_boot_ms.map(|asked| self.host.boot_ms().saturating_sub(asked));
        waited_ms.is_some_and(|ms| u128::from(ms.unsigned_abs()) >= patience.as_millis())
    }

    /// Has numbers at hand again where it may, for callers who took some of another range source.
    pub(super) fn stock_up(self: &Arc<Self>) {
        let local = self.local();
        let mut local = lock(&local);
        // Closed, it has no use for any.
        if self.attend(&mut local).is_ok() && self.range.remaining() == 0 {
            self.ask(&mut local);
            local.work.is_dry = !self.restock(&mut local.work);
        }
    }

    /// Has a scheduler ask whether the store answers.
    pub(super) fn look(self: &Arc<Self>) {
        let local = self.local();
        let mut local = lock(&local);
        // Closed, it needs no store.
        if self.attend(&mut local).is_ok() {
            local.work.is_to_look = true;
            local.notify();
        }
    }

    /// Puts what was fetched in place of a range that is used up. Whether there was any.
    fn restock(&self, work: &mut Work) -> bool {
        let current_count = work.buffer.current_count();
        // A chain whose first range is yet to come has not run dry.
        let has_begun = current_count > 0 || work.at_hand_of > 0;
        let piece = has_begun.then(|| work.buffer.take_until_request()).flatten();
        let Some(piece) = piece else { return false };
        work.at_hand_of = current_count;
        self.owner(work).replace(piece);
        self.opened_in.store(self.guard.generation(), Ordering::Relaxed);
        true
    }

    /// Asks for a range if one is due, and the store may be asked. Whether it has asked.
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

    /// After a failure, whoever calls meanwhile: with numbers at hand callers do not ask, and once
    /// there are none they have to wait. Says when to look again.
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

    /// Asks for the next range of a chain, of which there is one request at a time.
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
        let message = match work.at_hand_of {
            0 => format!(
                "the first range of tag {tag:?} is still being fetched; ask again, or wait longer"
            ),
            _ => format!(
                "the numbers of tag {tag:?} are used up and the next range is still being fetched; \
                 wait longer, or raise the tag's step if that is so often"
            ),
        };
        Error::new(Code::WaitTimeout, message)
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

    /// Nothing at hand; numbers below `floor`, or those known to be issued, are refused.
    fn begin(&self, floor: u64) -> Work {
        let floor = floor.max(self.scheduler().allocations.floor(&self.tag));
        let buffer = SegmentBuffer::new(self.prefetch, self.step).above(floor);
        let pace = Pace::default();
        Work {
            buffer,
            wanted: 0,
            fence: None,
            pace,
            asked_boot_ms: None,
            at_hand_of: 0,
            is_dry: false,
            is_to_look: false,
        }
    }

    /// Changes the range: whoever has the local state locked.
    #[expect(clippy::expect_used, reason = "a second owner would repeat numbers")]
    fn owner(&self, _locked: &mut Work) -> RangeOwner<'_> {
        self.range.owner().expect("one at a time: each is gone before its lock is")
    }

    /// Makes the segment this process's: drops the parent's range, if there is one, and has the
    /// schedulers look after it.
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
            // Whatever the store says, nobody asks any more.
            return;
        }
        let subject = self.subject(self.has_reserve(&local.work));
        known.reports.judge(&subject, &allocated, &self.host);
        let (left, now_ms) = (self.left(&local.work), self.host.boot_ms());
        local.work.asked_boot_ms = None;
        let Work { buffer, pace, .. } = &mut local.work;
        let supplied = allocated.and_then(|Allocation { range, step, .. }| {
            self.class.as_ref().map_or(Ok(()), |class| class.admit(&range))?;
            buffer.resize(self.sizing.step(step)?);
            buffer.supply(range, now_ms)?;
            pace.note(range.count(), left, now_ms);
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

    /// Mints no more: others may have what is at hand, too.
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

    /// What its numbers leave by their stride, where there are other databases, and once it is known.
    pub(super) fn remainder(&self) -> Option<u64> {
        self.class.as_ref().and_then(Class::remainder)
    }

    fn subject(&self, has_reserve: bool) -> Subject {
        Subject::of_tag("segment", &self.tag, has_reserve)
    }

    /// Whether there are numbers to go on with: some left, or some of a range that a caller counts
    /// through itself, until it comes back for more.
    fn has_reserve(&self, work: &Work) -> bool {
        self.left(work) > 0 || (work.at_hand_of > 0 && !work.is_dry)
    }

    /// How many numbers it has yet to give.
    fn left(&self, work: &Work) -> u64 {
        work.buffer.remaining().saturating_add(self.range.remaining())
    }

    pub(super) fn step(&self) -> u64 {
        lock(&self.local()).work.buffer.step()
    }

    pub(super) fn stats(&self) -> Stats {
        let local = self.local();
        let local = lock(&local);
        let Work { buffer, pace, at_hand_of, .. } = &local.work;
        let mut stats = Stats::of("segment", self.core.is_closed(), Some(&local.retry));
        stats.buckets = self.buckets(buffer, *at_hand_of);
        stats.step = Some(buffer.step());
        let left = buffer.remaining().saturating_add(self.range.remaining());
        stats.rate = pace.per_s(left, self.host.boot_ms());
        stats.runway_ms = runway_ms(stats.at_hand(), stats.rate);
        stats
    }

    /// The range in use, of which some are at hand and others still in the buffer; then the others.
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

    /// Whether it was closed or dropped while its scheduler asked: nobody is to hear what came of it.
    fn is_over(self: &Arc<Self>) -> bool {
        self.core.is_closed() || is_forsaken(self)
    }

    /// Asks for the tag's row. That there is none is for a range to tell: it may be of a day that is
    /// over.
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
            // Its max was raised.
            self.ask(&mut local);
        }
    }

    /// Looks whether an operator has raised the tag since it went back.
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
        // One that is dropped while the store is asked is not there for the answer.
        let ranges = Arc::downgrade(&self);
        drop(self);
        // There may be more than is asked for at once.
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
            // Nothing is at hand, and the tag still went back.
            return;
        }
        self.owner(&mut local.work).close();
        let work = self.begin(local.work.buffer.floor());
        local.forget(work);
    }
}
