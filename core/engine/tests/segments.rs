//! Segment buffers: what the store gave is given out in order, once (laws L1, L2, L3).

use proptest::prelude::*;
use snowmint_engine::{
    Error, MAX_DISTANCE, MAX_NUMBER, MAX_STEP, NumberRange, Prefetch, SegmentBuffer, SharedRange,
    StepSize,
};

const MINUTE_MS: i64 = 60_000;

fn range(start: u64, end: u64) -> NumberRange {
    NumberRange::new(start, end, 1).expect("start is below end")
}

fn buffer(prefetch: Prefetch) -> SegmentBuffer {
    SegmentBuffer::new(prefetch, StepSize::fixed(1000).expect("a step within its limits"))
}

#[derive(Clone, Debug)]
enum Act {
    Take(u64),
    TakeUntilRequest,
    Supply { gap: u64, count: u64, stride: u64 },
    Regress(u64),
    Wants,
    Fail,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (0..40_u64).prop_map(Act::Take),
        1 => any::<u64>().prop_map(Act::Take),
        2 => Just(Act::TakeUntilRequest),
        3 => (0..5_u64, 1..60_u64, 1..5_u64)
            .prop_map(|(gap, count, stride)| Act::Supply { gap, count, stride }),
        1 => (1..50_u64).prop_map(Act::Regress),
        3 => Just(Act::Wants),
        1 => Just(Act::Fail),
    ];
    prop::collection::vec(act, 1..80)
}

fn prefetches() -> impl Strategy<Value = Prefetch> {
    prop_oneof![
        any::<u8>().prop_map(|used_percent| Prefetch::DoubleBucket { used_percent }),
        (0..20_u32).prop_map(|distance| Prefetch::Chain { distance }),
    ]
}

/// An operation on a shared range and its twin.
#[derive(Clone, Debug)]
enum Step {
    One,
    Run(u64),
    Replace { gap: u64, length: u64, stride: u64 },
    Close,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => Just(Step::One),
        3 => (0..9_u64).prop_map(Step::Run),
        1 => any::<u64>().prop_map(Step::Run),
        3 => (0..5_u64, 1..30_u64, 1..4_u64)
            .prop_map(|(gap, length, stride)| Step::Replace { gap, length, stride }),
        1 => Just(Step::Close),
    ];
    prop::collection::vec(step, 1..80)
}

