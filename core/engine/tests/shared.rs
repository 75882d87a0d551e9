//! The shared machines under threads: nothing twice, nothing back, nothing outside its grant.

use core::cell::RefCell;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicI64, AtomicU64};
use std::collections::HashSet;
use std::thread;

use snowmint_engine::{
    Error, Grant, Lane, Layout, NumberRange, Pace, SharedRange, SharedSnowflake,
};

const THREADS: usize = 4;
const IDS_PER_THREAD: usize = 100_000;

/// Lanes as an owner has opened them: worker ID, floor, and how far they reach.
type Lanes = Vec<(u32, u64, u64)>;

/// Four threads issue, one moves the clock, opens lanes and extends grants (L1, L2, L3).
fn race(layout: Layout, block: u32) {
    let (clock, mut lanes) = (AtomicI64::new(1_000), Lanes::new());
    let flake = SharedSnowflake::closed(layout, Pace { max_ahead_ms: 20, ..Pace::default() });
    let issued: Vec<Vec<u64>> = thread::scope(|scope| {
        let issuers: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let mut ids = Vec::with_capacity(IDS_PER_THREAD + block as usize);
                    while ids.len() < IDS_PER_THREAD {
                        match flake.issue(clock.load(Relaxed), block) {
                            Ok(run) => ids.extend(run),
                            Err(Error::Stall(_) | Error::Closed) => thread::yield_now(),
                            Err(error) => panic!("{error}"),
                        }
                    }
                    ids
                })
            })
            .collect();
        let mut floor = 0;
        for turn in 0.. {
            if issuers.iter().all(thread::ScopedJoinHandle::is_finished) {
                break;
            }
            let now_ms = clock.fetch_add(if turn % 7 == 0 { -3 } else { 1 }, Relaxed);
            let now = layout.tick_at(now_ms).expect("a time in the layout");
            // A lane is noted before it is opened, as reserved first says.
            if turn % 3 == 0 {
                // Everything before is closed off, and its tick is the next floor.
                floor = flake.owner().expect("one at a time").close().max(floor).max(now);
                let (worker_id, grant) = (turn % 8, Grant { floor, reserved: floor + 2 });
                lanes.push((worker_id, floor, floor + 2));
                flake
                    .owner()
                    .expect("one at a time")
                    .open(Lane { worker_id, rollback: 0, grant })
                    .expect("a lane of the layout");
            } else if let Some(lane) = lanes.last_mut() {
                lane.2 = lane.2.max(now + 4);
                flake.owner().expect("one at a time").extend(lane.2);
            }
            thread::yield_now();
        }
        issuers.into_iter().map(|issuer| issuer.join().expect("no panic")).collect()
    });

    let mut unique = HashSet::new();
    assert!(lanes.len() > 3, "{} lanes are no race", lanes.len());
    for ids in &issued {
        // One thread's slots rise strictly: floors do, across all lanes.
        let slots = ids.iter().map(|id| (layout.time().of(*id), layout.sequence().of(*id)));
        assert!(slots.is_sorted_by(|one, two| one < two));
        for &id in ids {
            assert!(unique.insert(id), "{id} twice");
            let (tick, parts) = (layout.time().of(id), layout.parts(id));
            // The lane of a tick is the last that began at or below it.
            let lane = lanes[lanes.partition_point(|lane| lane.1 <= tick) - 1];
            assert_eq!(parts.worker_id, lane.0, "tick {tick}");
            assert!(tick < lane.2, "tick {tick} is past {}", lane.2);
        }
    }
    assert!(unique.len() >= THREADS * IDS_PER_THREAD);
}

#[test]
fn l1_l2_l3_threads_and_lane_changes() {
    race(Layout::builder().time(41).worker(3).sequence(5).build().unwrap(), 1);
}

#[test]
fn l1_l2_l3_threads_lane_changes_and_blocks() {
    race(Layout::builder().time(41).worker(3).sequence(5).build().unwrap(), 7);
}

