//! The calls that all sources of 64-bit IDs share.

use std::iter::repeat_with;
use std::time::Duration;

use snowmint_engine::{Code, Error as EngineError, MAX_COUNT};

use crate::error::Result;
use crate::stats::Stats;
use crate::waiting::{Attempt, ask_in_task};

/// A source of 64-bit IDs: a [`Snowflake`](crate::Snowflake), a [`Segment`](crate::Segment), a
/// [`Daily`](crate::Daily), a [`RingSource`](crate::RingSource), or a [`Source`](crate::Source) of any
/// kind. The type says how IDs are ordered, and what happens on overflow, clock rollback and fork.
///
/// A call that waits does so without spinning, and holds no lock meanwhile. A wait of
/// `Duration::ZERO` never waits. IDs that a failing call has already taken are lost: a gap.
///
/// Only the sources of this crate implement it.
///
/// ```
/// use snowmint::{Mint, Snowflake, WorkerId};
///
/// # fn main() -> snowmint::Result<()> {
/// # let directory = tempfile::tempdir().unwrap();
/// # let builder = Snowflake::builder().state_directory(directory.path());
/// let flake = builder.worker_id(WorkerId::Fixed(7)).open()?;
/// let first = flake.next_id()?;
/// assert!(flake.next_ids(3)?.iter().all(|&id| id > first));
/// # Ok(())
/// # }
/// ```
pub trait Mint: Sealed + Send + Sync {
    /// Returns the next ID if it is available at once. Takes no lock, makes no outside call and
    /// never waits, so it suits event loops and holders of an interpreter's lock. After `None`,
    /// call [`next_id`](Self::next_id), or [`next_id_within`](Self::next_id_within) with a wait of
    /// zero: that takes a lock, but none that is held during a call of the store.
    ///
    /// A [`Source`](crate::Source) of sequences or UUIDs always returns `None`.
    fn try_next_id(&self) -> Option<u64>;

    /// Fills the beginning of `out` with the rising IDs that are available at once, and returns
    /// their count. It waits for the first one, up to `wait`. An empty `out` gets 0.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    fn next_block_within(&self, out: &mut [u64], wait: Duration) -> Result<usize>;

    /// Fills the beginning of `out` with the rising IDs that are available at once, and returns
    /// their count; or returns how long to sleep before asking again, for callers that must sleep
    /// themselves. It takes a lock, but none that is held during a call of the store. An empty
    /// `out` gets 0.
    ///
    /// # Errors
    /// The codes of [`next_id`](Self::next_id) that waiting does not mend.
    fn poll_block(&self, out: &mut [u64]) -> Result<Attempt<usize>>;

    /// The wait bound of a call.
    fn wait(&self) -> Duration;

    /// Returns the same source with another wait bound for its calls.
    #[must_use]
    fn with_wait(&self, wait: Duration) -> Self
    where
        Self: Sized;

    /// Returns the state of the source, such as its worker ID or its ranges at hand, and failures.
    fn stats(&self) -> Stats;

    /// Stops minting, gives up what is reserved, and waits up to `wait` until the store knows.
    /// Closing twice is no error.
    ///
    /// # Errors
    /// An error of a fixed worker ID's state file or of the store; and
    /// [`WaitTimeout`](Code::WaitTimeout), after which a lease ends by itself. The source is closed
    /// all the same.
    fn close_within(&self, wait: Duration) -> Result<()>;

    /// Fails if `count` IDs can never be available without waiting, for a call that waits up to
    /// `wait`. [`fill`](Self::fill) and [`next_ids`](Self::next_ids) call it before they take an ID;
    /// call it first if you take many IDs block by block.
    ///
    /// # Errors
    /// [`CountOutOfRange`](Code::CountOutOfRange) for snowflakes, if `wait` is zero and `count` is
    /// above [`Snowflake::most_at_once`](crate::Snowflake::most_at_once).
    fn check_at_once(&self, _count: u64, _wait: Duration) -> Result<()> {
        Ok(())
    }

    /// The distance between the first numbers of two days, for daily numbers. All numbers of one
    /// [`fill`](Self::fill) are then of one day.
    fn day_size(&self) -> Option<u64> {
        None
    }

