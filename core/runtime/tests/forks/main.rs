//! L10: a forked child never shares a generator's state with its parent.
//!
//! The long form, 50 rounds of 20,000 IDs for each source and 200 forks under load:
//!
//! ```text
//! SNOWMINT_FORK_ROUNDS=50 cargo test --release -p snowmint --test forks -- --nocapture
//! ```

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]
#![cfg(unix)]

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use snowmint::{
    Allocation, AllocationRequest, Call, ClockPolicy, Code, Daily, Mint, NumberRange, Result,
    RingSource, Segment, SegmentAdmin, Sequences, Snowflake, Source, SqliteStore, Tag,
    TagAllocator, TagOptions, TagRow, UuidSource, UuidVersion, WorkerAdmin, WorkerId,
};

#[allow(dead_code, reason = "of more tests than these")]
#[path = "../asking/mod.rs"]
mod asking;
mod marks;
mod storm;
mod worker_ids;

use asking::children::{self, ALONE, Forked, PATIENCE, await_child, fork, is_alone};

const IDS: usize = 20_000;
/// The number of forks in each test, unless the variable sets it.
const ROUNDS: usize = 5;

fn rounds() -> usize {
    match std::env::var("SNOWMINT_FORK_ROUNDS") {
        Ok(rounds) => rounds.parse().unwrap(),
        Err(_) => ROUNDS,
    }
}

/// A fork that the C library, and so every handler registered there, knows nothing of.
#[cfg(target_os = "linux")]
fn raw_clone() -> libc::pid_t {
    let (flags, none) = (libc::c_long::from(libc::SIGCHLD), 0_usize);
    // SAFETY: without a stack of its own the child goes on as a forked one. It is made while no
    // other thread of this process allocates or holds a lock.
    let child = unsafe { libc::syscall(libc::SYS_clone, flags, none, none, none, none) };
    libc::pid_t::try_from(child).unwrap()
}

/// Runs `in_child` in a forked child, beside `in_parent`, and returns what both gave.
fn forked<T>(in_child: impl FnOnce() -> Vec<u64>, in_parent: impl FnOnce() -> T) -> (Vec<u64>, T) {
    beside(children::forked(in_child), in_parent)
}

fn beside<T>(mut child: Forked, in_parent: impl FnOnce() -> T) -> (Vec<u64>, T) {
    let ours = in_parent();
    (child.numbers(), ours)
}

fn mint(next: impl Fn() -> Result<u64>) -> Vec<u64> {
    (0..IDS).map(|_| next().unwrap_or(0)).collect()
}

/// Forks while other threads mint, several times, and counts what parent and child share.
fn assert_disjoint(next: impl Fn() -> Result<u64> + Clone + Send + 'static) {
    let mut all: HashSet<u64> = mint(&next).into_iter().collect();
    for round in 1..=rounds() {
        let busy = thread::spawn({
            let next = next.clone();
            move || mint(next)
        });
        let (theirs, ours) = forked(|| mint(&next), || mint(&next));
        let beside = busy.join().unwrap();
        for (who, ids) in [("child", theirs), ("parent", ours), ("thread", beside)] {
            assert_eq!(ids.len(), IDS);
            assert!(ids.is_sorted_by(|a, b| a < b), "round {round}: {who}'s order");
            for id in ids {
                assert!(id != 0 && all.insert(id), "round {round}: {who} repeats {id}");
            }
        }
    }
}

/// The number of an error's code; 0 for none.
fn code_of(result: Result<u64>) -> u64 {
    result.map_or_else(|error| error.code().number().into(), |_| 0)
}

/// Forks while other threads mint, several times: each call in the child is refused, and the
/// parent goes on.
fn assert_refused(flake: &Snowflake) {
    let mut all = HashSet::new();
    for round in 1..=rounds() {
        let busy = thread::spawn({
            let flake = flake.clone();
            move || mint(|| flake.next_id())
        });
        let refusals = || (0..IDS).map(|_| code_of(flake.next_id())).collect();
        let (codes, ours) = forked(refusals, || mint(|| flake.next_id()));
        let beside = busy.join().unwrap();
        assert_eq!(codes.len(), IDS);
        assert!(
            codes.iter().all(|&code| code == u64::from(Code::Forked.number())),
            "round {round}"
        );
        assert!(ours.is_sorted_by(|a, b| a < b), "round {round}: order");
        for id in ours.into_iter().chain(beside) {
            assert!(id != 0 && all.insert(id), "round {round}: {id} twice");
        }
    }
}

fn store(directory: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::create(directory.join("ids.db")).unwrap())
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
    store.create_tag(&tag, TagOptions::default().step(5_000)).unwrap();
    let segment = Segment::builder(store, tag).open().unwrap();
    assert_disjoint(move || segment.next_id());
}

/// Gives what others had before, once it is told to.
struct Older(AtomicBool);

impl TagAllocator for Older {
    fn reserve(&self, _: &AllocationRequest, _: &Call) -> Result<Allocation> {
        let start = if self.0.load(Ordering::SeqCst) { 50 } else { 100 };
        Ok(Allocation::new(NumberRange::new(start, start + 100, 1)?, 1))
    }

