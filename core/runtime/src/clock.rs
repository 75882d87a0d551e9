//! The time a generator goes by: the machine's wall clock, as long as it can be believed.
//!
//! Wall time is compared with boot time, which nobody can set. A step is not followed at once: a
//! jump ahead once it has held for [`HOLD_MS`], a step back by going on at half speed until the wall
//! clock has caught up. A step back within [`TOLERANCE_MS`] is followed; the machine absorbs it. With a lease the store's clock is the anchor, and the local wall clock's steps do not
//! matter at all. None of this decides whether an ID is unique, only how true its time is.

/// Wall and boot time may differ this much without a step.
const TOLERANCE_MS: i64 = 250;
/// Clocks drift apart by no more than one in so many: 500 parts per million.
const DRIFT_DIVISOR: i64 = 2_000;
/// A step must hold this long before it is followed.
const HOLD_MS: i64 = 5_000;
/// A jump ahead further than this is never followed while running: a day.
const MAX_JUMP_MS: i64 = 86_400_000;
/// Answers of a store differ by this much without either clock being wrong: not worth slewing.
const JITTER_MS: i64 = 10;
/// A store's answer that took longer says too little about the time.
const MAX_ROUND_TRIP_MS: i64 = 300;

/// Keeps a generator's time, from readings of wall and boot time.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    anchor: Option<Anchor>,
    step: Option<Step>,
}

#[derive(Clone, Copy, Debug)]
struct Anchor {
    time_ms: i64,
    boot_ms: i64,
    of_store: bool,
    /// What the store's time was found to be ahead of its latest answer: paid back at half speed.
    ahead_ms: i64,
}

impl Anchor {
    fn time_at(&self, boot_ms: i64) -> i64 {
        let elapsed_ms = boot_ms.saturating_sub(self.boot_ms).max(0);
        let slowed_ms = self.ahead_ms.min(elapsed_ms / 2);
        self.time_ms.saturating_add(elapsed_ms).saturating_sub(slowed_ms)
    }
}

/// A step of the wall clock under watch.
#[derive(Clone, Copy, Debug)]
struct Step {
    by_ms: i64,
    since_boot_ms: i64,
}

impl Timeline {
    /// What to add to wall time, read at `wall_ms` and `boot_ms`, to get the time to go by.
    pub(crate) fn offset_ms(&mut self, wall_ms: i64, boot_ms: i64) -> i64 {
        let Some(anchor) = self.anchor else {
            self.anchor = Some(Anchor { time_ms: wall_ms, boot_ms, of_store: false, ahead_ms: 0 });
            return 0;
        };
        let elapsed_ms = boot_ms.saturating_sub(anchor.boot_ms).max(0);
        let expected_ms = anchor.time_ms.saturating_add(elapsed_ms);
        let by_ms = wall_ms.saturating_sub(expected_ms);
        if anchor.of_store {
            return anchor.time_at(boot_ms).saturating_sub(wall_ms);
        }
        let tolerance_ms = TOLERANCE_MS + elapsed_ms / DRIFT_DIVISOR;
        let is_slewing = by_ms < 0 && self.step.is_some_and(|step| step.by_ms < 0);
        if by_ms.saturating_abs() <= tolerance_ms && !is_slewing {
            return self.follow(wall_ms, boot_ms);
        }
        let held = self.has_held(by_ms, boot_ms, tolerance_ms);
        if held && by_ms > 0 && by_ms <= MAX_JUMP_MS {
            return self.follow(wall_ms, boot_ms);
        }
        // A step back that has held: time goes on at half speed until the wall clock catches up.
        let slowed_ms = if held && by_ms < 0 { elapsed_ms - elapsed_ms / 2 } else { 0 };
        let slowed_ms = expected_ms.saturating_sub(slowed_ms);
        // Half speed since the last look could lead past the wall clock.
        let time_ms = slowed_ms.max(wall_ms.min(expected_ms));
        self.anchor = Some(Anchor { time_ms, boot_ms, of_store: false, ahead_ms: 0 });
        time_ms.saturating_sub(wall_ms)
    }

    /// Takes the store's time, read between two readings of boot time.
    pub(crate) fn anchor_to_store(&mut self, store_ms: i64, asked_ms: i64, answered_ms: i64) {
        let round_trip_ms = answered_ms.saturating_sub(asked_ms);
        if (0..=MAX_ROUND_TRIP_MS).contains(&round_trip_ms) {
            let time_ms = store_ms.saturating_add(round_trip_ms / 2);
            let before = self.anchor.filter(|anchor| anchor.of_store);
            let ahead_ms = before
                .map(|anchor| anchor.time_at(answered_ms).saturating_sub(time_ms))
                .filter(|ahead_ms| (1..=TOLERANCE_MS).contains(ahead_ms))
                .unwrap_or(0);
            let time_ms = time_ms.saturating_add(ahead_ms);
            let ahead_ms = if ahead_ms > JITTER_MS { ahead_ms } else { 0 };
            self.anchor = Some(Anchor { time_ms, boot_ms: answered_ms, of_store: true, ahead_ms });
        }
    }

