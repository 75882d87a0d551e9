//! Numbers of a tag, from ranges reserved in a store and fetched ahead.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use snowmint_engine::{
    Code, Error as EngineError, MAX_STEP, NumberRange, Prefetch, RangeOwner, SegmentBuffer,
    SharedRange, StepSize,
};

use super::snowflake::collect;
use crate::allocations::{Allocations, Customer};
use crate::error::{Error, Result};
use crate::host::process::ForkGuard;
use crate::host::restore::Live;
use crate::host::{Host, System};
use crate::keepers::{Kept, NOTHING_DUE, POLL, Pool};
use crate::sources::DEFAULT_WAIT;
use crate::station::{Desk, DeskOf, Station, lock};
use crate::stats::{Bucket, Pace, Stats};
use crate::store::{Allocation, AllocationRequest, SegmentStore, Tag};
use crate::waiting::{Attempt, ask_within};

/// Leaf's bound of the adaptive step.
const MAX_ADAPTIVE_STEP: u64 = 1_000_000;
/// A tag that went back is looked at this often, for an operator to have raised it.
const LOOK_AT_LATCH: Duration = Duration::from_millis(200);

/// Mints the numbers of a tag.
///
/// - *Order*: numbers rise strictly in issue order, across threads and ranges. Other processes on
///   the same tag mint from ranges of their own: between processes there is no order.
/// - *Gaps*: what is fetched and not minted when a process ends is lost.
/// - *Threads*: clone it or share it; minting takes no lock while fetched numbers last.
/// - *Fork*: a child fetches ranges of its own.
/// - *Store down*: the fetched numbers are minted to the end, then calls fail within their bound,
///   and go on by themselves when the store is back.
pub struct Segment<H: Host = System> {
    tap: Arc<Tap<H>>,
    wait: Duration,
}

impl Segment {
    /// Starts building a segment over a store's tag.
    pub fn builder(store: Arc<dyn SegmentStore>, tag: Tag) -> SegmentBuilder {
        let host = System;
        SegmentBuilder {
            store,
            tag,
            prefetch: Prefetch::LEAF,
            step: None,
            wait: DEFAULT_WAIT,
            host,
        }
    }
}

impl<H: Host> Segment<H> {
    /// The next number, waiting up to the segment's bound.
    ///
    /// # Errors
    /// [`Code::WaitTimeout`] or the store's error when none could be fetched in time,
    /// [`Code::TagExhausted`], [`Code::RangeRegressed`], [`Code::Closed`].
    #[inline]
    pub fn next_id(&self) -> Result<u64> {
        match self.try_next_id() {
            Some(number) => Ok(number),
            None => self.next_id_within(self.wait),
        }
    }

    /// The next number if it is at hand: takes no lock, calls nobody and never waits, as event
    /// loops and holders of an interpreter's lock need it. After `None`, ask
    /// [`next_id`](Self::next_id), or [`next_id_within`](Self::next_id_within) no time at all:
    /// that takes a lock, but none that is held across a call of the store.
    #[inline]
    pub fn try_next_id(&self) -> Option<u64> {
        if self.tap.is_here() { self.tap.range.take_one() } else { None }
    }

    /// The next number, waiting up to `wait`; `Duration::ZERO` takes a fetched one or fails.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    #[inline(never)]
    pub fn next_id_within(&self, wait: Duration) -> Result<u64> {
        Ok(self.tap.take(1, wait)?.start())
    }

    /// Up to `at_most` numbers that lie together, for a caller that counts through them itself; it
    /// waits up to `wait`. Numbers that the caller drops are a gap.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`] for 0; as [`next_id`](Self::next_id).
    pub fn next_range(&self, at_most: u64, wait: Duration) -> Result<NumberRange> {
        if at_most == 0 {
            return Err(EngineError::CountOutOfRange { count: 0, max: u64::MAX }.into());
        }
        match self.try_next_range(at_most) {
            Some(range) => Ok(range),
            None => self.tap.take(at_most, wait),
        }
    }

    /// Up to `at_most` numbers that lie together, if any are at hand; like
    /// [`try_next_id`](Self::try_next_id).
    pub fn try_next_range(&self, at_most: u64) -> Option<NumberRange> {
        if self.tap.is_here() { self.tap.range.take(at_most) } else { None }
    }

