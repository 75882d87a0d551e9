//! Compares a store's clock with this machine's.

use crate::error::Result;
use crate::findings::Finding;
use crate::host::{Clock, System};

const SUBJECT: &str = "clock";
/// The number of readings of the store's clock. The fastest answer is the most accurate.
const READINGS: usize = 3;
/// The largest allowed difference between the clocks of servers, in microseconds.
const ERROR_US: i64 = 1_000_000;

/// The time that the store's clock is ahead, and the uncertainty of that, in microseconds.
#[derive(Clone, Copy)]
struct Offset {
    ahead_us: i64,
    error_us: i64,
}

/// Compares the clock of a store, in Unix microseconds, with this machine's.
pub(crate) fn compare(mut ask_us: impl FnMut() -> Result<i64>) -> Result<Finding> {
    let mut best: Option<Offset> = None;
    for _ in 0..READINGS {
        let before_us = System.now_ns() / 1_000;
        let store_us = ask_us()?;
        let offset = between(before_us, store_us, System.now_ns() / 1_000);
        if best.is_none_or(|best| offset.error_us < best.error_us) {
            best = Some(offset);
        }
    }
    Ok(judged(best.unwrap_or(Offset { ahead_us: 0, error_us: i64::MAX })))
}

/// Estimates the offset, given that the store read its clock between the two local readings.
fn between(before_us: i64, store_us: i64, after_us: i64) -> Offset {
    let round_us = after_us.saturating_sub(before_us).max(0);
    let middle_us = before_us.saturating_add(round_us / 2);
    // Each of the two clocks truncates up to a microsecond.
    Offset { ahead_us: store_us.saturating_sub(middle_us), error_us: round_us / 2 + 2 }
}

fn judged(Offset { ahead_us, error_us }: Offset) -> Finding {
    let apart_us = ahead_us.saturating_abs();
    let side = if ahead_us < 0 { "behind" } else { "ahead of" };
    let found = format!(
        "the store's clock is {} ms {side} this machine's, give or take {} ms",
        milliseconds(apart_us),
        milliseconds(error_us)
    );
    if apart_us.saturating_sub(error_us) <= ERROR_US {
        return Finding::ok(SUBJECT, found);
    }
    let found = found
        + ": leased worker IDs mint by the store's clock, fixed ones by the machine's, and waits \
           after a failover are short by what is above a second";
    Finding::weaker(SUBJECT, found, "have both follow the same time servers (chrony or the like)")
}

fn milliseconds(us: i64) -> String {
    format!("{}.{}", us / 1_000, us % 1_000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Verdict;

    #[test]
    fn an_offset_is_told_up_to_half_the_round_trip() {
        for (readings, says, verdict) in [
            ((0, 5_000, 10_000), "0.0 ms ahead of", Verdict::Ok),
            ((0, 999_000, 10_000), "994.0 ms ahead of", Verdict::Ok),
            // One second plus the uncertainty of the round trip.
            ((0, 1_010_002, 10_000), "1005.0 ms ahead of", Verdict::Ok),
            ((0, 1_010_003, 10_000), "1005.0 ms ahead of", Verdict::Weaker),
            ((0, -2_000_000, 200), "2000.1 ms behind", Verdict::Weaker),
            ((10, 10, 0), "0.0 ms ahead of", Verdict::Ok),
        ] {
            let (before, store, after) = readings;
            let finding = judged(between(before, store, after));
            assert!(finding.found.contains(says), "{finding:?}");
            assert_eq!(finding.verdict, verdict, "{finding:?}");
            assert_eq!(finding.cure.is_some(), verdict == Verdict::Weaker);
        }
    }
}
