//! The kinds of sources, each in a separate file, and an opened source of any kind.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

#[cfg(feature = "uuid")]
use ::uuid::Uuid;
#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::Layout;

use crate::error::Result;
use crate::errors;
use crate::stats::Stats;
use crate::store::Tag;
use crate::waiting::{Attempt, ask_in_task};

#[cfg(feature = "daily")]
mod daily;
mod mint;
mod ring;
mod segment;
mod sequences;
mod settings;
mod snowflake;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(feature = "daily")]
pub use daily::{DEFAULT_DIGITS, Daily, DailyBuilder};
#[cfg(feature = "daily")]
pub(crate) use daily::{DEFAULT_ZONE, check as check_daily, day_size};
pub use mint::Mint;
pub(crate) use mint::Sealed;
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
    /// Numbers of a tag.
    Segment(Segment),
    /// Numbers that begin with the date.
    #[cfg(feature = "daily")]
    Daily(Daily),
    /// A sequence for each of many keys.
    Sequences(Sequences),
    /// UUIDs.
    #[cfg(feature = "uuid")]
    Uuid(UuidSource),
    /// IDs of another source, made ahead.
    Ring(RingSource),
}

/// Calls the same method of each source of 64-bit IDs; the error says how to use the others.
macro_rules! of_64_bits {
    ($source:expr, $minter:ident => $call:expr) => {
        match $source {
            Source::Snowflake($minter) => $call,
            Source::Segment($minter) => $call,
            #[cfg(feature = "daily")]
            Source::Daily($minter) => $call,
            Source::Ring($minter) => $call,
            Source::Sequences(_) => Err(errors::sources::key_missing()),
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => Err(errors::sources::source_of_uuids()),
        }
    };
}

impl Sealed for Source {}

impl Mint for Source {
    #[inline]
    fn try_next_id(&self) -> Option<u64> {
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

    fn next_block_within(&self, out: &mut [u64], wait: Duration) -> Result<usize> {
        of_64_bits!(self, source => source.next_block_within(out, wait))
    }

    fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>> {
        of_64_bits!(self, source => source.poll_block(out))
    }

    fn check_at_once(&self, count: u64, wait: Duration) -> Result<()> {
        match self {
            Source::Snowflake(flake) => flake.check_at_once(count, wait),
            _ => Ok(()),
        }
    }

    fn day_size(&self) -> Option<u64> {
        match self {
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.day_size(),
            _ => None,
        }
    }

    fn fill(&self, out: &mut [u64]) -> Result<()> {
        of_64_bits!(self, source => source.fill(out))
    }

    fn wait(&self) -> Duration {
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

    fn with_wait(&self, wait: Duration) -> Source {
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

    fn stats(&self) -> Stats {
        match self {
            Source::Snowflake(flake) => flake.stats(),
            Source::Segment(segment) => segment.stats(),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.stats(),
            Source::Ring(ring) => ring.stats(),
            Source::Sequences(sequences) => sequences.stats(),
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => Stats::new("uuid", false, None),
        }
    }

    fn close_within(&self, wait: Duration) -> Result<()> {
        match self {
            Source::Snowflake(flake) => flake.close_within(wait),
            Source::Segment(segment) => segment.close_within(wait),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.close_within(wait),
            Source::Ring(ring) => ring.close_within(wait),
            Source::Sequences(sequences) => {
                sequences.close();
                Ok(())
            }
            #[cfg(feature = "uuid")]
            Source::Uuid(_) => Ok(()),
        }
    }
}

impl Source {
    /// Returns the next number of `key`, for sequences. For a segment in several databases, returns
    /// the next number of the database that the key belongs to.
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

    /// Returns the next number of `key`, waiting up to `wait`.
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

    /// Returns the next number of `key`, or how long to sleep, like [`poll_id`](Self::poll_id).
    ///
    /// # Errors
    /// The codes of [`next_of`](Self::next_of) that waiting does not mend.
    pub fn poll_of(&self, key: u64) -> Result<Attempt<u64>> {
        match self {
            Source::Segment(segment) if segment.has_shards() => segment.poll_id_of(key),
            _ => self.sequences()?.poll_next(key),
        }
    }

    /// Returns the next number of `key`, waiting as a task: see [`Mint::next_id_async`].
    ///
    /// # Errors
    /// As [`next_of`](Self::next_of).
    pub async fn next_of_async(&self, key: u64) -> Result<u64> {
        ask_in_task(self.wait(), || self.poll_of(key)).await
    }

    fn sequences(&self) -> Result<&Sequences> {
        match self {
            Source::Sequences(sequences) => Ok(sequences),
            _ => Err(errors::sources::source_without_keys()),
        }
    }

    /// Returns the next UUID.
    ///
    /// # Errors
    /// As [`UuidSource::next_uuid`]; [`Code::Unsupported`] for sources of 64-bit IDs.
    #[cfg(feature = "uuid")]
    pub fn next_uuid(&self) -> Result<Uuid> {
        match self {
            Source::Uuid(uuids) => uuids.next_uuid(),
            _ => Err(errors::sources::source_without_uuids()),
        }
    }

    /// Makes a thread of the source ask whether the store answers; [`stats`](Self::stats) has the
    /// result. Use it to report the health of a store whose source is idle. A segment in several
    /// stores fetches numbers of each instead. Snowflakes ask by themselves.
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

    /// The layout of a snowflake source.
    pub fn layout(&self) -> Option<&Layout> {
        match self {
            Source::Snowflake(flake) => Some(flake.layout()),
            Source::Ring(ring) => ring.source().layout(),
            _ => None,
        }
    }

    /// The tag of a segment, daily numbers or sequences, without a day or section.
    pub fn tag(&self) -> Option<&Tag> {
        match self {
            Source::Segment(segment) => Some(segment.tag()),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => Some(daily.tag()),
            Source::Sequences(sequences) => Some(sequences.tag()),
            Source::Ring(ring) => ring.source().tag(),
            _ => None,
        }
    }

    /// The number of times that a tag of the source was fenced.
    pub(crate) fn fences(&self) -> Arc<AtomicU64> {
        match self {
            Source::Segment(segment) => segment.fences(),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => daily.fences(),
            _ => Arc::default(),
        }
    }

    pub(crate) fn step(&self) -> Option<u64> {
        match self {
            Source::Segment(segment) => Some(segment.step()),
            #[cfg(feature = "daily")]
            Source::Daily(daily) => Some(daily.step()),
            _ => None,
        }
    }
}
