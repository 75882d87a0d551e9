//! Snowflakes against the rule they follow, written down plainly, and against the laws.
//!
//! Small layouts are driven through every sequence of clock steps, large ones at random.

use proptest::prelude::*;
use snowmint_engine::{
    Error, Grant, Lane, Layout, Pace, Parts, SequenceStart, Snowflake, Stall, StallReason,
};

/// The last slots of a layout whose time and sequence take all 64 bits: marks above every slot.
const KEPT_BACK: u128 = 2;

/// The rule in wide arithmetic: nothing here can overflow, nothing is fast.
struct Rule {
    layout: Layout,
    lane: Lane,
    pace: Pace,
    next: u128,
}

impl Rule {
    fn new(layout: Layout, lane: Lane, pace: Pace) -> Rule {
        let floor = u128::from(lane.grant.floor.min(layout.ticks()));
        Rule { layout, lane, pace, next: floor * u128::from(layout.ids_per_tick()) }
    }

    fn floor_tick(&self, ms: i64) -> i128 {
        i128::from(ms).div_euclid(i128::from(self.layout.tick_ms()))
    }

    /// The slots of `n` IDs at `now_ms`, as the first and how many.
    fn issue(&mut self, now_ms: i64, n: u32) -> Result<(u128, u128), Error> {
        let (per_tick, ticks) =
            (u128::from(self.layout.ids_per_tick()), u128::from(self.layout.ticks()));
        let ahead = u128::from(self.pace.max_ahead_ms / self.layout.tick_ms());
        let window = (ahead + 1) * per_tick;
        let most = window.min(u128::from(u32::MAX));
        let (count, n) = (u64::from(n), u128::from(n));
        if n == 0 || n > most {
            return Err(Error::CountOutOfRange { count, max: most as u64 });
        }
        let (epoch_ms, since_ms) = (self.layout.epoch_ms(), self.layout.expires_ms());
        let Ok(tick) = u128::try_from(self.floor_tick(now_ms) - self.floor_tick(epoch_ms)) else {
            return Err(Error::EpochInFuture { epoch_ms, now_ms });
        };
        if tick >= ticks {
            return Err(Error::LayoutExpired { since_ms });
        }
        let mut first = self.next.max(tick * per_tick);
        if first % per_tick == 0 {
            first += self.start(first / per_tick).min(per_tick - 1).min(window - n);
        }
        let last = first + n - 1;
        if last / per_tick > tick + ahead {
            let due_tick = (last / per_tick - ahead).min(ticks) as i128;
            let tick_ms = i128::from(self.layout.tick_ms());
            let due_ms = (self.floor_tick(epoch_ms) + due_tick) * tick_ms;
            let behind = self.next > 0 && (self.next - 1) / per_tick > tick + ahead;
            let reason =
                if behind { StallReason::AheadOfClock } else { StallReason::SequenceExhausted };
            let wait_ms = (due_ms - i128::from(now_ms)) as u64;
            return Err(Error::Stall(Stall::new(wait_ms, reason)));
        }
        if last >= (ticks * per_tick).min((1 << 64) - KEPT_BACK) {
            return Err(Error::LayoutExpired { since_ms });
        }
        if last / per_tick >= u128::from(self.lane.grant.reserved) {
            let reason = StallReason::GrantExhausted;
            return Err(Error::Stall(Stall::new(0, reason)));
        }
        self.next = last + 1;
        Ok((first, n))
    }

    fn start(&self, tick: u128) -> u128 {
        let per_tick = u128::from(self.layout.ids_per_tick());
        let following = (self.next + per_tick - 1) % per_tick + 1;
        match self.pace.start {
            SequenceStart::Zero => 0,
            SequenceStart::Vibrate { max_offset } => following % (u128::from(max_offset) + 1),
            SequenceStart::Rotate if following > (per_tick - 1) / 2 => 0,
            SequenceStart::Rotate => following,
            SequenceStart::Random { below: 0, .. } => 0,
            SequenceStart::Random { below, seed } => {
                u128::from(split_mix(seed, tick as u64)) % u128::from(below)
            }
            other => panic!("no test has {other:?}"),
        }
    }

