//! The rate of a source's use, by the IDs that it gave in the last seconds or since it is known.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The number of seconds to look back.
const WINDOW: usize = 10;
/// Over a shorter time, a few requests at once would look like a high rate.
const SHORTEST: Duration = Duration::from_secs(1);

/// The count of given IDs, second by second.
#[derive(Debug)]
pub(super) struct Uses {
    began: Instant,
    given: VecDeque<(Instant, u64)>,
}

impl Uses {
    pub(super) fn new(now: Instant) -> Uses {
        Uses { began: now, given: VecDeque::new() }
    }

    /// Notes how much the source has given by now. Call it about once a second.
    pub(super) fn note(&mut self, now: Instant, count: u64) {
        if self.given.len() >= WINDOW {
            self.given.pop_front();
        }
        self.given.push_back((now, count));
    }

    /// Returns IDs a second, or `None` if it gave none lately. Takes the highest rate over the last
    /// second, the last two, and so on, so that a sudden rise counts at once.
    pub(super) fn recent(&self, now: Instant, count: u64) -> Option<f64> {
        let rates = self.given.iter().filter_map(|(then, before)| {
            let lasted = now.checked_duration_since(*then).filter(|lasted| *lasted >= SHORTEST)?;
            Some(count.saturating_sub(*before) as f64 / lasted.as_secs_f64())
        });
        rates.filter(|rate| *rate > 0.0).max_by(f64::total_cmp)
    }

    /// Returns the mean of IDs a second since the source is known. Adds one ID, because the next
    /// request may come now.
    pub(super) fn mean(&self, now: Instant, count: u64) -> f64 {
        let known = now.saturating_duration_since(self.began).max(SHORTEST);
        count.saturating_add(1) as f64 / known.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_follows_the_present_and_is_never_none() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let mut uses = Uses::new(began);
        assert_eq!((uses.recent(at(0), 5), uses.mean(at(0), 0)), (None, 1.0));
        for second in 0..1_000 {
            uses.note(at(second), 0);
        }
        assert_eq!((uses.recent(at(1_000), 0), uses.mean(at(1_000), 0)), (None, 0.001));
        uses.note(at(1_000), 0);
        assert_eq!(uses.recent(at(1_001), 13_000), Some(13_000.0));
        uses.note(at(1_001), 13_000);
        // A burst counts less with each second, and no more after the window.
        assert_eq!(uses.recent(at(1_003), 13_000), Some(13_000.0 / 3.0));
        for second in 1_002..1_020 {
            uses.note(at(second), 13_000);
        }
        assert_eq!(uses.recent(at(1_020), 13_000), None);
    }
}
