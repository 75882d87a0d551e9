//! The ends of layouts, counts and grants.

use snowmint_engine::{Grant, Lane, Pace, SequenceStart};

use super::clocks::{NOW_MS, SMALL};
use super::{On, Recorder, lane};

const FOUR_TICKS: On = On::Custom("time:2,worker:4,sequence:2", 1_700_000_000_000, 1);
const WHOLE: Grant = Grant::WHOLE;

pub(super) fn all() -> Vec<Recorder> {
    vec![
        counts(),
        largest_count(),
        before_the_epoch(),
        epoch_inside_a_tick(),
        negative_epoch(),
        expiry(),
        expiry_under_borrowing(),
        expired_presets("baidu-default"),
        expired_presets("lingdu"),
        all_64_bits(),
        rollback_and_all_other_bits(),
        widest_sequence(),
        exhausted(),
        floor_ahead(),
        floor_just_ahead(),
        empty_grant("empty grant", 7, 7),
        empty_grant("grant upside down", 9, 7),
        stalls_in_order(),
    ]
}

fn counts() -> Recorder {
    let about = "0 IDs, all that one tick holds, one more";
    let mut trace = Recorder::plain("counts", about, SMALL, Lane::of_worker(65_535));
    trace.issue(NOW_MS, 0);
    trace.issue(NOW_MS, 65);
    trace.issue(NOW_MS, u32::MAX);
    trace.issue(NOW_MS, 64);
    trace.issue(NOW_MS, 65);
    trace.issue(0, 0);
    trace.issue(i64::MAX, 65);
    trace
}

fn largest_count() -> Recorder {
    let about = "the window is larger than a count can be: the grant or the clock decides";
    let pace = Pace { max_ahead_ms: u32::MAX, start: SequenceStart::Zero };
    let reserved = lane(1, 0, 0, 56_432_460_107);
    let mut trace = Recorder::new("largest count", about, SMALL, reserved, pace);
    trace.issue(NOW_MS, u32::MAX);
    trace.issue(NOW_MS, 129);
    trace.issue(NOW_MS, 128);
    trace.issue(NOW_MS, 1);
    trace
}

fn before_the_epoch() -> Recorder {
    let about = "before the epoch nothing is issued, at it the first";
    let on = On::Preset("twitter");
    let mut trace = Recorder::plain("before the epoch", about, on, Lane::of_worker(1));
    for now_ms in [i64::MIN, -1, 0, 1_288_834_974_656, 1_288_834_974_657] {
        trace.issue(now_ms, 1);
    }
    trace
}

fn epoch_inside_a_tick() -> Recorder {
    let about = "ticks are those of Unix time: the epoch's began 7 ms before it";
    let on = On::Custom("zero:1,time:35,worker:10,sequence:18", 1_600_000_000_007, 1000);
    let mut trace = Recorder::plain("epoch inside a tick", about, on, Lane::of_worker(1));
    trace.issue(1_599_999_999_999, 1);
    trace.issue(1_600_000_000_000, 1);
    trace.issue(1_600_000_000_007, 1);
    trace.issue(1_600_000_000_999, 1);
    trace.issue(1_600_000_001_000, 1);
    trace
}

fn negative_epoch() -> Recorder {
    let about = "an epoch before 1970, and clocks before and after it";
    let on = On::Custom("zero:1,time:45,worker:8,sequence:10", -86_400_001, 10);
    let mut trace = Recorder::plain("negative epoch", about, on, Lane::of_worker(1));
    for now_ms in [-86_400_011, -86_400_010, -86_400_001, -11, -10, -1, 0, 9, 10] {
        trace.issue(now_ms, 1);
    }
    trace
}

fn expiry() -> Recorder {
    let about = "the last tick, and the layout's end";
    let mut trace = Recorder::plain("expiry", about, FOUR_TICKS, Lane::of_worker(15));
    trace.issue(1_700_000_000_002, 4);
    trace.issue(1_700_000_000_003, 3);
    trace.issue(1_700_000_000_003, 2);
    trace.issue(1_700_000_000_003, 1);
    trace.issue(1_700_000_000_003, 1);
    trace.issue(1_700_000_000_004, 1);
    trace.issue(1_700_000_000_002, 1);
    trace.issue(i64::MAX, 1);
    trace
}

fn expiry_under_borrowing() -> Recorder {
    let about = "borrowing does not reach past the layout's end";
    let pace = Pace { max_ahead_ms: 10, start: SequenceStart::Zero };
    let mut trace = Recorder::new("expiry borrowed", about, FOUR_TICKS, Lane::of_worker(0), pace);
    trace.issue(1_700_000_000_001, 10);
    trace.issue(1_700_000_000_001, 3);
    trace.extend(u64::MAX);
    trace.issue(1_700_000_000_003, 3);
    trace.issue(1_700_000_000_003, 2);
    trace.issue(1_700_000_000_003, 1);
    trace.issue(1_700_000_000_003, 44);
    trace.issue(1_700_000_000_003, 45);
    trace
}

fn expired_presets(preset: &'static str) -> Recorder {
    let about = "a system's layout that has expired";
    let on = On::Preset(preset);
    let mut trace = Recorder::plain(format!("{preset} expires"), about, on, Lane::of_worker(1));
    let end_ms = on.layout().expires_ms();
    trace.issue(end_ms - 1, 1);
    trace.issue(end_ms, 1);
    trace
}