/// L1: threads issue while the owner answers a clock that goes back by counting rollbacks.
#[test]
fn l1_threads_and_counted_rollbacks() {
    let layout = Layout::builder().fields("worker:3,rollback:2,time:41,sequence:5").unwrap();
    let layout = layout.build().unwrap();
    let clock = AtomicI64::new(1_000);
    let flake = SharedSnowflake::new(layout, Lane::of_worker(5), Pace::default()).unwrap();
    let issued: Vec<Vec<u64>> = thread::scope(|scope| {
        let issue = || {
            let mut ids = Vec::with_capacity(IDS_PER_THREAD);
            while ids.len() < IDS_PER_THREAD {
                match flake.next_id(clock.load(Relaxed)) {
                    Ok(id) => ids.push(id),
                    Err(_) => thread::yield_now(),
                }
            }
            ids
        };
        let issuers: Vec<_> = (0..THREADS).map(|_| scope.spawn(issue)).collect();
        for turn in 1.. {
            if issuers.iter().all(thread::ScopedJoinHandle::is_finished) {
                break;
            }
            clock.fetch_add(if turn % 16 == 0 { -9 } else { 1 }, Relaxed);
            if turn % 16 == 0 {
                flake
                    .owner()
                    .expect("one at a time")
                    .jump(Lane { rollback: turn / 16 % 4, ..Lane::of_worker(5) })
                    .unwrap();
            }
            thread::yield_now();
        }
        issuers.into_iter().map(|issuer| issuer.join().expect("no panic")).collect()
    });
    let mut unique = HashSet::new();
    for ids in &issued {
        let mut last = [None; 4];
        for &id in ids {
            assert!(unique.insert(id), "{id} twice");
            let parts = layout.parts(id);
            assert_eq!(parts.worker_id, 5);
            let last = &mut last[parts.rollback as usize];
            assert!(*last < Some((parts.unix_ms, parts.sequence)), "{id} went back in its count");
            *last = Some((parts.unix_ms, parts.sequence));
        }
    }
}

/// The ranges one after the other, taken by four threads: each number once, rising in each thread,
/// and none that is not of a range (its stride included). Unless `lossy`, all of them are taken but
/// one a thread and range.
fn drain(
    take: impl Fn(&SharedRange) -> Option<NumberRange> + Sync,
    ranges: &[NumberRange],
    lossy: bool,
) {
    let (shared, done) = (SharedRange::new(), AtomicI64::new(0));
    let taken: Vec<Vec<u64>> = thread::scope(|scope| {
        let takers: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let mut numbers = Vec::new();
                    loop {
                        // Read before taking: after the last replace an empty range stays so.
                        let over = done.load(Acquire) == 1;
                        match take(&shared) {
                            Some(range) => numbers.extend(range.numbers()),
                            None if over => return numbers,
                            None => thread::yield_now(),
                        }
                    }
                })
            })
            .collect();
        for (turn, &range) in ranges.iter().enumerate() {
            shared.owner().expect("one at a time").replace(range);
            for _ in 0..3 + turn % 5 {
                thread::yield_now();
            }
            // Lossy: replaced while numbers are left. Else: once this thread finds it empty.
            while !lossy && turn + 1 < ranges.len() {
                // An empty range gives none to anybody; asking for 0 numbers would not tell.
                match shared.take_one() {
                    Some(number) => RESCUED.with_borrow_mut(|rescued| rescued.push(number)),
                    None => break,
                }
            }
        }
        done.store(1, Release);
        takers.into_iter().map(|taker| taker.join().expect("no panic")).collect()
    });
    let mut all: Vec<u64> = RESCUED.with_borrow_mut(core::mem::take);
    for numbers in &taken {
        assert!(numbers.is_sorted_by(|one, two| one < two), "a thread's numbers went back");
        all.extend(numbers);
    }
    all.sort_unstable();
    assert!(all.is_sorted_by(|one, two| one < two), "a number twice");
    let mut rest = &all[..];
    for range in ranges {
        let (of_range, later) = rest.split_at(rest.partition_point(|&one| one < range.end()));
        rest = later;
        let mut expected = range.numbers();
        assert!(of_range.iter().all(|&number| expected.any(|one| one == number)), "foreign");
        let lost = range.count() - of_range.len() as u64;
        assert!(lossy || lost <= THREADS as u64, "{lost} numbers of {range:?} are lost");
    }
    assert!(rest.is_empty(), "numbers past the last range");
}

