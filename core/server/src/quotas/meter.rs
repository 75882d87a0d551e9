//! A rate limit as a token bucket, stored as the time at which the bucket is full again.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A rate, and how much of it may be taken at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// The amount …
    pub(crate) count: u64,
    /// … that is added in this time.
    pub(crate) per: Duration,
    /// The most that may be taken at once, from a full bucket.
    pub(crate) burst: u64,
}

impl Allowance {
    /// Returns a rate of `count` a second, with the same burst.
    pub(crate) fn a_second(count: u32) -> Allowance {
        let count = u64::from(count);
        Allowance { count, per: Duration::from_secs(1), burst: count }
    }

    /// Returns how long the bucket takes to gain `count`.
    fn takes_ns(&self, count: u64) -> u64 {
        let per_ns = u64::try_from(self.per.as_nanos()).unwrap_or(u64::MAX);
        count.saturating_mul(per_ns) / self.count.max(1)
    }

    /// Returns when a bucket that is empty now will be full.
    fn empty_ns(&self, now_ns: u64) -> u64 {
        now_ns.saturating_add(self.takes_ns(self.burst))
    }

    /// Returns when the bucket will be full after `count` is taken now. If it has too few, returns
    /// how long until it has enough.
    fn after(&self, full_ns: u64, now_ns: u64, count: u64) -> Result<u64, Duration> {
        let full_ns = full_ns.max(now_ns).saturating_add(self.takes_ns(count));
        match full_ns.saturating_sub(self.empty_ns(now_ns)) {
            0 => Ok(full_ns),
            missing_ns => Err(Duration::from_nanos(missing_ns)),
        }
    }

    /// Returns how many are in the bucket now.
    fn left(&self, full_ns: u64, now_ns: u64) -> u64 {
        let missing_ns = u128::from(full_ns.saturating_sub(now_ns));
        let per_ns = self.per.as_nanos().max(1);
        let missing = (missing_ns * u128::from(self.count)).div_ceil(per_ns);
        self.burst.saturating_sub(u64::try_from(missing).unwrap_or(u64::MAX))
    }
}

/// A bucket that several event loops share.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    full_ns: AtomicU64,
}

impl Meter {
    /// Takes `count`, at most the burst.
    ///
    /// # Errors
    /// The time after which `count` are there; nothing is taken.
    pub(crate) fn take(&self, of: &Allowance, now_ns: u64, count: u64) -> Result<(), Duration> {
        let mut full_ns = self.settled_ns(of, now_ns);
        loop {
            let after_ns = of.after(full_ns, now_ns, count)?;
            match self.exchange(full_ns, after_ns) {
                Ok(_) => return Ok(()),
                Err(present_ns) => full_ns = present_ns,
            }
        }
    }

    /// Takes as many as there are, at most `most`, and returns how many.
    ///
    /// # Errors
    /// The time after which one is there.
    pub(crate) fn take_up_to(
        &self,
        of: &Allowance,
        now_ns: u64,
        most: u64,
    ) -> Result<u64, Duration> {
        let count = of.left(self.settled_ns(of, now_ns), now_ns).clamp(1, most.max(1));
        self.take(of, now_ns, count).map(|()| count)
    }

    /// Puts back unused tokens.
    pub(crate) fn give_back(&self, of: &Allowance, count: u64) {
        let back = |full_ns: u64| Some(full_ns.saturating_sub(of.takes_ns(count)));
        // The closure always returns a value, so this cannot fail.
        let _ = self.full_ns.fetch_update(Ordering::Relaxed, Ordering::Relaxed, back);
    }

    /// Returns when the bucket is full. A debt from another rate, which could last for years, is
    /// cut to that of an empty bucket.
    fn settled_ns(&self, of: &Allowance, now_ns: u64) -> u64 {
        let (full_ns, empty_ns) = (self.full_ns(), of.empty_ns(now_ns));
        if full_ns <= empty_ns {
            return full_ns;
        }
        // If another thread was first, it stored the same value.
        let _ = self.exchange(full_ns, empty_ns);
        empty_ns
    }

