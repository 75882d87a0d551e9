//! The time of a generator: the machine's wall clock, corrected while that clock is implausible.
//!
//! Wall time is compared with boot time, which cannot be set. A jump ahead is followed once it has
//! held for [`HOLD_MS`]. After a step back the time goes on at half speed until the wall clock has
//! caught up. A step back within [`TOLERANCE_MS`] is followed at once; the machine absorbs it.
//!
//! With a lease the time follows the store's clock, and steps of the local wall clock do not
//! matter. Steps of the store's clock are treated alike: a jump ahead is followed once several
//! answers have shown it, and a step back of any size is slewed away.
//!
//! A difference within the error of two readings is not corrected. Nor is a store's time that the
//! machine's own time had at some moment of the call. Corrections never take the time back; only a
//! wall clock that went back does. Uniqueness never depends on this module, only how true an ID's
//! time is.

use crate::host::Clock;

/// The difference between wall and boot time, in milliseconds, up to which there is no step.
const TOLERANCE_MS: i64 = 250;
/// The greatest drift between clocks, as a divisor: 500 parts per million.
const DRIFT_DIVISOR: i64 = 2_000;
/// The time, in milliseconds, that a step must hold before it is followed.
const HOLD_MS: i64 = 5_000;
/// The number of answers that must agree that the store's clock jumped ahead.
const SUPPORT: u32 = 3;
/// The largest jump ahead that is followed while running: a day.
const MAX_JUMP_MS: i64 = 86_400_000;
/// Answers of a store differ by up to this much although both clocks are right. It is not slewed.
const JITTER_MS: i64 = 10;
/// The longest round trip of an answer that always counts. A slower answer counts only if the
/// anchor's error is at least twice as large, or if it shows a step.
const MAX_ROUND_TRIP_MS: i64 = 300;
/// Readings of wall and boot time further apart than this are repeated, at most [`READINGS_MAX`]
/// times.
const READING_MS: i64 = 5;
const READINGS_MAX: u32 = 5;
/// A thread that waits for the clock looks at it this often, because a jump ahead holds from the
/// first look that saw it. It is above the tolerance, so that a clock that stands still is not
/// followed.
pub(crate) const LOOK_MS: i64 = 500;
const _: () = assert!(LOOK_MS > TOLERANCE_MS);
/// The distance of the horizon from the time found in a look. A machine may go that far ahead
/// before the clocks are looked at again.
pub(crate) const HORIZON_MS: i64 = 50;

/// Wall time, and the boot time of the same moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    wall_ms: i64,
    boot_ms: i64,
    /// The largest distance between the two moments.
    error_ms: i64,
}

impl Reading {
    /// Reads wall time between two readings of boot time. A pause between them would look like a
    /// step, so the closest of several readings is used.
    pub(crate) fn take(host: &impl Clock) -> Reading {
        let mut before_ms = host.boot_ms();
        let mut closest: Option<Reading> = None;
        for _ in 0..READINGS_MAX {
            let (wall_ms, after_ms) = (host.now_ms(), host.boot_ms());
            let reading = Reading::between(wall_ms, before_ms, after_ms);
            if closest.is_none_or(|closest| reading.error_ms < closest.error_ms) {
                closest = Some(reading);
            }
            if after_ms.saturating_sub(before_ms) <= READING_MS {
                return reading;
            }
            before_ms = after_ms;
        }
        closest.unwrap_or(Reading::between(before_ms, before_ms, before_ms))
    }

    fn between(wall_ms: i64, before_ms: i64, after_ms: i64) -> Reading {
        let took_ms = after_ms.saturating_sub(before_ms).max(0);
        let boot_ms = after_ms.saturating_sub(took_ms / 2);
        // Both times are cut to a millisecond, hence the extra one.
        Reading { wall_ms, boot_ms, error_ms: took_ms.saturating_sub(took_ms / 2) + 1 }
    }
}

