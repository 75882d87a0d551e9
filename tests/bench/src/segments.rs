//! Numbers of a tag.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use snowmint::engine::{MAX_NUMBER, MAX_STEP, SharedRange};
use snowmint::{Mint, NumberRange};

use crate::measure::{Contestant, Effort, Histogram, Outcome, per_operation};
use crate::minting::fetch_add;
use crate::report::Line;
use crate::subjects;
use crate::sustained::each_call;

const GROUP: &str = "segments";

pub fn segments(effort: Effort) -> Vec<Line> {
    let mut lines = one_thread(effort);
    lines.extend(several_threads(effort));
    lines.extend(slow_store(effort));
    lines
}

fn one_thread(effort: Effort) -> Vec<Line> {
    let (counter, range) = (AtomicU64::new(0), SharedRange::new());
    let whole = NumberRange::new(1, MAX_NUMBER, 1).expect("a range");
    range.owner().expect("nobody else's").replace(whole);
    let segment = subjects::segment(MAX_STEP, Duration::ZERO);
    let names = ["SharedRange::take_one", "Segment::next_id"];
    let contestants = vec![
        fetch_add(&counter, effort),
        Contestant::new(names[0], || {
            per_operation(effort.operations, || range.take_one().expect("a number"))
        }),
        Contestant::new(names[1], || {
            per_operation(effort.operations, || segment.next_id().expect("a number"))
        }),
    ];
    let outcome = Outcome::of(effort.rounds, contestants);
    let lines = names.map(|name| {
        let ratio = outcome.ratio(name, &["fetch_add"]);
        Line::new(GROUP, name, outcome.median(name), "ns").against("fetch_add", ratio).at_most(1.5)
    });
    lines.into()
}

/// Numbers a second of several threads together, on one segment and on one counter.
fn several_threads(effort: Effort) -> Vec<Line> {
    let segment = subjects::segment(MAX_STEP, Duration::ZERO);
    let counter = AtomicU64::new(0);
    let next = || segment.next_id().expect("a number");
    let add = || counter.fetch_add(1, Ordering::Relaxed);
    // Long enough that threads which share a processor take their turns.
    let each = |threads: u64| effort.operations * 10 / threads;
    let contestants = vec![
        Contestant::new("two", || on_threads(2, each(2), next)),
        Contestant::new("two adding", || on_threads(2, each(2), add)),
        Contestant::new("eight", || on_threads(8, each(8), next)),
        Contestant::new("eight adding", || on_threads(8, each(8), add)),
    ];
    let outcome = Outcome::of(effort.rounds, contestants);
    let line = |what, name: &str, adding: &str| {
        Line::new(GROUP, what, 1e3 / outcome.median(name), "M/s")
            .against("fetch_add of as many", outcome.ratio(adding, &[name]))
            .at_least(0.8)
    };
    vec![
        line("two threads' Segment::next_id", "two", "two adding"),
        line("eight threads' Segment::next_id", "eight", "eight adding"),
    ]
}

/// Nanoseconds a number, of all threads together.
fn on_threads<T>(threads: u64, each: u64, next: impl Fn() -> T + Sync) -> f64 {
    let barrier = Barrier::new(threads as usize + 1);
    let took = thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                barrier.wait();
                (0..each).for_each(|_| drop(black_box(next())));
                barrier.wait();
            });
        }
        barrier.wait();
        let start = Instant::now();
        barrier.wait();
        start.elapsed()
    });
    took.as_nanos() as f64 / (each * threads) as f64
}

/// Calls while the store takes 50 ms a range, against a fast store. A range lasts longer than it
/// takes to fetch the next.
fn slow_store(effort: Effort) -> Vec<Line> {
    let step = 20_000_000;
    let fast = calls(effort, step, Duration::ZERO);
    let slow = calls(effort, step, Duration::from_millis(50));
    let p999 = |calls: &Histogram| calls.quantile_ns(0.999);
    vec![
        Line::new(GROUP, "p99.9 with a fast store", p999(&fast), "ns"),
        Line::new(GROUP, "p99.9 while the store takes 50 ms", p999(&slow), "ns")
            .against("with a fast store", p999(&slow) / p999(&fast))
            .at_most(1.1),
        Line::new(GROUP, "slowest call with a fast store", fast.max_ns() / 1e6, "ms"),
        Line::new(GROUP, "slowest call while the store takes 50 ms", slow.max_ns() / 1e6, "ms")
            .at_most(50.0),
    ]
}

fn calls(effort: Effort, step: u64, pause: Duration) -> Histogram {
    let segment = subjects::segment(step, pause);
    segment.next_id().expect("the first number, which waits for the store");
    let mut calls = Histogram::empty();
    // Past several refills.
    let count = if effort.rounds > 3 { step * 3 } else { step / 10 };
    each_call(&mut calls, count, || segment.next_id().expect("a number"));
    calls
}