    /// Fills `out` with rising numbers. Each range waits up to the segment's bound.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id). What `out` then holds is given up: a gap.
    pub fn fill(&self, out: &mut [u64]) -> Result<()> {
        let mut rest = out;
        while !rest.is_empty() {
            let range = self.next_range(rest.len() as u64, self.wait)?;
            let filled = range.numbers().fill(rest);
            rest = rest.split_at_mut(filled).1;
        }
        Ok(())
    }

    /// `count` rising numbers.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`]; as [`next_id`](Self::next_id).
    pub fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
        collect(count, |wanted, numbers| {
            self.next_range(wanted as u64, self.wait)?.numbers().append_to(numbers);
            Ok(())
        })
    }

    /// The tag.
    pub fn tag(&self) -> &Tag {
        &self.tap.tag
    }

    /// What it is doing: the ranges at hand, how fast they are used, what went wrong.
    pub fn stats(&self) -> Stats {
        self.tap.stats()
    }

    /// How long a call waits.
    pub fn wait(&self) -> Duration {
        self.wait
    }

    /// The same segment with another bound for the calls on it; `Duration::ZERO` never waits.
    #[must_use]
    pub fn with_wait(&self, wait: Duration) -> Segment<H> {
        let mut other = self.clone();
        other.wait = wait;
        other
    }

    /// Stops minting; fetched numbers are lost. Closing twice is no error.
    pub fn close(&self) {
        self.tap.close();
    }
}

impl<H: Host> Clone for Segment<H> {
    fn clone(&self) -> Self {
        Segment { tap: Arc::clone(&self.tap), wait: self.wait }
    }
}

impl<H: Host> std::fmt::Debug for Segment<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Segment").field("tag", self.tag()).finish_non_exhaustive()
    }
}

/// Builds a [`Segment`].
#[must_use]
pub struct SegmentBuilder<H: Host = System> {
    store: Arc<dyn SegmentStore>,
    tag: Tag,
    prefetch: Prefetch,
    step: Option<StepSize>,
    wait: Duration,
    host: H,
}

impl<H: Host> SegmentBuilder<H> {
    /// When the next range is fetched; [`Prefetch::LEAF`] unless set.
    pub fn prefetch(mut self, prefetch: Prefetch) -> Self {
        self.prefetch = prefetch;
        self
    }

    /// The size of ranges. Unless set, the tag's step, doubled up to a million for as long as
    /// ranges last less than 15 minutes.
    pub fn step(mut self, step: StepSize) -> Self {
        self.step = Some(step);
        self
    }

    /// How long a call waits for a number: [`DEFAULT_WAIT`] unless set.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Another host than the operating system: for simulation.
    pub fn host<H2: Host>(self, host: H2) -> SegmentBuilder<H2> {
        let SegmentBuilder { store, tag, prefetch, step, wait, .. } = self;
        SegmentBuilder { store, tag, prefetch, step, wait, host }
    }

    /// Looks the tag up and opens the segment. Calls the store; the first range is fetched by the
    /// first call that mints.
    ///
    /// # Errors
    /// [`Code::UnknownTag`], or of the store.
    pub fn open(self) -> Result<Segment<H>> {
        let Some(row) = self.store.tag(&self.tag)? else {
            return Err(unknown_tag(&self.tag));
        };
        let step = self.step.map_or_else(|| adaptive(row.step), Ok)?;
        let guard = ForkGuard::new();
        let tap = Tap {
            range: SharedRange::new().in_image(guard.word()),
            guard,
            opened_in: AtomicU64::new(0),
            station: Station::new(),
            host: self.host,
            store: self.store,
            tag: self.tag,
            prefetch: self.prefetch,
            fixed: self.step.is_some(),
            step,
        };
        Ok(Segment { tap: Arc::new(tap), wait: self.wait })
    }
}

/// The error for a tag that a store does not have.
pub(crate) fn unknown_tag(tag: &Tag) -> Error {
    let message = format!(
        "the store has no tag {tag:?}: create it first, for instance with `snowmint segment \
         create STORE {tag}`",
        tag = tag.as_str()
    );
    Error::new(Code::UnknownTag, message)
}

fn adaptive(step: u64) -> Result<StepSize> {
    Ok(StepSize::adaptive(step, step.max(MAX_ADAPTIVE_STEP))?)
}

