//! Snowflakes that change lanes, count rollbacks, reach the end of time, and their shared twin.

use std::collections::HashSet;

use proptest::prelude::*;
use snowmint_engine::{
    Error, Grant, Lane, Layout, LayoutBuilder, Pace, SequenceStart, SharedSnowflake, Snowflake,
    Stall, StallReason,
};

const LAYOUTS: [&str; 8] = [
    "time:41,worker:10,sequence:12",
    "time:41,worker:8,rollback:2,sequence:12",
    "rollback:2,time:52,sequence:10",
    "sequence:4,worker:3,time:40,rollback:1",
    "worker:10,time:41,sequence:3",
    "time:48,sequence:16",
    "time:20,worker:32",
    "time:6,rollback:2,sequence:2,worker:1",
];

fn layout(fields: &str) -> Layout {
    Layout::builder().fields(fields).and_then(LayoutBuilder::build).expect("a valid layout")
}

fn layouts() -> impl Strategy<Value = Layout> {
    prop::sample::select(&LAYOUTS[..]).prop_map(layout)
}

fn paces() -> impl Strategy<Value = Pace> {
    let start = prop_oneof![
        Just(SequenceStart::Zero),
        Just(SequenceStart::Rotate),
        Just(SequenceStart::Vibrate { max_offset: 3 }),
        any::<u64>().prop_map(|seed| SequenceStart::Random { below: 3, seed }),
    ];
    (0..4_u32, start).prop_map(|(max_ahead_ms, start)| Pace { max_ahead_ms, start })
}

#[derive(Clone, Debug)]
enum Step {
    Next,
    Issue(u32),
    Extend(u64),
    Open(Lane),
    Jump(Lane),
    Close,
}

/// Steps with the clock's move before each; ticks near the clock's.
fn steps() -> impl Strategy<Value = Vec<(i64, Step)>> {
    let grants = (0..60_u64, prop_oneof![0..70_u64, Just(u64::MAX)]);
    let lanes = (0..3_u32, 0..5_u32, grants).prop_map(|(worker_id, rollback, grant)| {
        let grant = Grant { floor: grant.0, reserved: grant.1 };
        Lane { worker_id, rollback, grant }
    });
    let lanes = (lanes, any::<bool>())
        .prop_map(|(lane, jump)| if jump { Step::Jump(lane) } else { Step::Open(lane) });
    let step = prop_oneof![
        6 => Just(Step::Next),
        4 => (0..9_u32).prop_map(Step::Issue),
        1 => any::<u32>().prop_map(Step::Issue),
        1 => prop_oneof![0..80_u64, any::<u64>()].prop_map(Step::Extend),
        3 => lanes,
        1 => Just(Step::Close),
    ];
    prop::collection::vec((prop_oneof![8 => -2..4_i64, 1 => -40..40_i64], step), 1..60)
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) }
}

