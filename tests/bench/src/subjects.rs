//! The subjects of the measurements, set up the same way everywhere.

use std::time::Duration;

use snowmint::engine::{Lane, Pace, SharedSnowflake};
use snowmint::{Layout, Segment, SequenceStart, Snowflake, StepSize};

use crate::stores::BenchStore;

/// A time in Twitter's layout.
pub const NOW_MS: i64 = 1_790_000_000_000;
/// Far enough ahead that a given time never runs out in a run.
pub const NEVER_STALLS_MS: u32 = u32::MAX;

/// The engine's machine with 41 bits of time, 10 of worker ID, 12 of sequence.
pub fn engine() -> SharedSnowflake {
    engine_with(Layout::TWITTER)
}

pub fn engine_with(layout: Layout) -> SharedSnowflake {
    let pace = Pace { max_ahead_ms: NEVER_STALLS_MS, start: SequenceStart::Rotate };
    SharedSnowflake::new(layout, Lane::of_worker(3), pace).expect("a worker ID that fits")
}

/// A layout of which one worker mints 4 million IDs a millisecond.
pub fn wide_layout() -> Layout {
    let fields = Layout::builder().fields("time:40,worker:2,sequence:22");
    fields.and_then(|fields| fields.epoch_ms(1_700_000_000_000).build()).expect("a valid layout")
}

/// The generator that everybody uses, with a lease and everything else by default.
pub fn snowflake(layout: Layout) -> Snowflake {
    let store = BenchStore::new(1, Duration::ZERO);
    let flake = Snowflake::builder().layout(layout).lease_from(store).open();
    flake.expect("a lease of the bench's store")
}

/// A segment with ranges of `step` numbers, each of which takes the store `pause`.
pub fn segment(step: u64, pause: Duration) -> Segment {
    let store = BenchStore::new(step, pause);
    let step = StepSize::fixed(step).expect("a step within the limit");
    let segment = Segment::builder(store, BenchStore::tag_name()).step(step).open();
    segment.expect("a tag of the bench's store")
}

/// A generator that neither borrows nor fails: it waits for every tick.
pub fn without_borrowing() -> Snowflake {
    let store = BenchStore::new(1, Duration::ZERO);
    let policy = snowmint::ClockPolicy::SNOWMINT.with_max_ahead_ms(0);
    let flake = Snowflake::builder().policy(policy).lease_from(store).open();
    flake.expect("a lease of the bench's store")
}
