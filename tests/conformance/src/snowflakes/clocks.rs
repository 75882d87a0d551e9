//! Traces of clocks that change, with the reaction of each policy.

use snowmint_engine::{ClockPolicy, Lane, Pace, SequenceStart, WhenBehind};

use super::{On, Recorder, lane};

/// 2022-06-28T16:07:40.105Z, as in Wikipedia's example.
pub(super) const NOW_MS: i64 = 1_656_432_460_105;
/// A tick of 64 IDs.
pub(super) const SMALL: On =
    On::Custom("zero:1,time:41,worker:16,sequence:6", 1_600_000_000_000, 1);

pub(super) fn all() -> Vec<Recorder> {
    let mut traces: Vec<Recorder> =
        ClockPolicy::ALL.iter().map(|&(name, policy)| under_policy(name, policy)).collect();
    traces.extend([
        wikipedia(),
        overflow(),
        batches(),
        borrowing(),
        borrowing_in_ticks(),
        rollback_small(),
        rollback_large(),
        rollback_under_borrowing(),
        sequence_above_worker(),
        worker_on_top(),
        seconds(),
        no_sequence(),
    ]);
    traces
}

/// The preset of the policy's system.
fn preset_of(policy: &'static str) -> &'static str {
    match policy {
        "snowmint" => "twitter",
        "leaf-strict" => "leaf",
        "baidu" => "baidu-readme",
        "sonyflake" => "sonyflake-v2",
        other => other,
    }
}

/// Fills the last tick the policy allows, then sets the clock back further and further.
fn under_policy(name: &'static str, policy: ClockPolicy) -> Recorder {
    let on = On::Preset(preset_of(name));
    let mut trace = Recorder::under(name, "a full window, then a clock that goes back", on);
    let (layout, ahead_ms) = (on.layout(), i64::from(policy.max_ahead_ms));
    let tick_ms = i64::from(layout.tick_ms());
    let now_ms = 1_750_000_000_123;
    let full = layout.ids_per_tick() as u32;

    trace.issue(now_ms, 1);
    trace.issue(now_ms + ahead_ms, if ahead_ms < tick_ms { full - 1 } else { full });
    trace.issue(now_ms, 1);
    for back_ms in [1, 9, 10, 11, 14, 15, 16, 999, 1000, 1001, 4999, 5001, 3_600_000] {
        trace.issue(now_ms - back_ms, 1);
    }
    trace.issue(now_ms + tick_ms, 1);
    for (back_ms, count) in [(20, 1), (40, 2), (60, 3), (80, 0), (100, 1)] {
        match policy.when_behind {
            WhenBehind::CountRollback => trace.jump(lane(5, count, 0, u64::MAX)),
            WhenBehind::ChangeWorker { .. } => trace.jump(Lane::of_worker(100 + back_ms as u32)),
            _ => break,
        }
        trace.issue(now_ms - back_ms, 2);
    }
    let reached = layout.tick_at(now_ms + tick_ms).unwrap_or_default();
    trace.open(lane(6, 0, reached, reached + 2));
    trace.issue(now_ms + 4 * tick_ms, 1);
    trace
}

fn wikipedia() -> Recorder {
    let about = "the ID of Wikipedia's page, and its next";
    let on = On::Preset("twitter");
    let mut trace = Recorder::plain("twitter", about, on, Lane::of_worker(378));
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS, 4094);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 1);
    trace
}

fn overflow() -> Recorder {
    let about = "a full tick stalls until the next; nothing changes while it does";
    let mut trace = Recorder::plain("overflow", about, SMALL, Lane::of_worker(9));
    trace.issue(NOW_MS, 63);
    trace.issue(NOW_MS, 2);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS, 64);
    trace.issue(NOW_MS + 1, 64);
    trace.issue(NOW_MS + 1, 1);
    trace.issue(NOW_MS + 3, 1);
    trace
}

fn batches() -> Recorder {
    let about = "blocks carry into the next ticks, within max_ahead_ms";
    let pace = Pace { max_ahead_ms: 3, start: SequenceStart::Zero };
    let mut trace = Recorder::new("batches", about, SMALL, Lane::of_worker(1), pace);
    trace.issue(NOW_MS, 60);
    trace.issue(NOW_MS, 8);
    trace.issue(NOW_MS, 189);
    trace.issue(NOW_MS, 188);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 65);
    trace.issue(NOW_MS + 1, 64);
    trace.issue(NOW_MS + 100, 256);
    trace.issue(NOW_MS + 100, 257);
    trace
}

