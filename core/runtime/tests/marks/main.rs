//! The state files of fixed worker IDs, and what becomes of them: lost, moved, replaced, planted.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]

#[path = "../by_hand/mod.rs"]
mod by_hand;
#[cfg(unix)]
mod closed;
mod deeds;
#[cfg(unix)]
mod unix;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;
use std::time::{Duration, Instant};

use snowmint::{
    Clock, ClockPolicy, Code, Disk, Layout, Mint, Snowflake, SnowflakeBuilder, System, WorkerId,
    change_state_layout,
};

use by_hand::Hands;

/// Whatever has not happened by then does not happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// Four IDs a millisecond: a burst is soon as far ahead as it may be.
fn layout() -> Layout {
    Layout::builder().time(41).worker(10).sequence(2).epoch_ms(1_700_000_000_000).build().unwrap()
}

fn builder(directory: &Path) -> SnowflakeBuilder {
    let builder = Snowflake::builder().layout(layout()).worker_id(WorkerId::Fixed(7));
    builder.state_directory(directory)
}

fn open(directory: &Path) -> Snowflake {
    builder(directory).open().unwrap()
}

fn refusal(builder: SnowflakeBuilder) -> snowmint::Error {
    builder.open().map(drop).unwrap_err()
}

fn unix_ms(id: u64) -> i64 {
    layout().decode(id).unwrap().unix_ms
}

/// The worker ID's state file in a directory.
fn state_file(directory: &Path) -> PathBuf {
    directory.join("worker-7.mark")
}

/// The first millisecond that a state file does not reserve.
fn mark_of(file: &Path) -> i64 {
    let content = fs::read(file).unwrap();
    i64::from_le_bytes(content[24..32].try_into().unwrap())
}

/// Mints until IDs are most of a second ahead of the clock; the last one.
fn run_ahead(flake: &Snowflake) -> u64 {
    let begun = Instant::now();
    loop {
        let last = *flake.next_ids(100).unwrap().last().unwrap();
        if unix_ms(last) > System.now_ms() + 700 {
            return last;
        }
        assert!(begun.elapsed() < PATIENCE, "it never ran ahead");
    }
}

#[test]
fn l1_a_lost_state_file_repeats_nothing_of_a_run_that_was_ahead() {
    let directory = tempfile::tempdir().unwrap();
    let mut last = 0;
    for policy in [ClockPolicy::SNOWMINT, ClockPolicy::TWITTER, ClockPolicy::SNOWMINT] {
        // This source borrows, so a later one must be above it under any policy.
        let burst = run_ahead(&open(directory.path()));
        assert!(burst > last);
        fs::remove_file(state_file(directory.path())).unwrap();
        let flake = builder(directory.path()).policy(policy).open().unwrap();
        last = flake.next_id().unwrap();
        assert!(last > burst, "{last} after {burst}");
        drop(flake);
        fs::remove_file(state_file(directory.path())).unwrap();
    }
}

#[test]
fn l1_a_file_that_was_begun_and_never_used_counts_as_lost() {
    let directory = tempfile::tempdir().unwrap();
    let burst = run_ahead(&open(directory.path()));
    let file = state_file(directory.path());
    fs::write(&file, [0; 4160]).unwrap();
    // Closed before it has issued anything: what it skipped stays skipped.
    open(directory.path()).close().unwrap();
    assert!(mark_of(&file) > unix_ms(burst));
    assert!(open(directory.path()).next_id().unwrap() > burst);
}

#[test]
fn a_first_start_mints_whatever_its_policy_reservation_and_ticks() {
    for (policy, reserve_ms, tick_ms) in [
        (ClockPolicy::SNOWMINT, 100, 1),
        (ClockPolicy::TWITTER, 100, 10),
        (ClockPolicy::SONYFLAKE, 5_000, 1_000),
        (ClockPolicy::BAIDU, 1_000, 1_000),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let layout = Layout::builder().time(41).worker(10).sequence(10).tick_ms(tick_ms);
        let builder = Snowflake::builder().layout(layout.build().unwrap()).policy(policy);
        let builder = builder.worker_id(WorkerId::Fixed(7)).state_directory(directory.path());
        let flake = builder.reserve_ms(reserve_ms).open().unwrap();
        assert!(flake.next_id().unwrap() < flake.next_id().unwrap(), "{policy:?}");
    }
}

