//! Floors, the engine at a given time, and the runtime with the real clock.

use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use snowmint::{Layout, Mint};

use crate::measure::{Contestant, Effort, Outcome, per_operation, per_operation_in_bursts};
use crate::peers;
use crate::report::Line;
use crate::subjects::{self, NOW_MS};

/// Measures the operations that no generator can be faster than.
pub fn floors(effort: Effort) -> Vec<Line> {
    let group = "floors";
    let counter = AtomicU64::new(0);
    let mut buffer = vec![0_u64; 4096];
    let contestants = vec![
        fetch_add(&counter, effort),
        compare_exchange(&counter, effort),
        coarse_clock(effort),
        Contestant::new("precise clock", || {
            per_operation(effort.operations / 4, || clock_gettime(ClockId::Realtime))
        }),
        write_8_bytes(&mut buffer, effort),
    ];
    let outcome = Outcome::of(effort.rounds, contestants);
    let names =
        ["fetch_add", "compare_exchange", "coarse clock", "precise clock", "writing 8 bytes"];
    names.map(|name| Line::new(group, name, outcome.median(name), "ns")).into()
}

pub fn fetch_add<'a>(counter: &'a AtomicU64, effort: Effort) -> Contestant<'a> {
    Contestant::new("fetch_add", move || {
        per_operation(effort.operations, || counter.fetch_add(1, Ordering::Relaxed))
    })
}

/// The floor of everything that has a bound to keep: load, compare, exchange.
fn compare_exchange<'a>(counter: &'a AtomicU64, effort: Effort) -> Contestant<'a> {
    Contestant::new("compare_exchange", move || {
        per_operation(effort.operations, || {
            let seen = counter.load(Ordering::Relaxed);
            let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
            counter.compare_exchange_weak(seen, seen.wrapping_add(1), success, failure)
        })
    })
}

fn coarse_clock<'a>(effort: Effort) -> Contestant<'a> {
    Contestant::new("coarse clock", move || {
        per_operation(effort.operations, || clock_gettime(ClockId::RealtimeCoarse))
    })
}

/// Filling a buffer that fits the nearest cache.
pub fn write_8_bytes<'a>(buffer: &'a mut [u64], effort: Effort) -> Contestant<'a> {
    let count = (effort.operations / 100).max(1);
    let mut number = 0_u64;
    Contestant::new("writing 8 bytes", move || {
        let each = per_operation(count, || {
            number += 1;
            black_box(&mut *buffer).fill(number);
        });
        each / buffer.len() as f64
    })
}

/// The machine itself: time is an argument.
pub fn engine(effort: Effort) -> Vec<Line> {
    let group = "engine, 41/10/12, at a given time";
    let (counter, time) = (AtomicU64::new(0), peers::given_time());
    let (flake, ferroid) = (subjects::engine(), peers::ferroid_given(&time));
    let steady = "SharedSnowflake::next_id";
    let (fresh, sixteen) = ("next_id, a tick for each", "next_id, a tick for 16");
    let (fresh_flake, sixteen_flake) = (subjects::engine(), subjects::engine());
    let (ticks, sixteenths) = (Cell::new(0_i64), Cell::new(0_i64));
    let contestants = vec![
        fetch_add(&counter, effort),
        compare_exchange(&counter, effort),
        Contestant::new(steady, || {
            per_operation(effort.operations, || flake.next_id(black_box(NOW_MS)).expect("an ID"))
        }),
        Contestant::new(fresh, || {
            per_operation(effort.operations, || {
                ticks.set(ticks.get() + 1);
                fresh_flake.next_id(NOW_MS + ticks.get()).expect("an ID")
            })
        }),
        Contestant::new(sixteen, || {
            per_operation(effort.operations, || {
                sixteenths.set(sixteenths.get() + 1);
                sixteen_flake.next_id(NOW_MS + sixteenths.get() / 16).expect("an ID")
            })
        }),
        Contestant::new("ferroid atomic", || {
            per_operation(effort.operations, || peers::ferroid_given_next(&ferroid, &time))
        }),
    ];
    let outcome = Outcome::of(effort.rounds, contestants);
    let line = |name: &str| Line::new(group, name, outcome.median(name), "ns");
    let against =
        |name: &str, other: &str| line(name).against(other, outcome.ratio(name, &[other]));
    vec![
        line("fetch_add"),
        against(steady, "fetch_add").at_most(1.6),
        against(steady, "compare_exchange"),
        against(steady, "ferroid atomic").at_most(1.0),
        against(fresh, "fetch_add"),
        against(sixteen, "fetch_add"),
        line("ferroid atomic"),
    ]
}

