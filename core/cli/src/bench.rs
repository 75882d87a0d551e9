//! `snowmint bench`: how fast a source mints on this machine, next to the machine's own limits.

mod measure;
mod report;

use std::hint::black_box;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use snowmint::{Clock, Layout, Mint, Result, Snowflake, Source, System, TextForm, WorkerId};
use tempfile::TempDir;

use crate::args::BenchArgs;
use crate::errors;
use crate::exit::Done;
use measure::{in_a_row, interleaved, one_by_one, quantile, rest, together, within};
use report::{Line, Unit, print};

/// The number of IDs that fit into the nearest cache.
const BLOCK: usize = 4_096;
/// Operations of a measurement, if the source gives that many.
const OPERATIONS: u64 = 100_000;
/// A measurement takes as many IDs as a layout has in this time, and then pauses as long.
const REST_MS: u64 = 25;
/// The time that uses up borrowed IDs before a sustained run.
const SPENDING: Duration = Duration::from_millis(500);

pub(crate) fn run(args: &BenchArgs) -> Done {
    let progress = Progress::start("opening the source");
    let directory; // outlives the source
    let start = Instant::now();
    let source = match &args.url {
        Some(url) => snowmint::open(url)?,
        None => {
            directory = private_directory()?;
            own(&directory)?
        }
    };
    let opened = Line::new("open", start.elapsed().as_nanos() as f64, Unit::Ns);
    let mut bench = Bench::new(&source, args)?;
    bench.lines.push(opened);
    bench.rounds(&progress)?;
    bench.timed_calls(&progress)?;
    bench.sustained(&progress)?;
    drop(progress);
    // The results are complete, whether or not the store learns that the lease has ended.
    let _ = source.close();
    print(&bench.lines, args.json)
}

fn private_directory() -> Result<TempDir> {
    let made = tempfile::Builder::new().prefix("snowmint-bench-").tempdir();
    made.map_err(errors::temporary_directory_not_made)
}

fn own(directory: &TempDir) -> Result<Source> {
    let builder = Snowflake::builder().layout(Layout::TWITTER).worker_id(WorkerId::Fixed(0));
    builder.state_directory(directory.path()).open().map(Source::Snowflake)
}

/// A source, the extent of the measurement, and its results.
struct Bench<'a> {
    source: &'a Source,
    threads: u8,
    rounds: usize,
    /// IDs of one measurement.
    budget: u64,
    sustained: Duration,
    lines: Vec<Line>,
}

