//! Numbers of a tag, from ranges reserved in a store and fetched ahead.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use snowmint_engine::{
    Code, Error as EngineError, MAX_STEP, NumberRange, Prefetch, RangeOwner, SegmentBuffer,
    SharedRange, StepSize,
};

use crate::error::{Error, Result};
use crate::host::process::{ForkGuard, PerProcess};
use crate::host::restore::{self, Image, Live};
use crate::host::{Host, System};
use crate::keepers::{self, Bell, Kept, NOTHING_DUE, POLL, RETRY_MS};
use crate::sources::snowflake::{DEFAULT_WAIT, collect};
use crate::store::{Allocation, SegmentStore, Tag};
use crate::waiting::Deadline;

/// Leaf's bound of the adaptive step.
const MAX_ADAPTIVE_STEP: u64 = 1_000_000;

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
        self.try_next_range(at_most).map_or_else(|| self.tap.take(at_most, wait), Ok)
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
            closed: AtomicBool::new(false),
            host: self.host,
            store: self.store,
            tag: self.tag,
            prefetch: self.prefetch,
            fixed: self.step.is_some(),
            step,
            local: PerProcess::new(),
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
    closed: AtomicBool,
    host: H,
    store: Arc<dyn SegmentStore>,
    tag: Tag,
    prefetch: Prefetch,
    fixed: bool,
    step: StepSize,
    local: PerProcess<Local>,
}

/// What a forked child must not share.
struct Local {
    bell: Arc<Bell>,
    state: Mutex<State>,
}

struct State {
    buffer: SegmentBuffer,
    /// How many numbers the keeper is to fetch.
    request: Option<u64>,
    /// How many a waiting caller wants at once.
    wanted: u64,
    failure: Option<Error>,
    retry_boot_ms: i64,
    has_keeper: bool,
}

impl<H: Host> Tap<H> {
    #[inline]
    fn is_here(&self) -> bool {
        self.guard.is(self.opened_in.load(Ordering::Relaxed))
    }

    /// Up to `n` numbers that lie together.
    fn take(self: &Arc<Self>, n: u64, wait: Duration) -> Result<NumberRange> {
        let deadline = Deadline::after(wait, &self.host);
        loop {
            let failure = match self.take_or_ask(n)? {
                Ok(range) => return Ok(range),
                Err(failure) => failure,
            };
            if deadline.is_over(&self.host) {
                return Err(self.timed_out(failure));
            }
            self.host.sleep(POLL);
        }
    }

    /// Numbers, or why the last fetch failed; an outer error is final.
    fn take_or_ask(self: &Arc<Self>, n: u64) -> Result<Result<NumberRange, Option<Error>>> {
        let local = self.local();
        let mut state = self.lock(&local);
        if self.closed.load(Ordering::Relaxed) {
            return Err(EngineError::Closed.into());
        }
        if !state.has_keeper {
            self.join(&local, &mut state)?;
        }
        // Another thread may have put the next range in place by now.
        let mut taken = self.range.take(n);
        state.wanted = if taken.is_some() { 0 } else { n };
        if let Some(request) = state.buffer.wants(self.host.boot_ms()) {
            state.request = Some(request.step.max(state.wanted).min(MAX_STEP));
            local.bell.ring();
        }
        if taken.is_none()
            && let Some(piece) = state.buffer.take_until_request()
        {
            self.owner(&mut state).replace(piece);
            self.opened_in.store(self.guard.generation(), Ordering::Relaxed);
            taken = self.range.take(n);
        }
        match (taken, &state.failure) {
            (Some(range), _) => Ok(Ok(range)),
            (None, Some(failure)) if !failure.is_transient() => Err(failure.clone()),
            (None, failure) => Ok(Err(failure.clone())),
        }
    }

    fn timed_out(&self, failure: Option<Error>) -> Error {
        failure.unwrap_or_else(|| {
            let message = format!(
                "no number of tag {:?} could be fetched in time: the store is slow; wait longer \
                 or raise the tag's step",
                self.tag.as_str()
            );
            Error::new(Code::WaitTimeout, message)
        })
    }

    fn close(&self) {
        let local = self.local();
        // Under the lock: what a call puts in place there would be minted after the end.
        let mut state = self.lock(&local);
        self.closed.store(true, Ordering::Relaxed);
        if self.is_here() {
            self.owner(&mut state).close();
        }
    }

    fn local(&self) -> Arc<Local> {
        self.local.get_or_init(|| Local { bell: Arc::default(), state: Mutex::new(self.begin(0)) })
    }

    /// Nothing at hand; numbers below `floor` are refused.
    fn begin(&self, floor: u64) -> State {
        State {
            buffer: SegmentBuffer::new(self.prefetch, self.step).above(floor),
            request: None,
            wanted: 0,
            failure: None,
            retry_boot_ms: i64::MIN,
            has_keeper: false,
        }
    }

    fn lock<'a>(&self, local: &'a Local) -> MutexGuard<'a, State> {
        local.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the range: whoever has the state locked.
    #[expect(clippy::expect_used, reason = "a second owner would repeat numbers")]
    fn owner(&self, _locked: &mut State) -> RangeOwner<'_> {
        self.range.owner().expect("one at a time: each is gone before its lock is")
    }

    /// Makes the segment this process's: drops the parent's range, if there is one, and starts a
    /// keeper.
    fn join(self: &Arc<Self>, local: &Local, state: &mut State) -> Result<()> {
        if !self.is_here() {
            self.owner(state).close();
        }
        keepers::start(
            &self.host,
            "snowmint-fetch",
            Arc::downgrade(self),
            Arc::clone(&local.bell),
        )?;
        restore::enlist(Arc::<Self>::downgrade(self));
        state.has_keeper = true;
        Ok(())
    }

    fn note(&self, state: &mut State, fetched: Result<Allocation>) {
        let now_ms = self.host.boot_ms();
        let supplied = fetched.and_then(|Allocation { range, step }| {
            if !self.fixed {
                state.buffer.resize(adaptive(step)?);
            }
            Ok(state.buffer.supply(range, now_ms)?)
        });
        state.failure = supplied.err();
        if state.failure.is_some() {
            state.buffer.failed();
            state.retry_boot_ms = now_ms.saturating_add(RETRY_MS);
        }
    }
}

impl<H: Host> Kept for Tap<H> {
    fn keep(&self) -> Duration {
        let local = self.local();
        let mut state = self.lock(&local);
        if self.closed.load(Ordering::Relaxed) {
            return NOTHING_DUE;
        }
        let wait_ms = state.retry_boot_ms.saturating_sub(self.host.boot_ms());
        if wait_ms > 0 {
            return Duration::from_millis(wait_ms.unsigned_abs());
        }
        let Some(count) = state.request.take() else {
            return NOTHING_DUE;
        };
        drop(state);
        let image = Image::present();
        let fetched = self.store.allocate(&self.tag, Some(count));
        let mut state = self.lock(&local);
        // Another image may have had the same answer.
        if image.is_present() {
            self.note(&mut state, fetched);
        }
        Duration::ZERO
    }
}

impl<H: Host> Live for Tap<H> {
    fn forget(&self) {
        let Some(local) = self.local.get() else { return };
        let mut state = self.lock(&local);
        self.owner(&mut state).close();
        let has_keeper = state.has_keeper;
        *state = State { has_keeper, ..self.begin(state.buffer.floor()) };
    }
}

impl<H: Host> Drop for Tap<H> {
    fn drop(&mut self) {
        if let Some(local) = self.local.get() {
            local.bell.ring();
        }
    }
}
