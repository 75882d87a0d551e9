//! The blocking generator on the real operating system: leases, marks, threads, waits, closing.

#![allow(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise, too")]

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use snowmint::engine::Timestamp;
use snowmint::{
    Attempt, Clock, ClockPolicy, Code, Layout, Mint, Parts, Snowflake, Source, SqliteStore, System,
    WhenBehind, WorkerAdmin, WorkerId,
};

fn leased(path: &Path) -> Snowflake {
    let store = Arc::new(SqliteStore::create(path).unwrap());
    Snowflake::builder().lease_from(store).open().unwrap()
}

fn fixed(directory: &Path, worker_id: u32) -> snowmint::Result<Snowflake> {
    let worker = WorkerId::Fixed(worker_id);
    Snowflake::builder().worker_id(worker).state_directory(directory).open()
}

fn parts(id: u64) -> Parts {
    Layout::TWITTER.decode(id).unwrap()
}

#[test]
fn l3_ids_rise_across_threads_and_calls() {
    let directory = tempfile::tempdir().unwrap();
    let flake = leased(&directory.path().join("ids.db"));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let flake = flake.clone();
            thread::spawn(move || (0..50_000).map(|_| flake.next_id().unwrap()).collect::<Vec<_>>())
        })
        .collect();
    let mut all = HashSet::new();
    for ids in threads.into_iter().map(|thread| thread.join().unwrap()) {
        assert!(ids.is_sorted_by(|a, b| a < b));
        all.extend(ids);
    }
    assert_eq!(all.len(), 200_000);
    assert!(all.into_iter().max() < Some(flake.next_id().unwrap()));
}

#[test]
fn l1_two_generators_of_one_store_have_different_workers() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("ids.db");
    let (one, two) = (leased(&path), leased(&path));
    let workers = [&one, &two].map(|flake| parts(flake.next_id().unwrap()).worker_id);
    assert_ne!(workers[0], workers[1]);
}

#[test]
fn l7_an_id_tells_the_time() {
    let directory = tempfile::tempdir().unwrap();
    let flake = fixed(directory.path(), 7).unwrap();
    // A new worker ID begins as far ahead of the clock as it may be.
    let first = parts(flake.next_id().unwrap()).unix_ms;
    while System.now_ms() <= first {
        thread::sleep(Duration::from_millis(10));
    }
    let before = System.now_ms();
    let minted = parts(flake.next_id().unwrap()).unix_ms;
    // The coarse clock lags by up to 4 ms here; a loaded machine only adds to `after`.
    let after = System.now_ms();
    assert!((before - 20..=after + 1).contains(&minted), "{before} {minted} {after}");
}

#[test]
fn l8_a_fixed_worker_goes_on_above_its_last_id() {
    let directory = tempfile::tempdir().unwrap();
    let mut last = 0;
    for _ in 0..5 {
        let flake = fixed(directory.path(), 7).unwrap();
        for id in flake.next_ids(10_000).unwrap() {
            assert!(id > last);
            last = id;
        }
    }
}

#[test]
fn l10_a_second_generator_on_a_fixed_worker_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let first = fixed(directory.path(), 7).unwrap();
    let refused = fixed(directory.path(), 7).unwrap_err();
    assert_eq!(refused.code(), Code::WorkerInUse);
    assert!(refused.to_string().contains("this process itself holds worker 7 since 20"));
    fixed(directory.path(), 8).unwrap();
    first.close().unwrap();
    fixed(directory.path(), 7).unwrap();
}

#[test]
fn blocks_are_rising_and_distinct() {
    let directory = tempfile::tempdir().unwrap();
    let flake = leased(&directory.path().join("ids.db"));
    let mut ids = vec![0; 100_003];
    flake.fill(&mut ids).unwrap();
    assert!(ids.is_sorted_by(|a, b| a < b));
    assert!(ids.last() < Some(&flake.next_id().unwrap()));
}