    fn row(&self, tag: &Tag) -> Result<Option<TagRow>> {
        Ok(Some(TagRow::new(tag, TagOptions::default().step(1))))
    }
}

impl SegmentAdmin for Older {
    fn create_tag(&self, _: &Tag, _: TagOptions) -> Result<()> {
        Ok(())
    }
}

#[test]
fn a_child_of_a_segment_whose_store_went_back_does_not_repeat_its_parent() {
    let store = Arc::new(Older(AtomicBool::new(false)));
    let orders = Segment::builder(store.clone(), Tag::new("orders").unwrap()).open().unwrap();
    assert_eq!(orders.next_id().unwrap(), 100);
    store.0.store(true, Ordering::SeqCst);
    let (theirs, ()) = forked(|| vec![code_of(orders.next_id())], || ());
    assert_eq!(theirs, [u64::from(Code::RangeRegressed.number())]);
}

#[test]
fn a_child_of_sequences_whose_store_went_back_does_not_repeat_its_parent() {
    let store = Arc::new(Older(AtomicBool::new(false)));
    let chat = Sequences::builder(store.clone(), Tag::new("chat").unwrap()).keys_per_section(1);
    let chat = chat.open().unwrap();
    assert_eq!(chat.next(7).unwrap(), 100);
    store.0.store(true, Ordering::SeqCst);
    let in_child = || {
        let anew = Segment::builder(store.clone(), Tag::new("chat:7").unwrap()).open().unwrap();
        vec![code_of(anew.next_id()), code_of(chat.next(7))]
    };
    let (theirs, ()) = forked(in_child, || ());
    assert_eq!(theirs, [u64::from(Code::RangeRegressed.number()); 2]);
}

#[test]
fn a_child_takes_daily_numbers_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let tag = Tag::new("orders").unwrap();
    let daily = Daily::builder(store(directory.path()), tag).step(5_000).digits(8).open().unwrap();
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
    let builder = Snowflake::builder().worker_id(WorkerId::Fixed(7));
    let flake = builder.state_directory(directory.path()).open().unwrap();
    flake.next_id().unwrap();
    let (codes, ours) = forked(
        || {
            let first = code_of(flake.next_id());
            let again = code_of(flake.next_id());
            let another = Snowflake::builder().worker_id(WorkerId::Fixed(7));
            let other = another.state_directory(directory.path()).open();
            let other = other.map_or_else(|error| u64::from(error.code().number()), |_| 0);
            vec![first, again, other]
        },
        || mint(|| flake.next_id()),
    );
    let forked = u64::from(Code::Forked.number());
    assert_eq!(codes, [forked, forked, u64::from(Code::WorkerInUse.number())]);
    assert!(ours.is_sorted_by(|a, b| a < b));
    assert_refused(&flake);
}

#[test]
fn a_child_cannot_use_its_parents_worker_id_of_the_environment() {
    if !is_alone("a_child_cannot_use_its_parents_worker_id_of_the_environment") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let builder = Snowflake::builder().worker_id(WorkerId::Environment(ALONE.to_owned()));
    let flake = builder.state_directory(directory.path()).open().unwrap();
    let worker = snowmint::Layout::TWITTER.decode(flake.next_id().unwrap()).unwrap().worker_id;
    assert_eq!(worker, 7);
    assert_refused(&flake);
}

/// Children made while threads mint: each mints at once, holds no lock of theirs, and has bits of
/// its own.
#[test]
fn each_child_makes_uuids_of_its_own() {
    const UUIDS: usize = 2_000;
    let uuids = |version| {
        let source = UuidSource::new(version);
        move || (0..UUIDS).map(|_| source.next_uuid().unwrap().as_u128()).collect::<Vec<_>>()
    };
    for (version, order) in [(UuidVersion::V4, false), (UuidVersion::V7, true)] {
        let mint = uuids(version);
        let done = Arc::new(AtomicBool::new(false));
        let busy = [(); 3].map(|()| {
            let done = Arc::clone(&done);
            let source = UuidSource::new(version);
            thread::spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    source.next_uuid().unwrap();
                }
            })
        });
        let mut all: HashSet<u128> = mint().into_iter().collect();
        for round in 1..=rounds() * 20 {
            let in_child =
                || mint().into_iter().flat_map(|uuid| [(uuid >> 64) as u64, uuid as u64]).collect();
            let (theirs, ours) = forked(in_child, mint);
            let whole = |half: &[u64]| u128::from(half[0]) << 64 | u128::from(half[1]);
            let theirs: Vec<_> = theirs.chunks_exact(2).map(whole).collect();
            for (who, uuids) in [("child", theirs), ("parent", ours)] {
                assert_eq!(uuids.len(), UUIDS);
                assert!(!order || uuids.is_sorted_by(|a, b| a < b), "round {round}: {who}'s order");
                let before = all.len();
                all.extend(&uuids);
                assert_eq!(all.len(), before + UUIDS, "round {round}: {who} repeats");
            }
        }
        done.store(true, Ordering::Relaxed);
        for thread in busy {
            thread.join().unwrap();
        }
    }
}