fn borrowing() -> Recorder {
    let about = "a burst runs ahead of the clock, and the clock catches up";
    let pace = Pace { max_ahead_ms: 1000, start: SequenceStart::Zero };
    let on = On::Preset("twitter");
    let mut trace = Recorder::new("borrowing", about, on, Lane::of_worker(3), pace);
    trace.issue(NOW_MS, 10_000);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 1);
    trace.issue(NOW_MS + 2, 1);
    trace.issue(NOW_MS + 3, 1);
    trace.issue(NOW_MS - 997, 1);
    trace.issue(NOW_MS - 998, 1);
    trace
}

fn borrowing_in_ticks() -> Recorder {
    let about = "max_ahead_ms is rounded down to ticks of 10 ms";
    let pace = Pace { max_ahead_ms: 29, start: SequenceStart::Zero };
    let on = On::Preset("sonyflake-v2");
    let mut trace = Recorder::new("borrowed ticks", about, on, Lane::of_worker(40_000), pace);
    let now_ms = 1_750_000_000_123;
    trace.issue(now_ms, 768);
    trace.issue(now_ms, 1);
    trace.issue(now_ms + 6, 1);
    trace.issue(now_ms + 7, 256);
    trace.issue(now_ms + 7, 2);
    trace.issue(now_ms + 17, 769);
    trace
}

fn rollback_small() -> Recorder {
    let about = "a clock back by one tick, with room in the tick reached and without";
    let mut trace = Recorder::plain("rollback small", about, SMALL, Lane::of_worker(2));
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS - 1, 1);
    trace.issue(NOW_MS, 63);
    trace.issue(NOW_MS - 1, 1);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 1);
    trace
}

fn rollback_large() -> Recorder {
    let about = "a clock back by an hour, by ten years, and to before the epoch";
    let mut trace = Recorder::plain("rollback large", about, SMALL, Lane::of_worker(2));
    trace.issue(NOW_MS, 5);
    trace.issue(NOW_MS - 3_600_000, 1);
    trace.issue(NOW_MS - 3_599_999, 60);
    trace.issue(1_600_000_000_000, 1);
    trace.issue(1_599_999_999_999, 1);
    trace.issue(NOW_MS - 315_360_000_000, 1);
    trace.issue(NOW_MS, 1);
    trace
}

fn rollback_under_borrowing() -> Recorder {
    let about = "within max_ahead_ms a rollback is not noticed";
    let pace = Pace { max_ahead_ms: 100, start: SequenceStart::Zero };
    let mut trace = Recorder::new("rollback borrowed", about, SMALL, Lane::of_worker(2), pace);
    trace.issue(NOW_MS, 5);
    trace.issue(NOW_MS - 50, 5);
    trace.issue(NOW_MS - 100, 54);
    trace.issue(NOW_MS - 100, 1);
    trace.issue(NOW_MS - 101, 1);
    trace.issue(NOW_MS - 99, 1);
    trace
}

fn sequence_above_worker() -> Recorder {
    let about = "the IDs of a block differ by 65536: the sequence lies above the worker";
    let on = On::Preset("sonyflake-v1");
    let mut trace = Recorder::plain("sonyflake", about, on, Lane::of_worker(2673));
    trace.issue(1_786_797_296_789, 3);
    trace.issue(1_786_797_296_780, 253);
    trace.issue(1_786_797_296_785, 1);
    trace.issue(1_786_797_296_790, 8);
    trace
}

fn worker_on_top() -> Recorder {
    let about = "the time lies below the worker, and never carries into it";
    let on = On::Preset("seata");
    let pace = Pace { max_ahead_ms: 10_000, start: SequenceStart::Zero };
    let mut trace = Recorder::new("seata", about, on, Lane::of_worker(1023), pace);
    trace.issue(NOW_MS, 5000);
    trace.issue(NOW_MS, 2);
    let last_ms = on.layout().expires_ms() - 1;
    trace.issue(last_ms, 4096);
    trace.issue(last_ms, 1);
    trace.issue(last_ms + 1, 1);
    trace
}

fn seconds() -> Recorder {
    let about = "ticks of a second: waits run to its end";
    let on = On::Preset("baidu-readme");
    let mut trace = Recorder::plain("seconds", about, on, Lane::of_worker(4));
    trace.issue(1_484_799_346_999, 8192);
    trace.issue(1_484_799_346_001, 1);
    trace.issue(1_484_799_346_999, 1);
    trace.issue(1_484_799_345_999, 1);
    trace.issue(1_484_799_347_000, 2);
    trace
}

fn no_sequence() -> Recorder {
    let about = "without a sequence a tick is one ID";
    let on = On::Custom("zero:1,time:51,worker:12", 1_600_000_000_000, 1);
    let pace = Pace { max_ahead_ms: 2, start: SequenceStart::Rotate };
    let mut trace = Recorder::new("no sequence", about, on, Lane::of_worker(4095), pace);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS, 2);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 1);
    trace.issue(NOW_MS + 9, 3);
    trace.issue(NOW_MS + 9, 4);
    trace
}
