//! The traces of a segment buffer.

use snowmint_engine::{MAX_NUMBER, Prefetch};

use super::Recorder;
use crate::snowflakes::Dice;

const SECOND_MS: i64 = 1000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const NOW_MS: i64 = 1_700_000_000_000;
const FIXED: (u64, u64) = (100, 100);

pub(super) fn all() -> Vec<Recorder> {
    let mut traces = vec![
        bucket("leaf", "asks once 10 % of the current range is used", Prefetch::LEAF),
        bucket("netease", "asks once 80 % of the current range is used", Prefetch::NETEASE),
        odd_percentages(),
        at_the_borders_of_percent(0, "asks as soon as there is a current range"),
        at_the_borders_of_percent(100, "asks when the current range is used up"),
        steps_adapt(),
        steps_have_limits(),
        clock_goes_back(),
        resized(),
        fails_and_asks_again(),
        failures_do_not_adapt(),
        regressed(),
        known_floor(),
        strides(),
        end_of_numbers(),
        chain(),
        chain_runs_dry(),
        chain_limits(0, "a distance of 0 is taken as 1"),
        chain_limits(40, "a distance above 16 is taken as 16"),
        pieces(),
    ];
    traces.extend((0..6).map(random));
    traces
}

fn bucket(name: &str, about: &'static str, prefetch: Prefetch) -> Recorder {
    let mut trace = Recorder::new(name, about, prefetch, FIXED);
    trace.take(1);
    trace.fill(NOW_MS);
    trace.wants(NOW_MS);
    for _ in 0..12 {
        trace.take(9);
        trace.fill(NOW_MS);
    }
    trace.take(1000);
    trace.take(0);
    trace.take(1000);
    trace.take(1);
    trace.fill(NOW_MS);
    trace
}

fn odd_percentages() -> Recorder {
    let about = "33 % of 7 numbers are 2.31: the third asks";
    let prefetch = Prefetch::DoubleBucket { used_percent: 33 };
    let mut trace = Recorder::new("rounding", about, prefetch, (7, 7));
    for _ in 0..9 {
        trace.fill(NOW_MS);
        trace.take(1);
    }
    trace
}

fn at_the_borders_of_percent(used_percent: u8, about: &'static str) -> Recorder {
    let prefetch = Prefetch::DoubleBucket { used_percent };
    let mut trace = Recorder::new(format!("{used_percent} percent"), about, prefetch, (4, 4));
    trace.fill(NOW_MS);
    trace.fill(NOW_MS);
    trace.fill(NOW_MS);
    for n in [1, 2, 1, 4, 4] {
        trace.take(n);
        trace.fill(NOW_MS);
    }
    trace
}

fn steps_adapt() -> Recorder {
    let about = "the third request on: under 15 min doubles, under 30 keeps, longer halves";
    let mut trace = Recorder::new("step adapts", about, Prefetch::NETEASE, (100, 1600));
    let mut now_ms = NOW_MS;
    for lasted_ms in [
        0,
        1,
        1,
        15 * MINUTE_MS - 1,
        15 * MINUTE_MS,
        30 * MINUTE_MS - 1,
        1,
        1,
        1,
        30 * MINUTE_MS,
        60 * MINUTE_MS,
        30 * MINUTE_MS,
        30 * MINUTE_MS,
        30 * MINUTE_MS,
        15 * MINUTE_MS,
        1,
    ] {
        now_ms += lasted_ms;
        trace.fill(now_ms);
        trace.take(1 << 20);
    }
    trace
}

fn steps_have_limits() -> Recorder {
    let about = "maximum and minimum hold where doubling and halving would pass them";
    let mut trace = Recorder::new("step limits", about, Prefetch::NETEASE, (300, 1000));
    let mut now_ms = NOW_MS;
    for minutes in [0, 1, 1, 1, 1, 31, 31, 31, 1] {
        now_ms += minutes * MINUTE_MS;
        trace.fill(now_ms);
        trace.take(1 << 20);
    }
    trace
}

