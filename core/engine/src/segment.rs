//! Segments: ranges of numbers reserved in a store, and the buffer that keeps enough of them.
//!
//! [`SegmentBuffer`] decides when to request a range and how large. `SharedRange` gives the numbers
//! of one range to any number of threads.

use crate::error::Error;
use crate::id::Numbers;

/// The limit of a segment's numbers: each is below it. It fits a signed 64-bit integer.
pub const MAX_NUMBER: u64 = i64::MAX as u64;
/// The largest step.
pub const MAX_STEP: u64 = 1 << 30;
/// The largest number of ranges that a chain keeps ready behind the current one.
pub const MAX_DISTANCE: u32 = 16;
/// The longest tag (the name of a segment's row), in bytes.
pub const MAX_TAG_LENGTH: usize = 64;

const QUARTER_HOUR_MS: i64 = 15 * 60 * 1000;
const HUNGRY_MS: i64 = 5_000;

/// Reserved numbers: `start`, `start + stride`, … below `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberRange {
    start: u64,
    end: u64,
    stride: u64,
}

impl NumberRange {
    /// Creates the range `start`, `start + stride`, … below `end`.
    ///
    /// # Errors
    /// [`Error::InvalidRange`] if it has no number, if the stride is 0 or above [`MAX_STEP`], or if
    /// `end` is above [`MAX_NUMBER`].
    pub const fn new(start: u64, end: u64, stride: u64) -> Result<NumberRange, Error> {
        if start < end && end <= MAX_NUMBER && stride >= 1 && stride <= MAX_STEP {
            Ok(NumberRange { start, end, stride })
        } else {
            Err(Error::InvalidRange { start, end, stride })
        }
    }

    /// Returns the first number.
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// Returns the first number past the range.
    pub const fn end(&self) -> u64 {
        self.end
    }

    /// Returns the distance between two numbers.
    pub const fn stride(&self) -> u64 {
        self.stride
    }

    /// Returns how many numbers the range has: at least 1.
    pub const fn count(&self) -> u64 {
        self.end.saturating_sub(self.start).div_ceil(if self.stride == 0 { 1 } else { self.stride })
    }

    /// Returns the numbers, rising.
    pub const fn numbers(self) -> Numbers {
        Numbers::new(self.start, self.count(), self.stride)
    }

    /// Splits off the first `n` numbers, at most all. The rest is `None` if nothing is left.
    fn split(self, n: u64) -> (NumberRange, Option<NumberRange>) {
        // Not `clamp`, which can panic.
        let taken = n.max(1).min(self.count());
        let middle = self.start.saturating_add(taken.saturating_mul(self.stride));
        if middle >= self.end {
            return (self, None);
        }
        (NumberRange { end: middle, ..self }, Some(NumberRange { start: middle, ..self }))
    }
}

/// The rule for requesting the next range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prefetch {
    /// Keeps one range beside the current one, requested once this much of the current is used.
    DoubleBucket {
        /// The used share in percent, 0 to 100.
        used_percent: u8,
    },
    /// Keeps several ranges behind the current one. The distance doubles when the chain runs dry
    /// within 5 s of a supply. Otherwise it halves, down to the given distance.
    Chain {
        /// The number of ranges, 1 to [`MAX_DISTANCE`]; values outside are clamped.
        distance: u32,
    },
}

impl Prefetch {
    /// Leaf: loads the next bucket once 10 % of the current one is used.
    pub const LEAF: Prefetch = Prefetch::DoubleBucket { used_percent: 10 };
    /// NetEase: loads the next bucket when at most 20 % of the current one is left.
    pub const NETEASE: Prefetch = Prefetch::DoubleBucket { used_percent: 80 };
    /// CosId's segment chain.
    pub const COSID: Prefetch = Prefetch::Chain { distance: 2 };

    /// Returns how many numbers are ready when the next range is requested, in percent of a range.
    pub const fn ready_percent(self) -> u32 {
        match self {
            Prefetch::DoubleBucket { used_percent } => 100_u32.saturating_sub(used_percent as u32),
            Prefetch::Chain { distance } => clamp_distance(distance).saturating_mul(100),
        }
    }
}

