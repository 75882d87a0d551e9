//! As many IDs as a generator gives, for seconds; each in a process of its own, so that nobody's
//! ticker thread counts as another's.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use snowmint::{Layout, Mint};

use crate::measure::{Effort, Histogram, median, per_operation};
use crate::peers;
use crate::report::Line;
use crate::subjects;

/// IDs a second of 41/10/12 bits.
const CAP: f64 = 4_096_000.0;
const GROUP: &str = "sustained, 41/10/12";
const EIGHT_THREADS: &str = "snowmint, eight threads";
const CHILDREN: [&str; 5] =
    ["snowmint", EIGHT_THREADS, "snowmint without borrowing", "ferroid atomic", "snowflaked sync"];
/// The hidden command of the child process.
pub const CHILD: &str = "--sustain";

pub fn sustained(effort: Effort) -> Vec<Line> {
    let mut lines = Vec::new();
    for name in CHILDREN {
        let (ids_per_s, cpu) = in_child(name, effort.sustained);
        let rate = Line::new(GROUP, format!("{name}: IDs a second"), ids_per_s / 1e6, "M/s")
            .against("the layout's 4.096 M/s", ids_per_s / CAP);
        let share = Line::new(GROUP, format!("{name}: share of one core"), cpu, "cores");
        match name {
            "snowmint" | EIGHT_THREADS => {
                lines.extend([rate.at_least(0.99), share.at_most(0.25)]);
            }
            _ => lines.extend([rate, share]),
        }
    }
    lines.extend(tail(effort));
    lines
}

fn in_child(name: &str, length: Duration) -> (f64, f64) {
    let program = std::env::current_exe().expect("this program's path");
    let length_ms = length.as_millis().to_string();
    let output = Command::new(program).args([CHILD, name, &length_ms]).output();
    let printed = output.expect("a child process").stdout;
    let text = String::from_utf8_lossy(&printed);
    let mut numbers = text.split_whitespace().map(|number| number.parse().unwrap_or(f64::NAN));
    (numbers.next().unwrap_or(f64::NAN), numbers.next().unwrap_or(f64::NAN))
}

/// The child: prints IDs a second, and CPU time over wall time.
pub fn run_child(name: &str, length_ms: &str) {
    let length = Duration::from_millis(length_ms.parse().expect("milliseconds"));
    let (ids_per_s, cpu) = match name {
        "snowmint" => {
            let flake = subjects::snowflake(Layout::TWITTER);
            sustain(length, || flake.next_id().expect("an ID"))
        }
        EIGHT_THREADS => {
            let flake = subjects::snowflake(Layout::TWITTER);
            sustain_by(8, length, || flake.next_id().expect("an ID"))
        }
        "snowmint without borrowing" => {
            let flake = subjects::without_borrowing();
            sustain(length, || flake.next_id().expect("an ID"))
        }
        "ferroid atomic" => {
            let generator = peers::ferroid_atomic();
            sustain(length, || peers::ferroid_next(&generator))
        }
        _ => {
            let generator = peers::snowflaked();
            sustain(length, || generator.generate::<u64>())
        }
    };
    println!("{ids_per_s} {cpu}");
}

fn sustain<T>(length: Duration, next: impl Fn() -> T + Sync) -> (f64, f64) {
    sustain_by(1, length, next)
}

fn sustain_by<T>(threads: u32, length: Duration, next: impl Fn() -> T + Sync) -> (f64, f64) {
    // The time that may be borrowed from the future is spent before the count begins.
    run_for(threads, Duration::from_millis(1_500).min(length * 4), &next);
    let cpu_before = cpu_seconds();
    let (count, took) = run_for(threads, length, &next);
    let cpu = cpu_seconds() - cpu_before;
    (count as f64 / took.as_secs_f64(), cpu / took.as_secs_f64())
}

fn run_for<T>(threads: u32, length: Duration, next: &(impl Fn() -> T + Sync)) -> (u64, Duration) {
    let start = Instant::now();
    let count = || {
        let mut count = 0;
        while start.elapsed() < length {
            per_operation(256, next);
            count += 256;
        }
        count
    };
    let all = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
        running.into_iter().map(|thread| thread.join().expect("a thread")).sum()
    });
    (all, start.elapsed())
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Measures single calls that need not wait, less the time of the clock read around each.
fn tail(effort: Effort) -> Vec<Line> {
    let flake = subjects::snowflake(Layout::TWITTER);
    let (mut usual, mut p9999, mut worst) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        let (mut clock, mut calls) = (Histogram::empty(), Histogram::empty());
        each_call(&mut clock, effort.operations, || ());
        each_call(&mut calls, effort.operations, || flake.next_id().expect("an ID"));
        usual.push(calls.usual_ns() - clock.usual_ns());
        p9999.push(calls.quantile_ns(0.9999) - clock.usual_ns());
        worst.push(calls.max_ns());
        thread::sleep(Duration::from_millis(effort.operations / 4096 + 5));
    }
    let [usual, p9999, worst] = [usual, p9999, worst].map(median);
    vec![
        Line::new(GROUP, "snowmint: a call without a wait, usually", usual, "ns"),
        Line::new(GROUP, "snowmint: p99.99 of the same", p9999, "ns")
            .against("the usual", p9999 / usual)
            .at_most(10.0),
        Line::new(GROUP, "snowmint: slowest of a round", worst, "ns"),
    ]
}

/// Times every call by one clock read between two.
pub fn each_call<T>(calls: &mut Histogram, count: u64, mut call: impl FnMut() -> T) {
    let start = Instant::now();
    let mut before_ns = 0;
    for _ in 0..count {
        std::hint::black_box(call());
        let now_ns = start.elapsed().as_nanos() as u64;
        calls.add(now_ns - before_ns);
        before_ns = now_ns;
    }
}
