//! Changes of worker ID, lease and rollback count.

use snowmint_engine::{Lane, Pace, SequenceStart, Snowflake};

use super::clocks::{NOW_MS, SMALL};
use super::{On, Recorder, Refused, lane, lane_is};

/// The tick of [`NOW_MS`] in [`SMALL`].
const TICK: u64 = 56_432_460_105;
const ROLLBACK: On =
    On::Custom("zero:1,time:41,worker:8,rollback:2,sequence:6", 1_600_000_000_000, 1);

pub(super) fn all() -> Vec<Recorder> {
    vec![
        next_lease(),
        other_worker(),
        overlapping(),
        full_tick(),
        refused_lanes(),
        rollback_counts(),
        rollback_counts_return(),
        one_rollback_bit(),
        changed_workers(),
        starts_after_a_change(),
    ]
}

fn next_lease() -> Recorder {
    let about = "the next lease of the same worker begins at its floor";
    let mut trace = Recorder::plain("next lease", about, SMALL, lane(7, 0, TICK, TICK + 10));
    trace.issue(NOW_MS, 2);
    trace.open(lane(7, 0, TICK + 10, TICK + 20));
    trace.issue(NOW_MS + 2, 1);
    trace.issue(NOW_MS + 10, 1);
    trace.issue(NOW_MS + 20, 1);
    trace
}

fn other_worker() -> Recorder {
    let about = "another worker goes on in a tick after everything issued, so that IDs rise";
    let mut trace = Recorder::plain("other worker", about, SMALL, Lane::of_worker(7));
    trace.issue(NOW_MS, 2);
    trace.open(Lane::of_worker(3));
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 1);
    trace.open(Lane::of_worker(2));
    trace.open(Lane::of_worker(1));
    trace.issue(NOW_MS + 3, 1);
    trace
}

fn overlapping() -> Recorder {
    let about = "a grant whose floor was passed already: it begins above everything issued";
    let mut trace = Recorder::plain("overlapping grant", about, SMALL, lane(7, 0, TICK, TICK + 9));
    trace.issue(NOW_MS + 4, 3);
    trace.open(lane(7, 0, TICK, TICK + 6));
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 5, 64);
    trace.issue(NOW_MS + 6, 1);
    trace
}

fn full_tick() -> Recorder {
    let about =
        "left with its tick full: one above the next slot counts as reached, a tick is lost";
    let mut trace = Recorder::plain("left at a full tick", about, SMALL, Lane::of_worker(7));
    trace.issue(NOW_MS, 64);
    trace.open(Lane::of_worker(8));
    trace.issue(NOW_MS + 1, 1);
    trace.issue(NOW_MS + 2, 1);
    trace
}

fn refused_lanes() -> Recorder {
    let about = "a lane that does not fit is refused, and the old one stays";
    let mut trace = Recorder::plain("refused lanes", about, SMALL, lane(7, 0, 0, TICK + 1));
    trace.issue(NOW_MS, 1);
    trace.open(lane(65_536, 0, 0, u64::MAX));
    trace.open(lane(7, 1, 0, u64::MAX));
    trace.open(lane(u32::MAX, u32::MAX, 0, u64::MAX));
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 1);
    trace
}

fn rollback_counts() -> Recorder {
    let about = "each rollback of the clock counts one up, cyclically";
    let mut trace = Recorder::plain("rollback counts", about, ROLLBACK, Lane::of_worker(7));
    trace.issue(NOW_MS, 3);
    for (count, back_ms) in [(1, 1000), (2, 2000), (3, 3000)] {
        trace.jump(lane(7, count, 0, u64::MAX));
        trace.issue(NOW_MS - back_ms, 3);
    }
    trace.jump(lane(7, 0, 0, u64::MAX));
    trace.issue(NOW_MS - 500, 1);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 1);
    trace.jump(lane(7, 4, 0, u64::MAX));
    trace
}

