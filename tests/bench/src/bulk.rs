//! Many at once, taken apart, and as text.

use std::cell::Cell;
use std::hint::black_box;
use std::thread;
use std::time::Duration;

use ferroid::base32::Base32SnowExt;
use ferroid::id::SnowflakeTwitterId;
use snowmint::engine::MAX_STEP;
use snowmint::{Layout, Mint, TextForm};

use crate::measure::{Contestant, Effort, Outcome, per_operation};
use crate::minting::write_8_bytes;
use crate::report::Line;
use crate::subjects::{self, NOW_MS};

const BLOCK: usize = 4096;
const NAMES: [&str; 5] = [
    "SharedSnowflake::issue, Ids::fill",
    "Snowflake::fill",
    "Snowflake::next_ids",
    "Segment::fill",
    "Segment::next_ids",
];

/// IDs in blocks of 4096: 32 KiB, the nearest cache.
pub fn bulk(effort: Effort) -> Vec<Line> {
    let group = "4096 at once";
    let blocks = (effort.operations / 200).max(10);
    let engine = subjects::engine_with(subjects::wide_layout());
    let flake = subjects::snowflake(subjects::wide_layout());
    let segment = subjects::segment(MAX_STEP, Duration::ZERO);
    let mut buffers = [[0; BLOCK]; 4];
    let [floor, first, second, third] = &mut buffers;
    let each = |ns: f64| ns / BLOCK as f64;
    let rest = || thread::sleep(Duration::from_millis(5));
    let contestants = vec![
        write_8_bytes(floor, effort),
        Contestant::new("filling a new vector", || {
            each(per_operation(blocks, || vec![black_box(1_u64); BLOCK]))
        }),
        Contestant::new(NAMES[0], || {
            each(per_operation(blocks, || {
                let ids = engine.issue(NOW_MS, BLOCK as u32);
                ids.expect("IDs").fill(black_box(first))
            }))
        }),
        Contestant::new(NAMES[1], || {
            let ns = per_operation(blocks, || flake.fill(black_box(second)).expect("IDs"));
            rest();
            each(ns)
        }),
        Contestant::new(NAMES[2], || {
            let ns = per_operation(blocks, || flake.next_ids(BLOCK).expect("IDs"));
            rest();
            each(ns)
        }),
        Contestant::new(NAMES[3], || {
            each(per_operation(blocks, || segment.fill(black_box(third)).expect("numbers")))
        }),
        Contestant::new(NAMES[4], || {
            each(per_operation(blocks, || segment.next_ids(BLOCK).expect("numbers")))
        }),
    ];
    let outcome = Outcome::of(effort.rounds, contestants);
    NAMES.iter().flat_map(|&name| lines_of(group, &outcome, name)).collect()
}

fn lines_of(group: &'static str, outcome: &Outcome, name: &str) -> [Line; 2] {
    // A vector must be allocated, and its memory be touched for the first time.
    let is_new = name.ends_with("next_ids");
    let floor = if is_new { "filling a new vector" } else { "writing 8 bytes" };
    let rate = 1e3 / outcome.median(name);
    let line = Line::new(group, name, rate, "M/s");
    [line.clone().at_least(500.0), line.against(floor, outcome.ratio(name, &[floor])).at_most(2.0)]
}

/// IDs taken apart in a loop over an array.
pub fn decoding(effort: Effort) -> Vec<Line> {
    let group = "decoding";
    let ids = ids();
    let layouts =
        [("Layout::decode", Layout::TWITTER), ("Layout::decode, Discord's", Layout::DISCORD)];
    let passes = (effort.operations / BLOCK as u64).max(5);
    let over_all = |each: &dyn Fn(u64) -> u64| {
        per_operation(passes, || ids.iter().map(|&id| each(id)).fold(0, u64::wrapping_add))
            / ids.len() as f64
    };
    let mut contestants: Vec<_> = Vec::new();
    for (name, layout) in layouts {
        let ids = &ids;
        contestants.push(Contestant::new(name, move || {
            let layout = black_box(layout);
            per_operation(passes, || {
                let sum = |sum: u64, &id: &u64| {
                    let parts = layout.decode(id).expect("an ID of the layout");
                    let small = parts.worker_id ^ parts.sequence ^ parts.rollback;
                    sum.wrapping_add(parts.unix_ms.unsigned_abs() ^ u64::from(small))
                };
                ids.iter().fold(0, sum)
            }) / ids.len() as f64
        }));
    }
    contestants.push(Contestant::new("ferroid's three accessors", || {
        over_all(&|id| {
            let id = SnowflakeTwitterId::from_raw(id);
            id.timestamp() ^ id.machine_id() ^ id.sequence()
        })
    }));
    let outcome = Outcome::of(effort.rounds, contestants);
    let rate = |name: &str| Line::new(group, name, 1e3 / outcome.median(name), "M/s");
    vec![
        rate(layouts[0].0).at_least(300.0),
        rate(layouts[1].0).at_least(300.0),
        rate("ferroid's three accessors"),
    ]
}

