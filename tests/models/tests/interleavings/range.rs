//! [`SharedRange`]: takers beside the one who replaces the range.

use std::collections::BTreeSet;

use snowmint_models::sync::Arc;
use snowmint_models::thread;
use snowmint_models::{NumberRange, SharedRange};

use crate::explore;

fn range(start: u64, end: u64, stride: u64) -> NumberRange {
    NumberRange::new(start, end, stride).unwrap()
}

fn one(shared: &SharedRange) -> Vec<u64> {
    shared.take_one().into_iter().collect()
}

fn several(shared: &SharedRange, n: u64) -> Vec<u64> {
    shared.take(n).map_or_else(Vec::new, |range| range.numbers().collect())
}

/// All that is left.
fn drain(shared: &SharedRange) -> Vec<u64> {
    std::iter::from_fn(|| shared.take_one()).collect()
}

/// Each number is of one of the ranges, none comes twice, and each taker's rise.
fn check(taken: &[Vec<u64>], ranges: &[NumberRange]) -> BTreeSet<u64> {
    let numbers: BTreeSet<u64> = ranges.iter().flat_map(|range| range.numbers()).collect();
    let mut seen = BTreeSet::new();
    for &number in taken.iter().flatten() {
        assert!(numbers.contains(&number), "{number} is of no range: {taken:?}");
        assert!(seen.insert(number), "{number} twice: {taken:?}");
    }
    for taken in taken {
        assert!(taken.is_sorted_by(|a, b| a < b), "out of order: {taken:?}");
    }
    seen
}

/// At most one number of a range is lost for each taker that was under way when it was put in place.
fn check_gaps(seen: &BTreeSet<u64>, range: NumberRange, takers: usize) {
    let lost = range.numbers().filter(|number| !seen.contains(number)).count();
    assert!(lost <= takers, "{lost} numbers of {range:?} are lost: {seen:?}");
}

#[test]
fn takers() {
    for (stride, name) in [(1, "range::takers"), (2, "range::takers, stride 2")] {
        explore(name, 2, move || {
            let whole = range(10, 10 + 5 * stride - stride / 2, stride);
            let shared = Arc::new(SharedRange::new());
            shared.owner().unwrap().replace(whole);
            let takers = [1, 2].map(|n| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || [one(&shared), several(&shared, n)].concat())
            });
            let mine = one(&shared);
            let [a, b] = takers.map(|taker| taker.join().unwrap());
            let seen = check(&[a, b, [mine, drain(&shared)].concat()], &[whole]);
            assert_eq!(seen.len() as u64, whole.count(), "all numbers");
        });
    }
}

/// The next range begins where the present one ends: additions past the one's end reach numbers of
/// the other.
#[test]
fn replace_by_the_next() {
    explore("range::replace_by_the_next", 2, || {
        let (first, second) = (range(0, 1, 1), range(1, 6, 1));
        let shared = Arc::new(SharedRange::new());
        shared.owner().unwrap().replace(first);
        let takers = [1, 2].map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || [one(&shared), one(&shared)].concat())
        });
        shared.owner().unwrap().replace(second);
        let mine = one(&shared);
        let [a, b] = takers.map(|taker| taker.join().unwrap());
        let seen = check(&[a, b, [mine, drain(&shared)].concat()], &[first, second]);
        check_gaps(&seen, second, 2);
    });
}

/// As above with strides: what a range's places stand for is of that range. Runs are drawn by an
/// exchange, which gives no number up.
#[test]
fn replace_by_another_stride() {
    explore("range::replace_by_another_stride", 2, || {
        let (first, second) = (range(0, 4, 2), range(4, 10, 3));
        let shared = Arc::new(SharedRange::new());
        shared.owner().unwrap().replace(first);
        let mine = one(&shared);
        let runs = Arc::clone(&shared);
        let runs = thread::spawn(move || several(&runs, 2));
        let ones = Arc::clone(&shared);
        let ones = thread::spawn(move || one(&ones));
        shared.owner().unwrap().replace(second);
        let [a, b] = [runs, ones].map(|taker| taker.join().unwrap());
        let seen = check(&[a, b, [mine, drain(&shared)].concat()], &[first, second]);
        assert!(seen.is_superset(&second.numbers().collect()), "only the old range may lose some");
    });
}

/// A range used up by the takers themselves, and replaced twice: by one that is left by additions,
/// not by exchanges, and the other way round.
#[test]
fn replace_when_used_up() {
    let in_steps = [range(0, 1, 1), range(1, 5, 2), range(5, 11, 3)];
    let by_one = [range(0, 1, 2), range(1, 3, 1), range(3, 6, 1)];
    for (ranges, name) in [
        (in_steps, "range::replace_when_used_up, by strides"),
        (by_one, "range::replace_when_used_up, by stride 1"),
    ] {
        explore(name, 3, move || {
            let shared = Arc::new(SharedRange::new());
            shared.owner().unwrap().replace(ranges[0]);
            let other = Arc::clone(&shared);
            let taker = thread::spawn(move || [one(&other), one(&other)].concat());
            let mine = one(&shared);
            shared.owner().unwrap().replace(ranges[1]);
            shared.owner().unwrap().replace(ranges[2]);
            let seen = check(&[taker.join().unwrap(), [mine, drain(&shared)].concat()], &ranges);
            check_gaps(&seen, ranges[2], 1);
        });
    }
}

#[test]
fn close() {
    explore("range::close", 2, || {
        let whole = range(0, 4, 1);
        let shared = Arc::new(SharedRange::new());
        shared.owner().unwrap().replace(whole);
        let runs = Arc::clone(&shared);
        let runs = thread::spawn(move || several(&runs, 2));
        let ones = Arc::clone(&shared);
        let ones = thread::spawn(move || [one(&ones), one(&ones)].concat());
        shared.owner().unwrap().close();
        assert_eq!((shared.take_one(), shared.take(1), shared.remaining()), (None, None, 0));
        check(&[runs.join().unwrap(), ones.join().unwrap()], &[whole]);
        assert_eq!(shared.take_one(), None);
    });
}

/// The owner closes, and goes on with another range, while takers are between any two steps of theirs.
#[test]
fn close_and_replace() {
    explore("range::close_and_replace", 2, || {
        let (first, second) = (range(0, 3, 1), range(3, 6, 1));
        let shared = Arc::new(SharedRange::new());
        shared.owner().unwrap().replace(first);
        let takers = [1, 2].map(|n| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || [one(&shared), several(&shared, n)].concat())
        });
        shared.owner().unwrap().close();
        assert_eq!(shared.take_one(), None);
        shared.owner().unwrap().replace(second);
        let mine = one(&shared);
        assert!(mine.iter().all(|number| *number >= 3), "of the closed range: {mine:?}");
        let [a, b] = takers.map(|taker| taker.join().unwrap());
        let seen = check(&[a, b, [mine, drain(&shared)].concat()], &[first, second]);
        check_gaps(&seen, second, 2);
    });
}
