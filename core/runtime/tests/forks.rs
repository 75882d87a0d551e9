//! L10: a forked child never shares a generator's state with its parent.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]
#![cfg(unix)]

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use snowmint::{
    Code, Daily, Result, Segment, SegmentStore, Sequences, Snowflake, SqliteStore, Tag, TagOptions,
    Worker,
};

const IDS: usize = 20_000;

/// Runs `in_child` in a forked child, beside `in_parent`, and returns what both gave.
fn forked<T>(in_child: impl FnOnce() -> Vec<u64>, in_parent: impl FnOnce() -> T) -> (Vec<u64>, T) {
    let mut ends = [0; 2];
    // SAFETY: `ends` has room for the two descriptors that the call writes.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: the descriptor was opened just above and gets one owner.
    let mut reader = unsafe { File::from_raw_fd(ends[0]) };
    // SAFETY: likewise.
    let mut writer = unsafe { File::from_raw_fd(ends[1]) };
    // SAFETY: the child allocates after the fork, which the allocators of glibc and musl allow,
    // uses nothing else of the parent's threads, and ends without unwinding into the harness.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let bytes: Vec<u8> = in_child().into_iter().flat_map(u64::to_le_bytes).collect();
        let written = writer.write_all(&bytes);
        // SAFETY: ends the child at once, without the parent's exit handlers.
        unsafe { libc::_exit(i32::from(written.is_err())) };
    }
    assert!(child > 0);
    drop(writer);
    let theirs = thread::spawn(move || {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        bytes.chunks(8).map(|id| u64::from_le_bytes(id.try_into().unwrap())).collect::<Vec<_>>()
    });
    let ours = in_parent();
    let theirs = theirs.join().unwrap();
    let mut status = 0;
    // SAFETY: `child` is this process's child, and `status` a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0, "the child ends by itself");
    (theirs, ours)
}

fn mint(next: impl Fn() -> Result<u64>) -> Vec<u64> {
    (0..IDS).map(|_| next().unwrap_or(0)).collect()
}

/// Forks while other threads mint, several times, and counts what parent and child share.
fn assert_disjoint(next: impl Fn() -> Result<u64> + Clone + Send + 'static) {
    let mut all: HashSet<u64> = mint(&next).into_iter().collect();
    for round in 1..=5 {
        let busy = thread::spawn({
            let next = next.clone();
            move || mint(next)
        });
        let (theirs, ours) = forked(|| mint(&next), || mint(&next));
        let beside = busy.join().unwrap();
        for (who, ids) in [("child", theirs), ("parent", ours), ("thread", beside)] {
            assert_eq!(ids.len(), IDS);
            for id in ids {
                assert!(id != 0 && all.insert(id), "round {round}: {who} repeats {id}");
            }
        }
    }
}

fn store(directory: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(directory.join("ids.db")).unwrap())
}

#[test]
fn a_child_leases_a_worker_id_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let flake = Snowflake::builder().lease_from(store(directory.path())).open().unwrap();
    assert_disjoint(move || flake.next_id());
}

#[test]
fn a_child_fetches_ranges_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let (store, tag) = (store(directory.path()), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions { step: 5_000, ..TagOptions::default() }).unwrap();
    let segment = Segment::builder(store, tag).open().unwrap();
    assert_disjoint(move || segment.next_id());
}

#[test]
fn a_child_takes_daily_numbers_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let tag = Tag::new("orders").unwrap();
    let daily = Daily::builder(store(directory.path()), tag).step(5_000).open().unwrap();
    assert_disjoint(move || daily.next_id());
}

#[test]
fn a_child_goes_on_with_sequences_above_its_parents() {
    let directory = tempfile::tempdir().unwrap();
    let tag = Tag::new("messages").unwrap();
    let sequences = Arc::new(Sequences::builder(store(directory.path()), tag).open().unwrap());
    assert_disjoint(move || sequences.next(7));
}

#[test]
fn a_child_cannot_use_its_parents_fixed_worker_id() {
    let directory = tempfile::tempdir().unwrap();
    let builder = Snowflake::builder().worker(Worker::Fixed(7));
    let flake = builder.state_directory(directory.path()).open().unwrap();
    flake.next_id().unwrap();
    let code_of = |result: Result<u64>| match result {
        Ok(_) => 0,
        Err(error) => u64::from(error.code().number()),
    };
    let (codes, ours) = forked(
        || {
            let first = code_of(flake.next_id());
            let again = code_of(flake.next_id());
            let another = Snowflake::builder().worker(Worker::Fixed(7));
            let other = another.state_directory(directory.path()).open();
            let other = other.map_or_else(|error| u64::from(error.code().number()), |_| 0);
            vec![first, again, other]
        },
        || mint(|| flake.next_id()),
    );
    let forked = u64::from(Code::Forked.number());
    assert_eq!(codes, [forked, forked, u64::from(Code::WorkerInUse.number())]);
    assert!(ours.is_sorted_by(|a, b| a < b));
}

#[test]
fn a_child_that_ends_leaves_its_parents_lease_alone() {
    let directory = tempfile::tempdir().unwrap();
    let flake = Snowflake::builder().lease_from(store(directory.path())).open().unwrap();
    let before = flake.next_id().unwrap();
    let dropped = flake.clone();
    let (_, ours) = forked(
        || {
            drop(dropped);
            Vec::new()
        },
        || mint(|| flake.next_id()),
    );
    let worker = |id| snowmint::Layout::TWITTER.decode(id).unwrap().worker_id;
    assert!(ours.iter().all(|&id| worker(id) == worker(before)));
}

#[test]
fn a_grandchild_differs_from_both() {
    let directory = tempfile::tempdir().unwrap();
    let flake = Snowflake::builder().lease_from(store(directory.path())).open().unwrap();
    let next = || flake.next_id();
    let (theirs, ours) = forked(
        || {
            let (grandchild, mut child) = forked(|| mint(next), || mint(next));
            child.extend(grandchild);
            child
        },
        || mint(next),
    );
    let all: HashSet<_> = theirs.iter().chain(&ours).collect();
    assert_eq!(all.len(), 3 * IDS);
}