/// IDs as text, each at once copied into a buffer as a program that prints them would.
pub fn texts(effort: Effort) -> Vec<Line> {
    let group = "text";
    let ids = ids();
    let mut contestants = Vec::new();
    let mut add = |name, write: fn(u64, &mut [u8; 32]) -> usize| {
        let (ids, at) = (&ids, Cell::new(0_usize));
        let mut buffer = [0; 32];
        contestants.push(Contestant::new(name, move || {
            per_operation(effort.operations, || {
                at.set((at.get() + 1) % BLOCK);
                let length = write(ids[at.get()], black_box(&mut buffer));
                (length, black_box(&buffer)[0])
            })
        }));
    };
    add("base32", |id, out| copy(TextForm::Base32.format(id).as_bytes(), out));
    add("ferroid base32", |id, out| {
        let mut text = SnowflakeTwitterId::base32_array();
        SnowflakeTwitterId::from_raw(id).encode_to_buf(&mut text);
        copy(&text, out)
    });
    add("decimal", |id, out| copy(TextForm::Decimal.format(id).as_bytes(), out));
    add("itoa", |id, out| copy(itoa::Buffer::new().format(id).as_bytes(), out));
    add("base62", |id, out| copy(TextForm::Base62.format(id).as_bytes(), out));
    let outcome = Outcome::of(effort.rounds, contestants);
    let line = |name: &str| Line::new(group, name, outcome.median(name), "ns");
    let against =
        |name: &str, other: &str| line(name).against(other, outcome.ratio(name, &[other]));
    let mut lines = vec![
        against("base32", "ferroid base32").at_most(1.0),
        against("decimal", "itoa").at_most(1.0),
        line("base62"),
    ];
    lines.extend(parsing(effort, group));
    lines
}

/// IDs as text read back, which must be what was written.
fn parsing(effort: Effort, group: &'static str) -> Vec<Line> {
    let base32: Vec<_> = ids().iter().map(|&id| TextForm::Base32.format(id).to_string()).collect();
    let decimal: Vec<_> = ids().iter().map(u64::to_string).collect();
    let passes = (effort.operations / BLOCK as u64).max(5);
    let mut contestants = Vec::new();
    let mut add = |name, texts: &'static [String], read: fn(&str) -> u64| {
        contestants.push(Contestant::new(name, move || {
            let sum = || texts.iter().map(|text| black_box(read(text))).fold(0, u64::wrapping_add);
            per_operation(passes, sum) / BLOCK as f64
        }));
    };
    let (base32, decimal) = (base32.leak(), decimal.leak());
    add("base32 read", base32, |text| TextForm::Base32.parse(text).expect("base 32"));
    add("ferroid base32 read", base32, |text| {
        SnowflakeTwitterId::decode(text).expect("base 32").to_raw()
    });
    add("decimal read", decimal, |text| TextForm::Decimal.parse(text).expect("decimal"));
    add("std's parse", decimal, |text| text.parse().expect("decimal"));
    let outcome = Outcome::of(effort.rounds, contestants);
    let against = |name: &str, other: &str| {
        let line = Line::new(group, name, outcome.median(name), "ns");
        line.against(other, outcome.ratio(name, &[other])).at_most(1.0)
    };
    vec![against("base32 read", "ferroid base32 read"), against("decimal read", "std's parse")]
}

fn copy(text: &[u8], out: &mut [u8; 32]) -> usize {
    out[..text.len()].copy_from_slice(text);
    text.len()
}

/// IDs as Twitter's layout has them, all of 19 digits.
fn ids() -> Vec<u64> {
    let flake = subjects::engine();
    (0..BLOCK as i64).map(|n| flake.next_id(NOW_MS + n * 7).expect("an ID")).collect()
}
