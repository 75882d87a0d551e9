//! The snowflake generator: a single number, the next slot, within a grant.
//!
//! A *slot* is `tick << sequence_bits | sequence`: time and sequence side by side, wherever they
//! lie in the ID. [`Snowflake::issue`] takes slots from `max(next slot, slot of now, floor)` on.
//! This rule covers overflow, batches, borrowing, clock rollback, restart and fencing.

use core::fmt;

use crate::error::{Code, Error};
use crate::id::{Ids, Places, Spread};
use crate::layout::Layout;
use crate::policy::SequenceStart;

/// The ticks that a generator may issue, half-open: `[floor, reserved)`.
///
/// Uniqueness depends on this alone (law L2): grants of one worker ID must be disjoint, and the
/// time that a grant reserves must be durable before a generator gets the grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The first tick granted.
    pub floor: u64,
    /// The first tick not granted.
    pub reserved: u64,
}

impl Grant {
    /// Every tick of the layout: for a worker ID that no other generator ever has.
    pub const WHOLE: Grant = Grant { floor: 0, reserved: u64::MAX };
}

/// The worker ID under which IDs are issued, and the ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The worker ID: all worker fields side by side, the upper first.
    pub worker_id: u32,
    /// The rollback counter; 0 if the layout has none.
    pub rollback: u32,
    /// The ticks that may be issued.
    pub grant: Grant,
}

impl Lane {
    /// Creates a lane with all ticks, for a worker ID that no other generator ever has.
    pub const fn of_worker(worker_id: u32) -> Lane {
        Lane { worker_id, rollback: 0, grant: Grant::WHOLE }
    }
}

/// The settings for a generator's use of its ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// The longest time that an ID's time may be ahead of the clock, in milliseconds, rounded down
    /// to ticks.
    pub max_ahead_ms: u32,
    /// The start of a fresh tick's sequence.
    pub start: SequenceStart,
}

/// The reason why no ID can be had now, and when to ask again. Nothing was issued or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stall {
    /// Milliseconds until the call can succeed if the clock moves on; 0 if time does not help.
    pub wait_ms: u64,
    /// The reason.
    pub reason: StallReason,
}

impl Stall {
    /// Creates a stall that ends after `wait_ms`, or 0 if time does not help.
    pub const fn new(wait_ms: u64, reason: StallReason) -> Stall {
        Stall { wait_ms, reason }
    }
}

/// The reason of a stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StallReason {
    /// The clock is behind the last ID's time by more than `max_ahead_ms`.
    AheadOfClock,
    /// Every sequence number up to `max_ahead_ms` from now is issued.
    SequenceExhausted,
    /// The next tick is not reserved.
    GrantExhausted,
}

impl StallReason {
    /// Returns the error code of this reason.
    pub const fn code(self) -> Code {
        match self {
            StallReason::AheadOfClock => Code::ClockBehind,
            StallReason::SequenceExhausted => Code::SequenceExhausted,
            StallReason::GrantExhausted => Code::GrantExhausted,
        }
    }
}

impl fmt::Display for Stall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.wait_ms;
        match self.reason {
            StallReason::AheadOfClock => write!(
                f,
                "the clock went back: it is {ms} ms behind the last ID's time; wait, or set it \
                 right"
            ),
            StallReason::SequenceExhausted => {
                write!(f, "every ID of this tick is issued; the next can be had in {ms} ms")
            }
            StallReason::GrantExhausted => f.write_str(
                "this worker ID's reserved time is used up; ask again when there is more",
            ),
        }
    }
}

/// Mints snowflake IDs for one owner at a time.
///
/// - *Order*: IDs rise strictly in issue order if the time field is above worker and sequence;
///   slots always do.
/// - *Overflow*: a full tick carries into the next, up to `max_ahead_ms` ahead, then stalls. The
///   sequence never carries into another field.
/// - *Clock rollback*: continues above the last slot within `max_ahead_ms`; beyond that, stalls.
/// - *Threads*: `&mut self`; [`SharedSnowflake`](crate::SharedSnowflake) is the `&self` twin.
/// - *Fork*: plain memory; a copy would repeat IDs. The runtime's generator guards against that.
#[derive(Debug)]
pub struct Snowflake {
    rule: Rule,
    lane: Lane,
    template: u64,
    next: u64,
    end: u64,
    /// One above the next slot of each rollback count when this worker last left it; 0 before that.
    resume: [u64; 4],
}