proptest! {
    #![proptest_config(config())]

    /// L1, L3: the plain machine and the shared one answer alike, whatever is asked of them.
    #[test]
    fn l3_shared_and_plain_are_twins(layout in layouts(), pace in paces(), steps in steps()) {
        let first = Lane::of_worker(0);
        let mut plain = Snowflake::new(layout, first, pace).unwrap();
        let shared = SharedSnowflake::new(layout, first, pace).unwrap();
        let (mut now_ms, mut closed, mut past_tick) = (10, false, 0);
        for (clock, step) in steps {
            now_ms += clock;
            match step {
                Step::Next if closed => prop_assert_eq!(shared.next_id(now_ms), Err(Error::Closed)),
                Step::Next => {
                    let id = plain.next_id(now_ms);
                    prop_assert_eq!(shared.next_id(now_ms), id);
                    if let Ok(id) = id {
                        past_tick = past_tick.max(layout.time().of(id) + 1);
                    }
                }
                Step::Issue(n) if closed => {
                    let refused = matches!(shared.issue(now_ms, n),
                        Err(Error::Closed | Error::CountOutOfRange { .. }));
                    prop_assert!(refused);
                }
                Step::Issue(n) => {
                    let ids = plain.issue(now_ms, n).map(Iterator::collect::<Vec<_>>);
                    let twins = shared.issue(now_ms, n).map(Iterator::collect::<Vec<_>>);
                    prop_assert_eq!(&twins, &ids);
                    if let Some(last) = ids.ok().and_then(|ids| ids.last().copied()) {
                        past_tick = past_tick.max(layout.time().of(last) + 1);
                    }
                }
                Step::Extend(_) if closed => {}
                Step::Extend(reserved) => {
                    plain.extend(reserved);
                    shared.owner().unwrap().extend(reserved);
                }
                Step::Open(lane) => {
                    let opened = plain.open(lane);
                    prop_assert_eq!(shared.owner().unwrap().open(lane), opened);
                    closed &= opened.is_err();
                }
                // The shared one needs bits to count jumps in, more than there are steps.
                Step::Jump(lane) if layout.time().bits() + layout.sequence().bits() > 57 => {
                    let opened = plain.open(lane);
                    prop_assert_eq!(shared.owner().unwrap().open(lane), opened);
                    closed &= opened.is_err();
                }
                Step::Jump(lane) => {
                    let opened = plain.jump(lane);
                    prop_assert_eq!(shared.owner().unwrap().jump(lane), opened);
                    closed &= opened.is_err();
                    past_tick = if opened.is_ok() { 0 } else { past_tick };
                }
                // Everything issued since the last jump lies below the tick that closing gives.
                Step::Close => {
                    prop_assert!(shared.owner().unwrap().close() >= past_tick);
                    closed = true;
                }
            }
        }
    }

    /// L1: where jumps can be counted so far only, none leads to where a claim may have stood when
    /// its count came last: a thread that was stopped then would find the state unchanged.
    #[test]
    fn l1_a_jump_that_cannot_be_told_from_another_goes_up(
        (bits, moves) in (0..4_u32, prop::collection::vec((0..2_u32, 1..9_u32, -9..9_i64), 1..60)),
    ) {
        let fields = format!("rollback:1,time:{},sequence:2", 61 - bits);
        let layout = layout(&fields);
        let pace = Pace { max_ahead_ms: 1_000_000, ..Pace::default() };
        let shared = SharedSnowflake::new(layout, Lane::of_worker(0), pace).unwrap();
        let (mut now_ms, mut jumps, mut seen) = (1_000, 0_u64, HashSet::new());
        for (rollback, n, clock) in moves {
            now_ms += clock;
            let lane = Lane { rollback, ..Lane::of_worker(0) };
            shared.owner().unwrap().jump(lane).unwrap();
            jumps += 1;
            for id in shared.issue(now_ms, n).unwrap() {
                let slot = (layout.time().of(id), layout.sequence().of(id));
                prop_assert!(seen.insert((jumps & ((1 << bits) - 1), slot)), "{:?} again", slot);
            }
        }
    }

    /// L8: closing gives a tick above every ID of the present worker ID, under whatever rollback
    /// count it was issued: a worker ID that is opened there anew repeats nothing.
    #[test]
    fn l8_closing_is_above_every_rollback_count(
        pace in paces(),
        moves in prop::collection::vec((-40..40_i64, 1..9_u32, 0..8_u32), 1..60),
    ) {
        let layout = layout("time:41,worker:2,rollback:2,sequence:2");
        let shared = SharedSnowflake::closed(layout, pace);
        let (mut lane, mut now_ms, mut past_tick) = (Lane::of_worker(1), 10_000, 0);
        shared.owner().unwrap().open(lane).unwrap();
        for (clock, n, turn) in moves {
            now_ms += clock;
            match turn {
                0..3 => {
                    lane.rollback = (lane.rollback + 1) & 3;
                    shared.owner().unwrap().jump(lane).unwrap();
                }
                3 => {
                    let reached = shared.owner().unwrap().close();
                    prop_assert!(reached >= past_tick, "{} is below {}", reached, past_tick);
                    lane.grant.floor = reached;
                    shared.owner().unwrap().open(lane).unwrap();
                }
                4 => {
                    lane.worker_id ^= 1;
                    lane.grant.floor = 0;
                    // Both have the whole time: only what one has issued since it came counts.
                    past_tick = 0;
                    shared.owner().unwrap().jump(lane).unwrap();
                }
                _ => {}
            }
            for id in shared.issue(now_ms, n).into_iter().flatten() {
                past_tick = past_tick.max(layout.time().of(id) + 1);
            }
        }
        prop_assert!(shared.owner().unwrap().close() >= past_tick);
    }

    /// L1, L2, L3 across lanes: no ID twice, each in its lane, slots ever higher.
    #[test]
    fn l1_opened_lanes_never_repeat_or_go_back(layout in layouts(), pace in paces(),
                                               steps in steps()) {
        let mut flake = Snowflake::new(layout, Lane::of_worker(0), pace).unwrap();
        let (mut now_ms, mut last, mut seen) = (10, None, HashSet::new());
        for (clock, step) in steps {
            now_ms += clock;
            let n = match step {
                Step::Issue(n) => n,
                Step::Next | Step::Close => 1,
                Step::Extend(reserved) => { flake.extend(reserved); continue }
                Step::Open(lane) | Step::Jump(lane) => {
                    let before = flake.lane();
                    let opened = flake.open(lane);
                    prop_assert_eq!(flake.lane(), if opened.is_ok() { lane } else { before });
                    continue
                }
            };
            for id in flake.issue(now_ms, n).into_iter().flatten() {
                let (lane, parts) = (flake.lane(), layout.decode(id).unwrap());
                let tick = layout.time().of(id);
                prop_assert!(seen.insert(id), "{} twice", id);
                prop_assert_eq!((parts.worker_id, parts.rollback), (lane.worker_id, lane.rollback));
                prop_assert!(lane.grant.floor <= tick && tick < lane.grant.reserved);
                prop_assert!(last < Some((tick, parts.sequence)), "{} went back", id);
                last = Some((tick, parts.sequence));
            }
        }
    }

    /// L1, L2 across workers: whoever jumps to a worker ID and back is unique as long as the grants
    /// of each are disjoint and rise, wherever the clock is.
    #[test]
    fn l1_changed_workers_stay_unique(pace in paces(), moves in prop::collection::vec(
        (0..3_u32, 1..6_u64, -9..9_i64, 1..5_u32), 1..60)) {
        let layout = layout("worker:10,time:41,sequence:3");
        let (mut marks, mut seen) = ([3_u64; 3], HashSet::new());
        let mut flake = Snowflake::new(layout, Lane::of_worker(9), pace).unwrap();
        for (worker_id, reserved, clock, n) in moves {
            let mark = &mut marks[worker_id as usize];
            let grant = Grant { floor: *mark, reserved: *mark + reserved };
            *mark = grant.reserved;
            flake.jump(Lane { worker_id, rollback: 0, grant }).unwrap();
            for now_ms in [0, clock, 9] {
                let at_ms = grant.floor as i64 + now_ms;
                for id in flake.issue(at_ms, n).into_iter().flatten() {
                    let (tick, parts) = (layout.time().of(id), layout.parts(id));
                    prop_assert!(seen.insert(id), "{} twice", id);
                    prop_assert_eq!(parts.worker_id, worker_id);
                    prop_assert!(grant.floor <= tick && tick < grant.reserved);
                }
            }
        }
    }

    /// L1: rollbacks counted in 2 bits, cyclically, never repeat an ID, however often the clock
    /// goes back; and each ID's time is the clock's.
    #[test]
    fn l1_counted_rollbacks_stay_unique(clock in prop::collection::vec(-30..20_i64, 1..300)) {
        let layout = layout("time:41,worker:2,rollback:2,sequence:2");
        let mut flake = Snowflake::new(layout, Lane::of_worker(1), Pace::default()).unwrap();
        let (mut now_ms, mut seen) = (10_000, HashSet::new());
        for step in clock {
            now_ms += step;
            for counted in 0..4 {
                match flake.next_id(now_ms) {
                    Ok(id) => {
                        prop_assert!(seen.insert(id), "{} twice", id);
                        prop_assert_eq!(layout.decode(id).unwrap().unix_ms, now_ms);
                        break;
                    }
                    Err(Error::Stall(Stall { reason: StallReason::AheadOfClock, .. })) => {
                        let lane = flake.lane();
                        let rollback = (lane.rollback + 1) & 3;
                        flake.jump(Lane { rollback, ..lane }).unwrap();
                    }
                    Err(error) => {
                        let full = matches!(error, Error::Stall(_));
                        prop_assert!(full, "{} after {}", error, counted);
                        break;
                    }
                }
            }
        }
    }

    /// Filling in pieces of any size gives what iterating gives.
    #[test]
    fn ids_fill_as_they_iterate(layout in layouts(), n in 1..5_000_u32, late in 0..40_i64,
                                pieces in prop::collection::vec(0..700_usize, 1..40)) {
        let pace = Pace { max_ahead_ms: 50_000, start: SequenceStart::Rotate };
        let mut flake = Snowflake::new(layout, Lane::of_worker(0), pace).unwrap();
        let Ok(mut ids) = flake.issue(late, n) else { return Ok(()) };
        let expected: Vec<u64> = ids.clone().collect();
        let mut filled = Vec::new();
        for piece in pieces {
            prop_assert_eq!(ids.len(), expected.len() - filled.len());
            let mut out = vec![0; piece];
            let count = ids.fill(&mut out);
            prop_assert_eq!(count, piece.min(expected.len() - filled.len()));
            prop_assert!(out[count..].iter().all(|id| *id == 0));
            filled.extend_from_slice(&out[..count]);
            filled.extend(ids.next());
        }
        let mut appended = filled.clone();
        ids.clone().append_to(&mut appended);
        filled.extend(ids);
        prop_assert_eq!(&appended, &expected);
        prop_assert_eq!(filled, expected);
    }
}

