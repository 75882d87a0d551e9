//! An opened source of any kind, and what all of them can do.

use std::time::Duration;

use snowmint_engine::{Code, Layout};
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::sources::{Daily, Segment, Snowflake, UuidSource};
use crate::stats::Stats;

/// An opened source of any kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Source {
    /// Snowflake IDs.
    Snowflake(Snowflake),
    /// A tag's numbers.
    Segment(Segment),
    /// Numbers that begin with the date.
    Daily(Daily),
    /// UUIDs.
    Uuid(UuidSource),
}

impl Source {
    /// The next 64-bit ID, waiting up to the source's bound.
    ///
    /// # Errors
    /// As the source's own `next_id`; [`Code::Unsupported`] for UUIDs, which have 128 bits.
    pub fn next_id(&self) -> Result<u64> {
        match self {
            Source::Snowflake(flake) => flake.next_id(),
            Source::Segment(segment) => segment.next_id(),
            Source::Daily(daily) => daily.next_id(),
            Source::Uuid(_) => Err(not_64_bits()),
        }
    }

    /// The next 64-bit ID if it can be had at once: takes no lock, calls nobody and never waits.
    /// `None` also for UUIDs.
    #[inline]
    pub fn try_next_id(&self) -> Option<u64> {
        match self {
            Source::Snowflake(flake) => flake.try_next_id(),
            Source::Segment(segment) => segment.try_next_id(),
            Source::Daily(daily) => daily.try_next_id(),
            Source::Uuid(_) => None,
        }
    }

    /// The next 64-bit ID, waiting up to `wait`.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    pub fn next_id_within(&self, wait: Duration) -> Result<u64> {
        match self {
            Source::Snowflake(flake) => flake.next_id_within(wait),
            Source::Segment(segment) => segment.next_id_within(wait),
            Source::Daily(daily) => daily.next_id_within(wait),
            Source::Uuid(_) => Err(not_64_bits()),
        }
    }

    /// Fills `out` with rising 64-bit IDs.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id). What `out` then holds is given up: a gap.
    pub fn fill(&self, out: &mut [u64]) -> Result<()> {
        match self {
            Source::Snowflake(flake) => flake.fill(out),
            Source::Segment(segment) => segment.fill(out),
            Source::Daily(daily) => daily.fill(out),
            Source::Uuid(_) => Err(not_64_bits()),
        }
    }

    /// `count` rising 64-bit IDs.
    ///
    /// # Errors
    /// [`Code::CountOutOfRange`]; as [`next_id`](Self::next_id).
    pub fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
        match self {
            Source::Snowflake(flake) => flake.next_ids(count),
            Source::Segment(segment) => segment.next_ids(count),
            Source::Daily(daily) => daily.next_ids(count),
            Source::Uuid(_) => Err(not_64_bits()),
        }
    }

    /// The next UUID.
    ///
    /// # Errors
    /// As [`UuidSource::next_uuid`]; [`Code::Unsupported`] for sources of 64-bit IDs.
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
            Source::Daily(daily) => daily.stats(),
            Source::Uuid(_) => Stats::of("uuid", false, None),
        }
    }

    /// The layout, for snowflakes.
    pub fn layout(&self) -> Option<&Layout> {
        match self {
            Source::Snowflake(flake) => Some(flake.layout()),
            _ => None,
        }
    }

    /// How long a call waits; UUIDs never wait.
    pub fn wait(&self) -> Duration {
        match self {
            Source::Snowflake(flake) => flake.wait(),
            Source::Segment(segment) => segment.wait(),
            Source::Daily(daily) => daily.wait(),
            Source::Uuid(_) => Duration::ZERO,
        }
    }

    /// The same source with another bound for the calls on it; `Duration::ZERO` never waits.
    #[must_use]
    pub fn with_wait(&self, wait: Duration) -> Source {
        match self {
            Source::Snowflake(flake) => Source::Snowflake(flake.with_wait(wait)),
            Source::Segment(segment) => Source::Segment(segment.with_wait(wait)),
            Source::Daily(daily) => Source::Daily(daily.with_wait(wait)),
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
            Source::Daily(daily) => daily.close(),
            Source::Uuid(_) => {}
        }
        Ok(())
    }
}

fn not_64_bits() -> Error {
    Error::new(Code::Unsupported, "a UUID has 128 bits: take it with next_uuid")
}