/// The numbers at hand, and what gets more of them.
struct Tap<H: Host> {
    range: SharedRange,
    guard: ForkGuard,
    /// The process that the range was fetched in.
    opened_in: AtomicU64,
    station: Station<Work>,
    host: H,
    store: Arc<dyn SegmentStore>,
    tag: Tag,
    prefetch: Prefetch,
    fixed: bool,
    step: StepSize,
}

/// What a tap works with, in one process.
struct Work {
    buffer: SegmentBuffer,
    /// How many a waiting caller wants at once.
    wanted: u64,
    latch: Option<Latch>,
    pace: Pace,
    /// How many numbers the range had that the numbers at hand are of.
    at_hand_of: u64,
}

/// The store gave numbers that it had given before: what it gives from now on may be another's,
/// even above those. It stays so until an operator has raised the tag past all that were issued.
#[derive(Clone, Copy, Debug)]
struct Latch {
    /// How often an operator had raised the tag before; unknown until the store has been asked.
    raises: Option<u64>,
}

impl<H: Host> Tap<H> {
    #[inline]
    fn is_here(&self) -> bool {
        self.guard.is(self.opened_in.load(Ordering::Relaxed))
    }

    /// Up to `n` numbers that lie together.
    fn take(self: &Arc<Self>, n: u64, wait: Duration) -> Result<NumberRange> {
        ask_within(wait, &self.host, || self.take_or_ask(n))
    }

    /// Numbers, or why there are none yet; an error is final.
    fn take_or_ask(self: &Arc<Self>, n: u64) -> Result<Attempt<NumberRange>> {
        let desk = self.desk();
        let mut desk = lock(&desk);
        self.attend(&mut desk)?;
        // Another thread may have put the next range in place by now.
        let mut taken = self.range.take(n);
        desk.work.wanted = if taken.is_some() { 0 } else { n };
        self.ask(&mut desk);
        let current_count = desk.work.buffer.current_count();
        if taken.is_none()
            && let Some(piece) = desk.work.buffer.take_until_request()
        {
            desk.work.at_hand_of = current_count;
            self.owner(&mut desk.work).replace(piece);
            self.opened_in.store(self.guard.generation(), Ordering::Relaxed);
            taken = self.range.take(n);
        }
        match (taken, desk.trouble.lasting()) {
            (Some(range), _) => Ok(Attempt::Done(range)),
            (None, Some(failure)) => Err(failure.clone()),
            (None, None) => {
                let failure = desk.trouble.present().cloned();
                Ok(Attempt::Later { pause: POLL, why: self.not_yet(failure) })
            }
        }
    }

    /// Asks for a range if one is due, and the store may be asked.
    fn ask(self: &Arc<Self>, desk: &mut Desk<Work>) {
        let Work { buffer, wanted, latch, .. } = &mut desk.work;
        if latch.is_some() || desk.trouble.rest(&self.host).is_some() {
            return;
        }
        let Some(request) = buffer.wants(self.host.boot_ms()) else { return };
        let count = request.step.max(*wanted).min(MAX_STEP);
        let request = AllocationRequest { tag: self.tag.clone(), count: Some(count) };
        let customer = Arc::<Self>::downgrade(self);
        desk.want(request, customer);
    }

    fn not_yet(&self, failure: Option<Error>) -> Error {
        failure.unwrap_or_else(|| {
            let message = format!(
                "no number of tag {:?} could be fetched in time; wait longer, or raise the tag's \
                 step where the store is slow",
                self.tag.as_str()
            );
            Error::new(Code::WaitTimeout, message)
        })
    }

    fn close(&self) {
        let desk = self.desk();
        let mut desk = lock(&desk);
        self.station.close(&mut desk);
        desk.leave();
        if self.is_here() {
            self.owner(&mut desk.work).close();
        }
    }

    fn desk(&self) -> DeskOf<Work> {
        self.station.desk(|| self.begin(0))
    }

    fn pool(&self) -> Arc<Pool> {
        Pool::of(Arc::as_ptr(&self.store).cast(), "snowmint-fetch", &self.host)
    }

    /// Nothing at hand; numbers below `floor`, or those known to be issued, are refused.
    fn begin(&self, floor: u64) -> Work {
        let floor = floor.max(self.pool().allocations.floor(&self.tag));
        let buffer = SegmentBuffer::new(self.prefetch, self.step).above(floor);
        Work { buffer, wanted: 0, latch: None, pace: Pace::default(), at_hand_of: 0 }
    }