impl<'a> Bench<'a> {
    fn new(source: &'a Source, args: &BenchArgs) -> Result<Bench<'a>> {
        let budget = match source {
            Source::Snowflake(flake) => flake.layout().ids_per_second() / (1_000 / REST_MS),
            Source::Segment(_) => OPERATIONS,
            _ => return Err(errors::source_not_measured()),
        };
        let usual = Duration::from_millis(if args.quick { 200 } else { 2_000 });
        Ok(Bench {
            source,
            threads: args.threads,
            rounds: if args.quick { 3 } else { 15 },
            budget: budget.clamp(1, OPERATIONS),
            sustained: args.seconds.map_or(usual, Duration::from_secs),
            lines: Vec::new(),
        })
    }

    /// Measures the machine's limits and the operations that compare with them.
    fn rounds(&mut self, progress: &Progress) -> Result<()> {
        progress.say("measuring rounds");
        let (source, budget, threads) = (self.source, self.budget, self.threads);
        let next = || source.next_id();
        let counter = AtomicU64::new(0);
        let add = || Ok(counter.fetch_add(1, Ordering::Relaxed));
        let mut written = vec![0; BLOCK];
        let mut filled = vec![0; BLOCK.min(budget as usize)];
        let (blocks, ids) = (budget / filled.len() as u64, filled.len() as f64);
        let [fetch_add, cheap, precise, write, one, adding, several, fill] = interleaved(
            self.rounds,
            [
                &mut || in_a_row(OPERATIONS, add),
                &mut || in_a_row(OPERATIONS, || Ok(System.coarse_ms())),
                &mut || in_a_row(OPERATIONS / 4, || Ok(System.now_ns())),
                &mut || {
                    let ns = in_a_row(OPERATIONS / 100, || {
                        black_box(&mut written).fill(counter.load(Ordering::Relaxed));
                        Ok(())
                    })?;
                    Ok(ns / BLOCK as f64)
                },
                &mut || rested(in_a_row(budget, next)),
                &mut || together(threads, OPERATIONS, add),
                &mut || rested(together(threads, budget, next)),
                &mut || {
                    let ns = in_a_row(blocks, || source.fill(black_box(&mut filled)))?;
                    rested(Ok(ns / ids))
                },
            ],
        )?;
        let floor = "cheap clock + fetch_add";
        self.lines.extend([
            Line::new("fetch_add", fetch_add.median(), Unit::Ns),
            Line::new("cheap clock", cheap.median(), Unit::Ns),
            Line::new("precise clock", precise.median(), Unit::Ns),
            Line::new("writing 8 bytes", write.median(), Unit::Ns),
            Line::new("next_id", one.median(), Unit::Ns)
                .beside(floor, one.ratio_to(&[&cheap, &fetch_add])),
            Line::rate(format!("next_id, {threads} threads"), several.median())
                .beside("next_id", one.ratio_to(&[&several])),
            Line::rate(format!("fetch_add, {threads} threads"), adding.median())
                .beside("fetch_add", fetch_add.ratio_to(&[&adding])),
            Line::rate("fill", fill.median()).beside("writing 8 bytes", fill.ratio_to(&[&write])),
        ]);
        self.reading(&filled)
    }

    /// Measures decoding IDs, and writing and reading their texts.
    fn reading(&mut self, ids: &[u64]) -> Result<()> {
        let form = TextForm::Base32;
        let texts: Vec<_> = ids.iter().map(|&id| form.format(id)).collect();
        let layout = self.source.layout().copied();
        // A loop over an array, as in a program with many IDs.
        let all = |each: &dyn Fn() -> Result<u64>| {
            Ok(in_a_row(OPERATIONS / BLOCK as u64, each)? / ids.len() as f64)
        };
        let write = |form: TextForm| {
            let length = |&id: &u64| black_box(form.format(black_box(id))).as_str().len() as u64;
            all(&|| Ok(ids.iter().map(length).sum()))
        };
        let [decode, base32, decimal, parse] = interleaved(
            self.rounds,
            [
                &mut || {
                    let Some(layout) = black_box(layout) else { return Ok(f64::NAN) };
                    let sum = |sum: u64, &id: &u64| -> Result<u64> {
                        let parts = layout.decode(id)?;
                        let small = parts.worker_id ^ parts.sequence ^ parts.rollback;
                        Ok(sum.wrapping_add(parts.unix_ms.unsigned_abs() ^ u64::from(small)))
                    };
                    all(&|| ids.iter().try_fold(0, sum))
                },
                &mut || write(TextForm::Base32),
                &mut || write(TextForm::Decimal),
                &mut || {
                    let add = |sum: u64, text: &snowmint::Text| -> Result<u64> {
                        Ok(sum.wrapping_add(form.parse(black_box(text.as_str()))?))
                    };
                    all(&|| texts.iter().try_fold(0, add))
                },
            ],
        )?;
        if layout.is_some() {
            self.lines.push(Line::rate("decode", decode.median()));
        }
        self.lines.extend([
            Line::new("writing base32", base32.median(), Unit::Ns),
            Line::new("writing decimal", decimal.median(), Unit::Ns),
            Line::new("reading base32", parse.median(), Unit::Ns),
        ]);
        Ok(())
    }

    /// Times single calls, each including a clock read. Clocks with a resolution of tens of
    /// nanoseconds are too coarse to subtract it.
    fn timed_calls(&mut self, progress: &Progress) -> Result<()> {
        progress.say("timing single calls");
        let mut calls_ns = Vec::new();
        for _ in 0..self.rounds {
            rested(one_by_one(&mut calls_ns, self.budget, || self.source.next_id()))?;
        }
        calls_ns.sort_unstable();
        for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("slowest", 1.0)] {
            let ns = quantile(&calls_ns, share) as f64;
            self.lines.push(Line::new(format!("timed call, {name}"), ns, Unit::Ns));
        }
        Ok(())
    }

    /// Mints without a pause.
    fn sustained(&mut self, progress: &Progress) -> Result<()> {
        progress.say("minting without a pause");
        let next = || self.source.next_id();
        within(SPENDING.min(self.sustained), u64::MAX, next)?;
        let (start, cpu) = (Instant::now(), cpu_time());
        let ns = within(self.sustained, u64::MAX, next)?;
        let took = start.elapsed();
        self.lines.push(Line::rate("sustained", ns));
        if let (Some(before), Some(after)) = (cpu, cpu_time()) {
            let share = (after - before).as_secs_f64() / took.as_secs_f64();
            self.lines.push(Line::new("sustained, CPU", share, Unit::Cores));
        }
        Ok(())
    }
}

fn rested<T>(measured: Result<T>) -> Result<T> {
    rest(Duration::from_millis(REST_MS));
    measured
}

/// Returns the CPU time of this process, if the system tells it.
fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}

/// A line on standard error that shows the present step, if standard error is a terminal.
struct Progress {
    is_watched: bool,
}

impl Progress {
    fn start(what: &str) -> Progress {
        let progress = Progress { is_watched: io::stderr().is_terminal() };
        progress.say(what);
        progress
    }

    fn say(&self, what: &str) {
        if self.is_watched {
            eprint!("\r{what:<40}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_watched {
            eprint!("\r{:40}\r", "");
        }
    }
}
