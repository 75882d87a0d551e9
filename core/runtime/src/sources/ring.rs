//! A ring: a buffer of ready IDs in front of another source.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64};
use std::time::Duration;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::Ring;

use self::ready::Ready;
use super::mint::{Mint, Sealed};
use super::settings::wait_and_host;
use crate::error::Result;
use crate::errors;
use crate::host::Platform;
use crate::host::process::ForkGuard;
use crate::source_core::SourceCore;
use crate::sources::Source;
use crate::stats::Stats;
use crate::store_handle::StoreState;
use crate::url::invalid;
use crate::waiting::{Attempt, ask_within};

mod ready;

/// The default number of IDs in a ring.
pub(crate) const DEFAULT_RING: usize = 1024;
/// The default time between refills, and the default greatest age of an ID in the ring.
pub(crate) const DEFAULT_EVERY: Duration = Duration::from_secs(1);

/// IDs of another source, made ahead by a thread of the ring. Taking an ID only touches memory,
/// whatever the clock and the store do, and even during a full tick.
///
/// - *Refill*: when fewer IDs are ready than the threshold, and regularly while IDs are taken. A
///   ring that is not used runs dry.
/// - *Ranges*: a ring asks a segment or a daily source for at most one range at a time. It keeps at
///   most one range of a day's numbers ready, whatever its capacity, because a day has few of them.
/// - *Order*: IDs rise strictly in issue order, as the source's do.
/// - *Age*: a snowflake is discarded once it has been ready for as long as
///   [`every`](RingBuilder::every), by default a second. Its time is older than its issue by at
///   most that much beyond what the source allows, or twice that if the clock is set back
///   meanwhile. Daily numbers are discarded at the end of their day. A segment's numbers do not
///   age.
/// - *Empty*: a call waits up to its bound. If that is zero, it fails at once with [`Code::Empty`].
/// - *Gaps*: discarded IDs, and IDs that are ready when the ring is closed.
/// - *Threads*: clone it or share it. Taking a ready ID takes no lock, except when it requests a
///   refill.
/// - *Store that went back*: once the source notices, no ready ID is given out, because another
///   process may get it too. The ring goes on with its source after an operator has raised the tag.
/// - *Fork, restored image*: the copy begins with an empty ring.
#[derive(Clone)]
pub struct RingSource {
    ready: Arc<Ready>,
    wait: Duration,
}

impl RingSource {
    /// Starts building a ring in front of a source.
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

    /// The source behind the ring. An ID taken from it directly lies above those in the ring.
    pub fn source(&self) -> &Source {
        &self.ready.source
    }
}

impl Sealed for RingSource {}

impl Mint for RingSource {
    /// It takes a lock when it requests a refill. In a process that has not asked before, it does
    /// not start filling the ring.
    #[inline]
    fn try_next_id(&self) -> Option<u64> {
        let mut id = [0];
        (self.ready.take(&mut id) == 1).then(|| id[0])
    }

    fn next_block_within(&self, out: &mut [u64], wait: Duration) -> Result<usize> {
        match self.ready.take(out) {
            0 if !out.is_empty() => {
                ask_within(wait, &self.ready.host, || self.ready.take_or_ask(out))
            }
            taken => Ok(taken),
        }
    }

    fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        match self.ready.take(out) {
            0 if !out.is_empty() => self.ready.take_or_ask(out),
            taken => Ok(Attempt::Done(taken)),
        }
    }

    fn wait(&self) -> Duration {
        self.wait
    }

    fn with_wait(&self, wait: Duration) -> RingSource {
        RingSource { ready: Arc::clone(&self.ready), wait }
    }

    /// The buckets begin with the IDs that are ready in the ring.
    fn stats(&self) -> Stats {
        self.ready.stats()
    }

    /// Gives up the IDs that are ready, and closes the source behind the ring.
    fn close_within(&self, wait: Duration) -> Result<()> {
        self.ready.close();
        self.ready.source.close_within(wait)
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
    /// Sets how many IDs can be ready: a power of two up to
    /// [`MAX_CAPACITY`](snowmint_engine::MAX_CAPACITY) (default 1024).
    pub fn capacity(mut self, capacity: usize) -> Self {
        self.capacity = capacity;
        self
    }

    /// Sets the percentage of the capacity below which the ring is refilled: 1 to 100 (default 30).
    pub fn refill_below(mut self, percent: u32) -> Self {
        self.refill_percent = percent;
        self
    }

    /// Sets how often the ring is refilled while IDs are taken, and how long a snowflake may stay
    /// in it: from a millisecond to an hour (default a second).
    pub fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    wait_and_host! {
        /// Sets how long a call waits for an ID; by default as long as the source's calls.
    }

    /// Checks the settings. The first call that mints starts filling the ring.
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
            return Err(errors::sources::source_without_ring());
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
