//! Sources that tasks wait for, on whatever runs them; and sources as iterators.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::HashSet;
use std::sync::Arc;
use std::task::{Context, Waker};

use snowmint::{
    Code, MemoryStore, Mint, Result, Segment, SegmentAdmin, Sequences, Source, StepSize, Tag,
    TagOptions, open,
};

#[cfg(unix)]
#[allow(dead_code, reason = "of more tests than these")]
#[path = "asking/mod.rs"]
mod asking;

/// Two IDs a millisecond: whoever asks for more has to wait.
const NARROW: &str =
    "snowflake:?worker_id=1&layout=time:50,worker:2,sequence:1&policy=twitter&wait_ms=60000";

fn narrow(state: &tempfile::TempDir) -> Arc<Source> {
    Arc::new(open(&format!("{NARROW}&state={}", state.path().display())).unwrap())
}

fn segment() -> Segment {
    let (store, tag) = (MemoryStore::new(), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default()).unwrap();
    Segment::builder(Arc::new(store), tag).step(StepSize::fixed(10).unwrap()).open().unwrap()
}

#[test]
fn many_tasks_of_one_thread_wait_at_once() {
    let state = tempfile::tempdir().unwrap();
    let source = narrow(&state);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let minted: Vec<u64> = runtime.block_on(async {
        let one = |source: Arc<Source>| async move { source.next_id_async().await.unwrap() };
        let tasks: Vec<_> = (0..500).map(|_| tokio::spawn(one(Arc::clone(&source)))).collect();
        let mut minted = Vec::new();
        for task in tasks {
            minted.push(task.await.unwrap());
        }
        minted
    });
    assert_eq!(minted.iter().collect::<HashSet<_>>().len(), 500);
}

#[test]
fn any_executor_will_do() {
    let segment = segment();
    let numbers: Vec<u64> =
        (0..25).map(|_| pollster::block_on(segment.next_id_async()).unwrap()).collect();
    assert_eq!(numbers, (1..=25).collect::<Vec<_>>());
    let sequences = Sequences::builder(Arc::new(MemoryStore::new()), Tag::new("chat").unwrap());
    let sequences = Source::Sequences(sequences.open().unwrap());
    let two = [1, 1].map(|key| pollster::block_on(sequences.next_of_async(key)).unwrap());
    assert!(two[0] < two[1]);
    let refused = pollster::block_on(sequences.next_id_async()).unwrap_err();
    assert_eq!(refused.code(), Code::Unsupported);
}

#[test]
fn a_future_that_is_given_up_has_taken_nothing() {
    let segment = segment();
    {
        let mut future = std::pin::pin!(segment.next_id_async());
        // The store has yet to be asked.
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert_eq!(pollster::block_on(segment.next_id_async()).unwrap(), 1);
}

#[test]
fn a_bound_is_kept_and_a_closed_source_ends() {
    let segment = segment();
    let hurried = segment.with_wait(std::time::Duration::ZERO);
    let refused = pollster::block_on(hurried.next_id_async()).unwrap_err();
    assert_eq!(refused.code(), Code::WaitTimeout);
    segment.close().unwrap();
    let refused = pollster::block_on(segment.next_id_async()).unwrap_err();
    assert_eq!(refused.code(), Code::Closed);
}

#[test]
fn a_source_is_iterated_over() {
    let source = Source::Segment(segment());
    let numbers: Result<Vec<u64>> = source.iter().take(25).collect();
    assert_eq!(numbers.unwrap(), (1..=25).collect::<Vec<_>>());
    source.close().unwrap();
    assert_eq!(source.iter().next().unwrap().unwrap_err().code(), Code::Closed);
}

/// The thread that wakes tasks is the parent's.
#[cfg(unix)]
#[test]
fn a_child_of_a_fork_waits_as_its_parent() {
    use asking::children;
    if !children::is_alone("a_child_of_a_fork_waits_as_its_parent") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("ids.db");
    let store = snowmint::SqliteStore::create(&place).unwrap();
    store.create_tag(&Tag::new("orders").unwrap(), TagOptions::default().step(10)).unwrap();
    let orders = open(&format!("segment+sqlite:{}?tag=orders&wait_ms=60000", place.display()));
    let orders = orders.unwrap();
    let take = || -> Vec<u64> {
        (0..50).map(|_| pollster::block_on(orders.next_id_async()).unwrap()).collect()
    };
    let before = take();
    let mut child = children::forked(take);
    let all = [before, take(), child.numbers()].concat();
    assert_eq!((all.len(), all.iter().collect::<HashSet<_>>().len()), (150, 150));
}