/// The size of ranges: fixed, or adapted to how fast numbers are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepSize {
    min: u64,
    max: u64,
    /// The time that a range should last at the present pace, in milliseconds.
    lasts_ms: Option<u32>,
}

impl StepSize {
    /// Creates a constant step.
    ///
    /// # Errors
    /// [`Error::InvalidStep`] for 0 or more than [`MAX_STEP`].
    pub const fn fixed(step: u64) -> Result<StepSize, Error> {
        StepSize::adaptive(step, step)
    }

    /// Creates a step by Leaf's rule. The first two ranges have `min` numbers. Afterwards a range
    /// that lasted less than 15 minutes doubles the step, up to `max`. A range that lasted 30
    /// minutes or more halves it, down to `min`.
    ///
    /// # Errors
    /// [`Error::InvalidStep`] for 0, for more than [`MAX_STEP`], or for a `max` below `min`.
    pub const fn adaptive(min: u64, max: u64) -> Result<StepSize, Error> {
        if min == 0 || min > MAX_STEP {
            Err(Error::InvalidStep { step: min, max: MAX_STEP })
        } else if max < min || max > MAX_STEP {
            Err(Error::InvalidStep { step: max, max: MAX_STEP })
        } else {
            Ok(StepSize { min, max, lasts_ms: None })
        }
    }

    /// Adapts the step so that ranges last `ms` milliseconds, at the pace at which numbers were
    /// taken between the last two requests. A shorter time doubles the step, and twice the time or
    /// more halves it. The step stays while requests fail.
    #[must_use]
    pub const fn lasting(self, ms: u32) -> StepSize {
        StepSize { lasts_ms: Some(ms), ..self }
    }

    /// Returns the step that follows one which lasted `lasted_ms`, if it should last `lasts_ms`.
    const fn after(self, step: u64, lasted_ms: i64, lasts_ms: i64) -> u64 {
        let next = if lasted_ms < lasts_ms {
            step.saturating_mul(2)
        } else if lasted_ms < lasts_ms.saturating_mul(2) {
            step
        } else {
            step / 2
        };
        if next < self.min {
            self.min
        } else if next > self.max {
            self.max
        } else {
            next
        }
    }
}

/// Measures how fast numbers are used. At a request all numbers taken before are used.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Numbers taken since the last measurement.
    used: u64,
    measured_ms: i64,
    /// False until the next supply: numbers taken while requests fail may be far from used.
    is_due: bool,
}

impl Pace {
    const fn new() -> Pace {
        Pace { used: 0, measured_ms: 0, is_due: true }
    }

    /// If a measurement is due, returns how long `count` numbers last, in milliseconds.
    fn lasts(&mut self, count: u64, now_ms: i64) -> Option<i64> {
        if !self.is_due {
            return None;
        }
        let Pace { used, measured_ms, .. } =
            core::mem::replace(self, Pace { used: 0, measured_ms: now_ms, is_due: false });
        let passed_ms = now_ms.saturating_sub(measured_ms).max(0).unsigned_abs();
        let lasts_ms = passed_ms.saturating_mul(count).checked_div(used.max(1));
        Some(lasts_ms.and_then(|ms| i64::try_from(ms).ok()).unwrap_or(i64::MAX))
    }
}

/// A request to the store for a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the buffer asks once: answer with `supply` or `failed`"]
#[non_exhaustive]
pub struct Request {
    /// The requested count of numbers.
    pub step: u64,
}

/// Ready ranges of one tag, in the order of their supply, and the decision when to request more.
///
/// - *Order*: numbers rise strictly, across ranges too. A range that does not lie above everything
///   supplied before is refused.
/// - *Threads*: `&mut self`. For many threads, pass pieces of it to a
///   [`SharedRange`](crate::SharedRange).
/// - *Fork*: plain memory; a copy would repeat numbers.
#[derive(Debug)]
pub struct SegmentBuffer {
    ready: [Option<NumberRange>; MAX_DISTANCE as usize + 1],
    prefetch: Prefetch,
    sizes: StepSize,
    step: u64,
    asked: u64,
    distance: u32,
    supplies: u64,
    supplied_ms: i64,
    pace: Pace,
    floor: u64,
    current_count: u64,
    loading: bool,
    ran_dry: bool,
    taken: bool,
}