#[test]
fn a_child_fills_a_ring_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let flake = Snowflake::builder().lease_from(store(directory.path())).open().unwrap();
    let ring = RingSource::builder(Source::Snowflake(flake)).open().unwrap();
    assert_disjoint(move || ring.next_id());
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_made_by_a_raw_clone_is_a_forked_one() {
    if !is_alone("a_child_made_by_a_raw_clone_is_a_forked_one") {
        return; // the other tests' threads might hold the allocator's lock
    }
    let directory = tempfile::tempdir().unwrap();
    let fixed =
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path());
    let fixed = fixed.open().unwrap();
    // Far ahead: its scheduler does nothing, and so allocates nothing, for seconds.
    let patient = Snowflake::builder().policy(ClockPolicy::HAZELCAST);
    let leased = patient.lease_from(store(directory.path())).open().unwrap();
    let mut all: HashSet<u64> = mint(|| leased.next_id()).into_iter().collect();
    for round in 1..=rounds() {
        let child = children::forked_by(raw_clone, || {
            let mut theirs = mint(|| leased.next_id());
            theirs.push(code_of(fixed.next_id()));
            theirs
        });
        let (mut theirs, ours) = beside(child, || mint(|| leased.next_id()));
        assert_eq!(theirs.pop(), Some(Code::Forked.number().into()));
        assert_eq!((theirs.len(), ours.len()), (IDS, IDS));
        for id in theirs.into_iter().chain(ours) {
            assert!(id != 0 && all.insert(id), "round {round}: {id} twice");
        }
    }
}

/// Has the kernel refuse all advice on memory, as sandboxes do, to this thread and those it starts.
#[cfg(target_os = "linux")]
fn refuse_advice() {
    let command = |code: u32, to_else: u8, k: u32| libc::sock_filter {
        code: code as u16,
        jt: 0,
        jf: to_else,
        k,
    };
    let invalid = libc::SECCOMP_RET_ERRNO | libc::EINVAL.cast_unsigned();
    // The number of the call is the first word that a filter sees.
    let mut commands = [
        command(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        command(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, libc::SYS_madvise as u32),
        command(libc::BPF_RET | libc::BPF_K, 0, invalid),
        command(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: commands.len() as u16, filter: commands.as_mut_ptr() };
    let (on, none, mode) = (1_usize, 0_usize, libc::SECCOMP_MODE_FILTER as usize);
    // SAFETY: takes numbers alone.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, on, none, none, none) }, 0);
    // SAFETY: the program and its commands live until the call returns.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const program) }, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_fork_is_noticed_where_the_kernel_empties_no_page() {
    if !is_alone("a_fork_is_noticed_where_the_kernel_empties_no_page") {
        return;
    }
    refuse_advice();
    let directory = tempfile::tempdir().unwrap();
    let fixed =
        Snowflake::builder().worker_id(WorkerId::Fixed(7)).state_directory(directory.path());
    assert_refused(&fixed.open().unwrap());
    let flake = Snowflake::builder().lease_from(store(directory.path())).open().unwrap();
    assert_disjoint(move || flake.next_id());
}

#[test]
fn each_child_of_a_busy_parent_mints_within_its_wait() {
    let directory = tempfile::tempdir().unwrap();
    let (store, tag) = (store(directory.path()), Tag::new("orders").unwrap());
    store.create_tag(&tag, TagOptions::default().step(1_000)).unwrap();
    // A busy machine takes seconds for what a quiet one does in milliseconds.
    let wait = Duration::from_secs(60);
    let flake = Snowflake::builder().lease_from(store.clone()).wait(wait).open().unwrap();
    let segment = Segment::builder(store, tag).wait(wait).open().unwrap();
    let done = Arc::new(AtomicBool::new(false));
    // They keep the generator, the database and the allocator busy.
    let busy: [Box<dyn Fn() -> Result<u64> + Send>; 2] = [
        Box::new({
            let flake = flake.clone();
            move || flake.next_id()
        }),
        Box::new({
            let segment = segment.clone();
            move || segment.next_ids(1_000).map(|ids| ids[0])
        }),
    ];
    let busy = busy.map(|next| {
        let done = Arc::clone(&done);
        thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                next().unwrap();
            }
        })
    });
    let (forks, mut worst_ms) = (4 * rounds(), 0);
    for fork in 1..=forks {
        let first_ids = || {
            let begun = Instant::now();
            let codes = [code_of(flake.next_id()), code_of(segment.next_id())];
            vec![codes[0], codes[1], begun.elapsed().as_millis() as u64]
        };
        let (child, ()) = forked(first_ids, || ());
        assert_eq!(child[..2], [0, 0], "fork {fork}: the codes of the child's errors");
        worst_ms = worst_ms.max(child[2]);
    }
    done.store(true, Ordering::Relaxed);
    busy.into_iter().for_each(|thread| thread.join().unwrap());
    println!("{forks} forks: the slowest child had both its IDs after {worst_ms} ms");
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
