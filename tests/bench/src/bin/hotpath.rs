//! Runs one hot path so many times and ends, for counting its instructions: the difference of two
//! runs is what the path itself takes.

use std::hint::black_box;
use std::time::Duration;

use snowmint::engine::{MAX_NUMBER, MAX_STEP, SharedRange};
use snowmint::{Layout, Mint, NumberRange, TextForm};
use snowmint_bench::subjects::{self, NOW_MS};

const USAGE: &str = "usage: hotpath NAME COUNT, or hotpath --list";
const BLOCK: usize = 4096;

type Path = (&'static str, fn(u64));

const PATHS: [Path; 10] = [
    ("engine_next_id", engine_next_id),
    ("engine_next_id_fresh_tick", engine_next_id_fresh_tick),
    ("engine_issue_and_fill_4096", engine_issue_and_fill),
    ("shared_range_take_one", shared_range_take_one),
    ("runtime_next_id", runtime_next_id),
    ("segment_next_id", segment_next_id),
    ("decode", decode),
    ("format_base32", |count| format(TextForm::Base32, count)),
    ("format_decimal", |count| format(TextForm::Decimal, count)),
    ("parse_base32", parse_base32),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [list] if list == "--list" => PATHS.iter().for_each(|(name, _)| println!("{name}")),
        [name, count] => {
            let found = PATHS.iter().find(|(known, _)| known == name);
            let (_, path) = found.unwrap_or_else(|| panic!("{USAGE}"));
            path(count.parse().expect(USAGE));
        }
        _ => panic!("{USAGE}"),
    }
}

fn engine_next_id(count: u64) {
    let flake = subjects::engine();
    for _ in 0..count {
        let _ = black_box(flake.next_id(black_box(NOW_MS)));
    }
}

fn engine_next_id_fresh_tick(count: u64) {
    let flake = subjects::engine();
    for now_ms in NOW_MS..NOW_MS + count as i64 {
        let _ = black_box(flake.next_id(black_box(now_ms)));
    }
}

fn engine_issue_and_fill(count: u64) {
    let flake = subjects::engine_with(subjects::wide_layout());
    let mut buffer = [0; BLOCK];
    for _ in 0..count {
        let ids = flake.issue(black_box(NOW_MS), BLOCK as u32);
        ids.expect("IDs").fill(black_box(&mut buffer));
    }
}

fn shared_range_take_one(count: u64) {
    let range = SharedRange::new();
    let whole = NumberRange::new(1, MAX_NUMBER, 1).expect("a range");
    range.owner().expect("nobody else's").replace(whole);
    for _ in 0..count {
        black_box(black_box(&range).take_one());
    }
}

fn runtime_next_id(count: u64) {
    let flake = subjects::snowflake(Layout::TWITTER);
    for _ in 0..count {
        let _ = black_box(flake.next_id());
    }
}

fn segment_next_id(count: u64) {
    let segment = subjects::segment(MAX_STEP, Duration::ZERO);
    for _ in 0..count {
        let _ = black_box(segment.next_id());
    }
}

fn decode(count: u64) {
    let layout = black_box(Layout::TWITTER);
    for id in 0..count {
        let _ = black_box(layout.decode(black_box(id << 20)));
    }
}

fn format(form: TextForm, count: u64) {
    for id in 0..count {
        black_box(form.format(black_box(u64::MAX / 3 + id)).as_bytes());
    }
}

fn parse_base32(count: u64) {
    let text = TextForm::Base32.format(u64::MAX / 3);
    let text: &str = text.as_str();
    for _ in 0..count {
        let _ = black_box(TextForm::Base32.parse(black_box(text)));
    }
}
