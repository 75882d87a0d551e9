//! The memory that a source takes: its own size, and its part of the heap.

use std::alloc::{GlobalAlloc, Layout as Shape, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use snowmint::engine::{MAX_STEP, SegmentBuffer, SharedRange, SharedSnowflake};
use snowmint::{Layout, Mint, Segment, Snowflake};

use crate::report::Line;
use crate::subjects;

/// The system's allocator, and the number of bytes it has given out.
pub struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it came; the count touches no
// memory that was given out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, shape: Shape) -> *mut u8 {
        LIVE.fetch_add(shape.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc(shape) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, shape: Shape) {
        LIVE.fetch_sub(shape.size(), Ordering::Relaxed);
        // SAFETY: as above; the pointer came from there.
        unsafe { System.dealloc(pointer, shape) }
    }
}

/// Measures the memory of a source that has minted.
pub fn memory() -> Vec<Line> {
    let group = "memory";
    let bytes = |what: &str, count: usize| Line::new(group, what, count as f64, "B");
    let mut lines = vec![
        bytes("SharedSnowflake", size_of::<SharedSnowflake>()).at_most(256.0),
        bytes("its layout", size_of::<Layout>()),
        bytes("Snowflake, the handle", size_of::<Snowflake>()),
    ];
    let (_flake, heap) = heap_of(|| {
        let flake = subjects::snowflake(Layout::TWITTER);
        flake.next_id_within(Duration::from_secs(1)).expect("an ID");
        flake
    });
    lines.extend([
        bytes("Snowflake, on the heap, lease and keeper included", heap),
        bytes("SharedRange", size_of::<SharedRange>()),
        bytes("SegmentBuffer", size_of::<SegmentBuffer>()),
    ]);
    // None is dropped before all are measured: its keeper would end beside the next.
    let segments = [("step 10", 10), ("step 2^30", MAX_STEP)].map(|(name, step)| {
        let made = heap_of(|| {
            let segment = subjects::segment(step, Duration::ZERO);
            segment.next_id().expect("a number");
            segment
        });
        (name, made)
    });
    for (name, (_, heap)) in &segments {
        let whole = size_of::<Segment>() + heap;
        lines.push(bytes(&format!("Segment, {name}, handle and heap"), whole).at_most(4096.0));
    }
    lines
}

fn heap_of<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    let made = make();
    // The keeper thread may still be setting itself up.
    std::thread::sleep(Duration::from_millis(20));
    (made, LIVE.load(Ordering::Relaxed).saturating_sub(before))
}