/// Every ID up to the end, each once; then none, and the layout decodes still.
#[test]
fn the_end_of_a_layout_is_an_error_and_wastes_nothing() {
    let small = layout("time:3,sequence:2");
    let mut flake = Snowflake::new(small, Lane::of_worker(0), Pace::default()).unwrap();
    let shared = SharedSnowflake::new(small, Lane::of_worker(0), Pace::default()).unwrap();
    let counts = [4; 8];
    let ids: Vec<u64> =
        (0..).zip(counts).flat_map(|(now_ms, n)| flake.issue(now_ms, n).unwrap()).collect();
    assert_eq!(ids, (0..32).collect::<Vec<_>>());
    assert!((0..).zip(counts).flat_map(|(now_ms, n)| shared.issue(now_ms, n).unwrap()).eq(ids));
    let full = Error::Stall(Stall::new(1, StallReason::SequenceExhausted));
    let expired = Error::LayoutExpired { since_ms: 8 };
    for (now_ms, error) in [(7, full), (8, expired), (i64::MAX, expired)] {
        assert_eq!(flake.next_id(now_ms), Err(error));
        assert_eq!(shared.next_id(now_ms), Err(error));
    }
    assert_eq!(small.decode(31).unwrap().unix_ms, 7);
    assert_eq!(shared.owner().unwrap().close(), 8);
}