impl Snowflake {
    /// Creates a generator at the floor of its lane's grant.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`] for a worker ID or rollback counter that does not fit.
    pub fn new(layout: Layout, lane: Lane, pace: Pace) -> Result<Snowflake, Error> {
        let mut machine = Snowflake {
            rule: Rule::new(layout, pace),
            lane,
            template: 0,
            next: 0,
            end: 0,
            resume: [0; 4],
        };
        machine.enter(lane)?;
        Ok(machine)
    }

    /// Returns the layout.
    pub const fn layout(&self) -> &Layout {
        &self.rule.layout
    }

    /// Returns the lane in which it issues.
    pub const fn lane(&self) -> Lane {
        self.lane
    }

    /// Issues one ID at `now_ms`, in Unix milliseconds.
    ///
    /// # Errors
    /// The errors of [`issue`](Self::issue).
    #[inline]
    pub fn next_id(&mut self, now_ms: i64) -> Result<u64, Error> {
        let (first, past) = self.claim(now_ms, 1)?;
        self.next = past;
        Ok(self.rule.places.spread(self.template, first))
    }

    /// Issues `n` IDs at `now_ms`, in contiguous slots, all or none.
    ///
    /// # Errors
    /// [`Error::Stall`] if the IDs cannot be had now, [`Error::CountOutOfRange`] for 0 or more than
    /// can ever be had at once, [`Error::EpochInFuture`] and [`Error::LayoutExpired`].
    pub fn issue(&mut self, now_ms: i64, n: u32) -> Result<Ids, Error> {
        let (first, past) = self.claim(now_ms, n)?;
        self.next = past;
        Ok(Ids::new(Spread { template: self.template, places: self.rule.places }, first, past))
    }

    /// Moves the end of the grant up; a lower end changes nothing.
    pub fn extend(&mut self, reserved: u64) {
        self.end = self.end.max(self.rule.end_slot(reserved));
        self.lane.grant.reserved = self.lane.grant.reserved.max(reserved);
    }

    /// Changes to another lane: a new lease or worker ID. It begins at the grant's floor or at the
    /// tick after the last ID, whichever is later, so that IDs keep rising.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`]; the old lane stays.
    pub fn open(&mut self, lane: Lane) -> Result<(), Error> {
        let reached = self.next.saturating_add(1);
        self.leave_for(lane)?;
        // After a jump, this lane may have been left above the present one.
        let left = *self.resume_of(lane.rollback);
        self.next = self.rule.first_slot(lane.grant, reached.max(left));
        Ok(())
    }

    /// Changes to another lane regardless of the times of IDs issued before.
    /// [`WhenBehind::ChangeWorker`](crate::WhenBehind) and
    /// [`WhenBehind::CountRollback`](crate::WhenBehind) use this. IDs may go down here, but stay
    /// unique: a worker ID's grants are disjoint, and under one worker ID each rollback count
    /// continues where it was left.
    ///
    /// **Coming back to a worker ID needs a new grant, disjoint from its earlier grants.** With
    /// [`Grant::WHOLE`], coming back would repeat IDs.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn jump(&mut self, lane: Lane) -> Result<(), Error> {
        self.leave_for(lane)?;
        let reached = *self.resume_of(lane.rollback);
        self.next = self.rule.first_slot(lane.grant, reached);
        Ok(())
    }

    fn leave_for(&mut self, lane: Lane) -> Result<(), Error> {
        let (left, next) = (self.lane, self.next);
        self.enter(lane)?;
        if left.worker_id == lane.worker_id {
            *self.resume_of(left.rollback) = next.saturating_add(1);
        } else {
            self.resume = [0; 4];
        }
        Ok(())
    }

    fn enter(&mut self, lane: Lane) -> Result<(), Error> {
        self.template = self.rule.template(lane)?;
        self.lane = lane;
        self.next = self.rule.first_slot(lane.grant, 0);
        self.end = self.rule.end_slot(lane.grant.reserved);
        Ok(())
    }

    #[expect(clippy::indexing_slicing, reason = "the index is masked to the array's length")]
    fn resume_of(&mut self, rollback: u32) -> &mut u64 {
        &mut self.resume[(rollback & 3) as usize]
    }

    #[inline]
    fn claim(&self, now_ms: i64, n: u32) -> Result<(u64, u64), Error> {
        match self.rule.claim(self.next, self.end, now_ms, u64::from(n)) {
            Some(claimed) => Ok(claimed),
            None => Err(self.rule.refusal(self.next, now_ms, u64::from(n))),
        }
    }
}

