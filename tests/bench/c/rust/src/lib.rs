//! The same loops as in `bench.c`, by Rust on the crate `snowmint`: what the runtime itself takes.

use std::hint::black_box;
use std::sync::{Arc, LazyLock};

use snowmint::engine::MAX_STEP;
use snowmint::public_ids::{PublicIdForm, PublicIdKeys, PublicIds};
use snowmint::{Layout, MemoryStore, Segment, SegmentAdmin, Snowflake, StepSize, Tag, TagOptions};

/// The layout of `bench.c`.
fn layout() -> Layout {
    let fields = Layout::builder().time(38).worker(2).sequence(24);
    fields.epoch_ms(1_735_689_600_000).build().expect("a layout")
}

static FLAKE: LazyLock<Snowflake> = LazyLock::new(|| {
    let builder = Snowflake::builder().layout(layout()).lease_from(Arc::new(MemoryStore::new()));
    builder.open().expect("a worker ID")
});

static SEGMENT: LazyLock<Segment> = LazyLock::new(|| {
    let (store, tag) = (Arc::new(MemoryStore::new()), Tag::new("bench").expect("a tag"));
    store.create_tag(&tag, TagOptions::default().step(MAX_STEP)).expect("room");
    let builder = Segment::builder(store, tag).step(StepSize::fixed(MAX_STEP).expect("a step"));
    builder.open().expect("a segment")
});

static ORDERS: LazyLock<PublicIds> = LazyLock::new(|| {
    let ids =
        PublicIdKeys::generate().and_then(|keys| keys.public_ids("order", PublicIdForm::default()));
    ids.expect("a key")
});

fn fill(blocks: u32, block: &mut [u64], fill: impl Fn(&mut [u64]) -> snowmint::Result<()>) {
    for _ in 0..blocks {
        fill(black_box(&mut *block)).expect("IDs");
    }
}

#[unsafe(no_mangle)]
extern "C" fn rust_flake_next(calls: u32) {
    let flake = &*FLAKE;
    for _ in 0..calls {
        black_box(flake.next_id().expect("an ID"));
    }
}

#[unsafe(no_mangle)]
extern "C" fn rust_segment_next(calls: u32) {
    let segment = &*SEGMENT;
    for _ in 0..calls {
        black_box(segment.next_id().expect("a number"));
    }
}

/// The block of the C side, so that both write the same memory.
#[unsafe(no_mangle)]
extern "C" fn rust_flake_fill(blocks: u32, block: Option<&mut [u64; 4096]>) {
    fill(blocks, block.expect("a block"), |block| FLAKE.fill(block));
}

#[unsafe(no_mangle)]
extern "C" fn rust_segment_fill(blocks: u32, block: Option<&mut [u64; 4096]>) {
    fill(blocks, block.expect("a block"), |block| SEGMENT.fill(block));
}

#[unsafe(no_mangle)]
extern "C" fn rust_encode(calls: u32) {
    let orders = &*ORDERS;
    for id in 0..calls {
        black_box(orders.encode(black_box(id.into())).expect("a token"));
    }
}
