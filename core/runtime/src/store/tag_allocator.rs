//! Stores that take one tag at a time.

use std::time::Instant;

use super::{Allocation, AllocationRequest, Call, SegmentStore, Tag, TagOptions, TagRow, Token};
use crate::error::Result;

/// A store that reserves ranges of one tag at a time, for example a function in your own database.
/// Every implementation is also a [`SegmentStore`].
///
/// The ranges of a tag must be disjoint and rise across processes, and be durable when returned.
///
/// A segment whose ranges went back stops minting. It continues once [`row`](Self::row) reports
/// that an operator raised the tag, or once you open it again. If you open it on the same store,
/// the new segment knows which numbers this process had.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use snowmint::{
///     Allocation, AllocationRequest, Call, Mint, NumberRange, Segment, Tag, TagAllocator,
/// };
///
/// /// In memory; a database would count for all processes.
/// struct Counter(AtomicU64);
///
/// impl TagAllocator for Counter {
///     fn reserve(&self, request: &AllocationRequest, _: &Call) -> snowmint::Result<Allocation> {
///         let count = request.count.unwrap_or(self.step());
///         let start = self.0.fetch_add(count, Ordering::SeqCst);
///         Ok(Allocation::new(NumberRange::new(start, start + count, 1)?, self.step()))
///     }
/// }
///
/// # fn main() -> snowmint::Result<()> {
/// let counter = Arc::new(Counter(AtomicU64::new(1)));
/// let orders = Segment::builder(counter, Tag::new("orders")?).open()?;
/// assert_eq!(orders.next_id()?, 1);
/// # Ok(())
/// # }
/// ```
pub trait TagAllocator: Send + Sync {
    /// Reserves the next numbers of a tag: about as many as requested. The call holds the time
    /// limit for this tag, and the token of the attempt. Each tag has its own token, and so has a
    /// second request for the same tag.
    ///
    /// # Errors
    /// The errors of [`SegmentStore::allocate`] for one request.
    fn reserve(&self, request: &AllocationRequest, call: &Call) -> Result<Allocation>;

    /// Returns how many numbers a range has by default: 1000.
    fn step(&self) -> u64 {
        TagOptions::default().step
    }

    /// Returns the row of a tag, or `None` if there is none. By default every tag exists and no
    /// operator ever raises one; [`reserve`](Self::reserve) then reports an unknown tag.
    ///
    /// # Errors
    /// Returns the store's error.
    fn row(&self, tag: &Tag) -> Result<Option<TagRow>> {
        let options = TagOptions::default().step(self.step());
        Ok(Some(TagRow::new(tag, options)))
    }

    /// Returns true if [`row`](Self::row) tells whether a tag exists, as
    /// [`SegmentStore::tells_tags`] does. True by default.
    fn knows_tags(&self) -> bool {
        true
    }

    /// Returns true if [`row`](Self::row) tells that an operator raised the tag. False by default.
    fn counts_raises(&self) -> bool {
        false
    }
}

impl<A: TagAllocator> SegmentStore for A {
    /// Calls [`reserve`](TagAllocator::reserve) for one tag after the other in the time left.
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        let begun = Instant::now();
        let one = |(index, request)| {
            let within = call.within.saturating_sub(begun.elapsed());
            self.reserve(request, &Call::new(within, nth(call.attempt, index)))
        };
        Ok((0..).zip(requests).map(one).collect())
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.row(tag)
    }

    fn tells_tags(&self) -> bool {
        self.knows_tags()
    }

    fn tells_raises(&self) -> bool {
        self.counts_raises()
    }
}

/// Derives a token for one part of an attempt, the same in each repeat. With a shared token, two
/// requests for one tag could get the same range.
fn nth(attempt: Token, index: u128) -> Token {
    u128::from_le_bytes(attempt).wrapping_add(index).to_le_bytes()
}