    /// The ID of a slot.
    fn id(&self, slot: u128) -> u64 {
        let per_tick = u128::from(self.layout.ids_per_tick());
        let parts = Parts {
            unix_ms: self.layout.tick_start_ms((slot / per_tick) as u64),
            worker_id: self.lane.worker_id,
            sequence: (slot % per_tick) as u32,
            rollback: self.lane.rollback,
        };
        self.layout.encode(parts).expect("an issued slot is in the layout")
    }
}

/// The output of SplitMix64 after `index + 1` steps from `seed`.
fn split_mix(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(index.wrapping_add(1)));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A generator and the rule beside it; every call is checked against the laws.
struct Checked {
    flake: Snowflake,
    rule: Rule,
    last_slot: Option<u128>,
    last_id: Option<u64>,
}

impl Checked {
    fn new(layout: Layout, lane: Lane, pace: Pace) -> Checked {
        let flake = Snowflake::new(layout, lane, pace).expect("the lane is the layout's");
        Checked { flake, rule: Rule::new(layout, lane, pace), last_slot: None, last_id: None }
    }

    fn issue(&mut self, now_ms: i64, n: u32) -> Result<(), Error> {
        let issued = self.flake.issue(now_ms, n);
        match (issued, self.rule.issue(now_ms, n)) {
            (Ok(mut ids), Ok((first, count))) => {
                assert_eq!(ids.len() as u128, count);
                for slot in (first..).take(ids.len().min(20)) {
                    let id = ids.next().expect("as many IDs as asked for");
                    assert_eq!(id, self.rule.id(slot), "slot {slot} at {now_ms}");
                    self.check(id, now_ms);
                }
                self.last_slot = Some(first + count - 1);
                Ok(())
            }
            (Err(error), Err(expected)) => {
                assert_eq!(error, expected, "{n} IDs at {now_ms}");
                // L6: a refusal changes nothing, so it is the same a second time.
                assert_eq!(self.flake.issue(now_ms, n).err(), Some(error));
                Err(error)
            }
            (issued, expected) => panic!("{n} at {now_ms}: {issued:?}, by the rule {expected:?}"),
        }
    }

    fn check(&mut self, id: u64, now_ms: i64) {
        let (layout, grant) = (self.rule.layout, self.rule.lane.grant);
        let parts = layout.decode(id).expect("an issued ID is in its layout");
        assert_eq!(parts.worker_id, self.rule.lane.worker_id);
        assert_eq!(parts.rollback, self.rule.lane.rollback);
        // L2: its tick is granted.
        let tick = layout.tick_at(parts.unix_ms).expect("a decoded time");
        assert!(grant.floor <= tick && tick < grant.reserved, "{tick} is outside {grant:?}");
        // L3: slots rise, and so they differ (L1). With time on top the IDs rise.
        let slot =
            u128::from(tick) * u128::from(layout.ids_per_tick()) + u128::from(parts.sequence);
        assert!(self.last_slot < Some(slot), "slot {slot} after {:?}", self.last_slot);
        self.last_slot = Some(slot);
        let sequence_below =
            layout.sequence().bits() == 0 || layout.sequence().shift() < layout.time().shift();
        if sequence_below {
            assert!(self.last_id < Some(id));
            self.last_id = Some(id);
        }
        // L7: not more than a tick late, not further ahead than allowed.
        let error_ms = i128::from(parts.unix_ms) - i128::from(now_ms);
        assert!(error_ms > -i128::from(layout.tick_ms()), "{error_ms} ms");
        assert!(error_ms <= i128::from(self.rule.pace.max_ahead_ms), "{error_ms} ms");
    }

