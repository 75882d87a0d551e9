//! The error of an ID's time, and the error that the clocks can explain.

use super::{Call, Ending, HALF_ROUND_TRIP_MS, HORIZON_MS, Laws, NEXT_LOOK_MS};
use crate::history::History;
use crate::machine::DRIFT_PPM_MAX;
use crate::network::Name;
use crate::scenario::Kind;
use crate::world::{Home, START_MS};

/// A corrected wall clock is followed once it has held for this long, and a few calls more.
const SETTLED_US: i64 = 8_000_000;

impl Laws {
    pub(super) fn check_truth(
        &self,
        history: &mut History,
        call: &Call,
        id: u64,
        at_ms: i64,
        end: &Ending<'_>,
    ) {
        let tick_ms = i64::from(self.layout.tick_ms());
        let ahead_ms = at_ms - (START_MS + end.now_us / 1_000);
        let behind_ms = START_MS + call.called_us / 1_000 - (at_ms + tick_ms - 1);
        let figures = &mut history.figures;
        figures.ahead_ms = figures.ahead_ms.max(ahead_ms);
        figures.behind_ms = figures.behind_ms.max(behind_ms);
        let max_ahead_ms = i64::from(self.policy.max_ahead_ms);
        let [error_ahead_ms, error_behind_ms] = self.clock_error_ms(call.home, end);
        // Until a step is followed, time counts from an earlier reading, which was as coarse.
        let resolution_ms = 2 * (end.clocks.resolution_us() / 1_000 + 1);
        let ahead_max_ms = max_ahead_ms + tick_ms + HORIZON_MS + resolution_ms + error_ahead_ms;
        let mut behind_max_ms = tick_ms + HORIZON_MS + resolution_ms + error_behind_ms;
        let disturbed_us = end.now_us - end.clocks.disturbed_us;
        let window_us = (2 * (HORIZON_MS + max_ahead_ms) + NEXT_LOOK_MS) * 1_000;
        if end.clocks.is_stuck() || disturbed_us < window_us {
            behind_max_ms += 2 * (max_ahead_ms + HORIZON_MS);
        }
        let [from_us, to_us] = end.stood_us;
        if end.clocks.disturbed_us >= from_us && end.now_us < to_us + window_us {
            behind_max_ms += (to_us - from_us) / 1_000 + max_ahead_ms + HORIZON_MS;
        }
        if ahead_ms > ahead_max_ms || behind_ms > behind_max_ms {
            let (name, text) = (Name(call.home), self.text(id));
            let what = format_args!(
                "{name} returns {id} ({text}), +{ahead_ms} (at most {ahead_max_ms}) or \
                 -{behind_ms} ms (at most {behind_max_ms}) from true"
            );
            history.violation(end.now_us, "L7", what);
        }
    }

    /// Returns how far a process's time can be ahead of true time, and behind it.
    fn clock_error_ms(&self, home: Home, end: &Ending<'_>) -> [i64; 2] {
        let clocks = end.clocks;
        let lost_us = if clocks.boot_stops { clocks.suspended_us } else { 0 };
        let lost_us = lost_us + clocks.stood_us(end.now_us);
        let drift_us = end.now_us * 2 * DRIFT_PPM_MAX / 1_000_000;
        let [store_ahead_us, store_behind_us] = end.store_us;
        let first_us = self.first_trips_us.get(&home).copied().unwrap_or_default() / 2;
        let sample_us = first_us.max(HALF_ROUND_TRIP_MS * 1_000);
        let mut ahead_us = store_ahead_us + sample_us;
        let mut behind_us = store_behind_us + sample_us;
        if self.kind == Kind::Fixed {
            (ahead_us, behind_us) = (clocks.ahead_us, clocks.behind_us);
            if end.now_us - clocks.seen_us > SETTLED_US && !clocks.is_stuck() {
                behind_us = -clocks.off_us(end.now_us);
            }
        }
        let [ahead_us, behind_us] = [ahead_us, behind_us].map(|error_us| error_us.max(0));
        [(ahead_us + drift_us) / 1_000 + 1, (behind_us + drift_us + lost_us) / 1_000 + 1]
    }
}
