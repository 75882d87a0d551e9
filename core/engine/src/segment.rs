//! Segments: ranges of numbers reserved in a store, and the buffer that keeps enough of them.
//!
//! [`SegmentBuffer`] decides when to ask for a range and how large; `SharedRange` gives out the
//! numbers of one range to any number of threads.

use crate::error::Error;
use crate::id::Numbers;

/// Where the numbers of a segment end: each is below it. It fits a signed 64-bit integer.
pub const MAX_NUMBER: u64 = i64::MAX as u64;
/// The largest step.
pub const MAX_STEP: u64 = 1 << 30;
/// The most ranges a chain keeps ready behind the current one.
pub const MAX_DISTANCE: u32 = 16;
/// The longest tag, the name of a segment's row, in bytes.
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
    /// The numbers `start`, `start + stride`, … below `end`.
    ///
    /// # Errors
    /// [`Error::InvalidRange`] if it has no number, the stride is 0 or above [`MAX_STEP`], or
    /// `end` is above [`MAX_NUMBER`].
    pub const fn new(start: u64, end: u64, stride: u64) -> Result<NumberRange, Error> {
        if start < end && end <= MAX_NUMBER && stride >= 1 && stride <= MAX_STEP {
            Ok(NumberRange { start, end, stride })
        } else {
            Err(Error::InvalidRange { start, end, stride })
        }
    }

    /// The first number.
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// The first number past the range.
    pub const fn end(&self) -> u64 {
        self.end
    }

    /// The distance of two numbers.
    pub const fn stride(&self) -> u64 {
        self.stride
    }

    /// How many numbers it has: at least 1.
    pub const fn count(&self) -> u64 {
        self.end.saturating_sub(self.start).div_ceil(if self.stride == 0 { 1 } else { self.stride })
    }

    /// Its numbers, rising.
    pub const fn numbers(self) -> Numbers {
        Numbers::new(self.start, self.count(), self.stride)
    }

    /// Splits off the first `n` numbers, at most all; the rest is `None` if there is none.
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

/// When the next range is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prefetch {
    /// One range beside the current: asked for once so many percent of the current are used.
    DoubleBucket {
        /// 0 to 100.
        used_percent: u8,
    },
    /// Several ranges behind the current. The distance doubles when the chain runs dry within
    /// 5 s of a supply, and halves, down to the one given, when it does not.
    Chain {
        /// How many, 1 to [`MAX_DISTANCE`]; what is outside means the nearest of these.
        distance: u32,
    },
}

impl Prefetch {
    /// Leaf: the next bucket is loaded once 10 % of the current is used.
    pub const LEAF: Prefetch = Prefetch::DoubleBucket { used_percent: 10 };
    /// NetEase: the next bucket is loaded when no more than 20 % of the current is left.
    pub const NETEASE: Prefetch = Prefetch::DoubleBucket { used_percent: 80 };
    /// CosId's segment chain.
    pub const COSID: Prefetch = Prefetch::Chain { distance: 2 };

    /// How many numbers are ready, in percent of a range, when the next one is asked for.
    pub const fn ready_percent(self) -> u32 {
        match self {
            Prefetch::DoubleBucket { used_percent } => 100_u32.saturating_sub(used_percent as u32),
            Prefetch::Chain { distance } => clamp_distance(distance).saturating_mul(100),
        }
    }
}

/// How many numbers a range has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepSize {
    min: u64,
    max: u64,
    /// How long a range is to last at its pace.
    lasts_ms: Option<u32>,
}

impl StepSize {
    /// Always the same.
    ///
    /// # Errors
    /// [`Error::InvalidStep`] for 0 or more than [`MAX_STEP`].
    pub const fn fixed(step: u64) -> Result<StepSize, Error> {
        StepSize::adaptive(step, step)
    }

    /// Leaf's rule. The first two ranges have `min` numbers. Then a range that lasted less than
    /// 15 minutes doubles the step up to `max`; less than 30 keeps it; longer halves it down to
    /// `min`.
    ///
    /// # Errors
    /// [`Error::InvalidStep`] for 0, more than [`MAX_STEP`], or `max` below `min`.
    pub const fn adaptive(min: u64, max: u64) -> Result<StepSize, Error> {
        if min == 0 || min > MAX_STEP {
            Err(Error::InvalidStep { step: min, max: MAX_STEP })
        } else if max < min || max > MAX_STEP {
            Err(Error::InvalidStep { step: max, max: MAX_STEP })
        } else {
            Ok(StepSize { min, max, lasts_ms: None })
        }
    }