    /// A stall's wait is exact: a millisecond earlier it is one of 1 ms, then it is over.
    fn check_wait(&mut self, now_ms: i64, n: u32, stall: Stall) {
        if stall.reason == StallReason::GrantExhausted {
            assert_eq!(stall.wait_ms, 0);
            return;
        }
        assert!(stall.wait_ms > 0);
        let Some(due_ms) = now_ms.checked_add_unsigned(stall.wait_ms) else { return };
        let early = self.flake.issue(due_ms - 1, n).err();
        let Some(Error::Stall(early)) = early else { panic!("at {due_ms} - 1: {early:?}") };
        assert_eq!(early.wait_ms, 1, "at {due_ms} - 1");
        match self.issue(due_ms, n) {
            Ok(()) | Err(Error::LayoutExpired { .. }) => {}
            Err(Error::Stall(Stall { reason: StallReason::GrantExhausted, .. })) => {}
            Err(error) => panic!("{n} IDs at {due_ms}, which {stall:?} promised: {error}"),
        }
    }
}

const STARTS: [SequenceStart; 5] = [
    SequenceStart::Zero,
    SequenceStart::Vibrate { max_offset: 1 },
    SequenceStart::Vibrate { max_offset: 9 },
    SequenceStart::Random { below: 3, seed: 7 },
    SequenceStart::Rotate,
];

/// A step of the clock in milliseconds, and how many IDs are asked for then.
const STEPS: [(i64, u32); 9] =
    [(-2, 1), (-1, 2), (0, 1), (0, 3), (0, 9), (1, 1), (1, 4), (2, 2), (3, 1)];

/// Every sequence of up to `depth` steps, from a fresh generator each.
fn drive_everywhere(layout: Layout, lane: Lane, pace: Pace, start_ms: i64, depth: u32) {
    for depth in 1..=depth {
        for path in 0..STEPS.len().pow(depth) {
            let mut checked = Checked::new(layout, lane, pace);
            let (mut now_ms, mut rest) = (start_ms, path);
            for left in (0..depth).rev() {
                let (step_ms, n) = STEPS[rest % STEPS.len()];
                rest /= STEPS.len();
                now_ms += step_ms;
                match checked.issue(now_ms, n) {
                    Err(Error::Stall(stall)) if left == 0 => checked.check_wait(now_ms, n, stall),
                    _ => {}
                }
            }
        }
    }
}

