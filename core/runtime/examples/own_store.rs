//! Numbers from a database of your own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

// --8<-- [start:allocate]
use snowmint::{
    Allocation, AllocationRequest, Call, Mint, NumberRange, Segment, Tag, TagAllocator,
};

/// In memory. In a database: UPDATE … SET next = next + count RETURNING next.
struct Counter(AtomicU64);

impl TagAllocator for Counter {
    fn reserve(&self, request: &AllocationRequest, _: &Call) -> snowmint::Result<Allocation> {
        let count = request.count.unwrap_or(self.step());
        let start = self.0.fetch_add(count, Ordering::SeqCst);
        Ok(Allocation::new(NumberRange::new(start, start + count, 1)?, self.step()))
    }
}

fn main() -> snowmint::Result<()> {
    let counter = Arc::new(Counter(AtomicU64::new(1)));
    let orders = Segment::builder(counter, Tag::new("orders")?).open()?;
    println!("{}", orders.next_id()?);
    // --8<-- [end:allocate]
    assert_eq!(orders.next_id()?, 2);
    orders.close()
}
