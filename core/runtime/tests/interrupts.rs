//! Waits that are broken off. The hook is the process's only one: these tests have their own.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use snowmint::{
    ClockPolicy, Code, Layout, MemoryStore, Mint, Segment, SegmentAdmin, Snowflake, System, Tag,
    TagOptions, WorkerId,
};

thread_local! {
    /// After so many looks the thread is interrupted.
    static PATIENCE: Cell<u32> = const { Cell::new(u32::MAX) };
}

fn is_interrupted() -> bool {
    let left = PATIENCE.get();
    PATIENCE.set(left.saturating_sub(1));
    left == 0
}

const FOR_EVER: Duration = Duration::from_secs(u64::MAX);

#[test]
fn an_interrupted_wait_ends_and_the_source_goes_on() {
    System::interrupt_waits_by(is_interrupted);
    let (store, tag) = (Arc::new(MemoryStore::new()), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default()).unwrap();
    let segment = Segment::builder(store, tag).open().unwrap();
    PATIENCE.set(0);
    let error = segment.next_id_within(FOR_EVER).unwrap_err();
    assert_eq!(error.code(), Code::WaitTimeout);
    assert!(error.to_string().contains("the wait was interrupted"), "{error}");
    PATIENCE.set(u32::MAX);
    assert_eq!(segment.next_id_within(FOR_EVER).unwrap(), 1);
}

#[test]
fn an_interrupted_sleep_is_a_stall_that_says_when_to_ask_again() {
    System::interrupt_waits_by(is_interrupted);
    let directory = tempfile::tempdir().unwrap();
    // One ID in ten seconds: the second has to wait.
    let layout = Layout::builder().time(40).worker(10).tick_ms(10_000).build().unwrap();
    let flake = Snowflake::builder()
        .layout(layout)
        .policy(ClockPolicy::SNOWMINT.with_max_ahead_ms(0))
        .worker_id(WorkerId::Fixed(7))
        .state_directory(directory.path())
        .open()
        .unwrap();
    let error = loop {
        PATIENCE.set(1);
        if let Err(error) = flake.next_id_within(FOR_EVER) {
            break error;
        }
    };
    assert_eq!(error.code(), Code::SequenceExhausted);
    assert!((1..=10_000).contains(&error.wait_ms().unwrap()));
}

#[test]
fn an_error_without_a_stall_has_no_wait() {
    assert_eq!(snowmint::open("nonsense").unwrap_err().wait_ms(), None);
}