/// A store's time, read between two readings of boot time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) store_ms: i64,
    pub(crate) asked_ms: i64,
    pub(crate) answered_ms: i64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) now_ms: i64,
    /// The difference to add to wall time until the next look.
    pub(crate) offset_ms: i64,
    /// The limit, until the next look, for a machine that borrows nothing.
    horizon_ms: i64,
}

/// Keeps a generator's time, from readings of wall and boot time.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    anchor: Option<Anchor>,
    step: Option<Step>,
    last: Option<Look>,
    /// The lead of the time over the store's latest answer.
    ahead_of_store_ms: i64,
    /// The store's time when it gave the lease. Nothing can be issued before it.
    lease_began_ms: Option<i64>,
}

#[derive(Clone, Copy, Debug)]
struct Anchor {
    time_ms: i64,
    boot_ms: i64,
    of_store: bool,
    /// The lead of the time over the clock, which is paid back at half speed.
    ahead_ms: i64,
    /// The largest distance from the clock's time.
    error_ms: i64,
}

impl Anchor {
    fn of_wall(time_ms: i64, boot_ms: i64, error_ms: i64) -> Anchor {
        Anchor { time_ms, boot_ms, of_store: false, ahead_ms: 0, error_ms }
    }

    fn elapsed_ms(&self, boot_ms: i64) -> i64 {
        boot_ms.saturating_sub(self.boot_ms).max(0)
    }

    fn time_at(&self, boot_ms: i64) -> i64 {
        let elapsed_ms = self.elapsed_ms(boot_ms);
        let slowed_ms = self.ahead_ms.min(elapsed_ms / 2);
        self.time_ms.saturating_add(elapsed_ms).saturating_sub(slowed_ms)
    }

    fn is_slewing_at(&self, boot_ms: i64) -> bool {
        self.ahead_ms > self.elapsed_ms(boot_ms) / 2
    }

    fn error_at(&self, boot_ms: i64) -> i64 {
        self.error_ms.saturating_add(self.elapsed_ms(boot_ms) / DRIFT_DIVISOR)
    }
}

/// A step of the clock that has not been followed yet.
#[derive(Clone, Copy, Debug)]
struct Step {
    by_ms: i64,
    since_boot_ms: i64,
    /// The number of readings or answers that have shown it.
    shown: u32,
}

/// The result of the last look at the clocks.
#[derive(Clone, Copy, Debug)]
struct Look {
    time: Time,
    wall_ms: i64,
    /// True if the time was the wall clock's own.
    is_wall: bool,
}

impl Timeline {
    pub(crate) fn look(&mut self, reading: Reading) -> Time {
        let (right_ms, is_wall) = self.time_of(reading);
        let right_offset_ms = right_ms.saturating_sub(reading.wall_ms);
        let horizon_ms = right_ms.saturating_add(HORIZON_MS);
        let mut time = Time { now_ms: right_ms, offset_ms: right_offset_ms, horizon_ms };
        if let Some(last) = self.last {
            let by_ms = right_offset_ms.saturating_sub(last.time.offset_ms);
            if !is_wall && by_ms.saturating_abs() <= reading.error_ms {
                time.offset_ms = last.time.offset_ms;
            }
            let told_ms = reading.wall_ms.saturating_add(time.offset_ms);
            let went_back = is_wall && last.is_wall && reading.wall_ms < last.wall_ms;
            let said_ms = if went_back { told_ms } else { last.said_at(reading.wall_ms) };
            time.horizon_ms = told_ms.saturating_add(HORIZON_MS);
            // An inexact reading does not lower the horizon. The base is `told_ms` and not
            // `said_ms`, so that jumps in quick succession do not add up.
            let reach_ms = time.horizon_ms.saturating_add(HORIZON_MS);
            if !went_back && last.time.horizon_ms <= reach_ms {
                time.horizon_ms = time.horizon_ms.max(last.time.horizon_ms);
            }
            time.now_ms = told_ms.max(said_ms.min(time.horizon_ms));
        }
        time.now_ms = self.lease_began_ms.map_or(time.now_ms, |began_ms| began_ms.max(time.now_ms));
        self.last = Some(Look { time, wall_ms: reading.wall_ms, is_wall });
        time
    }