#[test]
fn a_state_file_can_be_required() {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("snowflake:?worker_id=7&state={}", directory.path().display());
    let required = format!("{url}&require_state=true");
    let error = snowmint::open(&required).map(drop).unwrap_err();
    assert_eq!(error.code(), Code::StateMissing);
    assert!(error.to_string().contains("once without require_state"), "{error}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "none was made");
    let first = snowmint::open(&format!("{url}&require_state=false")).unwrap();
    let id = first.next_id().unwrap();
    first.close().unwrap();
    assert!(snowmint::open(&required).unwrap().next_id().unwrap() > id);
    // Begun by a start that was killed, and perhaps in place of a lost one.
    fs::write(state_file(directory.path()), [0; 4160]).unwrap();
    let error = snowmint::open(&required).map(drop).unwrap_err();
    assert_eq!(error.code(), Code::StateMissing);
    let error = snowmint::open(&format!("{url}&require_state=1")).map(drop).unwrap_err();
    assert_eq!(error.code(), Code::InvalidParameter);
}

#[test]
fn l1_a_state_directory_has_one_layout() {
    let [twitter, leaf] = ["twitter", "leaf"].map(|name| name.parse::<Layout>().unwrap());
    let [three, two] = [3, 2].map(|worker| {
        let layout = Layout::builder().time(41).worker(worker).sequence(12).epoch_ms(0);
        layout.build().unwrap()
    });
    for (first, second) in [(twitter, leaf), (three, two)] {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("state");
        let open = |layout: Layout, worker: u32| {
            let builder = Snowflake::builder().layout(layout).worker_id(WorkerId::Fixed(worker));
            builder.state_directory(&directory).open()
        };
        let flake = open(first, 3).unwrap();
        flake.next_id().unwrap();
        for worker in [3, 1] {
            let error = open(second, worker).map(drop).unwrap_err();
            assert_eq!(error.code(), Code::RealmMismatch, "{error}");
            for part in [first.to_string(), second.to_string(), "layout change".to_owned()] {
                assert!(error.to_string().contains(&part), "{error}");
            }
        }
        open(first, 1).unwrap().next_id().unwrap();
        // It stays so, whoever comes first after all have ended.
        flake.close().unwrap();
        assert_eq!(open(second, 1).map(drop).unwrap_err().code(), Code::RealmMismatch);
        fs::write(directory.join("layout"), "none such\n").unwrap();
        assert_eq!(open(first, 1).map(drop).unwrap_err().code(), Code::StateCorrupt);
        // One that is lost is not begun anew where the state is required.
        fs::remove_file(directory.join("layout")).unwrap();
        let required = Snowflake::builder().layout(first).worker_id(WorkerId::Fixed(3));
        let error = refusal(required.state_directory(&directory).require_state(true));
        assert_eq!(error.code(), Code::StateMissing, "{error}");
        assert!(!directory.join("layout").exists());
    }
}

/// Wider ones: each ID of these is above those of `layout()` of an earlier time.
fn wider() -> Layout {
    Layout::builder().time(41).worker(10).sequence(5).epoch_ms(1_700_000_000_000).build().unwrap()
}

/// Changes the layout once the time that was reserved is over.
fn change(directory: &Path, to: &Layout) -> snowmint::Result<()> {
    let begun = Instant::now();
    loop {
        match change_state_layout(directory, to) {
            Err(error) if error.code() == Code::StoreLocked && begun.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(50));
            }
            done => return done,
        }
    }
}

#[test]
fn l1_a_changed_state_directory_is_above_the_layout_before() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let code = |changed: snowmint::Result<()>| changed.unwrap_err().code();
    assert_eq!(code(change(directory, &wider())), Code::StateMissing);
    let flake = open(directory);
    let last = run_ahead(&flake);
    assert_eq!(code(change(directory, &wider())), Code::WorkerInUse);
    flake.close().unwrap();
    change(directory, &wider()).unwrap();
    assert_eq!(refusal(builder(directory)).code(), Code::RealmMismatch);
    for worker in [7, 3] {
        let flake = builder(directory).layout(wider()).worker_id(WorkerId::Fixed(worker));
        let first = flake.open().unwrap().next_id().unwrap();
        assert!(first > last && unix_ms(last) < wider().decode(first).unwrap().unix_ms);
    }
    // Back there, the same numbers would come again.
    assert_eq!(code(change(directory, &layout())), Code::RealmMismatch);
    builder(directory).layout(wider()).open().unwrap();
}

/// Neither layout has the worker IDs that it came to, until it is done again.
#[test]
fn l1_a_change_of_a_state_directory_that_was_cut_off_is_made_good() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    open(directory).close().unwrap();
    let before = fs::read(directory.join("layout")).unwrap();
    change(directory, &wider()).unwrap();
    fs::write(directory.join("layout"), before).unwrap();
    for layout in [layout(), wider()] {
        let error = refusal(builder(directory).layout(layout));
        assert_eq!(error.code(), Code::RealmMismatch, "{error}");
    }
    change(directory, &wider()).unwrap();
    builder(directory).layout(wider()).open().unwrap();
}

/// While time is reserved, who mints asks nobody, and is in need of more all the same.
#[test]
fn a_fixed_worker_id_is_kept_for_who_mints_now_and_then() {
    for every_ms in [1_000, 2_000, 5_000, 9_000, 20_000, 55_000] {
        let (directory, host) = (tempfile::tempdir().unwrap(), Hands::default());
        let builder = builder(directory.path()).host((*host).clone(), Arc::new(Disk));
        let flake = builder.open().unwrap();
        flake.next_id().unwrap();
        for _ in 0..20 {
            (0..every_ms / 100).for_each(|_| host.pass(100));
            assert!(flake.try_next_id().is_some(), "every {every_ms} ms");
        }
        // A generator that mints no more writes nothing.
        (0..1_000).for_each(|_| host.pass(100));
        let rounds = host.rounds.load(SeqCst);
        (0..200).for_each(|_| host.pass(100));
        assert_eq!(host.rounds.load(SeqCst), rounds);
        assert!(flake.try_next_id().is_none());
    }
}