fn numbers(taken: Option<NumberRange>) -> Vec<u64> {
    taken.into_iter().flat_map(NumberRange::numbers).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None, ..ProptestConfig::with_cases(512)
    })]

    /// L1, L3: the numbers given out are those supplied, in order and once; a range from below is
    /// refused with the floor it misses, and nothing is lost by it; a request is made once.
    #[test]
    fn l1_l3_numbers_are_those_supplied(prefetch in prefetches(), acts in acts()) {
        let mut buffer = buffer(prefetch).above(100);
        let (mut waiting, mut floor) = (Vec::<u64>::new(), 100);
        let (mut asked, mut ranges) = (false, 0);
        for act in acts {
            match act {
                Act::Take(n) => {
                    let taken: Vec<u64> =
                        buffer.take(n).into_iter().flat_map(NumberRange::numbers).collect();
                    prop_assert!(taken.len() as u64 <= n);
                    prop_assert_eq!(taken.is_empty(), n == 0 || waiting.is_empty());
                    let expected: Vec<u64> = waiting.drain(..taken.len()).collect();
                    prop_assert_eq!(taken, expected);
                }
                Act::TakeUntilRequest => {
                    let taken: Vec<u64> =
                        buffer.take_until_request().into_iter().flat_map(NumberRange::numbers).collect();
                    prop_assert_eq!(taken.is_empty(), waiting.is_empty());
                    let expected: Vec<u64> = waiting.drain(..taken.len()).collect();
                    prop_assert_eq!(taken, expected);
                }
                Act::Supply { gap, count, stride } => {
                    let start = floor + gap;
                    let given = NumberRange::new(start, start + count, stride).unwrap();
                    // More ranges than a buffer asks for are no part of this.
                    if ranges < MAX_DISTANCE {
                        buffer.supply(given, 0).unwrap();
                        waiting.extend(given.numbers());
                        (floor, ranges, asked) = (start + count, ranges + 1, false);
                    }
                }
                Act::Regress(below) => {
                    let start = floor - below;
                    let error = Error::RangeRegressed { start, expected: floor };
                    prop_assert_eq!(buffer.supply(range(start, floor + 1000), 0), Err(error));
                    asked = false;
                }
                Act::Wants => {
                    let wants = buffer.wants(0);
                    prop_assert!(!(asked && wants.is_some()), "asked twice");
                    prop_assert!(asked || !waiting.is_empty() || wants.is_some(), "never asked");
                    asked |= wants.is_some();
                }
                Act::Fail => { buffer.failed(); asked = false }
            }
            prop_assert_eq!(buffer.remaining(), waiting.len() as u64);
            prop_assert_eq!(buffer.floor(), floor);
            if waiting.is_empty() { ranges = 0 }
        }
    }

    /// On one thread a shared range gives what the plain buffer gives that holds its range.
    #[test]
    fn l1_l3_a_shared_range_and_a_buffer_are_twins(steps in steps()) {
        let empty = || buffer(Prefetch::LEAF);
        let (shared, mut plain, mut top) = (SharedRange::new(), empty(), 0);
        for step in steps {
            match step {
                Step::One => {
                    prop_assert_eq!(shared.take_one(), numbers(plain.take(1)).first().copied());
                }
                Step::Run(n) => prop_assert_eq!(numbers(shared.take(n)), numbers(plain.take(n))),
                Step::Replace { gap, length, stride } => {
                    let start = top + gap;
                    top = start + length;
                    let range = NumberRange::new(start, top, stride).unwrap();
                    shared.owner().unwrap().replace(range);
                    plain = empty();
                    plain.supply(range, 0).unwrap();
                }
                Step::Close => {
                    shared.owner().unwrap().close();
                    plain = empty();
                }
            }
            prop_assert_eq!(shared.remaining(), plain.remaining());
        }
    }

    /// With what `take_until_request` gives out of the buffer, a request is due; one number less,
    /// and it is not.
    #[test]
    fn taking_all_numbers_until_a_request_makes_it_due(percent in 0..=100_u8, count in 1..3_000_u64) {
        let prefetch = Prefetch::DoubleBucket { used_percent: percent };
        let full = || {
            let mut buffer = buffer(prefetch);
            buffer.supply(range(5, 5 + count), 0).unwrap();
            buffer
        };
        let mut until = full();
        let due = until.take_until_request().unwrap().count();
        prop_assert!(until.wants(0).is_some());
        if percent > 0 {
            prop_assert_eq!(due, (count * u64::from(percent)).div_ceil(100));
            let mut before = full();
            prop_assert_eq!(before.take(due - 1).map_or(0, |taken| taken.count()), due - 1);
            prop_assert!(before.wants(0).is_none());
        }
    }

    /// A range's numbers, count and pieces, against plain stepping.
    #[test]
    fn ranges_step_by_their_stride(start in 0..1_000_u64, length in 1..500_u64,
        stride in 1..90_u64, pieces in prop::collection::vec(0..20_usize, 0..40)) {
        let range = NumberRange::new(start, start + length, stride).unwrap();
        let expected: Vec<u64> = (start..start + length).step_by(stride as usize).collect();
        prop_assert_eq!(range.count(), expected.len() as u64);
        let (mut numbers, mut filled) = (range.numbers(), Vec::new());
        for piece in pieces {
            let mut out = vec![0; piece];
            let count = numbers.fill(&mut out);
            prop_assert_eq!(count, piece.min(expected.len() - filled.len()));
            filled.extend_from_slice(&out[..count]);
            filled.extend(numbers.next());
        }
        prop_assert_eq!(numbers.len(), expected.len() - filled.len());
        let mut appended = filled.clone();
        numbers.clone().append_to(&mut appended);
        filled.extend(numbers);
        prop_assert_eq!(&appended, &expected);
        prop_assert_eq!(filled, expected);
    }
}