#[test]
fn long_vectors_are_as_rising_as_short_ones() {
    let directory = tempfile::tempdir().unwrap();
    let flake = fixed(directory.path(), 1).unwrap();
    for count in [1, 511, 512, 513, 10_000] {
        let ids = flake.next_ids(count).unwrap();
        assert_eq!(ids.len(), count);
        assert!(ids.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn an_id_at_hand_is_given_without_waiting() {
    let directory = tempfile::tempdir().unwrap();
    let flake = fixed(directory.path(), 1).unwrap();
    let first = flake.next_id().unwrap();
    assert!(flake.try_next_id().unwrap() > first);
    flake.close().unwrap();
    assert_eq!(flake.try_next_id(), None);
}

#[test]
fn counts_are_checked_at_their_limits() {
    let directory = tempfile::tempdir().unwrap();
    let flake = fixed(directory.path(), 1).unwrap();
    for count in [0, snowmint::MAX_COUNT + 1, usize::MAX] {
        assert_eq!(flake.next_ids(count).unwrap_err().code(), Code::CountOutOfRange);
    }
    assert_eq!(flake.next_ids(1).unwrap().len(), 1);
}

#[test]
fn a_full_tick_is_an_error_where_the_caller_does_not_wait() {
    let directory = tempfile::tempdir().unwrap();
    // One sequence bit: three IDs in a tick of half an hour cannot be had.
    let layout =
        Layout::builder().time(30).worker(10).sequence(1).tick_ms(1_800_000).build().unwrap();
    let store = Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    let builder = Snowflake::builder().layout(layout).policy(ClockPolicy::TWITTER);
    let flake = builder.lease_from(store).wait(Duration::ZERO).open().unwrap();
    let results: Vec<_> = (0..5).map(|_| flake.next_id()).collect();
    let minted = results.iter().filter(|result| result.is_ok()).count();
    assert!((1..=4).contains(&minted), "{results:?}");
    let refused = results.last().unwrap().as_ref().unwrap_err();
    assert_eq!(refused.code(), Code::SequenceExhausted);
}

#[test]
fn a_count_that_needs_waiting_is_refused_before_any_id_is_taken() {
    let directory = tempfile::tempdir().unwrap();
    // Two in a tick of half an hour, and of the one that is borrowed.
    let layout =
        Layout::builder().time(30).worker(10).sequence(1).tick_ms(1_800_000).build().unwrap();
    let store = Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    let policy = ClockPolicy::new(1_800_000, WhenBehind::Fail);
    let builder = Snowflake::builder().layout(layout).policy(policy).lease_from(store);
    let flake = builder.wait(Duration::ZERO).open().unwrap();
    assert_eq!(flake.most_at_once(), 4);
    let refused = [flake.next_ids(5).unwrap_err(), flake.fill(&mut [0; 5]).unwrap_err()];
    for error in refused {
        assert_eq!((error.code(), error.wait_ms()), (Code::CountOutOfRange, None));
        assert!(error.to_string().contains("at most 4 at once"), "{error}");
    }
    let source = Source::Snowflake(flake.clone());
    let code = |count, wait| source.check_at_once(count, wait).map_err(|error| error.code());
    assert_eq!(code(5, Duration::ZERO), Err(Code::CountOutOfRange));
    assert_eq!([code(4, Duration::ZERO), code(5, Duration::from_millis(1))], [Ok(()), Ok(())]);
    assert_eq!(flake.next_ids(3).unwrap().len(), 3);
    assert_eq!(
        flake.with_wait(Duration::from_millis(1)).next_ids(5).unwrap_err().code(),
        Code::SequenceExhausted
    );
}

#[test]
fn a_source_has_another_bound_for_those_who_want_it() {
    let directory = tempfile::tempdir().unwrap();
    let flake = fixed(directory.path(), 1).unwrap();
    let hasty = flake.with_wait(Duration::ZERO);
    assert_eq!((flake.wait(), hasty.wait()), (snowmint::DEFAULT_WAIT, Duration::ZERO));
    let first = flake.next_id().unwrap();
    assert!(hasty.next_id().unwrap() > first, "it is the same generator");
    flake.close().unwrap();
    assert_eq!(hasty.next_id().unwrap_err().code(), Code::Closed);
}

#[test]
fn a_wait_past_the_bound_fails_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let layout =
        Layout::builder().time(30).worker(10).sequence(1).tick_ms(1_800_000).build().unwrap();
    let policy = ClockPolicy::new(0, WhenBehind::Wait { max_ms: u32::MAX });
    let store = Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    let builder = Snowflake::builder().layout(layout).policy(policy);
    let flake = builder.lease_from(store).open().unwrap();
    // Without the bound the third call would last up to half an hour.
    let refused = (0..5).find_map(|_| flake.next_id().err()).unwrap();
    assert_eq!(refused.code(), Code::SequenceExhausted);
}

#[test]
fn a_closed_generator_gives_an_error_and_its_worker_id_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("ids.db");
    let flake = leased(&path);
    let copy = flake.clone();
    flake.next_id().unwrap();
    flake.close_within(Duration::from_secs(60)).unwrap();
    flake.close_within(Duration::from_secs(60)).unwrap();
    flake.close().unwrap();
    for flake in [&flake, &copy] {
        assert_eq!(flake.next_id().unwrap_err().code(), Code::Closed);
        assert_eq!(flake.next_ids(2).unwrap_err().code(), Code::Closed);
    }
    let rows = SqliteStore::create(&path).unwrap().workers().unwrap();
    assert!(rows.iter().all(|row| !row.held), "{rows:?}");
}

#[test]
fn dropping_the_last_clone_gives_the_worker_id_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("ids.db");
    let flake = leased(&path);
    flake.next_id().unwrap();
    let other = flake.clone();
    let store = SqliteStore::create(&path).unwrap();
    drop(flake);
    assert!(store.workers().unwrap()[0].held);
    drop(other);
    // A scheduler does it, soon.
    while store.workers().unwrap()[0].held {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn dropping_gives_a_fixed_worker_id_back_whatever_the_keeper_does() {
    let directory = tempfile::tempdir().unwrap();
    for _ in 0..200 {
        fixed(directory.path(), 7).unwrap().next_id().unwrap();
    }
}

#[test]
fn expired_layouts_and_future_epochs_are_refused_when_opened() {
    let directory = tempfile::tempdir().unwrap();
    let open = |layout| {
        let builder = Snowflake::builder().layout(layout).worker_id(WorkerId::Fixed(1));
        builder.state_directory(directory.path()).open().unwrap_err()
    };
    let expired = open(Layout::BAIDU_DEFAULT);
    assert_eq!(expired.code(), Code::LayoutExpired);
    assert!(expired.to_string().contains("2024-11-20T13:24:1"), "{expired}");
    let future = Layout::builder().time(41).worker(10).sequence(12).epoch_ms(32_503_680_000_000);
    assert_eq!(open(future.build().unwrap()).code(), Code::EpochInFuture);
}

/// By what is borrowed, as by the floor of a first start.
#[test]
fn an_end_that_is_yet_to_come_is_told_as_one() {
    const TICK_MS: u32 = 60_000;
    let directory = tempfile::tempdir().unwrap();
    // This minute and the two after it are the last.
    let this_ms = System.now_ms() / i64::from(TICK_MS) * i64::from(TICK_MS);
    let epoch_ms = this_ms - ((1 << 20) - 3) * i64::from(TICK_MS);
    let layout = Layout::builder().time(20).worker(10).sequence(1).tick_ms(TICK_MS);
    let layout = layout.epoch_ms(epoch_ms).build().unwrap();
    let store = Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    let policy = ClockPolicy::new(10 * TICK_MS, WhenBehind::Fail);
    let builder = Snowflake::builder().layout(layout).policy(policy).lease_from(store);
    let flake = builder.wait(Duration::ZERO).open().unwrap();
    let mut refused = (0..60).filter_map(|_| flake.next_id().err());
    let refused = refused.find(|error| error.code() == Code::LayoutExpired).unwrap();
    let message = format!("the layout's time ends at {}", Timestamp(layout.expires_ms()));
    assert!(refused.to_string().starts_with(&message), "{refused}");
}

#[test]
fn a_generator_needs_exactly_one_worker_id() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(Snowflake::builder().open().unwrap_err().code(), Code::InvalidParameter);
    let store = Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    let both = Snowflake::builder().worker_id(WorkerId::Fixed(1)).lease_from(store);
    let both = both.open().unwrap_err();
    assert_eq!(both.code(), Code::InvalidParameter);
    assert!(both.to_string().contains("both a fixed one and a store"), "{both}");
    for reserve_ms in [0, 99, snowmint::MAX_RESERVE_MS + 1] {
        let builder = Snowflake::builder().worker_id(WorkerId::Fixed(1)).reserve_ms(reserve_ms);
        let refused = builder.state_directory(directory.path()).open().unwrap_err();
        assert_eq!(refused.code(), Code::InvalidParameter);
    }
}

#[test]
fn no_more_is_borrowed_than_is_reserved() {
    let directory = tempfile::tempdir().unwrap();
    let store = || Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    for max_ahead_ms in [snowmint::MAX_RESERVE_MS + 1, 1_000_000_000, u32::MAX] {
        let policy = ClockPolicy::SNOWMINT.with_max_ahead_ms(max_ahead_ms);
        let builder = || Snowflake::builder().policy(policy).state_directory(directory.path());
        for builder in [builder().worker_id(WorkerId::Fixed(6)), builder().lease_from(store())] {
            let refused = builder.open().unwrap_err();
            assert_eq!(refused.code(), Code::InvalidParameter);
            assert!(refused.to_string().contains("use 0 to 3600000"), "{refused}");
        }
    }
    // Nothing was reserved for those; and Baidu's policy borrows as much as there is.
    fixed(directory.path(), 6).unwrap().next_id().unwrap();
    let builder = Snowflake::builder().policy(ClockPolicy::BAIDU).state_directory(directory.path());
    builder.worker_id(WorkerId::Fixed(7)).open().unwrap().next_id().unwrap();
}

#[test]
fn l11_a_lease_outlives_its_reservation_while_the_store_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    let policy = ClockPolicy::SNOWMINT.with_max_ahead_ms(0);
    let builder = Snowflake::builder().lease_from(store).policy(policy).reserve_ms(100);
    // A busy machine may be late to renew.
    let flake = builder.wait(Duration::from_secs(60)).open().unwrap();
    let first = parts(flake.next_id().unwrap());
    for _ in 0..20 {
        thread::sleep(Duration::from_millis(25));
        let next = parts(flake.next_id().unwrap());
        assert_eq!(next.worker_id, first.worker_id);
    }
}