fn clock_goes_back() -> Recorder {
    let about = "a range that seems to have lasted less than no time lasted a short one";
    let mut trace = Recorder::new("clock goes back", about, Prefetch::NETEASE, (100, 1600));
    for now_ms in [NOW_MS, NOW_MS, NOW_MS - 60 * MINUTE_MS, 0, i64::MIN, i64::MAX] {
        trace.fill(now_ms);
        trace.take(1 << 20);
    }
    trace
}

fn resized() -> Recorder {
    let about = "another step, from the next request on, which has the new smallest size";
    let mut trace = Recorder::new("resized", about, Prefetch::NETEASE, (100, 1600));
    for now_ms in [NOW_MS, NOW_MS, NOW_MS + 1] {
        trace.fill(now_ms);
        trace.take(1 << 20);
    }
    trace.resize(100, 1600);
    trace.fill(NOW_MS + 2);
    trace.take(1 << 20);
    trace.resize(50, 60);
    trace.fill(NOW_MS + 15 * MINUTE_MS + 2);
    trace.take(1 << 20);
    trace.fill(NOW_MS + 15 * MINUTE_MS + 3);
    trace
}

fn fails_and_asks_again() -> Recorder {
    let about = "one request at a time; after a failure the next may follow";
    let mut trace = Recorder::new("failed", about, Prefetch::LEAF, FIXED);
    trace.wants(NOW_MS);
    trace.wants(NOW_MS + 1);
    trace.take(1);
    trace.failed();
    trace.wants(NOW_MS + 2);
    trace.failed();
    trace.failed();
    trace.fill(NOW_MS + 3);
    trace.take(10);
    trace.wants(NOW_MS + 4);
    trace.failed();
    trace.fill(NOW_MS + 5);
    trace
}

fn failures_do_not_adapt() -> Recorder {
    let about = "the step follows what was supplied: asking again does not double it again";
    let mut trace = Recorder::new("failed, adaptive", about, Prefetch::NETEASE, (100, 1600));
    for now_ms in [NOW_MS, NOW_MS] {
        trace.fill(now_ms);
        trace.take(100);
    }
    for lasted_ms in 1..4 {
        trace.wants(NOW_MS + lasted_ms);
        trace.failed();
    }
    trace.wants(NOW_MS + 4);
    trace.supply(1, 101, NOW_MS + 4); // refused: the store went back
    trace.fill(NOW_MS + 5);
    trace.take(1 << 20);
    trace.fill(NOW_MS + 6);
    trace
}

fn regressed() -> Recorder {
    let about = "a range that is not above the last one is refused, and asked for again";
    let mut trace = Recorder::new("store went back", about, Prefetch::LEAF, FIXED);
    trace.fill(NOW_MS);
    trace.take(50);
    trace.wants(NOW_MS);
    trace.supply(1, 101, NOW_MS);
    trace.wants(NOW_MS);
    trace.supply(100, 200, NOW_MS);
    trace.wants(NOW_MS);
    trace.supply(101, 201, NOW_MS);
    trace.take(50);
    trace.take(100);
    trace.wants(NOW_MS);
    trace.supply(101, 301, NOW_MS);
    trace.wants(NOW_MS);
    trace.supply(5000, 5100, NOW_MS);
    trace.take(1);
    trace
}

fn known_floor() -> Recorder {
    let about = "the first number not yet issued is known: what begins below it is refused";
    let mut trace = Recorder::new("floor", about, Prefetch::LEAF, FIXED).above(1000);
    trace.wants(NOW_MS);
    trace.supply(999, 1099, NOW_MS);
    trace.take(1);
    trace.wants(NOW_MS);
    trace.supply(1000, 1100, NOW_MS);
    trace.take(1);
    trace
}

