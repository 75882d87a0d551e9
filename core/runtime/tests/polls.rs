//! Calls that leave waiting to their caller.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;
use std::thread;

use snowmint::{
    Attempt, Code, Daily, MemoryStore, Mint, Result, Segment, SegmentAdmin, Sequences, Snowflake,
    Source, StepSize, Tag, TagOptions, UuidSource, UuidVersion, WorkerId,
};

/// Asks until there is an answer, as often as a store in memory can need at the most.
fn polled<T>(mut poll: impl FnMut() -> Result<Attempt<T>>) -> Result<T> {
    for _ in 0..10_000 {
        match poll()? {
            Attempt::Done(answer) => return Ok(answer),
            Attempt::Later { pause, .. } => thread::sleep(pause),
        }
    }
    panic!("no answer");
}

fn store() -> Arc<dyn SegmentAdmin> {
    let store = MemoryStore::new();
    store.create_tag(&tag("orders"), TagOptions::default()).unwrap();
    Arc::new(store)
}

fn tag(name: &str) -> Tag {
    Tag::new(name).unwrap()
}

/// A block of up to so many numbers.
fn block(source: &Source, count: usize) -> Result<Vec<u64>> {
    let mut numbers = vec![0; count];
    let filled = polled(|| source.poll_block(&mut numbers))?;
    numbers.truncate(filled);
    Ok(numbers)
}

#[test]
fn segments_are_polled() {
    let segment = Segment::builder(store(), tag("orders")).step(StepSize::fixed(5).unwrap());
    let segment = segment.open().unwrap();
    // The first call cannot have anything: the store has yet to be asked.
    assert!(matches!(segment.poll_id().unwrap(), Attempt::Later { why, .. }
        if why.code() == Code::WaitTimeout));
    assert_eq!(polled(|| segment.poll_id()).unwrap(), 1);
    let range = polled(|| segment.poll_range(2)).unwrap();
    assert_eq!((range.start(), range.end()), (2, 4));
    assert_eq!(segment.poll_range(0).unwrap_err().code(), Code::CountOutOfRange);
    let source = Source::Segment(segment);
    assert!(block(&source, 0).unwrap().is_empty());
    assert!(block(&source, 100).unwrap().starts_with(&[4]));
    assert!(polled(|| source.poll_id()).unwrap() > 4);
    source.close().unwrap();
    assert_eq!(source.poll_id().unwrap_err().code(), Code::Closed);
    assert_eq!(block(&source, 1).unwrap_err().code(), Code::Closed);
}

#[test]
fn daily_numbers_are_polled_to_the_last() {
    let daily = Daily::builder(store(), tag("bills")).digits(1).step(4).open().unwrap();
    let first = polled(|| daily.poll_id()).unwrap();
    assert_eq!(first % 10, 1);
    let source = Source::Daily(daily);
    assert!(block(&source, 0).unwrap().is_empty());
    let mut all = vec![first];
    // Each block ends with its range, the last one with the day's numbers.
    while all.len() < 9 {
        all.extend(block(&source, 20).unwrap());
    }
    assert_eq!(all, (first..first + 9).collect::<Vec<_>>());
    assert_eq!(block(&source, 20).unwrap_err().code(), Code::TagExhausted);
    assert_eq!(source.poll_id().unwrap_err().code(), Code::TagExhausted);
    assert!(block(&source, 0).unwrap().is_empty());
    source.close().unwrap();
}

#[test]
fn snowflakes_are_polled() {
    let directory = tempfile::tempdir().unwrap();
    let builder =
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path());
    let source = Source::Snowflake(builder.open().unwrap());
    let first = polled(|| source.poll_id()).unwrap();
    assert!(block(&source, 0).unwrap().is_empty());
    let following = block(&source, 5).unwrap();
    assert!(following[0] > first && following.is_sorted_by(|a, b| a < b), "{following:?}");
    source.close().unwrap();
    assert_eq!(source.poll_id().unwrap_err().code(), Code::Closed);
}

#[test]
fn sequences_are_polled_by_key() {
    let sequences = Sequences::builder(store(), tag("chat")).open().unwrap();
    assert!(matches!(sequences.poll_next(7).unwrap(), Attempt::Later { .. }));
    assert_eq!(polled(|| sequences.poll_next(7)).unwrap(), 1);
    let source = Source::Sequences(sequences);
    assert_eq!(polled(|| source.poll_of(7)).unwrap(), 2);
    source.close().unwrap();
    assert_eq!(source.poll_of(7).unwrap_err().code(), Code::Closed);
}

#[test]
fn a_source_polls_only_what_it_has() {
    let sequences = Source::Sequences(Sequences::builder(store(), tag("chat")).open().unwrap());
    let uuids = Source::Uuid(UuidSource::new(UuidVersion::V7));
    let segment = Source::Segment(Segment::builder(store(), tag("orders")).open().unwrap());
    let refused = |error: snowmint::Error, hint: &str| {
        assert_eq!(error.code(), Code::Unsupported, "{error}");
        assert!(error.to_string().contains(hint), "{error}");
    };
    refused(sequences.next_id().unwrap_err(), "of which key");
    refused(sequences.fill(&mut [0]).unwrap_err(), "of which key");
    refused(sequences.next_ids(1).unwrap_err(), "of which key");
    refused(sequences.next_uuid().unwrap_err(), "uuid:?version=7");
    refused(sequences.poll_id().unwrap_err(), "of which key");
    refused(sequences.poll_block(&mut [0]).unwrap_err(), "of which key");
    refused(uuids.poll_id().unwrap_err(), "call for UUIDs");
    for source in [&uuids, &segment] {
        refused(source.next_of(1).unwrap_err(), "sequences+sqlite:");
        refused(source.poll_of(1).unwrap_err(), "sequences+sqlite:");
    }
    assert_eq!(sequences.try_next_id(), None);
    assert_eq!((sequences.next_of(1).unwrap(), sequences.next_of(1).unwrap()), (1, 2));
    assert_eq!(sequences.stats().kind, "sequences");
}
