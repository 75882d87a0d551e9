//! Measurements in interleaved rounds: each round measures everything once, so that a disturbance
//! affects both sides of a ratio. Ratios are taken within a round.

use std::hint::{black_box, spin_loop};
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use snowmint::Result;

/// The longest measurement, even if a source makes its callers wait.
const LENGTH_MAX: Duration = Duration::from_millis(20);
/// The most operations between two looks at the clock.
const UNWATCHED_MAX: u64 = 1_024;
/// The time to wake up a processor that slept.
const WARM_UP: Duration = Duration::from_millis(2);

/// Nanoseconds an operation, one sample each round.
pub(super) struct Samples(Vec<f64>);

impl Samples {
    pub(super) fn median(&self) -> f64 {
        median(self.0.clone())
    }

    /// Returns the median of the rounds' ratios to the sum of others.
    pub(super) fn ratio_to(&self, others: &[&Samples]) -> f64 {
        let sum = |round| others.iter().filter_map(|other| other.0.get(round)).sum::<f64>();
        median(self.0.iter().enumerate().map(|(round, sample)| sample / sum(round)).collect())
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    quantile(&samples, 0.5)
}

/// Returns the smallest sample that `share` of all do not exceed; 0 without samples.
pub(super) fn quantile<T: Copy + Default>(sorted: &[T], share: f64) -> T {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// Runs one round to warm up and then `rounds` rounds.
pub(super) fn interleaved<const N: usize>(
    rounds: usize,
    mut each: [&mut dyn FnMut() -> Result<f64>; N],
) -> Result<[Samples; N]> {
    let mut samples = [const { Samples(Vec::new()) }; N];
    for round in 0..=rounds {
        for (measure, samples) in each.iter_mut().zip(&mut samples) {
            let sample = measure()?;
            if round > 0 {
                samples.0.push(sample);
            }
        }
    }
    Ok(samples)
}

/// Returns nanoseconds an operation: of `count` in a row, or of as many as fit in 20 ms.
#[inline(always)]
pub(super) fn in_a_row<T>(count: u64, operation: impl FnMut() -> Result<T>) -> Result<f64> {
    within(LENGTH_MAX, count, operation)
}

/// Returns nanoseconds an operation: of as many as fit in `length`, at most `count`.
#[inline(always)]
pub(super) fn within<T>(
    length: Duration,
    count: u64,
    mut operation: impl FnMut() -> Result<T>,
) -> Result<f64> {
    let start = Instant::now();
    let (mut done, mut unwatched) = (0, 1);
    loop {
        let some = (count - done).min(unwatched);
        for _ in 0..some {
            black_box(operation()?);
        }
        done += some;
        let took = start.elapsed();
        if done == count || took >= length {
            return Ok(took.as_nanos() as f64 / done as f64);
        }
        unwatched = (unwatched * 2).min(UNWATCHED_MAX);
    }
}

/// Returns nanoseconds an operation, of `count` by several threads together. Measures from the
/// start of the first thread to the end of the last.
pub(super) fn together<T>(
    threads: u8,
    count: u64,
    operation: impl Fn() -> Result<T> + Sync,
) -> Result<f64> {
    let share = (count / u64::from(threads)).max(1);
    let ready = AtomicU8::new(0);
    let run = || {
        ready.fetch_add(1, Ordering::Relaxed);
        // A lock would wake the threads one after another, which takes long for short measurements.
        while ready.load(Ordering::Relaxed) < threads {
            thread::yield_now();
        }
        let start = Instant::now();
        let ns = in_a_row(share, &operation)?;
        let end = Instant::now();
        Ok((start, end, (end - start).as_nanos() as f64 / ns))
    };
    let each: Result<Vec<_>> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        running.into_iter().map(|thread| thread.join().expect("no measurement panics")).collect()
    });
    let each = each?;
    let done: f64 = each.iter().map(|(_, _, done)| done).sum();
    let start = each.iter().map(|(start, ..)| *start).min();
    let end = each.iter().map(|(_, end, _)| *end).max();
    let took = end.zip(start).map(|(end, start)| end - start).unwrap_or_default();
    Ok(took.as_nanos() as f64 / done)
}

/// Appends the duration of each of `count` operations in nanoseconds, including a clock read.
pub(super) fn one_by_one<T>(
    times_ns: &mut Vec<u64>,
    count: u64,
    mut operation: impl FnMut() -> Result<T>,
) -> Result<()> {
    let start = Instant::now();
    let mut before = start;
    for _ in 0..count {
        black_box(operation()?);
        let now = Instant::now();
        times_ns.push((now - before).as_nanos() as u64);
        before = now;
        if now - start >= LENGTH_MAX {
            break;
        }
    }
    Ok(())
}

/// Pauses so that a source regains what was used up, and then wakes the processor.
pub(super) fn rest(length: Duration) {
    thread::sleep(length);
    let awake = Instant::now();
    while awake.elapsed() < WARM_UP {
        spin_loop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_ratios_within_rounds() {
        let (mut a, mut b) = ([1.0, 2.0, 30.0, 4.0].into_iter(), [2.0, 4.0, 60.0, 2.0].into_iter());
        let [a, b] = interleaved(
            3,
            [&mut || Ok(a.next().unwrap_or_default()), &mut || Ok(b.next().unwrap_or_default())],
        )
        .unwrap();
        assert_eq!((a.median(), b.median()), (4.0, 4.0));
        assert_eq!(a.ratio_to(&[&b]), 0.5);
        assert_eq!(a.ratio_to(&[&a, &a]), 0.5);
    }

    #[test]
    fn quantiles_are_samples() {
        let sorted: Vec<u64> = (1..=1000).collect();
        assert_eq!(
            [0.5, 0.99, 0.999, 1.0].map(|share| quantile(&sorted, share)),
            [500, 990, 999, 1000]
        );
        assert_eq!(quantile::<u64>(&[], 0.5), 0);
    }

    #[test]
    fn counts_every_operation() {
        let mut count = 0;
        in_a_row(5_000, || {
            count += 1;
            Ok(())
        })
        .unwrap();
        assert!((1..=5_000).contains(&count));
        let mut times_ns = Vec::new();
        one_by_one(&mut times_ns, 10, || Ok(())).unwrap();
        assert!((1..=10).contains(&times_ns.len()));
    }
}