/// Takes one number at a time and says after which the buffer asks.
fn asks_after(prefetch: Prefetch, count: u64) -> u64 {
    let mut buffer = buffer(prefetch);
    assert_eq!(buffer.wants(0).map(|request| request.step), Some(1000));
    assert_eq!(buffer.wants(0), None);
    buffer.supply(range(0, count), 0).expect("it lies above");
    for used in 0..=count {
        if buffer.wants(0).is_some() {
            return used;
        }
        let _ = buffer.take(1);
    }
    panic!("an empty buffer does not ask");
}

#[test]
fn thresholds_lie_at_their_exact_number() {
    assert_eq!(asks_after(Prefetch::NETEASE, 1000), 800);
    assert_eq!(asks_after(Prefetch::NETEASE, 999), 800);
    assert_eq!(asks_after(Prefetch::LEAF, 1000), 100);
    assert_eq!(asks_after(Prefetch::LEAF, 1001), 101);
    assert_eq!(asks_after(Prefetch::LEAF, 1), 1);
    assert_eq!(asks_after(Prefetch::COSID, 1000), 0);
    assert_eq!(asks_after(Prefetch::DoubleBucket { used_percent: 0 }, 10), 0);
    assert_eq!(asks_after(Prefetch::DoubleBucket { used_percent: 100 }, 10), 10);
    assert_eq!(asks_after(Prefetch::DoubleBucket { used_percent: 255 }, 10), 10);
}

/// The threshold of the next range counts from its own first number, strides left out.
#[test]
fn thresholds_hold_in_the_next_range() {
    let mut buffer = buffer(Prefetch::LEAF);
    buffer.supply(range(0, 10), 0).unwrap();
    buffer.supply(NumberRange::new(10, 610, 3).unwrap(), 0).unwrap();
    assert_eq!((buffer.take(10).map(|taken| taken.count()), buffer.wants(0)), (Some(10), None));
    assert_eq!(buffer.take(19).unwrap().end(), 67);
    assert_eq!(buffer.wants(0), None);
    assert_eq!(buffer.take(1).unwrap().start(), 67);
    assert!(buffer.wants(0).is_some());
}

/// A buffer after two loads of `min`, the last at time 0, the first of which is still in use.
fn loaded(min: u64, max: u64) -> SegmentBuffer {
    let mut buffer =
        SegmentBuffer::new(Prefetch::NETEASE, StepSize::adaptive(min, max).expect("steps"));
    for load in 0..2 {
        assert_eq!(buffer.wants(0).map(|request| request.step), Some(min), "load {load}");
        buffer.supply(range(load * min, (load + 1) * min), 0).expect("it lies above");
        assert_eq!(buffer.take(min).map(|taken| taken.count()), Some(min));
    }
    buffer
}

#[test]
fn steps_follow_the_time_a_range_lasted() {
    let step = |lasted_ms| loaded(1000, 8000).wants(lasted_ms).map(|request| request.step);
    for lasted_ms in [i64::MIN, -1, 0, 15 * MINUTE_MS - 1] {
        assert_eq!(step(lasted_ms), Some(2000), "{lasted_ms}");
    }
    for lasted_ms in [15 * MINUTE_MS, 30 * MINUTE_MS - 1, 30 * MINUTE_MS, i64::MAX] {
        assert_eq!(step(lasted_ms), Some(1000), "{lasted_ms}");
    }
    // Up to the most, down to the least.
    let (mut buffer, mut now_ms) = (loaded(1000, 6000), 0);
    let lasting = [1, 1, 1, 1, 20, 31, 31, 31].map(|minutes| minutes * MINUTE_MS);
    let steps = lasting.map(|lasted_ms| {
        now_ms += lasted_ms;
        let step = buffer.wants(now_ms).expect("it is empty").step;
        let start = buffer.floor();
        buffer.supply(range(start, start + step), now_ms).unwrap();
        assert_eq!((buffer.step(), buffer.take(step).is_some()), (step, true));
        step
    });
    assert_eq!(steps, [2000, 4000, 6000, 6000, 6000, 3000, 1500, 1000]);
}