fn rollback_counts_return() -> Recorder {
    let about = "under one worker ID each count goes on where it was left";
    let mut trace = Recorder::plain("rollback returns", about, ROLLBACK, lane(7, 2, 0, u64::MAX));
    trace.issue(NOW_MS, 10);
    trace.jump(lane(7, 3, 0, u64::MAX));
    trace.issue(NOW_MS - 10, 64);
    trace.jump(lane(7, 2, 0, u64::MAX));
    trace.issue(NOW_MS - 5, 1);
    trace.issue(NOW_MS + 1, 1);
    trace.jump(lane(7, 3, 0, u64::MAX));
    trace.issue(NOW_MS - 9, 1);
    trace.issue(NOW_MS - 8, 1);
    trace
}

fn one_rollback_bit() -> Recorder {
    let about = "one bit counts to 1";
    let on = On::Custom("time:41,rollback:1,worker:10,sequence:12", 1_600_000_000_000, 1);
    let mut trace = Recorder::plain("one rollback bit", about, on, lane(1023, 1, 0, u64::MAX));
    trace.issue(NOW_MS, 1);
    trace.jump(lane(1023, 2, 0, u64::MAX));
    trace.jump(lane(1023, 0, 0, u64::MAX));
    trace.issue(NOW_MS - 1, 1);
    trace
}

fn changed_workers() -> Recorder {
    let about = "a jump to another worker begins at its grant's floor, whatever was issued before";
    let mut trace = Recorder::plain("jumps", about, SMALL, lane(7, 0, 0, TICK + 9));
    trace.issue(NOW_MS, 64);
    trace.jump(lane(8, 0, TICK - 30, TICK + 9));
    trace.issue(NOW_MS - 50, 1);
    trace.issue(NOW_MS - 29, 1);
    trace.jump(lane(8, 0, TICK - 30, TICK + 9));
    trace.issue(NOW_MS - 29, 1);
    trace.issue(NOW_MS - 28, 1);
    trace.jump(lane(7, 0, TICK + 9, TICK + 10));
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 9, 1);
    trace.jump(lane(65_536, 0, 0, u64::MAX));
    trace.issue(NOW_MS + 9, 1);
    trace.open(lane(8, 0, TICK + 9, TICK + 20));
    trace.issue(NOW_MS + 9, 1);
    trace.issue(NOW_MS + 10, 1);
    trace
}

fn starts_after_a_change() -> Recorder {
    let about = "a lane change begins a tick, whose last sequence number counts as the last issued";
    let pace = Pace { max_ahead_ms: 5, start: SequenceStart::Vibrate { max_offset: 9 } };
    let mut trace =
        Recorder::new("start after a change", about, SMALL, lane(7, 0, 0, TICK + 99), pace);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1, 1);
    trace.open(lane(8, 0, TICK + 4, TICK + 99));
    trace.issue(NOW_MS + 1, 1);
    trace.issue(NOW_MS + 1, 1);
    trace.issue(NOW_MS + 6, 1);
    trace.issue(NOW_MS + 7, 1);
    trace
}

/// Generators that cannot be made.
pub(super) fn refused() -> Vec<Refused> {
    let twitter = On::Preset("twitter");
    let cases = [
        (twitter, lane(1024, 0, 0, u64::MAX)),
        (twitter, lane(u32::MAX, 0, 0, u64::MAX)),
        (twitter, lane(1023, 1, 0, u64::MAX)),
        (On::Preset("mastodon"), lane(1, 0, 0, u64::MAX)),
        (On::Preset("instagram"), lane(8192, 0, 0, u64::MAX)),
        (On::Preset("rollback-bits"), lane(255, 4, 0, u64::MAX)),
        (On::Preset("rollback-bits"), lane(256, 3, 0, u64::MAX)),
    ];
    let refuse = |(on, lane): (On, Lane)| {
        let refused = Snowflake::new(on.layout(), lane, Pace::default());
        let error = refused.err().map_or("none", |error| error.code().name());
        Refused { layout: on.shown(), lane: lane_is(lane), error }
    };
    cases.into_iter().map(refuse).collect()
}