#[test]
fn a_caller_that_sleeps_itself_gets_rising_ids_and_never_waits() {
    let directory = tempfile::tempdir().unwrap();
    let worker = WorkerId::Fixed(7);
    let strict = Snowflake::builder().policy(ClockPolicy::SONYFLAKE).worker_id(worker);
    let flake = strict.state_directory(directory.path()).wait(Duration::ZERO).open().unwrap();
    let (mut last, mut pauses) = (0, 0);
    while pauses < 3 {
        let mut block = [0; 8192];
        let issued = match flake.poll_block(&mut block).unwrap() {
            Attempt::Done(count) => block[..count].to_vec(),
            Attempt::Later { pause, why } => {
                assert!(pause <= Duration::from_millis(2), "{pause:?}");
                assert_eq!(why.code(), Code::SequenceExhausted);
                pauses += 1;
                thread::sleep(pause);
                vec![]
            }
        };
        // A block is a tick at most.
        assert!(issued.len() <= 4096 && issued.iter().all(|id| *id > last));
        last = issued.last().copied().unwrap_or(last);
        if let Attempt::Done(id) = flake.poll_id().unwrap() {
            assert!(id > last);
            last = id;
        }
    }
    flake.close().unwrap();
    assert_eq!(flake.poll_id().unwrap_err().code(), Code::Closed);
}

#[test]
fn ticks_longer_than_what_a_reservation_keeps_reserved_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let builder = |tick_ms| {
        let layout = Layout::builder().time(30).worker(10).sequence(12).tick_ms(tick_ms);
        Snowflake::builder().layout(layout.build().unwrap())
    };
    let open = |tick_ms| {
        builder(tick_ms).worker_id(WorkerId::Fixed(7)).state_directory(directory.path()).open()
    };
    let store = Arc::new(SqliteStore::create(directory.path().join("ids.db")).unwrap());
    let longest = builder(2_400_000).lease_from(store).open().unwrap();
    assert!(longest.next_id().unwrap() < longest.next_id().unwrap());
    // A new state file begins with the next tick, which nobody waits for when it is opened.
    open(2_400_000).unwrap();
    for tick_ms in [2_400_001, 86_400_000] {
        let error = open(tick_ms).unwrap_err();
        assert_eq!(error.code(), Code::InvalidParameter);
        assert!(error.to_string().contains("ticks of up to 2400000 ms"), "{error}");
    }
}