/// L6: a request that came to nothing changes nothing: asked again, it is of the same step.
#[test]
fn l6_a_failed_request_does_not_change_the_step() {
    let mut buffer = loaded(1000, 1_000_000);
    for _ in 0..5 {
        assert_eq!(buffer.wants(MINUTE_MS).map(|request| request.step), Some(2000));
        buffer.failed();
    }
    assert!(buffer.supply(range(0, 10), MINUTE_MS).is_err());
    assert_eq!(buffer.wants(MINUTE_MS).map(|request| request.step), Some(2000));
}

/// Returns the number of ranges that a chain keeps behind its current one, all loaded at once.
fn distance(buffer: &mut SegmentBuffer, now_ms: i64) -> u64 {
    let (mut requests, mut most) = (0, 0);
    while let Some(request) = buffer.wants(now_ms) {
        let start = buffer.floor();
        buffer.supply(range(start, start + request.step), now_ms).expect("it lies above");
        requests += 1;
        most = buffer.remaining() / request.step - 1;
        assert!(requests <= MAX_DISTANCE + 1, "it asks without end");
    }
    most
}

fn drain(buffer: &mut SegmentBuffer) {
    while buffer.take(u64::MAX).is_some() {}
}

#[test]
fn a_chain_grows_while_it_runs_dry_and_shrinks_after() {
    let chain = Prefetch::Chain { distance: 2 };
    let mut buffer = SegmentBuffer::new(chain, StepSize::fixed(10).unwrap());
    assert_eq!(distance(&mut buffer, 0), 2);
    // Dry within 5 s of the last supply doubles the distance, up to the limit.
    let mut now_ms = 0;
    for grown in [4, 8, 16, 16] {
        now_ms += 4_999;
        drain(&mut buffer);
        assert_eq!(distance(&mut buffer, now_ms), grown, "at {now_ms}");
    }
    // Dry later, or not dry at all, halves it, down to the one configured.
    for shrunk in [8, 4, 2, 2] {
        now_ms += 5_000;
        drain(&mut buffer);
        assert_eq!(distance(&mut buffer, now_ms), shrunk, "at {now_ms}");
    }
}

#[test]
fn a_chain_alone_asks_behind_what_was_taken() {
    let sizes = StepSize::adaptive(10, 1_000).unwrap();
    let range = |n: u64| NumberRange::new(n * 10 + 1, n * 10 + 11, 1).unwrap();
    let mut chain = SegmentBuffer::new(Prefetch::Chain { distance: 3 }, sizes);
    for n in 0..3 {
        assert_eq!(chain.wants_behind().unwrap().step, 10, "the first ones are as one request");
        assert_eq!((chain.wants_behind(), chain.wants(0)), (None, None), "one at a time");
        chain.supply(range(n), 0).unwrap();
    }
    assert_eq!(chain.wants_behind(), None);
    let mut double = SegmentBuffer::new(Prefetch::LEAF, sizes);
    assert_eq!(double.wants_behind(), None);
}

#[test]
fn the_size_of_a_range_stays_while_it_is_used() {
    let mut buffer = buffer(Prefetch::LEAF);
    assert_eq!(buffer.current_count(), 0);
    buffer.supply(range(0, 10), 0).unwrap();
    buffer.supply(range(10, 15), 0).unwrap();
    for (taken, count) in [(4, 10), (5, 10), (1, 5), (4, 5), (1, 0)] {
        assert_eq!(buffer.take(taken).unwrap().count(), taken);
        assert_eq!(buffer.current_count(), count);
    }
}