/// A block past the end is refused whole, a smaller one is had.
#[test]
fn a_block_across_the_end_is_refused_whole() {
    let pace = Pace { max_ahead_ms: 5, ..Pace::default() };
    let mut flake = Snowflake::new(layout("time:3,sequence:2"), Lane::of_worker(0), pace).unwrap();
    let expired = Error::LayoutExpired { since_ms: 8 };
    assert_eq!(flake.issue(6, 9).err(), Some(expired));
    assert_eq!(flake.issue(6, 8).unwrap().len(), 8);
    assert_eq!(flake.issue(6, 1).err(), Some(expired));
}

/// Lanes whose time and sequence take all bits there are, at the very end of their time.
#[test]
fn l1_the_last_tick_of_64_bits_is_issued_once() {
    for fields in ["time:48,sequence:16", "time:62,sequence:2", "time:46,rollback:2,sequence:16"] {
        let layout = layout(fields);
        let last_ms = layout.expires_ms() - 1;
        let lane = Lane::of_worker(0);
        let mut flake = Snowflake::new(layout, lane, Pace::default()).unwrap();
        let shared = SharedSnowflake::new(layout, lane, Pace::default()).unwrap();
        let first = flake.next_id(last_ms).unwrap();
        assert_eq!(shared.next_id(last_ms), Ok(first));
        let mut seen = HashSet::from([first]);
        for reopened in 0..3 {
            // As many as there are; opening goes on in a tick after them, and there is none.
            while let Ok(id) = flake.next_id(last_ms) {
                assert!(seen.insert(id), "{fields}: {id} twice, reopened {reopened} times");
                assert_eq!(shared.next_id(last_ms), Ok(id), "{fields}");
            }
            assert!(shared.next_id(last_ms).is_err(), "{fields}, reopened {reopened} times");
            assert!(seen.len() as u64 + 2 >= layout.ids_per_tick(), "{fields}");
            flake.open(lane).unwrap();
            shared.owner().unwrap().open(lane).unwrap();
        }
    }
}