fn small_layout(fields: [&str; 3], tick_ms: u32, epoch_ms: i64) -> Layout {
    let builder = Layout::builder().fields(&fields.join(",")).expect("written as fields are");
    builder.tick_ms(tick_ms).epoch_ms(epoch_ms).build().expect("8 bits")
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// L1, L2, L3, L6, L7 for every order of the fields, tick, start and lead, inside a grant that the
/// clock can leave at both ends.
#[test]
fn laws_hold_on_every_path_through_a_grant() {
    let lane = Lane { worker_id: 2, rollback: 0, grant: Grant { floor: 3, reserved: 7 } };
    for (order, tick_ms) in ORDERS.into_iter().flat_map(|order| [1, 2, 3].map(|ms| (order, ms))) {
        let fields = order.map(|at| ["time:4", "worker:2", "sequence:2"][at]);
        let layout = small_layout(fields, tick_ms, -5);
        let start_ms = layout.tick_start_ms(4);
        for start in STARTS {
            for max_ahead_ms in 0..=3 {
                drive_everywhere(layout, lane, Pace { max_ahead_ms, start }, start_ms, 3);
            }
        }
    }
}

/// The same, deeper, where each order has every tick but fewer paces.
#[test]
fn laws_hold_on_long_paths() {
    let lane = Lane { worker_id: 1, rollback: 0, grant: Grant { floor: 3, reserved: 8 } };
    for tick_ms in 1..=3 {
        let layout = small_layout(["time:4", "worker:1", "sequence:3"], tick_ms, 1);
        let start = STARTS[tick_ms as usize];
        let pace = Pace { max_ahead_ms: 2, start };
        drive_everywhere(layout, lane, pace, layout.tick_start_ms(4), 5);
    }
}

/// The same at both ends of the layout's time.
#[test]
fn laws_hold_at_the_ends_of_time() {
    for tick_ms in 1..=3 {
        let layout = small_layout(["time:2", "sequence:2", "worker:2"], tick_ms, 7);
        for start in STARTS {
            for max_ahead_ms in 0..=3 {
                let pace = Pace { max_ahead_ms, start };
                for start_ms in [layout.epoch_ms() - 1, layout.expires_ms() - 2] {
                    drive_everywhere(layout, Lane::of_worker(3), pace, start_ms, 3);
                }
            }
        }
    }
}

fn layouts() -> impl Strategy<Value = Layout> {
    let widths = (1..=62_u32, 0..=32_u32, 0..=20_u32, 0..=2_u32);
    let ticks = prop_oneof![Just(1), Just(10), Just(1000), 1..=100_000_u32];
    let epochs = prop_oneof![-9..9_i64, Just(1_288_834_974_657), -(1_i64 << 61)..(1 << 61)];
    (widths, ticks, epochs).prop_flat_map(|((time, sequence, worker, rollback), tick_ms, epoch)| {
        let longest = 62 - u64::from(tick_ms).next_power_of_two().ilog2();
        let (mut left, mut fields) = (64, Vec::new());
        let time = time.min(longest);
        for (name, bits) in
            [("time", time), ("rollback", rollback), ("sequence", sequence), ("worker", worker)]
        {
            let bits = bits.min(left);
            left -= bits;
            if bits > 0 {
                fields.push(format!("{name}:{bits}"));
            }
        }
        Just(fields).prop_shuffle().prop_map(move |fields| {
            let builder = Layout::builder().fields(&fields.join(",")).expect("fields are valid");
            builder.tick_ms(tick_ms).epoch_ms(epoch).build().expect("time fits 64 bits")
        })
    })
}

fn paces() -> impl Strategy<Value = Pace> {
    let start = prop_oneof![
        Just(SequenceStart::Zero),
        Just(SequenceStart::Rotate),
        any::<u32>().prop_map(|max_offset| SequenceStart::Vibrate { max_offset }),
        (any::<u32>(), any::<u64>())
            .prop_map(|(below, seed)| SequenceStart::Random { below, seed }),
    ];
    let ahead = prop_oneof![Just(0), 0..5_000_u32, any::<u32>()];
    (ahead, start).prop_map(|(max_ahead_ms, start)| Pace { max_ahead_ms, start })
}

/// A call: how far the clock goes from the last, or where it is at all; and how many IDs.
fn calls() -> impl Strategy<Value = Vec<(Option<i64>, i64, u32)>> {
    let anywhere = prop_oneof![9 => Just(None), 1 => any::<i64>().prop_map(Some)];
    let step = prop_oneof![4 => -5..10_i64, 1 => -20_000..20_000_i64];
    let count = prop_oneof![4 => 1..5_u32, 2 => 1..10_000_u32, 1 => any::<u32>()];
    prop::collection::vec((anywhere, step, count), 1..40)
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) }
}

proptest! {
    #![proptest_config(config())]

    /// L1, L2, L3, L6, L7 and the rule, on any layout, at any pace, for any clock and count.
    #[test]
    fn laws_hold_for_any_layout_pace_and_clock(
        layout in layouts(),
        pace in paces(),
        (worker, rollback) in any::<(u32, u32)>(),
        (place, floor, reserved) in any::<(u64, i8, u8)>(),
        calls in calls(),
    ) {
        let worker_id = worker & layout.max_worker_id();
        let rollback = rollback & layout.rollback().max() as u32;
        let tick = place % layout.ticks();
        let floor = tick.saturating_add_signed(i64::from(floor)).min(layout.ticks() - 1);
        // From a few ticks to the whole rest.
        let reserved = if reserved > 100 { u64::MAX } else { floor + u64::from(reserved) };
        let lane = Lane { worker_id, rollback, grant: Grant { floor, reserved } };
        let mut checked = Checked::new(layout, lane, pace);
        let mut now_ms = layout.tick_start_ms(tick);
        for (anywhere, step, count) in calls {
            now_ms = now_ms.saturating_add(step);
            let at_ms = anywhere.unwrap_or(now_ms);
            if let Err(Error::Stall(stall)) = checked.issue(at_ms, count)
                && anywhere.is_none() && step == 9 {
                checked.check_wait(at_ms, count, stall);
            }
        }
    }
}