impl SegmentBuffer {
    /// Creates an empty buffer: its first [`wants`](Self::wants) requests a range.
    pub const fn new(prefetch: Prefetch, sizes: StepSize) -> SegmentBuffer {
        let distance = match prefetch {
            Prefetch::DoubleBucket { .. } => 1,
            Prefetch::Chain { distance } => clamp_distance(distance),
        };
        SegmentBuffer {
            ready: [None; MAX_DISTANCE as usize + 1],
            prefetch,
            sizes,
            step: sizes.min,
            asked: sizes.min,
            distance,
            supplies: 0,
            supplied_ms: 0,
            pace: Pace::new(),
            floor: 0,
            current_count: 0,
            loading: false,
            ran_dry: false,
            taken: false,
        }
    }

    /// Refuses every range that begins below `floor`: the first number not issued, if known.
    #[must_use]
    pub const fn above(mut self, floor: u64) -> SegmentBuffer {
        self.floor = floor;
        self
    }

    /// Takes up to `n` numbers in one run, or `None` if the buffer is empty or `n` is 0.
    pub fn take(&mut self, n: u64) -> Option<NumberRange> {
        self.taken |= n > 0;
        let [current, ..] = &mut self.ready;
        let Some(range) = current.filter(|_| n > 0) else {
            self.ran_dry |= current.is_none();
            return None;
        };
        let (taken, rest) = range.split(n);
        *current = rest;
        self.pace.used = self.pace.used.saturating_add(taken.count());
        if rest.is_none() {
            self.ready.rotate_left(1);
            self.current_count = self.current().map_or(0, NumberRange::count);
        }
        Some(taken)
    }

    /// Takes the numbers up to the point where the next request is due. Once they are out of the
    /// buffer, [`wants`](Self::wants) may return a request.
    pub fn take_until_request(&mut self) -> Option<NumberRange> {
        let used = self.used();
        let due = self.due_after().saturating_sub(used);
        let left = self.current_count.saturating_sub(used);
        self.take(if due == 0 { left.max(1) } else { due.min(left) })
    }

    /// Returns a request if a range is needed now. There is only one request at a time, until you
    /// call [`supply`](Self::supply) or [`failed`](Self::failed).
    pub fn wants(&mut self, now_ms: i64) -> Option<Request> {
        if self.loading || !self.is_short() {
            return None;
        }
        self.adapt(now_ms);
        self.loading = true;
        Some(Request { step: self.asked })
    }

    /// Works like [`wants`](Self::wants) right after a supply, when the numbers taken last are the
    /// current range, and all ready ranges lie behind it. A chain requests ranges until as many are
    /// ready as its distance. Step and distance stay as they are.
    pub fn wants_behind(&mut self) -> Option<Request> {
        let is_chain = matches!(self.prefetch, Prefetch::Chain { .. });
        if !is_chain || self.loading || self.ready_count() >= u64::from(self.distance) {
            return None;
        }
        (self.asked, self.loading) = (self.step, true);
        Some(Request { step: self.asked })
    }

    /// Adds a range.
    ///
    /// # Errors
    /// [`Error::RangeRegressed`] if the range is not above everything supplied before: the store
    /// went back. [`Error::CountOutOfRange`] if there was no request and [`MAX_DISTANCE`] + 1
    /// ranges are ready. In both cases the range is not used, and the buffer may request again.
    pub fn supply(&mut self, range: NumberRange, now_ms: i64) -> Result<(), Error> {
        self.loading = false;
        if range.start < self.floor {
            return Err(Error::RangeRegressed { start: range.start, expected: self.floor });
        }
        let count = self.ready_count().saturating_add(1);
        let Some(place) = self.ready.iter_mut().find(|place| place.is_none()) else {
            let max = u64::from(MAX_DISTANCE).saturating_add(1);
            return Err(Error::CountOutOfRange { count, max });
        };
        *place = Some(range);
        self.step = self.asked;
        if self.ready_count() == 1 {
            self.current_count = range.count();
        }
        self.floor = range.end;
        self.supplies = self.supplies.saturating_add(1);
        (self.supplied_ms, self.pace.is_due) = (now_ms, true);
        Ok(())
    }