    /// The same rule for ranges that are to last `ms` milliseconds at the pace at which numbers were
    /// taken from the last request to this one: less doubles the step, twice as long or longer
    /// halves it. The step stays while requests fail.
    #[must_use]
    pub const fn lasting(self, ms: u32) -> StepSize {
        StepSize { lasts_ms: Some(ms), ..self }
    }

    /// The step after one that lasted so long, where it is to last `lasts_ms`.
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

/// How fast numbers are used. Measured from request to request: then all that was taken before is
/// used, and only then.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Taken since the last measurement.
    used: u64,
    measured_ms: i64,
    /// Not before the next supply: what is taken while requests fail may be far from used.
    is_due: bool,
}

impl Pace {
    const fn new() -> Pace {
        Pace { used: 0, measured_ms: 0, is_due: true }
    }

    /// Measures, if that is due, how long so many numbers last.
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

/// Asks the store for a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the buffer asks once: answer with `supply` or `failed`"]
#[non_exhaustive]
pub struct Request {
    /// How many numbers.
    pub step: u64,
}

/// Ready ranges of one tag, in the order they were supplied, and the decision when to get more.
///
/// - *Order*: numbers rise strictly, across ranges too: a range that does not lie above
///   everything supplied before is refused.
/// - *Threads*: `&mut self`. For many threads, hand pieces of it to a
///   [`SharedRange`](crate::SharedRange).
/// - *Fork*: plain memory: a copy would repeat numbers.
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
    /// An empty buffer: its first [`wants`](Self::wants) asks for a range.
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

    /// Refuses every range that begins below `floor`: the first number not yet issued, where that
    /// is known.
    #[must_use]
    pub const fn above(mut self, floor: u64) -> SegmentBuffer {
        self.floor = floor;
        self
    }

    /// Takes up to `n` numbers that lie together; `None` if the buffer is empty or `n` is 0.
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

    /// Takes the numbers up to where the buffer next wants to be asked: with them out of the
    /// buffer, [`wants`](Self::wants) may ask.
    pub fn take_until_request(&mut self) -> Option<NumberRange> {
        let used = self.used();
        let due = self.due_after().saturating_sub(used);
        let left = self.current_count.saturating_sub(used);
        self.take(if due == 0 { left.max(1) } else { due.min(left) })
    }

    /// Whether a range should be asked for now. It asks once: until [`supply`](Self::supply) or
    /// [`failed`](Self::failed) there is no other request.
    pub fn wants(&mut self, now_ms: i64) -> Option<Request> {
        if self.loading || !self.is_short() {
            return None;
        }
        self.adapt(now_ms);
        self.loading = true;
        Some(Request { step: self.asked })
    }

    /// As [`wants`](Self::wants), right after a supply, where the numbers taken last are the current
    /// range and all that is ready lies behind it: a chain asks until that is as many ranges as its
    /// distance. Step and distance stay as they are.
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
    /// [`Error::RangeRegressed`] if it does not lie above everything supplied before: the store
    /// went back in time. [`Error::CountOutOfRange`] if nobody asked and [`MAX_DISTANCE`] + 1
    /// ranges are ready. The range is not used, and the buffer may ask again.
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

    /// The request came to nothing; the buffer may ask again.
    pub fn failed(&mut self) {
        self.loading = false;
    }

    /// Goes by another step from the next request on: the tag was reconfigured.
    pub fn resize(&mut self, sizes: StepSize) {
        if self.sizes != sizes {
            self.sizes = sizes;
            self.step = sizes.min;
        }
    }

    /// How many numbers are ready.
    pub fn remaining(&self) -> u64 {
        self.ready.iter().flatten().fold(0, |sum, range| sum.saturating_add(range.count()))
    }

    /// How many numbers each range has that is ready, the current one's rest first.
    pub fn ranges(&self) -> impl Iterator<Item = u64> + '_ {
        self.ready.iter().flatten().map(NumberRange::count)
    }

    /// How many numbers the current range had.
    pub const fn current_count(&self) -> u64 {
        self.current_count
    }

    /// The step of the last range supplied.
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// The lowest number a further range may begin with.
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

    /// How many numbers of the current range are used when the next is due.
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

    /// Fits step and distance to the time since the last supply. A step counts once its range is
    /// supplied; the distance changes once for each time that numbers were taken.
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

/// Written without a branch: where there is no distance, optimised code may look at what is in its
/// place, which changes nothing but has valgrind speak of a jump.
const fn clamp_distance(distance: u32) -> u32 {
    let further = distance.saturating_sub(1);
    let last = MAX_DISTANCE.saturating_sub(1);
    if further < last { further } else { last }.saturating_add(1)
}
