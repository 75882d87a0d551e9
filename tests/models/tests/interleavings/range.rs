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

#[test]
fn takers() {
    explore("range::takers", 2, || {
        let whole = range(10, 19, 2);
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

/// The next range begins where the present one ends, with another stride. What the closed cursor at
/// a range's end is for: left at the end, it would be the start of the next range, and a taker that
/// read it before would take the next range's numbers with the old stride.
#[test]
fn replace_by_the_next() {
    explore("range::replace_by_the_next", 2, || {
        let (first, second) = (range(0, 4, 2), range(4, 10, 3));
        let shared = Arc::new(SharedRange::new());
        shared.owner().unwrap().replace(first);
        let mine = one(&shared);
        let takers = [1, 2].map(|n| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || [several(&shared, n), one(&shared)].concat())
        });
        shared.owner().unwrap().replace(second);
        let [a, b] = takers.map(|taker| taker.join().unwrap());
        let seen = check(&[a, b, [mine, drain(&shared)].concat()], &[first, second]);
        assert!(seen.is_superset(&second.numbers().collect()), "only the old range may lose some");
    });
}

/// As above with the range used up by the takers themselves, and the end where the next begins.
#[test]
fn replace_when_used_up() {
    explore("range::replace_when_used_up", 3, || {
        let ranges = [range(0, 1, 1), range(1, 5, 2), range(5, 11, 3)];
        let shared = Arc::new(SharedRange::new());
        shared.owner().unwrap().replace(ranges[0]);
        let other = Arc::clone(&shared);
        let taker = thread::spawn(move || [one(&other), one(&other)].concat());
        let mine = one(&shared);
        shared.owner().unwrap().replace(ranges[1]);
        shared.owner().unwrap().replace(ranges[2]);
        check(&[taker.join().unwrap(), [mine, drain(&shared)].concat()], &ranges);
    });
}

#[test]
fn close() {
    explore("range::close", 2, || {
        let whole = range(0, 4, 1);
        let shared = Arc::new(SharedRange::new());
        shared.owner().unwrap().replace(whole);
        let takers = [1, 2].map(|n| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || several(&shared, n))
        });
        shared.owner().unwrap().close();
        assert_eq!(shared.take_one(), None);
        let [a, b] = takers.map(|taker| taker.join().unwrap());
        check(&[a, b], &[whole]);
        assert_eq!(shared.take_one(), None);
    });
}