    /// Returns the limit, until the next look at the clocks, for a machine that borrows nothing.
    pub(crate) fn horizon_ms(&self) -> i64 {
        self.last.map_or(i64::MIN, |last| last.time.horizon_ms)
    }

    /// Returns the time according to this reading, and true if it is the wall clock's own.
    fn time_of(&mut self, reading: Reading) -> (i64, bool) {
        let Reading { wall_ms, boot_ms, error_ms } = reading;
        let Some(anchor) = self.anchor else { return self.follow(reading) };
        let time_ms = anchor.time_at(boot_ms);
        if anchor.of_store {
            return (time_ms, false);
        }
        let by_ms = wall_ms.saturating_sub(time_ms);
        let known_ms = anchor.error_at(boot_ms);
        let tolerance_ms = TOLERANCE_MS.saturating_add(error_ms).saturating_add(known_ms);
        self.end_slew_if_behind(by_ms, boot_ms);
        // Once a step back is being slewed away, this goes on below the tolerance, to its end.
        let is_slewing = by_ms < 0 && self.step.is_some_and(|step| step.by_ms < 0);
        if by_ms.saturating_abs() <= tolerance_ms && !is_slewing {
            return self.follow(reading);
        }
        let held = self.has_held(by_ms, boot_ms, tolerance_ms);
        if held && by_ms > 0 && by_ms <= MAX_JUMP_MS {
            return self.follow(reading);
        }
        if held && by_ms < 0 && !anchor.is_slewing_at(boot_ms) {
            let ahead_ms = by_ms.saturating_neg();
            self.anchor = Some(Anchor { ahead_ms, ..Anchor::of_wall(time_ms, boot_ms, error_ms) });
        }
        (time_ms, false)
    }

    /// Takes over the store's time. With `must_follow`, a store's clock that is ahead is followed
    /// at once and however far, because nothing can be issued before its time.
    pub(crate) fn anchor_to_store(&mut self, sample: Sample, must_follow: bool) {
        let Sample { store_ms, asked_ms, answered_ms: boot_ms } = sample;
        let took_ms = boot_ms.saturating_sub(asked_ms);
        if took_ms < 0 {
            return;
        }
        if must_follow {
            self.lease_began_ms = Some(store_ms);
        }
        // The store may have read its clock at any moment of the call, before or after its commit.
        let latest_ms = store_ms.saturating_add(took_ms);
        let error_ms = took_ms / 2;
        let time_ms = store_ms.saturating_add(error_ms);
        let fresh = Anchor { time_ms, boot_ms, of_store: true, ahead_ms: 0, error_ms };
        let Some(before) = self.anchor else {
            self.anchor = Some(fresh);
            return;
        };
        let before_ms = before.time_at(boot_ms);
        // Both times are cut to a millisecond.
        let (first_ms, last_ms) = (store_ms.saturating_sub(1), latest_ms.saturating_add(1));
        if (first_ms..=last_ms).contains(&before_ms) {
            let error_ms = if before.of_store { before.error_at(boot_ms) } else { took_ms };
            let error_ms = error_ms.min(took_ms);
            self.anchor = Some(Anchor { time_ms: before_ms, error_ms, ..fresh });
            (self.step, self.ahead_of_store_ms) = (None, 0);
            return;
        }
        if !before.of_store {
            (self.anchor, self.step) = (Some(fresh), None);
            return;
        }
        let by_ms = time_ms.saturating_sub(before_ms);
        self.ahead_of_store_ms = by_ms.saturating_neg();
        let known_ms = before.error_at(boot_ms);
        let tolerance_ms = TOLERANCE_MS.saturating_add(error_ms).saturating_add(known_ms);
        self.end_slew_if_behind(by_ms, boot_ms);
        let is_step = by_ms.saturating_abs() > tolerance_ms;
        let must_follow = must_follow && store_ms > before_ms;
        let is_poor = error_ms > (MAX_ROUND_TRIP_MS / 2).max(known_ms / 2);
        if is_poor && !is_step && !must_follow {
            return;
        }
        if is_step && by_ms > 0 && !must_follow {
            let held = self.has_held(by_ms, boot_ms, tolerance_ms);
            let supported = self.step.is_some_and(|step| step.shown >= SUPPORT);
            if !(held && supported && by_ms <= MAX_JUMP_MS) {
                return;
            }
        }
        self.step = None;
        // A late answer only proves that the time lies in this interval.
        let certain_ms = before_ms.clamp(store_ms, latest_ms);
        let (time_ms, error_ms) = if is_poor { (certain_ms, took_ms) } else { (time_ms, error_ms) };
        let ahead_ms = before_ms.saturating_sub(time_ms);
        let ahead_ms = if ahead_ms > JITTER_MS { ahead_ms } else { 0 };
        let time_ms = time_ms.max(before_ms);
        self.anchor = Some(Anchor { time_ms, ahead_ms, error_ms, ..fresh });
    }