fn strides() -> Recorder {
    let about = "three databases share a tag: every third number";
    let mut trace = Recorder::new("strides", about, Prefetch::LEAF, (10, 10)).strided(3);
    trace.fill(NOW_MS);
    trace.take(1);
    trace.fill(NOW_MS);
    trace.take(4);
    trace.take_until_request();
    trace.take(2);
    trace.wants(NOW_MS);
    trace.supply(62, 63, NOW_MS);
    trace.take(100);
    trace.take(100);
    trace
}

fn end_of_numbers() -> Recorder {
    let about = "the largest number is the last";
    let mut trace =
        Recorder::new("end of numbers", about, Prefetch::LEAF, FIXED).above(MAX_NUMBER - 3);
    trace.wants(NOW_MS);
    trace.supply(MAX_NUMBER - 3, MAX_NUMBER, NOW_MS);
    trace.take(2);
    trace.take(u64::MAX);
    trace.take(1);
    trace
}

fn chain() -> Recorder {
    let about = "keeps two ranges behind the current one";
    let mut trace = Recorder::new("cosid", about, Prefetch::COSID, FIXED);
    for _ in 0..4 {
        trace.fill(NOW_MS);
    }
    for n in [1, 99, 50, 100, 1, 1, 100] {
        trace.take(n);
        trace.fill(NOW_MS + 6 * SECOND_MS);
    }
    trace
}

fn chain_runs_dry() -> Recorder {
    let about = "dry within 5 s of a supply: the distance doubles, up to 16; else it halves";
    let prefetch = Prefetch::Chain { distance: 2 };
    let mut trace = Recorder::new("chain runs dry", about, prefetch, FIXED);
    let mut now_ms = NOW_MS;
    for lasted_ms in [0, 4999, 4999, 1, 1, 5000, 5000, 5000, 5000, 4999] {
        now_ms += lasted_ms;
        while trace.buffer.remaining() > 0 {
            trace.take(100);
        }
        trace.take(100); // notices that it is dry
        while trace.fill(now_ms) {}
    }
    trace
}

fn chain_limits(distance: u32, about: &'static str) -> Recorder {
    let prefetch = Prefetch::Chain { distance };
    let mut trace = Recorder::new(format!("distance {distance}"), about, prefetch, (5, 5));
    for _ in 0..18 {
        trace.fill(NOW_MS);
    }
    trace.take_until_request();
    trace.take_until_request();
    trace.fill(NOW_MS);
    trace
}

fn pieces() -> Recorder {
    let about = "pieces that end where the next request is due";
    let mut trace = Recorder::new("until request", about, Prefetch::LEAF, FIXED);
    trace.take_until_request();
    for _ in 0..4 {
        trace.fill(NOW_MS);
        trace.take_until_request();
        trace.take_until_request();
    }
    trace.fill(NOW_MS);
    trace.take(3);
    trace.take_until_request();
    trace.fill(NOW_MS);
    trace
}

fn random(seed: u64) -> Recorder {
    let mut dice = Dice(seed);
    let prefetch = if dice.below(2) == 0 {
        Prefetch::DoubleBucket { used_percent: dice.below(101) as u8 }
    } else {
        Prefetch::Chain { distance: dice.below(6) as u32 }
    };
    let min = dice.below(200) + 1;
    let name = format!("random {seed}");
    let mut trace = Recorder::new(name, "no plan", prefetch, (min, min << dice.below(5)));
    trace.stride = dice.below(4) + 1;
    let mut now_ms = NOW_MS;
    for _ in 0..60 {
        now_ms += [0, 100, 6 * SECOND_MS, 14 * MINUTE_MS, 16 * MINUTE_MS, 31 * MINUTE_MS]
            [dice.below(6) as usize];
        match dice.below(5) {
            0 => trace.take_until_request(),
            1 | 2 => trace.take(dice.below(2 * min + 1)),
            _ => {
                trace.fill(now_ms);
            }
        }
    }
    trace
}
