//! Interleaved rounds: every contestant runs once in each, so that what disturbs the machine
//! disturbs all of them, and ratios are taken within a round.

use std::hint::{black_box, spin_loop};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The length and the number of the measurements.
#[derive(Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    /// Operations of one contestant in one round, for operations of some nanoseconds.
    pub operations: u64,
    /// Length of a sustained run.
    pub sustained: Duration,
    /// Starts of a process.
    pub starts: usize,
}

impl Effort {
    pub const FULL: Effort =
        Effort { rounds: 31, operations: 200_000, sustained: Duration::from_secs(5), starts: 60 };
    pub const QUICK: Effort =
        Effort { rounds: 3, operations: 20_000, sustained: Duration::from_millis(300), starts: 3 };
}

/// Something to measure: a name, and a round that returns what one operation costs.
pub struct Contestant<'a> {
    pub name: &'static str,
    round: Box<dyn FnMut() -> f64 + 'a>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: &'static str, round: impl FnMut() -> f64 + 'a) -> Contestant<'a> {
        Contestant { name, round: Box::new(round) }
    }
}

/// The results of the rounds.
pub struct Outcome {
    samples: Vec<(&'static str, Vec<f64>)>,
}

impl Outcome {
    /// Runs one round to warm up and then as many as asked for, each contestant in its turn.
    pub fn of(rounds: usize, mut contestants: Vec<Contestant>) -> Outcome {
        let mut samples: Vec<_> =
            contestants.iter().map(|contestant| (contestant.name, Vec::new())).collect();
        for round in 0..=rounds {
            for (contestant, (_, taken)) in contestants.iter_mut().zip(&mut samples) {
                let sample = (contestant.round)();
                if round > 0 {
                    taken.push(sample);
                }
            }
        }
        Outcome { samples }
    }

    /// The median of a contestant.
    pub fn median(&self, name: &str) -> f64 {
        median(self.of_contestant(name).to_vec())
    }

    /// The median of the rounds' ratios of one contestant to the sum of others.
    pub fn ratio(&self, name: &str, to: &[&str]) -> f64 {
        let mine = self.of_contestant(name).iter().enumerate();
        let sum = |round: usize| to.iter().map(|name| self.of_contestant(name)[round]).sum::<f64>();
        median(mine.map(|(round, sample)| sample / sum(round)).collect())
    }

    fn of_contestant(&self, wanted: &str) -> &[f64] {
        let found = self.samples.iter().find(|(name, _)| *name == wanted);
        &found.unwrap_or_else(|| panic!("no contestant {wanted}")).1
    }
}

pub fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    if samples.len() % 2 == 1 {
        samples[middle]
    } else {
        (samples[middle - 1] + samples[middle]) / 2.0
    }
}

/// Nanoseconds an operation, of `count` in a row.
#[inline(always)]
pub fn per_operation<T>(count: u64, mut operation: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        black_box(operation());
    }
    start.elapsed().as_nanos() as f64 / count as f64
}

/// Operations of a burst that no generator of 4096 IDs a millisecond has to wait in, even if its
/// clock ticks late.
const BURST: u64 = 1_500;

/// Nanoseconds an operation, in bursts that each begin with a fresh millisecond.
#[inline(always)]
pub fn per_operation_in_bursts<T>(count: u64, mut operation: impl FnMut() -> T) -> f64 {
    let bursts = count.div_ceil(BURST);
    let mut total_ns = 0.0;
    for _ in 0..bursts {
        await_millisecond();
        total_ns += per_operation(BURST, &mut operation);
    }
    total_ns / bursts as f64
}

/// Spins to the next millisecond: a processor put to sleep would begin the burst slowly.
fn await_millisecond() {
    let begun = unix_ms();
    while unix_ms() == begun {
        spin_loop();
    }
}

pub fn unix_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// Counts durations by nanosecond, up to a limit.
pub struct Histogram {
    counts: Vec<u32>,
    total: u64,
    max_ns: u64,
}

impl Histogram {
    const NANOSECONDS: usize = 1 << 20;

    pub fn empty() -> Histogram {
        Histogram { counts: vec![0; Self::NANOSECONDS], total: 0, max_ns: 0 }
    }

    #[inline]
    pub fn add(&mut self, ns: u64) {
        self.counts[(ns as usize).min(Self::NANOSECONDS - 1)] += 1;
        self.total += 1;
        self.max_ns = self.max_ns.max(ns);
    }

    /// The duration that a share of all does not pass.
    pub fn quantile_ns(&self, share: f64) -> f64 {
        let rank = (self.total as f64 * share).ceil() as u64;
        let mut seen = 0;
        let at = self.counts.iter().position(|&count| {
            seen += u64::from(count);
            seen >= rank
        });
        at.unwrap_or(0) as f64
    }

    /// Returns the number of calls that took longer.
    pub fn above(&self, ns: usize) -> u64 {
        self.counts.iter().skip(ns + 1).map(|&count| u64::from(count)).sum()
    }

    /// The mean of all but the slowest hundredth: a clock that counts in steps of 10 ns has no
    /// finer median, and whatever stopped the process is not the call.
    pub fn usual_ns(&self) -> f64 {
        let limit = self.quantile_ns(0.99) as usize;
        let counts = self.counts.iter().take(limit + 1).enumerate();
        let (sum, count) = counts.fold((0, 0), |(sum, count), (ns, &of_ns)| {
            (sum + ns as u64 * u64::from(of_ns), count + u64::from(of_ns))
        });
        sum as f64 / count.max(1) as f64
    }

    pub fn max_ns(&self) -> f64 {
        self.max_ns as f64
    }
}