    /// Returns true while the store's clock seems to have jumped ahead and more answers must
    /// confirm it.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.step.is_some() && self.anchor.is_some_and(|anchor| anchor.of_store)
    }

    /// Returns the lead of the time over the store's latest answer, which must be reserved in
    /// addition. It is 0 within [`JITTER_MS`].
    pub(crate) fn ahead_of_store_ms(&self) -> i64 {
        if self.ahead_of_store_ms > JITTER_MS { self.ahead_of_store_ms } else { 0 }
    }

    /// Ends a slew early if the time is behind the clock: the step was undone, so nothing is left
    /// to pay back.
    fn end_slew_if_behind(&mut self, by_ms: i64, boot_ms: i64) {
        if let Some(anchor) =
            self.anchor.filter(|anchor| by_ms > 0 && anchor.is_slewing_at(boot_ms))
        {
            let (time_ms, error_ms) = (anchor.time_at(boot_ms), anchor.error_at(boot_ms));
            self.anchor = Some(Anchor { time_ms, boot_ms, ahead_ms: 0, error_ms, ..anchor });
        }
    }

    fn follow(&mut self, Reading { wall_ms, boot_ms, error_ms }: Reading) -> (i64, bool) {
        self.anchor = Some(Anchor::of_wall(wall_ms, boot_ms, error_ms));
        self.step = None;
        (wall_ms, true)
    }

    fn has_held(&mut self, by_ms: i64, boot_ms: i64, tolerance_ms: i64) -> bool {
        let same = |step: &Step| {
            // A step back shrinks while it is slewed away.
            let change_ms = by_ms.saturating_sub(step.by_ms);
            change_ms.saturating_abs() <= tolerance_ms || (by_ms < 0 && change_ms > 0)
        };
        let known = self.step.filter(same);
        let mut step = known.unwrap_or(Step { by_ms, since_boot_ms: boot_ms, shown: 0 });
        step.shown = step.shown.saturating_add(1);
        self.step = Some(step);
        known.is_some() && boot_ms.saturating_sub(step.since_boot_ms) >= HOLD_MS
    }
}

impl Look {
    /// The furthest time that the machine can have been given since this look.
    fn said_at(&self, wall_ms: i64) -> i64 {
        let Time { now_ms, offset_ms, horizon_ms } = self.time;
        wall_ms.saturating_add(offset_ms).min(horizon_ms).max(now_ms)
    }
}

#[cfg(test)]
mod tests;
