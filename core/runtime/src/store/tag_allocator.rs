//! Stores of one tag at a time.

use std::time::Instant;

use super::{Allocation, AllocationRequest, Call, SegmentStore, Tag, TagOptions, TagRow, Token};
use crate::error::Result;

/// Reserves ranges of one tag at a time, as a function over a database of one's own does. Whoever
/// implements it has a [`SegmentStore`].
///
/// The ranges of a tag are disjoint and rise, to this and every other process, and are durable
/// before they are returned.
///
/// A segment whose ranges went back mints no more. It goes on when [`row`](Self::row) says that an
/// operator raised the tag, or when it is opened anew: on the same store, it then knows which
/// numbers this process had.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use snowmint::{Allocation, AllocationRequest, Call, NumberRange, Segment, Tag, TagAllocator};
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
    /// Reserves the next numbers of a tag: about as many as are asked for. The call says how long
    /// this tag may take, and names the attempt: another tag's, or the same tag's once more, has
    /// another name.
    ///
    /// # Errors
    /// As [`SegmentStore::allocate`] for one request.
    fn reserve(&self, request: &AllocationRequest, call: &Call) -> Result<Allocation>;

    /// How many numbers a range has unless somebody says: 1000.
    fn step(&self) -> u64 {
        TagOptions::default().step
    }

    /// The row of a tag. Unless it is written, every tag is there, and no operator ever raises one:
    /// whether there is such a tag [`reserve`](Self::reserve) says.
    ///
    /// # Errors
    /// Of the store.
    fn row(&self, tag: &Tag) -> Result<Option<TagRow>> {
        let options = TagOptions::default().step(self.step());
        Ok(Some(TagRow::new(tag, options)))
    }

    /// Whether [`row`](Self::row) tells if there is such a tag, as [`SegmentStore::tells_tags`]: yes,
    /// unless it is written.
    fn knows_tags(&self) -> bool {
        true
    }

    /// Whether [`row`](Self::row) tells that an operator raised the tag: no, unless it is written.
    fn counts_raises(&self) -> bool {
        false
    }
}

impl<A: TagAllocator> SegmentStore for A {
    /// One tag after the other: each has what the others left of the time.
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

/// What names a part of an attempt, again in each repeat: with one name for all, a tag that is asked
/// for twice would get one range twice.
fn nth(attempt: Token, index: u128) -> Token {
    u128::from_le_bytes(attempt).wrapping_add(index).to_le_bytes()
}