/// The constants of a generator: its layout and pace, and numbers derived from them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) layout: Layout,
    pub(crate) places: Places,
    /// The bits of a slot; the bits above are free for a count of jumps.
    pub(crate) slot_mask: u64,
    /// The last tick of the layout.
    last_tick: u64,
    /// Slots from the start of the present tick to the first slot that is too far ahead.
    window: u64,
    start: SequenceStart,
}

impl Rule {
    pub(crate) fn new(layout: Layout, pace: Pace) -> Rule {
        let places = Places {
            sequence_mask: layout.sequence().max(),
            sequence_bits: layout.sequence().bits() as u8,
            sequence_shift: layout.sequence().shift() as u8,
            time_shift: layout.time().shift() as u8,
        };
        let ticks = pace.max_ahead_ms.checked_div(layout.tick_ms()).unwrap_or(0);
        let window = u64::from(ticks).saturating_add(1).saturating_mul(layout.ids_per_tick());
        let slot_bits = layout.time().bits().wrapping_add(layout.sequence().bits());
        // One bit more, if there is one, because the slot past the last one is a number, too.
        let slot_mask = u64::MAX.wrapping_shr(63_u32.saturating_sub(slot_bits));
        let last_tick = layout.time().max();
        Rule { layout, places, slot_mask, last_tick, window, start: pace.start }
    }

    /// Returns the claim of `n` slots as `(first, past)`, if it is possible now.
    #[inline]
    pub(crate) fn claim(&self, next: u64, end: u64, now_ms: i64, n: u64) -> Option<(u64, u64)> {
        let base = self.base(now_ms)?;
        let first = self.first(next, base, n);
        Some((first, self.past(first, base, end, n)?))
    }

    /// Returns true if `next` lies inside a tick that is not over and can be claimed. Most claims
    /// of a busy generator are of this kind, and the check is short enough for inlining.
    #[cfg(target_has_atomic = "64")]
    #[inline(always)]
    pub(crate) fn goes_on(&self, next: u64, end: u64, now_ms: i64) -> bool {
        self.base(now_ms).is_some_and(|base| {
            let in_tick = next > base && next & self.places.sequence_mask != 0;
            in_tick && self.past(next, base, end, 1).is_some()
        })
    }

    /// Returns the first slot of the present tick.
    #[inline(always)]
    fn base(&self, now_ms: i64) -> Option<u64> {
        let tick = self.layout.ticks_since_epoch(now_ms)?;
        // Before the epoch the difference is negative, and as unsigned it is above every tick.
        if tick as u64 > self.last_tick {
            return None;
        }
        Some(self.tick_slot(tick as u64))
    }

    /// Returns the end of a claim from `first` on, if it is within the limits.
    #[inline(always)]
    fn past(&self, first: u64, base: u64, end: u64, n: u64) -> Option<u64> {
        let past = first.checked_add(n)?;
        // `past` is one above the last slot: tick(last) < reserved, and at most max_ahead from now.
        // `first` is at or above `base`, so nothing wraps.
        let in_window = past.wrapping_sub(base) <= self.window;
        (past <= end && in_window && n != 0).then_some(past)
    }