    /// Ends a failed request, so that the buffer may request again.
    pub fn failed(&mut self) {
        self.loading = false;
    }

    /// Changes the step from the next request on, after the tag was reconfigured.
    pub fn resize(&mut self, sizes: StepSize) {
        if self.sizes != sizes {
            self.sizes = sizes;
            self.step = sizes.min;
        }
    }

    /// Returns how many numbers are ready.
    pub fn remaining(&self) -> u64 {
        self.ready.iter().flatten().fold(0, |sum, range| sum.saturating_add(range.count()))
    }

    /// Returns the size of each ready range; the first is what is left of the current one.
    pub fn ranges(&self) -> impl Iterator<Item = u64> + '_ {
        self.ready.iter().flatten().map(NumberRange::count)
    }

    /// Returns how many numbers the current range had at first.
    pub const fn current_count(&self) -> u64 {
        self.current_count
    }

    /// Returns the step of the last supplied range.
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Returns the lowest number with which a further range may begin.
    pub const fn floor(&self) -> u64 {
        self.floor
    }

    fn current(&self) -> Option<&NumberRange> {
        self.ready.first().and_then(Option::as_ref)
    }

    fn ready_count(&self) -> u64 {
        self.ready.iter().flatten().count() as u64
    }

    fn used(&self) -> u64 {
        self.current_count.saturating_sub(self.current().map_or(0, NumberRange::count))
    }

    /// Returns how many numbers of the current range are used when the next one is due.
    fn due_after(&self) -> u64 {
        match self.prefetch {
            Prefetch::DoubleBucket { used_percent } => {
                self.current_count.saturating_mul(u64::from(used_percent.min(100))).div_ceil(100)
            }
            Prefetch::Chain { .. } => 0,
        }
    }

    fn is_short(&self) -> bool {
        let behind = self.ready_count().saturating_sub(1);
        match self.ready_count() {
            0 => true,
            _ => behind < u64::from(self.distance) && self.used() >= self.due_after(),
        }
    }

    /// Adapts step and distance to the time since the last supply. A step counts once its range is
    /// supplied. The distance changes only if numbers were taken since the last adaptation.
    fn adapt(&mut self, now_ms: i64) {
        let lasted_ms = now_ms.saturating_sub(self.supplied_ms);
        let adapted = self.supplies >= 2;
        let next = match self.sizes.lasts_ms {
            None => Some(self.sizes.after(self.step, lasted_ms, QUARTER_HOUR_MS)),
            Some(ms) => {
                let lasts_ms = self.pace.lasts(self.step, now_ms);
                lasts_ms.map(|lasts_ms| self.sizes.after(self.step, lasts_ms, ms.into()))
            }
        };
        self.asked = if adapted { next.unwrap_or(self.asked) } else { self.sizes.min };
        if let (Prefetch::Chain { distance }, true) = (self.prefetch, self.taken) {
            let hungry = self.ran_dry && self.supplies > 0 && lasted_ms < HUNGRY_MS;
            let (least, now) = (clamp_distance(distance), self.distance);
            let next = if hungry { now.saturating_mul(2) } else { now / 2 };
            self.distance = clamp_distance(next).max(least);
        }
        (self.ran_dry, self.taken) = (false, false);
    }
}

/// Clamps without a branch. For other variants, optimized code may read uninitialized memory here:
/// the result is unused, but valgrind would report a conditional jump.
const fn clamp_distance(distance: u32) -> u32 {
    let further = distance.saturating_sub(1);
    let last = MAX_DISTANCE.saturating_sub(1);
    if further < last { further } else { last }.saturating_add(1)
}