/// L2: a grant that begins past the layout's end has no tick at all.
#[test]
fn l2_a_grant_past_the_end_issues_nothing() {
    for fields in LAYOUTS {
        let layout = layout(fields);
        for floor in [layout.ticks(), layout.ticks() + 1, u64::MAX] {
            let grant = Grant { floor, reserved: u64::MAX };
            let lane = Lane { grant, ..Lane::of_worker(0) };
            let mut flake = Snowflake::new(layout, lane, Pace::default()).unwrap();
            let shared = SharedSnowflake::new(layout, lane, Pace::default()).unwrap();
            for now_ms in [0, 5, layout.expires_ms() - 1] {
                assert!(flake.next_id(now_ms).is_err(), "{fields}, floor {floor}, at {now_ms}");
                assert!(shared.next_id(now_ms).is_err(), "{fields}, floor {floor}, at {now_ms}");
            }
        }
    }
}

/// A worker or count that does not fit is refused, and the lane before stays (L6).
#[test]
fn l6_a_lane_that_does_not_fit_changes_nothing() {
    let layout = layout("time:41,worker:3,rollback:1,sequence:2");
    let worker = |worker_id| Lane { rollback: 1, ..Lane::of_worker(worker_id) };
    let mut flake = Snowflake::new(layout, worker(7), Pace::default()).unwrap();
    let shared = SharedSnowflake::new(layout, worker(7), Pace::default()).unwrap();
    assert!(Snowflake::new(layout, worker(8), Pace::default()).is_err());
    assert!(SharedSnowflake::new(layout, worker(8), Pace::default()).is_err());
    for lane in [worker(8), Lane { rollback: 2, ..worker(7) }] {
        assert!(matches!(flake.open(lane), Err(Error::FieldOutOfRange { .. })));
        assert_eq!(shared.owner().unwrap().open(lane), flake.open(lane));
    }
    assert_eq!(flake.lane(), worker(7));
    let id = flake.next_id(5);
    assert_eq!(id.map(|id| layout.parts(id).sequence), Ok(0));
    assert_eq!(shared.next_id(5), id);
}

/// L11's engine half: `extend` moves the end up, never down, and issuing goes on by itself.
#[test]
fn extending_a_grant_goes_up_only() {
    let layout = layout("time:41,worker:3,sequence:2");
    let grant = Grant { floor: 5, reserved: 7 };
    let lane = Lane { grant, ..Lane::of_worker(1) };
    let mut flake = Snowflake::new(layout, lane, Pace::default()).unwrap();
    let exhausted = Err(Error::Stall(Stall::new(0, StallReason::GrantExhausted)));
    assert!(flake.next_id(6).is_ok());
    assert_eq!(flake.next_id(7), exhausted);
    flake.extend(6);
    assert_eq!(flake.lane().grant.reserved, 7);
    assert!(flake.next_id(6).is_ok());
    assert_eq!(flake.next_id(7), exhausted);
    flake.extend(8);
    assert_eq!(flake.next_id(7).map(|id| layout.time().of(id)), Ok(7));
    assert_eq!(flake.next_id(8), exhausted);
}

/// Opening a lane that a jump left above the present one goes on above what it issued.
#[test]
fn l1_a_lane_opened_after_a_jump_goes_on_where_it_was_left() {
    let layout = layout("zero:1,time:41,worker:8,rollback:2,sequence:6");
    let lane = |rollback| Lane { rollback, ..Lane::of_worker(7) };
    let mut flake = Snowflake::new(layout, lane(0), Pace::default()).unwrap();
    let shared = SharedSnowflake::new(layout, lane(0), Pace::default()).unwrap();
    let first = [flake.next_id(5_000).unwrap(), shared.next_id(5_000).unwrap()];
    flake.jump(lane(1)).unwrap();
    shared.owner().unwrap().jump(lane(1)).unwrap();
    flake.next_id(4_000).unwrap();
    shared.next_id(4_000).unwrap();
    flake.open(lane(0)).unwrap();
    shared.owner().unwrap().open(lane(0)).unwrap();
    let again = [flake.next_id(5_001).unwrap(), shared.next_id(5_001).unwrap()];
    assert!(again > first, "{again:?} after {first:?}");
    assert_eq!(again[0], again[1]);
}
