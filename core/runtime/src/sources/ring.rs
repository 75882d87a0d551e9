//! IDs made ahead of need: a ring of ready ones before another source.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64};
use std::time::Duration;

use snowmint_engine::{Code, Ring};

use self::ready::Ready;
use super::snowflake::check_count;
use crate::error::{Error, Result};
#[cfg(feature = "embedding")]
use crate::host::Host;
use crate::host::Platform;
use crate::host::process::ForkGuard;
use crate::source_core::SourceCore;
use crate::sources::Source;
use crate::stats::Stats;
use crate::store_handle::StoreState;
use crate::url::invalid;
use crate::waiting::{Attempt, ask_within};

mod ready;

/// How many IDs a ring holds unless told otherwise.
pub(crate) const DEFAULT_RING: usize = 1024;
/// How often it is filled up, and how old an ID in it may become, unless told otherwise.
pub(crate) const DEFAULT_EVERY: Duration = Duration::from_secs(1);

/// IDs of another source, made ahead by a thread of the ring's own: taking one is a claim in memory,
/// whatever the clock, the store or a full tick are at.
///
/// - *Refill*: when fewer are ready than the threshold's share, and every so often while IDs are
///   taken. A ring that nobody takes from is left to run dry.
/// - *Ranges*: a ring asks a segment or daily numbers for no more than a range at a time, and has no
///   more than one of a day's numbers ready, whatever its capacity: a day has few, and others need
///   them.
/// - *Order*: IDs rise strictly in issue order, as the source's do.
/// - *Age*: a snowflake is thrown away once it has been ready for as long as
///   [`every`](RingBuilder::every) says, a second unless set; its time is older than the moment it is
///   given out by at most so much beyond what the source allows, or twice that where the clock is
///   set back meanwhile. Daily numbers are thrown away at the end of their day. A segment's numbers
///   have no age.
/// - *Empty*: a call waits up to its bound, and fails at once with [`Code::Empty`] where that is zero.
/// - *Gaps*: what is thrown away, and what is ready when the ring is closed.
/// - *Threads*: clone it or share it; taking what is ready takes no lock, but the one that sends for
///   a refill.
/// - *Store that went back*: once the source hears of it, nothing that was ready is given out: others
///   may have it, too. The ring goes on with its source, once an operator has raised the tag.
/// - *Fork, restored image*: the copy begins with an empty ring.
#[derive(Clone)]
pub struct RingSource {
    ready: Arc<Ready>,
    wait: Duration,
}

impl RingSource {
    /// Starts building a ring before a source.
    pub fn builder(source: Source) -> RingBuilder {
        RingBuilder {
            wait: source.wait(),
            source,
            capacity: DEFAULT_RING,
            refill_percent: snowmint_engine::REFILL_BELOW_PERCENT,
            every: DEFAULT_EVERY,
            host: Platform::System,
        }
    }

    /// The next ID, waiting up to the ring's bound.
    ///
    /// # Errors
    /// As the source's `next_id`; [`Code::Empty`] when none was ready in time.
    #[inline]
    pub fn next_id(&self) -> Result<u64> {
        match self.try_next_id() {
            Some(id) => Ok(id),
            None => self.next_id_within(self.wait),
        }
    }

    /// The next ID if one is ready: calls nobody and never waits. In a process that has not asked
    /// before it has nobody fill the ring: after `None`, ask [`next_id`](Self::next_id), or
    /// [`next_id_within`](Self::next_id_within) no time at all.
    #[inline]
    pub fn try_next_id(&self) -> Option<u64> {
        let mut id = [0];
        (self.ready.take(&mut id) == 1).then(|| id[0])
    }