/// The generator with everything: real clock, lease, fork check; in bursts that need no wait.
pub fn runtime(effort: Effort) -> Vec<Line> {
    let mut lines = runtime_floor(effort);
    lines.extend(runtime_peers(effort));
    lines
}

const RUNTIME: &str = "runtime, 41/10/12, real clock";
const NEXT_ID: &str = "Snowflake::next_id";

fn runtime_floor(effort: Effort) -> Vec<Line> {
    let counter = AtomicU64::new(0);
    let flake = subjects::snowflake(Layout::TWITTER);
    let contestants = vec![
        fetch_add(&counter, effort),
        coarse_clock(effort),
        Contestant::new(NEXT_ID, || {
            let each = per_operation(effort.operations, || flake.next_id().expect("an ID"));
            // Gives the borrowed time back: 4096 IDs a millisecond.
            thread::sleep(Duration::from_millis(effort.operations / 4096 + 5));
            each
        }),
    ];
    let outcome = Outcome::of(effort.rounds, contestants);
    let ratio = outcome.ratio(NEXT_ID, &["coarse clock", "fetch_add"]);
    vec![
        Line::new(RUNTIME, NEXT_ID, outcome.median(NEXT_ID), "ns")
            .against("coarse clock + fetch_add", ratio)
            .at_most(1.2),
    ]
}

fn runtime_peers(effort: Effort) -> Vec<Line> {
    let count = effort.operations / 5;
    let flake = subjects::snowflake(Layout::TWITTER);
    let (ferroid, snowflaked) = (peers::ferroid_atomic(), peers::snowflaked());
    let mut rs_snowflake = peers::rs_snowflake();
    let mut ulid = ulid::Generator::new();
    let mut others = vec![
        Contestant::new("ferroid atomic", || {
            per_operation_in_bursts(count, || peers::ferroid_next(&ferroid))
        }),
        Contestant::new("snowflaked sync", || {
            per_operation_in_bursts(count, || snowflaked.generate::<u64>())
        }),
        Contestant::new("idgenerator", || per_operation_in_bursts(count, peers::idgenerator_next)),
        Contestant::new("rs-snowflake, real time", || {
            per_operation_in_bursts(count, || rs_snowflake.real_time_generate())
        }),
        Contestant::new("uuid v7, fast-rng", || per_operation_in_bursts(count, uuid::Uuid::now_v7)),
        Contestant::new("uuid v7", || per_operation_in_bursts(count, peers::uuid_v7_of_getrandom)),
        Contestant::new("ulid", || {
            per_operation_in_bursts(count, || ulid.generate().map(|ulid| ulid.0).unwrap_or(0))
        }),
    ];
    let names: Vec<_> = others.iter().map(|other| other.name).collect();
    let mine = || per_operation_in_bursts(count, || flake.next_id().expect("an ID"));
    others.insert(0, Contestant::new(NEXT_ID, mine));
    let outcome = Outcome::of(effort.rounds, others);
    let lines = names.iter().map(|&name| {
        let line = Line::new(RUNTIME, name, outcome.median(name), "ns")
            .against(NEXT_ID, outcome.ratio(name, &[NEXT_ID]));
        match name {
            "snowflaked sync" | "idgenerator" => line.at_least(3.0),
            _ => line,
        }
    });
    let own = Line::new(
        RUNTIME,
        "Snowflake::next_id, bursts as the peers",
        outcome.median(NEXT_ID),
        "ns",
    );
    std::iter::once(own).chain(lines).collect()
}
