//! What mints: each kind of source in a file of its own, and an opened source of any kind.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

#[cfg(feature = "uuid")]
use ::uuid::Uuid;
use snowmint_engine::{Code, Layout};

use crate::error::{Error, Result};
use crate::host::Platform;
use crate::stats::Stats;
use crate::waiting::{Attempt, ask_within};

#[cfg(feature = "daily")]
mod daily;
mod ids;
mod ring;
mod segment;
mod sequences;
mod snowflake;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(feature = "daily")]
pub use daily::{DEFAULT_DIGITS, Daily, DailyBuilder};
#[cfg(feature = "daily")]
pub(crate) use daily::{DEFAULT_ZONE, check as check_daily};
pub(crate) use ring::{DEFAULT_EVERY, check as check_ring};
pub use ring::{RingBuilder, RingSource};
pub(crate) use segment::{LateStore, check as check_segment};
pub use segment::{Segment, SegmentBuilder};
pub(crate) use sequences::{DEFAULT_KEYS_PER_SECTION, check as check_sequences};
pub use sequences::{Sequences, SequencesBuilder};
pub use snowflake::{Snowflake, SnowflakeBuilder};
#[cfg(feature = "uuid")]
pub use uuid::{UuidSource, UuidVersion};

/// An opened source of any kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// Snowflake IDs.
    Snowflake(Snowflake),
    /// A tag's numbers.
    Segment(Segment),
    /// Numbers that begin with the date.
    #[cfg(feature = "daily")]
    Daily(Daily),
    /// A sequence for each of many keys.
    Sequences(Sequences),
    /// UUIDs.
    #[cfg(feature = "uuid")]
    Uuid(UuidSource),
    /// IDs of one of the others, made ahead.
    Ring(RingSource),
}

/// What every source of 64-bit IDs does; the others say how theirs are taken.
macro_rules! of_64_bits {
    ($source:expr, $minter:ident => $call:expr) => {
        match $source {
            Source::Snowflake($minter) => $call,
            Source::Segment($minter) => $call,
            #[cfg(feature = "daily")]
            Source::Daily($minter) => $call,
            Source::Ring($minter) => $call,
            Source::Sequences(_) => Err(needs_key()),
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => Err(not_64_bits()),
        }
    };
}

impl Source {
    /// The next 64-bit ID, waiting up to the source's bound.
    ///
    /// # Errors
    /// As the source's own `next_id`; [`Code::Unsupported`] for UUIDs, which have 128 bits, and
    /// for sequences, which need a key.
    pub fn next_id(&self) -> Result<u64> {
        of_64_bits!(self, source => source.next_id())
    }

    /// The next 64-bit ID if it can be had at once: takes no lock, calls nobody and never waits.
    /// `None` also for sequences and UUIDs. After `None`, ask [`next_id`](Self::next_id), or
    /// [`next_id_within`](Self::next_id_within) no time at all.
    #[inline]
    pub fn try_next_id(&self) -> Option<u64> {
        match self {
            Source::Snowflake(flake) => flake.try_next_id(),
            Source::Segment(segment) => segment.try_next_id(),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.try_next_id(),
            Source::Ring(ring) => ring.try_next_id(),
            Source::Sequences(_) => None,
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => None,
        }
    }