#[test]
fn ranges_reach_their_limits_and_no_further() {
    let fits = |start, end, stride| match NumberRange::new(start, end, stride) {
        Ok(range) => (range.start(), range.end(), range.stride()) == (start, end, stride),
        Err(error) => {
            assert_eq!(error, Error::InvalidRange { start, end, stride });
            false
        }
    };
    assert!(fits(0, 1, 1) && fits(MAX_NUMBER - 1, MAX_NUMBER, 1) && fits(0, MAX_NUMBER, MAX_STEP));
    assert!(
        !fits(0, 0, 1) && !fits(5, 4, 1) && !fits(0, MAX_NUMBER + 1, 1) && !fits(0, u64::MAX, 1)
    );
    assert!(!fits(0, 1, 0) && !fits(0, 1, MAX_STEP + 1));
    assert_eq!(NumberRange::new(0, MAX_NUMBER, MAX_STEP).unwrap().numbers().len(), 1 << 33);
}

#[test]
fn steps_reach_their_limits_and_no_further() {
    let refused = |step| Err(Error::InvalidStep { step, max: MAX_STEP });
    assert!(StepSize::fixed(1).is_ok() && StepSize::fixed(MAX_STEP).is_ok());
    assert_eq!(StepSize::fixed(0), refused(0));
    assert_eq!(StepSize::fixed(MAX_STEP + 1), refused(MAX_STEP + 1));
    assert!(StepSize::adaptive(1, MAX_STEP).is_ok());
    assert_eq!(StepSize::adaptive(1, MAX_STEP + 1), refused(MAX_STEP + 1));
    assert_eq!(StepSize::adaptive(5, 4), refused(4));
}

/// Ranges grow until they last as long as they are to, and shrink where they last twice as long: at
/// their pace, however long the wait for the next one was.
#[test]
fn steps_follow_the_time_that_a_range_is_to_last() {
    let sizes = StepSize::adaptive(10, 1_000).unwrap().lasting(1_000);
    let mut buffer = SegmentBuffer::new(Prefetch::LEAF, sizes);
    let (mut now_ms, mut start) = (0, 1);
    let mut supply = |buffer: &mut SegmentBuffer, passed_ms| {
        now_ms += passed_ms;
        let step = buffer.wants(now_ms).unwrap().step;
        buffer.supply(NumberRange::new(start, start + step, 1).unwrap(), now_ms).unwrap();
        start += step;
        step
    };
    assert_eq!(supply(&mut buffer, 0), 10);
    for (passed_ms, step) in
        [(0, 10), (999, 20), (500, 40), (1_000, 40), (1_999, 40), (2_000, 20), (i64::MAX >> 1, 10)]
    {
        assert!(buffer.take(u64::MAX).is_some());
        assert_eq!(supply(&mut buffer, passed_ms), step, "after {passed_ms} ms");
    }
    // Two ranges were used in twice the time, and two tenths of one in two tenths of it.
    assert_eq!(buffer.take(10).map(|range| range.count()), Some(10));
    assert_eq!(supply(&mut buffer, 1_500), 10);
    assert_eq!(buffer.take(2).map(|range| range.count()), Some(2));
    assert_eq!(supply(&mut buffer, 199), 20);
}

/// A chain's distance is 1 to its limit, whatever is asked for.
#[test]
fn distances_are_held_within_their_limits() {
    for (asked, kept) in [(0, 1), (1, 1), (16, 16), (17, 16), (u32::MAX, 16)] {
        let chain = Prefetch::Chain { distance: asked };
        let mut buffer = SegmentBuffer::new(chain, StepSize::fixed(10).unwrap());
        assert_eq!(distance(&mut buffer, 0), kept, "{asked}");
    }
}

/// L2: a range that finds no place is refused, not lost in silence.
#[test]
fn l2_a_supply_beyond_the_buffers_room_is_not_swallowed() {
    let mut buffer = buffer(Prefetch::LEAF);
    let mut supplied = 0;
    for at in 0..40 {
        if buffer.supply(range(at * 10, at * 10 + 10), 0).is_ok() {
            supplied += 10;
        }
    }
    assert_eq!(buffer.remaining(), supplied);
}