    /// Returns the next ID, waiting up to the source's wait bound.
    ///
    /// # Errors
    /// [`Closed`](Code::Closed); and
    /// - for snowflakes: [`ClockBehind`](Code::ClockBehind) and
    ///   [`SequenceExhausted`](Code::SequenceExhausted) if the policy does not wait or the wait
    ///   would exceed the bound, [`LeaseUnavailable`](Code::LeaseUnavailable) if the reserved time
    ///   is used up, [`LayoutExpired`](Code::LayoutExpired), [`Forked`](Code::Forked);
    /// - for segments and daily numbers: [`WaitTimeout`](Code::WaitTimeout) or the store's error if
    ///   no number could be fetched in time, [`TagExhausted`](Code::TagExhausted),
    ///   [`RangeRegressed`](Code::RangeRegressed);
    /// - for daily numbers: [`InvalidTime`](Code::InvalidTime) if the clock reads a year outside
    ///   1000 to 9999;
    /// - for rings: the codes of the source behind the ring, and [`Empty`](Code::Empty) if no ID
    ///   was ready in time;
    /// - for a [`Source`](crate::Source) of sequences, which need a key, or of UUIDs, which have
    ///   128 bits: [`Unsupported`](Code::Unsupported).
    #[inline]
    fn next_id(&self) -> Result<u64> {
        match self.try_next_id() {
            Some(id) => Ok(id),
            None => self.next_id_within(self.wait()),
        }
    }

    /// Returns the next ID, waiting up to `wait`.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    #[inline(never)]
    fn next_id_within(&self, wait: Duration) -> Result<u64> {
        let mut id = [0];
        self.next_block_within(&mut id, wait)?;
        Ok(id[0])
    }

    /// Fills the beginning of `out` like [`next_block_within`](Self::next_block_within), waiting up
    /// to the source's wait bound. Use it to keep the IDs that a [`fill`](Self::fill) which fails in
    /// the middle would lose.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id).
    fn next_block(&self, out: &mut [u64]) -> Result<usize> {
        self.next_block_within(out, self.wait())
    }

    /// Fills `out` with rising IDs. It waits for each block up to the source's wait bound.
    ///
    /// # Errors
    /// As [`check_at_once`](Self::check_at_once) and [`next_id`](Self::next_id);
    /// [`CountOutOfRange`](Code::CountOutOfRange) for more daily numbers than a day has.
    fn fill(&self, out: &mut [u64]) -> Result<()> {
        self.check_at_once(out.len() as u64, self.wait())?;
        let mut rest = out;
        while !rest.is_empty() {
            let filled = self.next_block(rest)?;
            rest = rest.split_at_mut(filled).1;
        }
        Ok(())
    }

    /// Returns `count` rising IDs.
    ///
    /// # Errors
    /// [`CountOutOfRange`](Code::CountOutOfRange) for 0 and for more than [`MAX_COUNT`], and the
    /// codes of [`fill`](Self::fill).
    fn next_ids(&self, count: usize) -> Result<Vec<u64>> {
        check_count(count)?;
        let mut ids = vec![0; count];
        self.fill(&mut ids)?;
        Ok(ids)
    }

    /// Returns the next ID, or how long to sleep before asking again, like
    /// [`poll_block`](Self::poll_block).
    ///
    /// # Errors
    /// As [`poll_block`](Self::poll_block).
    fn poll_id(&self) -> Result<Attempt<u64>> {
        let mut id = [0];
        Ok(self.poll_block(&mut id)?.map(|_| id[0]))
    }

    /// Stops minting and gives up what is reserved, without waiting for a store. If the process
    /// ends before the store knows, a lease ends by itself. Closing twice is no error.
    ///
    /// # Errors
    /// As [`close_within`](Self::close_within), except [`WaitTimeout`](Code::WaitTimeout).
    fn close(&self) -> Result<()> {
        self.close_within(Duration::ZERO).or_else(|error| match error.code() {
            Code::WaitTimeout => Ok(()),
            _ => Err(error),
        })
    }

    /// Returns the next ID, waiting up to the source's wait bound as a task, on any executor. One
    /// thread of the process wakes all waiting tasks. A future that is dropped has taken no ID. It
    /// works in a forked child too.
    ///
    /// # Errors
    /// As [`next_id`](Self::next_id); [`NoResource`](Code::NoResource) if that thread cannot be
    /// started.
    fn next_id_async(&self) -> impl Future<Output = Result<u64>> + Send + '_
    where
        Self: Sized,
    {
        async {
            match self.try_next_id() {
                Some(id) => Ok(id),
                None => ask_in_task(self.wait(), || self.poll_id()).await,
            }
        }
    }

    /// Returns an endless iterator over IDs. Each step waits like [`next_id`](Self::next_id). You can
    /// go on after an error.
    fn iter(&self) -> impl Iterator<Item = Result<u64>> + '_
    where
        Self: Sized,
    {
        repeat_with(|| self.next_id())
    }
}

/// Keeps the trait to the sources of this crate, so that it can get further calls.
pub trait Sealed {}

fn check_count(count: usize) -> Result<()> {
    if count == 0 || count > MAX_COUNT {
        let (count, max) = (count as u64, MAX_COUNT as u64);
        return Err(EngineError::CountOutOfRange { count, max }.into());
    }
    Ok(())
}