    /// The next 64-bit ID, waiting up to `wait`.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    pub fn next_id_within(&self, wait: Duration) -> Result<u64> {
        of_64_bits!(self, source => source.next_id_within(wait))
    }

    /// Fills `out` with rising 64-bit IDs.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id). What `out` then holds is given up: a gap.
    pub fn fill(&self, out: &mut [u64]) -> Result<()> {
        of_64_bits!(self, source => source.fill(out))
    }

    /// `count` rising 64-bit IDs.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`]; as [`next_id`](Self::next_id).
    pub fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
        of_64_bits!(self, source => source.next_ids(count))
    }

    /// Fills the beginning of `out` with as many rising 64-bit IDs as are had at once, and says how
    /// many; for the first it waits up to the source's bound. For callers who keep what they have where
    /// a [`fill`](Self::fill) that fails in the middle would give it up. An empty `out` gets 0.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    pub fn next_block(&self, out: &mut [u64]) -> Result<usize> {
        ask_within(self.wait(), &Platform::System, || self.poll_block(out))
    }

    /// Refuses what is never to be had without waiting, for a call that waits so long: who takes many
    /// IDs block by block asks this first, of all of them.
    ///
    /// # Errors
    /// Of snowflakes, as [`Snowflake::check_at_once`].
    pub fn check_at_once(&self, count: u64, wait: Duration) -> Result<()> {
        match self {
            Source::Snowflake(flake) => flake.check_at_once(count, wait),
            _ => Ok(()),
        }
    }

    /// The next number of `key`, of sequences; of a segment in several databases one of that which
    /// the key belongs to.
    ///
    /// # Errors
    /// As [`Sequences::next`] or [`Segment::next_id_of`]; [`Code::Unsupported`] for sources without
    /// keys.
    pub fn next_of(&self, key: u64) -> Result<u64> {
        match self {
            Source::Segment(segment) if segment.has_shards() => segment.next_id_of(key),
            _ => self.sequences()?.next(key),
        }
    }

    /// The next number of `key`, waiting up to `wait`.
    ///
    /// # Errors
    /// As [`next_of`](Self::next_of).
    pub fn next_of_within(&self, key: u64, wait: Duration) -> Result<u64> {
        match self {
            Source::Segment(segment) if segment.has_shards() => {
                segment.with_wait(wait).next_id_of(key)
            }
            _ => self.sequences()?.next_within(key, wait),
        }
    }

    /// The next 64-bit ID, or how long to sleep before asking again: for callers that must sleep
    /// themselves. It takes a lock, but none that is held across a call of the store.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id), of those that no wait mends.
    pub fn poll_id(&self) -> Result<Attempt<u64>> {
        of_64_bits!(self, source => source.poll_id())
    }

    /// Fills the beginning of `out` with as many rising 64-bit IDs as are had at once, and says how
    /// many; or how long to sleep, like [`poll_id`](Self::poll_id). An empty `out` gets 0.
    ///
    /// # Errors
    /// As [`poll_id`](Self::poll_id).
    pub fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        of_64_bits!(self, source => source.poll_block(out))
    }

    /// The next number of `key`, of sequences, or how long to sleep; like
    /// [`poll_id`](Self::poll_id).
    ///
    /// # Errors
    /// As [`next_of`](Self::next_of), of those that no wait mends.
    pub fn poll_of(&self, key: u64) -> Result<Attempt<u64>> {
        match self {
            Source::Segment(segment) if segment.has_shards() => segment.poll_id_of(key),
            _ => self.sequences()?.poll_next(key),
        }
    }

    fn sequences(&self) -> Result<&Sequences> {
        match self {
            Source::Sequences(sequences) => Ok(sequences),
            _ => {
                let message = "this source has no keys: take its IDs with next_id or next_uuid, or \
                               open sequences+sqlite:ids.db?tag=chat for a sequence of each key";
                Err(Error::new(Code::Unsupported, message))
            }
        }
    }

    /// The next UUID.
    ///
    /// # Errors
    /// As [`UuidSource::next_uuid`]; [`Code::Unsupported`] for sources of 64-bit IDs.
    #[cfg(feature = "uuid")]
    pub fn next_uuid(&self) -> Result<Uuid> {
        match self {
            Source::Uuid(uuids) => uuids.next_uuid(),
            _ => {
                let message = "this source makes 64-bit IDs; open uuid:?version=7 for UUIDs";
                Err(Error::new(Code::Unsupported, message))
            }
        }
    }

    /// What it is doing.
    pub fn stats(&self) -> Stats {
        match self {
            Source::Snowflake(flake) => flake.stats(),
            Source::Segment(segment) => segment.stats(),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.stats(),
            Source::Ring(ring) => ring.stats(),
            Source::Sequences(sequences) => sequences.stats(),
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => Stats::of("uuid", false, None),
        }
    }

    /// Has the store asked, by a thread of the source's own, whether it answers: for those who tell
    /// others that it does, of a source that nobody uses. What came of it is in [`stats`](Self::stats).
    /// A segment in several stores has numbers of each fetched instead; snowflakes ask by themselves.
    pub fn look_at_store(&self) {
        match self {
            Source::Segment(segment) => segment.look(),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.look(),
            Source::Sequences(sequences) => sequences.look(),
            Source::Ring(ring) => ring.source().look_at_store(),
            Source::Snowflake(_) => {}
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => {}
        }
    }

    /// The layout, for snowflakes.
    pub fn layout(&self) -> Option<&Layout> {
        match self {
            Source::Snowflake(flake) => Some(flake.layout()),
            Source::Ring(ring) => ring.source().layout(),
            _ => None,
        }
    }

    /// How often a tag of it was fenced.
    pub(crate) fn fences(&self) -> Arc<AtomicU64> {
        match self {
            Source::Segment(segment) => segment.fences(),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.fences(),
            _ => Arc::default(),
        }
    }

    /// How many numbers it fetches at a time, if it fetches any.
    pub(crate) fn step(&self) -> Option<u64> {
        match self {
            Source::Segment(segment) => Some(segment.step()),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => Some(daily.step()),
            _ => None,
        }
    }

    /// How long a call waits; UUIDs never wait.
    pub fn wait(&self) -> Duration {
        match self {
            Source::Snowflake(flake) => flake.wait(),
            Source::Segment(segment) => segment.wait(),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.wait(),
            Source::Ring(ring) => ring.wait(),
            Source::Sequences(sequences) => sequences.wait(),
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => Duration::ZERO,
        }
    }

    /// The same source with another bound for the calls on it; `Duration::ZERO` never waits.
    #[must_use]
    pub fn with_wait(&self, wait: Duration) -> Source {
        match self {
            Source::Snowflake(flake) => Source::Snowflake(flake.with_wait(wait)),
            Source::Segment(segment) => Source::Segment(segment.with_wait(wait)),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => Source::Daily(daily.with_wait(wait)),
            Source::Ring(ring) => Source::Ring(ring.with_wait(wait)),
            Source::Sequences(sequences) => Source::Sequences(sequences.with_wait(wait)),
            #[cfg(feature = "uuid")]
            Source::Uuid(uuids) => Source::Uuid(*uuids),
        }
    }

    /// Stops minting and gives up what is reserved, without waiting for a store. Closing twice is no
    /// error.
    ///
    /// # Errors
    /// Of a fixed worker ID's state file; the source is closed all the same.
    pub fn close(&self) -> Result<()> {
        self.close_within(Duration::ZERO).or_else(|error| match error.code() {
            Code::WaitTimeout => Ok(()),
            _ => Err(error),
        })
    }

    /// As [`close`](Self::close), and waits up to `wait` until the store knows.
    ///
    /// # Errors
    /// As there; of the store, and [`Code::WaitTimeout`]: a lease then ends by itself.
    pub fn close_within(&self, wait: Duration) -> Result<()> {
        match self {
            Source::Snowflake(flake) => flake.close_within(wait)?,
            Source::Segment(segment) => segment.close(),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.close(),
            Source::Ring(ring) => ring.close_within(wait)?,
            Source::Sequences(sequences) => sequences.close(),
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => {}
        }
        Ok(())
    }
}

fn needs_key() -> Error {
    Error::new(
        Code::Unsupported,
        "each key has a sequence of its own: say of which key the next number is to be",
    )
}

#[cfg(feature = "uuid")]
fn not_64_bits() -> Error {
    Error::new(Code::Unsupported, "a UUID has 128 bits: take it by the source's call for UUIDs")
}