    fn follow(&mut self, wall_ms: i64, boot_ms: i64) -> i64 {
        self.anchor = Some(Anchor { time_ms: wall_ms, boot_ms, of_store: false, ahead_ms: 0 });
        self.step = None;
        0
    }

    fn has_held(&mut self, by_ms: i64, boot_ms: i64, tolerance_ms: i64) -> bool {
        let same = |step: &Step| {
            // A step back shrinks while it is slewed away.
            let change_ms = by_ms.saturating_sub(step.by_ms);
            change_ms.saturating_abs() <= tolerance_ms || (by_ms < 0 && change_ms > 0)
        };
        match self.step.filter(same) {
            Some(step) => boot_ms.saturating_sub(step.since_boot_ms) >= HOLD_MS,
            None => {
                self.step = Some(Step { by_ms, since_boot_ms: boot_ms });
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: i64 = 86_400_000;
    const START_MS: i64 = 1_790_000_000_000;

    /// A machine whose wall clock is `step_ms` off from boot time on.
    fn time_after(timeline: &mut Timeline, boot_ms: i64, step_ms: i64) -> i64 {
        let wall_ms = START_MS + boot_ms + step_ms;
        wall_ms + timeline.offset_ms(wall_ms, boot_ms) - START_MS
    }

    #[test]
    fn follows_a_clock_without_steps() {
        let mut timeline = Timeline::default();
        for boot_ms in (0..DAY_MS).step_by(60_000) {
            let drift_ms = boot_ms / 4_000;
            assert_eq!(time_after(&mut timeline, boot_ms, drift_ms), boot_ms + drift_ms);
        }
    }

    #[test]
    fn follows_a_jump_ahead_once_it_has_held() {
        let mut timeline = Timeline::default();
        time_after(&mut timeline, 0, 0);
        assert_eq!(time_after(&mut timeline, 100, 3_600_000), 100);
        assert_eq!(time_after(&mut timeline, 100 + HOLD_MS - 1, 3_600_000), 100 + HOLD_MS - 1);
        let held = 100 + HOLD_MS;
        assert_eq!(time_after(&mut timeline, held, 3_600_000), held + 3_600_000);
    }

    #[test]
    fn ignores_a_jump_ahead_that_is_put_right() {
        let mut timeline = Timeline::default();
        time_after(&mut timeline, 0, 0);
        assert_eq!(time_after(&mut timeline, 1_000, 3_600_000), 1_000);
        assert_eq!(time_after(&mut timeline, 4_000, 0), 4_000);
        assert_eq!(time_after(&mut timeline, 9_000, 3_600_000), 9_000);
    }

    #[test]
    fn never_follows_a_jump_of_more_than_a_day() {
        let mut timeline = Timeline::default();
        time_after(&mut timeline, 0, 0);
        for boot_ms in (1_000..100_000).step_by(1_000) {
            assert_eq!(time_after(&mut timeline, boot_ms, 2 * DAY_MS), boot_ms);
        }
    }

    #[test]
    fn slews_a_step_back_away_without_going_down() {
        let mut timeline = Timeline::default();
        let mut last = time_after(&mut timeline, 0, 0);
        for boot_ms in (50..60_000).step_by(50) {
            let now = time_after(&mut timeline, boot_ms, -20_000);
            assert!(now >= last, "{now} after {last}");
            last = now;
        }
        assert_eq!(last, 59_950 - 20_000);
    }

    #[test]
    fn with_a_store_the_wall_clock_does_not_matter() {
        let mut timeline = Timeline::default();
        timeline.anchor_to_store(START_MS, 0, 20);
        assert_eq!(time_after(&mut timeline, 1_020, 600_000), 1_010);
        assert_eq!(time_after(&mut timeline, 2_020, -600_000), 2_010);
        timeline.anchor_to_store(START_MS + 9_000, 3_000, 3_000 + MAX_ROUND_TRIP_MS + 1);
        assert_eq!(time_after(&mut timeline, 4_020, 0), 4_010);
    }

    #[test]
    fn an_answer_of_the_store_is_no_step_back() {
        let mut timeline = Timeline::default();
        timeline.anchor_to_store(START_MS, 0, 10);
        let mut last = time_after(&mut timeline, 10, 0);
        for round in 1..100 {
            let (asked_ms, took_ms) = (round * 100, if round % 2 == 0 { 12 } else { 2 });
            timeline.anchor_to_store(START_MS + asked_ms, asked_ms, asked_ms + took_ms);
            for boot_ms in asked_ms + took_ms..asked_ms + 100 {
                let now = time_after(&mut timeline, boot_ms, 0);
                assert!(now >= last, "{now} after {last}");
                last = now;
            }
        }
        assert!((last - 9_999).abs() <= 6, "{last}");
    }

    #[test]
    fn survives_every_reading() {
        let mut timeline = Timeline::default();
        for wall_ms in [0, i64::MIN, i64::MAX, -1, START_MS] {
            for boot_ms in [0, i64::MIN, i64::MAX, 5] {
                timeline.offset_ms(wall_ms, boot_ms);
                timeline.anchor_to_store(wall_ms, boot_ms, boot_ms.saturating_add(1));
                timeline.offset_ms(wall_ms, boot_ms);
            }
        }
    }
}