    /// Changes the range: whoever has the desk locked.
    #[expect(clippy::expect_used, reason = "a second owner would repeat numbers")]
    fn owner(&self, _locked: &mut Work) -> RangeOwner<'_> {
        self.range.owner().expect("one at a time: each is gone before its lock is")
    }

    /// Makes the segment this process's: drops the parent's range, if there is one, and has the
    /// keepers look after it.
    fn attend(self: &Arc<Self>, desk: &mut Desk<Work>) -> Result<()> {
        let was_attended = desk.is_attended();
        self.station.attend(desk, self, || self.pool())?;
        if !was_attended && !self.is_here() {
            self.owner(&mut desk.work).close();
        }
        Ok(())
    }

    fn note(&self, desk: &mut Desk<Work>, allocated: Result<Allocation>, known: &Allocations) {
        let now_ms = self.host.boot_ms();
        let Work { buffer, pace, .. } = &mut desk.work;
        let left = buffer.remaining().saturating_add(self.range.remaining());
        let supplied = allocated.and_then(|Allocation { range, step, .. }| {
            if !self.fixed {
                buffer.resize(adaptive(step)?);
            }
            buffer.supply(range, now_ms)?;
            pace.note(range.count(), left, now_ms);
            Ok(())
        });
        match supplied {
            Ok(()) => desk.trouble.clear(),
            Err(error) => {
                buffer.failed();
                if error.code() == Code::RangeRegressed {
                    self.latch(desk, known);
                }
                desk.trouble.note(error, &self.host);
            }
        }
    }

    /// Mints no more: others may have what is at hand, too.
    fn latch(&self, desk: &mut Desk<Work>, known: &Allocations) {
        let floor = desk.work.buffer.floor();
        known.raise_floor(&self.tag, floor);
        self.owner(&mut desk.work).close();
        desk.work = Work { latch: Some(Latch { raises: None }), ..self.begin(floor) };
        desk.ring();
    }

    fn stats(&self) -> Stats {
        let desk = self.desk();
        let desk = lock(&desk);
        let Work { buffer, pace, at_hand_of, .. } = &desk.work;
        let mut stats = Stats::of("segment", self.station.is_closed(), Some(&desk.trouble));
        stats.buckets = self.buckets(buffer, *at_hand_of);
        stats.step = Some(buffer.step());
        stats.rate = pace.per_s();
        stats.runway_ms = pace.runway_ms(stats.at_hand());
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

    /// Looks whether an operator has raised the tag since it went back.
    fn look_at_latch(&self, desk: &DeskOf<Work>) {
        let looked = self.store.tag(&self.tag);
        let mut desk = lock(desk);
        let floor = desk.work.buffer.floor();
        match (looked, &mut desk.work.latch) {
            (Ok(Some(row)), Some(Latch { raises: Some(before) }))
                if row.raises > *before && row.next >= floor =>
            {
                desk.work.latch = None;
                desk.trouble.clear();
            }
            (Ok(Some(row)), Some(latch @ Latch { raises: None })) => {
                latch.raises = Some(row.raises);
            }
            _ => {}
        }
    }
}

impl<H: Host> Kept for Tap<H> {
    fn keep(&self) -> Duration {
        let desk = self.desk();
        let is_latched = {
            let desk = lock(&desk);
            if self.station.is_closed() {
                return NOTHING_DUE;
            }
            desk.work.latch.is_some()
        };
        if is_latched {
            self.look_at_latch(&desk);
            return LOOK_AT_LATCH;
        }
        // There may be more than is asked for at once.
        let fetched = self.pool().allocations.fetch(&*self.store, &self.host);
        if fetched { Duration::ZERO } else { NOTHING_DUE }
    }
}

impl<H: Host> Customer for Tap<H> {
    fn answer(&self, allocated: Result<Allocation>, known: &Allocations) {
        self.note(&mut lock(&self.desk()), allocated, known);
    }
}

impl<H: Host> Live for Tap<H> {
    fn forget(&self) {
        let Some(desk) = self.station.present_desk() else { return };
        let mut desk = lock(&desk);
        self.owner(&mut desk.work).close();
        let work = self.begin(desk.work.buffer.floor());
        desk.forget(work);
    }
}