    /// The next ID, waiting up to `wait`.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    pub fn next_id_within(&self, wait: Duration) -> Result<u64> {
        let mut id = [0];
        self.block(&mut id, wait)?;
        Ok(id[0])
    }

    /// Fills `out` with rising IDs. Each refill waits up to the ring's bound.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id). What `out` then holds is given up: a gap.
    pub fn fill(&self, out: &mut [u64]) -> Result<()> {
        let mut rest = out;
        while !rest.is_empty() {
            let filled = self.block(rest, self.wait)?;
            rest = rest.split_at_mut(filled).1;
        }
        Ok(())
    }

    /// `count` rising IDs.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`]; as [`next_id`](Self::next_id).
    pub fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
        check_count(count)?;
        let mut ids = vec![0; count];
        self.fill(&mut ids)?;
        Ok(ids)
    }

    /// The next ID, or how long to sleep before asking again: for callers that must sleep
    /// themselves. It takes a lock, but none that is held across a call of the store.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id), of those that no wait mends.
    pub fn poll_id(&self) -> Result<Attempt<u64>> {
        let mut id = [0];
        Ok(self.poll_block(&mut id)?.map(|_| id[0]))
    }

    /// Fills the beginning of `out` with what is ready, and says how many; or how long to sleep, like
    /// [`poll_id`](Self::poll_id). An empty `out` gets 0.
    ///
    /// # Errors
    /// As [`poll_id`](Self::poll_id).
    pub fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        match self.ready.take(out) {
            0 if !out.is_empty() => self.ready.take_or_ask(out),
            taken => Ok(Attempt::Done(taken)),
        }
    }

    /// The source behind it. An ID taken from it directly lies above those in the ring.
    pub fn source(&self) -> &Source {
        &self.ready.source
    }

    /// What it is doing: as the source says, and what is ready in the ring before the source's own
    /// buckets.
    pub fn stats(&self) -> Stats {
        self.ready.stats()
    }

    /// How long a call waits.
    pub fn wait(&self) -> Duration {
        self.wait
    }

    /// The same ring with another bound for the calls on it; `Duration::ZERO` never waits.
    #[must_use]
    pub fn with_wait(&self, wait: Duration) -> RingSource {
        RingSource { ready: Arc::clone(&self.ready), wait }
    }

    /// Gives up what is ready, and closes the source without waiting for a store. Closing twice is no
    /// error.
    ///
    /// # Errors
    /// As the source's own.
    pub fn close(&self) -> Result<()> {
        self.ready.close();
        self.ready.source.close()
    }

    /// As [`close`](Self::close), and waits up to `wait` until the store knows.
    ///
    /// # Errors
    /// As the source's own.
    pub fn close_within(&self, wait: Duration) -> Result<()> {
        self.ready.close();
        self.ready.source.close_within(wait)
    }

    fn block(&self, out: &mut [u64], wait: Duration) -> Result<usize> {
        match self.ready.take(out) {
            0 => ask_within(wait, &self.ready.host, || self.ready.take_or_ask(out)),
            taken => Ok(taken),
        }
    }
}

impl std::fmt::Debug for RingSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RingSource")
            .field("source", &self.ready.source)
            .field("capacity", &self.ready.ring.capacity())
            .finish_non_exhaustive()
    }
}

/// Builds a [`RingSource`].
pub struct RingBuilder {
    source: Source,
    capacity: usize,
    refill_percent: u32,
    every: Duration,
    wait: Duration,
    host: Platform,
}

impl RingBuilder {
    /// How many IDs can be ready: a power of two up to
    /// [`MAX_CAPACITY`](snowmint_engine::MAX_CAPACITY), 1024 unless set.
    pub fn capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity;
        self
    }

    /// Below which percentage of the capacity it is filled up: from 1 to 100, 30 unless set.
    pub fn refill_below(mut self, percent: u32) -> Self {
        self.refill_percent = percent;
        self
    }

    /// How often it is filled up while IDs are taken, and how long a snowflake may lie in it: from
    /// a millisecond to an hour, a second unless set.
    pub fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// How long a call waits for an ID: as long as the source's unless set.
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Another host than the operating system: for simulation.
    #[cfg(feature = "embedding")]
    pub fn host(mut self, host: impl Host) -> Self {
        self.host = Platform::Brought(Arc::new(host));
        self
    }

    /// Checks what was set. The first call that mints has the ring filled.
    ///
    /// # Errors
    /// [`Code::InvalidParameter`]; [`Code::Unsupported`] for sequences, UUIDs and rings.
    pub fn open(self) -> Result<RingSource> {
        let is_made_ahead = match self.source {
            Source::Snowflake(_) | Source::Segment(_) => true,
            #[cfg(feature = "daily")]
            Source::Daily(_) => true,
            _ => false,
        };
        if !is_made_ahead {
            let message = "a ring holds the IDs of a snowflake, a segment or a daily source";
            return Err(Error::new(Code::Unsupported, message));
        }
        check(self.capacity, self.refill_percent, self.every)?;
        let slots: Box<[_]> = (0..self.capacity).map(|_| AtomicU64::new(0)).collect();
        let guard = ForkGuard::new();
        let ready = Ready {
            ring: Ring::with_threshold(slots, self.refill_percent)?.in_image(guard.word()),
            guard,
            opened_in: AtomicU64::new(0),
            good_until_ms: AtomicI64::new(i64::MIN),
            fences: self.source.fences(),
            fences_before: AtomicU64::new(0),
            is_called: AtomicBool::new(false),
            core: SourceCore::new(),
            state: StoreState::default(),
            host: self.host,
            source: self.source,
            every_ms: self.every.as_millis() as i64,
        };
        Ok(RingSource { ready: Arc::new(ready), wait: self.wait })
    }
}

/// Checks a ring's measures.
pub(crate) fn check(capacity: usize, refill_percent: u32, every: Duration) -> Result<()> {
    let max = snowmint_engine::MAX_CAPACITY;
    if !capacity.is_power_of_two() || capacity > max {
        let expected = format!("a power of two from 1 to {max}");
        return Err(invalid("ring", &capacity.to_string(), &expected));
    }
    if !(1..=100).contains(&refill_percent) {
        let expected = "a percentage from 1 to 100";
        return Err(invalid("ring_refill", &refill_percent.to_string(), expected));
    }
    if !(1..=3_600_000).contains(&every.as_millis()) {
        let expected = "milliseconds from 1 to 3600000";
        return Err(invalid("ring_every_ms", &every.as_millis().to_string(), expected));
    }
    Ok(())
}