    /// Returns when the bucket is full, as stored.
    pub(crate) fn full_ns(&self) -> u64 {
        self.full_ns.load(Ordering::Relaxed)
    }

    fn exchange(&self, from_ns: u64, to_ns: u64) -> Result<u64, u64> {
        self.full_ns.compare_exchange(from_ns, to_ns, Ordering::Relaxed, Ordering::Relaxed)
    }
}

/// The clock of all buckets, in nanoseconds since its first use.
pub(crate) fn now_ns() -> u64 {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(BEGUN.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const SECOND_NS: u64 = 1_000_000_000;

    #[test]
    fn a_full_bucket_gives_the_burst_and_then_the_rate() {
        let of = Allowance { burst: 50, ..Allowance::a_second(10) };
        let meter = Meter::default();
        assert_eq!(meter.take(&of, 0, 50), Ok(()));
        assert_eq!(meter.take(&of, 0, 1), Err(Duration::from_millis(100)));
        assert_eq!(meter.take(&of, SECOND_NS / 10, 1), Ok(()));
        assert_eq!(meter.take(&of, SECOND_NS, 10), Err(Duration::from_millis(100)));
        assert_eq!(meter.take(&of, SECOND_NS, 9), Ok(()));
        // The bucket never holds more than the burst.
        assert_eq!(meter.take(&of, 1_000 * SECOND_NS, 50), Ok(()));
        assert!(meter.take(&of, 1_000 * SECOND_NS, 1).is_err());
    }

    #[test]
    fn an_allowance_can_be_taken_and_given_back() {
        let of = Allowance::a_second(10);
        let meter = Meter::default();
        assert_eq!(meter.take_up_to(&of, 0, 4), Ok(4));
        assert_eq!(meter.take_up_to(&of, 0, 100), Ok(6));
        assert_eq!(meter.take_up_to(&of, 0, 100), Err(Duration::from_millis(100)));
        meter.give_back(&of, 2);
        assert_eq!(meter.take_up_to(&of, 0, 100), Ok(2));
        meter.give_back(&of, u64::MAX);
        assert_eq!(meter.take_up_to(&of, 0, 100), Ok(10));
    }

    #[test]
    fn with_another_rate_a_bucket_is_empty_at_most() {
        let (slow, fast) = (Allowance { burst: 1 << 30, ..Allowance::a_second(1) }, 1_000);
        let meter = Meter::default();
        assert_eq!(meter.take(&slow, 0, 1 << 30), Ok(()));
        let of = Allowance::a_second(fast);
        assert_eq!(meter.take(&of, 0, 1), Err(Duration::from_millis(1)));
        assert_eq!(meter.take_up_to(&of, SECOND_NS / 2, 5_000), Ok(500));
    }

    #[test]
    fn the_largest_numbers_overflow_nothing() {
        let of = Allowance { burst: u64::MAX, ..Allowance::a_second(1) };
        let meter = Meter::default();
        assert_eq!(meter.take(&of, 0, u64::MAX), Ok(()));
        assert_eq!(meter.take(&of, u64::MAX, 1), Ok(()));
        assert_eq!(of.left(u64::MAX, 0), u64::MAX - u64::MAX.div_ceil(SECOND_NS));
    }

    #[test]
    fn several_who_take_at_once_get_no_more_than_one_would() {
        let of = Allowance::a_second(1_000);
        let meter = Meter::default();
        let take = || (0..1_000).filter(|_| meter.take(&of, 0, 1).is_ok()).count();
        let taken = thread::scope(|scope| {
            let taking = [(); 4].map(|()| scope.spawn(take));
            taking.map(|it| it.join().unwrap()).iter().sum::<usize>()
        });
        assert_eq!(taken, 1_000);
    }
}