    /// Returns the reason why a claim is not possible.
    #[cold]
    #[inline(never)]
    pub(crate) fn refusal(&self, next: u64, now_ms: i64, n: u64) -> Error {
        let max = self.window.min(u64::from(u32::MAX));
        if n == 0 || n > max {
            return Error::CountOutOfRange { count: n, max };
        }
        let Some(tick) = self.layout.tick_of(now_ms) else {
            return self.layout.check_mints_at(now_ms).err().unwrap_or(Error::Closed);
        };
        let base = self.tick_slot(tick);
        let past = self.first(next, base, n).saturating_add(n);
        let limit = base.saturating_add(self.window);
        if past > limit {
            return Error::Stall(self.too_far_ahead(next, past, limit, now_ms));
        }
        if past > self.end_slot(u64::MAX) {
            return Error::LayoutExpired { since_ms: self.layout.expires_ms() };
        }
        Error::Stall(Stall { wait_ms: 0, reason: StallReason::GrantExhausted })
    }

    /// Returns the first slot of a claim: the next, the present tick's, or a fresh tick's start.
    fn first(&self, next: u64, base: u64, n: u64) -> u64 {
        let first = next.max(base);
        let mask = self.places.sequence_mask;
        if first & mask != 0 || self.start == SequenceStart::Zero {
            return first;
        }
        let tick = first.wrapping_shr(u32::from(self.places.sequence_bits));
        let offset = self.start.offset(tick, next.wrapping_sub(1), mask);
        first.saturating_add(offset.min(self.window.saturating_sub(n)))
    }

    fn too_far_ahead(&self, next: u64, past: u64, limit: u64, now_ms: i64) -> Stall {
        // The clock must reach the tick that brings `past` inside the window.
        let tick_of = |slot: u64| slot.wrapping_shr(u32::from(self.places.sequence_bits));
        let last = tick_of(past.wrapping_sub(1));
        let ahead = tick_of(self.window).saturating_sub(1);
        let due_ms = self.layout.tick_start_ms(last.saturating_sub(ahead));
        let wait_ms = u64::try_from(due_ms.saturating_sub(now_ms)).unwrap_or(0).max(1);
        let behind = next != 0 && next.wrapping_sub(1) >= limit;
        let reason =
            if behind { StallReason::AheadOfClock } else { StallReason::SequenceExhausted };
        Stall { wait_ms, reason }
    }

    #[inline]
    fn tick_slot(&self, tick: u64) -> u64 {
        tick.wrapping_shl(u32::from(self.places.sequence_bits))
    }

    /// Returns the slot at which a grant that ends at `reserved` ends. If time and sequence take
    /// all 64 bits, the last two slots stay unused for special states.
    pub(crate) fn end_slot(&self, reserved: u64) -> u64 {
        let ticks = self.layout.ticks();
        let last = ticks.wrapping_sub(1);
        let end = self.tick_slot(last).saturating_add(self.layout.ids_per_tick());
        let end = end.min(self.slot_mask.wrapping_sub(1));
        if reserved >= ticks { end } else { self.tick_slot(reserved).min(end) }
    }

    /// Returns the first slot of a grant above `next`, or the end of all slots if there is none.
    pub(crate) fn first_slot(&self, grant: Grant, next: u64) -> u64 {
        let mask = self.places.sequence_mask;
        let fresh = next.checked_add(mask).map_or(u64::MAX, |slot| slot & !mask);
        let past = grant.floor >= self.layout.ticks();
        let floor = if past { u64::MAX } else { self.tick_slot(grant.floor) };
        fresh.max(floor).min(self.slot_mask.wrapping_sub(1))
    }

    /// Returns the first tick that contains no slot below `next`.
    #[cfg(target_has_atomic = "64")]
    pub(crate) fn fresh_tick(&self, next: u64) -> u64 {
        let mask = self.places.sequence_mask;
        next.saturating_add(mask).wrapping_shr(u32::from(self.places.sequence_bits))
    }

    /// Returns the bits of a lane's IDs other than time and sequence.
    pub(crate) fn template(&self, lane: Lane) -> Result<u64, Error> {
        let worker = self.layout.worker_template(lane.worker_id)?;
        Ok(worker | self.layout.rollback_template(lane.rollback)?)
    }
}