thread_local! {
    /// The numbers that the owner's own thread took while it waited for a range to run dry.
    static RESCUED: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Adjacent ranges whose strides and residues change, so that a stale stride or end shows.
fn ranges(count: u64, length: u64) -> Vec<NumberRange> {
    let range = |at: u64| NumberRange::new(at * length + at % 3, (at + 1) * length, 1 + at % 5);
    (0..count).map(|at| range(at).expect("a range")).collect()
}

/// The next number, as a range.
fn one(shared: &SharedRange) -> Option<NumberRange> {
    let number = shared.take_one()?;
    NumberRange::new(number, number + 1, 1).ok()
}

#[test]
fn l1_l3_threads_take_each_number_once() {
    drain(one, &ranges(200, 2_000), false);
}

/// A count added past the end of a short range would give numbers of the next one.
#[test]
fn l1_l3_threads_take_each_number_of_short_ranges_once() {
    let range = |at: u64| NumberRange::new(at * 20, (at + 1) * 20, 1).expect("a range");
    drain(one, &(0..5_000).map(range).collect::<Vec<_>>(), false);
}

#[test]
fn l1_l3_threads_take_runs() {
    drain(|shared| shared.take(7), &ranges(300, 3_000), false);
}

#[test]
fn l1_l3_replacing_a_range_under_way() {
    drain(|shared| shared.take(3), &ranges(2_000, 500), true);
    drain(one, &ranges(2_000, 500), true);
}

#[test]
fn a_shared_range_gives_what_it_has_and_no_more() {
    let shared = SharedRange::default();
    assert_eq!((shared.take_one(), shared.take(3)), (None, None));
    shared.owner().expect("one at a time").replace(NumberRange::new(5, 16, 5).unwrap());
    assert_eq!(shared.take(0), None);
    assert_eq!(shared.take_one(), Some(5));
    let run = shared.take(u64::MAX).unwrap();
    assert_eq!(run.numbers().collect::<Vec<_>>(), [10, 15]);
    assert_eq!(shared.take_one(), None);
    // The last range's end may be the next one's start.
    shared.owner().expect("one at a time").replace(NumberRange::new(16, 17, 1).unwrap());
    assert_eq!((shared.take_one(), shared.take_one()), (Some(16), None));
    shared.owner().expect("one at a time").replace(NumberRange::new(20, 30, 1).unwrap());
    shared.owner().expect("one at a time").close();
    assert_eq!((shared.take_one(), shared.take(2)), (None, None));
}

#[test]
fn one_owner_at_a_time() {
    let flake = SharedSnowflake::closed(Layout::TWITTER, Pace::default());
    let range = SharedRange::new();
    let owners = (flake.owner().expect("one at a time"), range.owner().expect("one at a time"));
    for _ in 0..2 {
        assert!(flake.owner().is_none(), "a refusal must not free the place");
        assert!(range.owner().is_none(), "a refusal must not free the place");
    }
    drop(owners);
    flake.owner().expect("one at a time").open(Lane::of_worker(1)).unwrap();
    range.owner().expect("one at a time").replace(NumberRange::new(1, 3, 1).unwrap());
    assert_eq!(range.take_one(), Some(1));
}

/// A forked child has a copy of the parent's owner, which never gives its place back.
#[test]
fn another_image_has_an_owner_of_its_own() {
    static IMAGE: AtomicU64 = AtomicU64::new(7);
    let flake = SharedSnowflake::closed(Layout::TWITTER, Pace::default()).in_image(&IMAGE);
    let range = SharedRange::new().in_image(&IMAGE);
    core::mem::forget((
        flake.owner().expect("one at a time"),
        range.owner().expect("one at a time"),
    ));
    assert!(flake.owner().is_none() && range.owner().is_none());
    IMAGE.store(0, Relaxed);
    assert!(flake.owner().is_none() && range.owner().is_none(), "an image without a number");
    IMAGE.store(8, Relaxed);
    flake.owner().expect("one at a time").open(Lane::of_worker(1)).unwrap();
    range.owner().expect("one at a time").replace(NumberRange::new(1, 3, 1).unwrap());
    assert!(flake.owner().is_some() && range.owner().is_some());
}