fn all_64_bits() -> Recorder {
    let about = "time and sequence take all 64 bits: the last two slots are not used";
    let on = On::Preset("mastodon");
    let last_ms = on.layout().expires_ms() - 1;
    let last_tick = on.layout().ticks() - 1;
    let mut trace =
        Recorder::plain("mastodon ends", about, on, lane(0, 0, last_tick - 2, last_tick));
    trace.issue(last_ms - 2, 65_536);
    trace.issue(last_ms - 1, 65_536);
    trace.issue(last_ms, 1);
    trace.extend(u64::MAX);
    trace.issue(last_ms, 65_000);
    trace.issue(last_ms, 534);
    trace.issue(last_ms, 1);
    trace.issue(last_ms + 1, 1);
    trace
}

fn rollback_and_all_other_bits() -> Recorder {
    let about = "rollback, time and sequence take all bits; counts go round";
    let on = On::Custom("rollback:2,time:46,sequence:16", 0, 1);
    let mut trace = Recorder::plain("rollback on top", about, on, lane(0, 3, 0, u64::MAX));
    let last_ms = on.layout().expires_ms() - 1;
    trace.issue(last_ms - 1, 65_536);
    trace.issue(NOW_MS, 1);
    trace.jump(lane(0, 0, 0, u64::MAX));
    trace.issue(NOW_MS, 1);
    trace.issue(last_ms, 65_000);
    trace.issue(last_ms + 1, 1);
    trace
}

fn widest_sequence() -> Recorder {
    let about = "32 bits of sequence: more than one call can give";
    let on = On::Custom("time:32,sequence:32", 1_500_000_000_000, 1000);
    let pace = Pace { max_ahead_ms: 0, start: SequenceStart::Vibrate { max_offset: u32::MAX } };
    let mut trace = Recorder::new("widest sequence", about, on, Lane::of_worker(0), pace);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 1000, 1);
    trace.issue(NOW_MS + 1000, u32::MAX);
    trace.issue(NOW_MS + 9000, 2);
    trace
}

fn exhausted() -> Recorder {
    let about = "the end of the grant, and of its extension; a lower end changes nothing";
    let first = 56_432_460_105;
    let mut trace = Recorder::plain("grant exhausted", about, SMALL, lane(7, 0, 0, first + 1));
    trace.issue(NOW_MS, 64);
    trace.issue(NOW_MS + 1, 1);
    trace.extend(first);
    trace.issue(NOW_MS + 1, 1);
    trace.extend(first + 2);
    trace.extend(first + 1);
    trace.issue(NOW_MS + 1, 1);
    trace.issue(NOW_MS + 1_000_000, 1);
    trace.extend(first + 1_000_001);
    trace.issue(NOW_MS + 1_000_000, 1);
    trace
}

fn floor_ahead() -> Recorder {
    let about = "the floor is ahead of the clock: the holder before had reserved up to there";
    let floor = 56_432_460_105 + 60_000;
    let pace = Pace { max_ahead_ms: 50, start: SequenceStart::Zero };
    let mut trace = Recorder::new("floor ahead", about, SMALL, lane(7, 0, floor, floor + 10), pace);
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS + 59_900, 1);
    trace.issue(NOW_MS + 59_950, 1);
    trace.issue(NOW_MS + 59_951, 100);
    trace.issue(NOW_MS + 60_010, 1);
    trace
}

fn floor_just_ahead() -> Recorder {
    let about = "the floor is one tick past what may be borrowed";
    let floor = 56_432_460_106;
    let mut trace = Recorder::plain("floor next tick", about, SMALL, lane(7, 0, floor, u64::MAX));
    trace.issue(NOW_MS, 1);
    trace.issue(NOW_MS - 1, 1);
    trace.issue(NOW_MS + 1, 1);
    trace
}

fn empty_grant(name: &str, floor: u64, reserved: u64) -> Recorder {
    let about = "a grant without a tick issues nothing until it is extended";
    let mut trace = Recorder::plain(name, about, SMALL, lane(7, 0, floor, reserved));
    trace.issue(1_600_000_000_007, 1);
    trace.issue(1_600_000_000_100, 1);
    trace.extend(101);
    trace.issue(1_600_000_000_100, 64);
    trace.issue(1_600_000_000_101, 1);
    trace
}

fn stalls_in_order() -> Recorder {
    let about = "count, then clock, then window, then the layout's end, then the grant";
    let pace = Pace { max_ahead_ms: 1, start: SequenceStart::Zero };
    let lane = Lane { worker_id: 1, rollback: 0, grant: Grant { reserved: 2, ..WHOLE } };
    let mut trace = Recorder::new("order of refusals", about, FOUR_TICKS, lane, pace);
    trace.issue(0, 9);
    trace.issue(0, 8);
    trace.issue(1_700_000_000_000, 8);
    trace.issue(1_700_000_000_000, 1);
    trace.issue(1_700_000_000_001, 5);
    trace.issue(1_700_000_000_001, 1);
    trace.issue(1_700_000_000_003, 8);
    trace.issue(1_700_000_000_003, 1);
    trace
}
