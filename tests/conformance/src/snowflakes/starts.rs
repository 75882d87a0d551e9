//! Traces of the sequence's start in a fresh tick, and random traces.

use snowmint_engine::{Lane, Pace, SequenceStart};

use super::clocks::{NOW_MS, SMALL};
use super::{Dice, On, Recorder, lane};

const STARTS: &[(&str, SequenceStart)] = &[
    ("zero", SequenceStart::Zero),
    ("vibrate 0", SequenceStart::Vibrate { max_offset: 0 }),
    ("vibrate 1", SequenceStart::Vibrate { max_offset: 1 }),
    ("vibrate 2", SequenceStart::Vibrate { max_offset: 2 }),
    ("vibrate 62", SequenceStart::Vibrate { max_offset: 62 }),
    ("vibrate max", SequenceStart::Vibrate { max_offset: u32::MAX }),
    ("random 0", SequenceStart::Random { below: 0, seed: 0 }),
    ("random 1", SequenceStart::Random { below: 1, seed: 0 }),
    ("random 40", SequenceStart::Random { below: 40, seed: 0 }),
    ("random 100", SequenceStart::Random { below: 100, seed: 7 }),
    ("random max", SequenceStart::Random { below: u32::MAX, seed: u64::MAX }),
    ("rotate", SequenceStart::Rotate),
];

const RANDOM_TRACES: u64 = 24;

pub(super) fn all() -> Vec<Recorder> {
    let mut traces: Vec<Recorder> =
        STARTS.iter().map(|&(name, start)| low_traffic(name, start)).collect();
    traces.extend(STARTS.iter().map(|&(name, start)| high_traffic(name, start)));
    traces.push(leaf());
    traces.push(cosid());
    traces.extend((0..RANDOM_TRACES).map(random));
    traces
}

/// One ID a tick, then a few, then one again.
fn low_traffic(name: &str, start: SequenceStart) -> Recorder {
    let about = "one ID a tick, and some blocks";
    let pace = Pace { max_ahead_ms: 0, start };
    let mut trace = Recorder::new(format!("start {name}"), about, SMALL, Lane::of_worker(21), pace);
    for now_ms in NOW_MS..NOW_MS + 6 {
        trace.issue(now_ms, 1);
    }
    trace.issue(NOW_MS + 5, 2);
    trace.issue(NOW_MS + 6, 30);
    trace.issue(NOW_MS + 7, 1);
    trace.issue(NOW_MS + 9, 1);
    trace.issue(NOW_MS + 10, 50);
    trace.issue(NOW_MS + 11, 64);
    trace.issue(NOW_MS + 12, 63);
    trace.issue(NOW_MS + 13, 1);
    trace
}

/// Overflow into borrowed ticks: the start holds there too, but not inside a block.
fn high_traffic(name: &str, start: SequenceStart) -> Recorder {
    let about = "full ticks: the start holds where a call begins a tick, not inside a block";
    let pace = Pace { max_ahead_ms: 2, start };
    let mut trace =
        Recorder::new(format!("start {name}, full"), about, SMALL, Lane::of_worker(21), pace);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS, 8);
    for _ in 0..6 {
        trace.issue(NOW_MS, 21);
    }
    trace.issue(NOW_MS + 1, 40);
    trace.issue(NOW_MS + 10, 100);
    trace.issue(NOW_MS + 20, 192);
    trace.issue(NOW_MS + 20, 1);
    trace.issue(NOW_MS + 21, 64);
    trace.issue(NOW_MS + 22, 64);
    trace.issue(NOW_MS + 30, 191);
    trace
}

fn leaf() -> Recorder {
    let about = "as the preset has it: below 100, by tick";
    let pace = Pace { max_ahead_ms: 0, start: SequenceStart::Random { below: 100, seed: 0 } };
    let mut trace =
        Recorder::new("start of leaf", about, On::Preset("leaf"), Lane::of_worker(1), pace);
    for now_ms in NOW_MS..NOW_MS + 8 {
        trace.issue(now_ms, 1);
    }
    trace.issue(NOW_MS + 8, 4095);
    trace.issue(NOW_MS + 9, 4096);
    trace
}

fn cosid() -> Recorder {
    let about = "goes on from the last number, back to 0 from half the sequence on";
    let pace = Pace { max_ahead_ms: 0, start: SequenceStart::Rotate };
    let mut trace =
        Recorder::new("start of cosid", about, On::Preset("cosid-ms"), Lane::of_worker(5), pace);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 2046);
    trace.issue(NOW_MS + 2, 1);
    trace.issue(NOW_MS + 3, 2047);
    trace.issue(NOW_MS + 4, 2047);
    trace.issue(NOW_MS + 5, 1);
    trace.issue(NOW_MS + 6, 2049);
    trace.issue(NOW_MS + 7, 1);
    trace
}

/// A run without a plan, on a layout, pace and lane without a plan.
fn random(seed: u64) -> Recorder {
    const LAYOUTS: &[On] = &[
        SMALL,
        On::Custom("zero:1,time:41,worker:8,rollback:2,sequence:6", 1_600_000_000_000, 1),
        On::Custom("time:40,sequence:4,worker:9,constant:3=5", 1_600_000_000_003, 10),
        On::Custom("worker:6,time:45,rollback:1,sequence:3", -3, 7),
        On::Custom("rollback:2,time:46,sequence:16", 0, 1),
        On::Preset("mastodon"),
        On::Preset("twitter"),
    ];
    let mut dice = Dice(seed);
    let on = LAYOUTS[dice.below(LAYOUTS.len() as u64) as usize];
    let start = STARTS[dice.below(STARTS.len() as u64) as usize].1;
    let pace = Pace { max_ahead_ms: [0, 1, 5, 40][dice.below(4) as usize], start };
    let layout = on.layout();
    let first = layout.tick_at(NOW_MS).unwrap_or_default();
    let workers = u64::from(layout.max_worker_id()) + 1;
    let rollbacks = layout.rollback().max() + 1;
    let any_lane = |dice: &mut Dice, from: u64| {
        let floor = from + dice.below(5);
        let reserved = floor + dice.below(40);
        lane(dice.below(workers) as u32, dice.below(rollbacks) as u32, floor, reserved)
    };
    let opened = any_lane(&mut dice, first - 2);
    let mut trace = Recorder::new(format!("random {seed}"), "no plan", on, opened, pace);
    let most = layout.ids_per_tick() * 3 / 2;
    let mut now_ms = NOW_MS;
    for _ in 0..40 {
        let tick = layout.tick_at(now_ms).unwrap_or_default();
        match dice.below(20) {
            0 => trace.open(any_lane(&mut dice, tick)),
            10 => trace.jump(any_lane(&mut dice, tick)),
            1 | 2 => trace.extend(tick + dice.below(30)),
            3 => now_ms -= dice.below(30) as i64,
            4..=8 => now_ms += dice.below(20) as i64,
            9 => trace.issue(now_ms, dice.below(most) as u32),
            _ => trace.issue(now_ms, dice.below(most / 4 + 2) as u32),
        }
    }
    trace
}
