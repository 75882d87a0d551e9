//! Rows of tags: the options of a new tag, changes, and refusals.

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{MAX_NUMBER, MAX_STEP, NumberRange};

use super::{Allocation, LAST_NUMBER, Tag, errors};
use crate::error::{Error, Result};

/// A row of the segment table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TagRow {
    /// The tag.
    pub tag: Tag,
    /// The first number that is not yet reserved.
    pub next: u64,
    /// The size of a range in numbers, unless the client requests more.
    pub step: u64,
    /// The distance between two numbers.
    pub stride: u64,
    /// The time of the last range or change of the row, by the store's clock: Unix milliseconds.
    pub updated_ms: i64,
    /// The number of times that an operator has raised `next`.
    pub raises: u64,
    /// The largest number that may be given.
    pub max: u64,
    /// The place where the tag continues, if it moved; it gives no numbers here.
    pub moved_to: Option<String>,
    /// The name of the move by which the tag left.
    pub(crate) left_by: Option<String>,
    /// The names of the most recent moves that brought the tag here, separated by spaces.
    pub(crate) came_by: Option<String>,
}

/// A row of another generator that gives no range, or a sequence that gives none.
#[derive(Debug)]
#[non_exhaustive]
pub struct RefusedRow {
    /// The row's name, which need not be a valid tag.
    pub name: String,
    /// The reason, as minting returns it; [`Code::InvalidTag`] if the name is not a valid tag.
    pub error: Error,
}

/// A row, or the reason why minting refuses it.
pub(crate) type Judged = Result<TagRow, RefusedRow>;

impl TagRow {
    /// Returns the first number that is never given.
    pub(crate) fn ends(&self) -> u64 {
        self.max.saturating_add(1)
    }

    /// Returns the next range, and the row after it.
    ///
    /// # Errors
    /// [`Code::TagExhausted`], [`Code::TagMoved`], [`Code::InvalidStep`].
    pub(crate) fn taken(&self, count: Option<u64>, now_ms: i64) -> Result<(Allocation, TagRow)> {
        count.map_or(Ok(()), check_step)?;
        if self.moved_to.is_some() {
            return Err(tag_moved(self));
        }
        let left = self.ends().saturating_sub(self.next).div_ceil(self.stride);
        let numbers = count.unwrap_or(self.step).min(left).saturating_mul(self.stride);
        // Rounded up to a whole stride, so that the row keeps its class of numbers.
        let end = self.next.saturating_add(numbers).min(MAX_NUMBER);
        let range = NumberRange::new(self.next, end, self.stride)
            .map_err(|_| errors::tags::tag_exhausted(&self.tag, self.max))?;
        let row = TagRow { next: end, updated_ms: now_ms, ..self.clone() };
        Ok((Allocation::new(range, self.step), row))
    }

    /// Returns the row after a change whose numbers were already checked.
    ///
    /// # Errors
    /// [`Code::TagMoved`], [`Code::RangeRegressed`], [`Code::InvalidRange`].
    pub(crate) fn changed(&self, change: TagChange, now_ms: i64) -> Result<TagRow> {
        let next = change.next.unwrap_or(self.next);
        let max = change.max.unwrap_or(self.max);
        if self.moved_to.is_some() || next < self.next || next.saturating_sub(self.stride) > max {
            return Err(not_changed(&self.tag, change, self));
        }
        Ok(TagRow {
            next,
            max,
            step: change.step.unwrap_or(self.step),
            raises: self.raises + u64::from(change.next.is_some()),
            updated_ms: now_ms,
            ..self.clone()
        })
    }

    /// Returns the row raised by so many numbers. It may go past its max, because the lost tag may
    /// have had a larger one.
    pub(crate) fn raised(&self, by: u64, now_ms: i64) -> TagRow {
        let next = self.next.saturating_add(by).min(MAX_NUMBER);
        TagRow { next, raises: self.raises + 1, updated_ms: now_ms, ..self.clone() }
    }

    /// Returns how many numbers this many of its steps are.
    pub(crate) fn numbers_of(&self, steps: u64) -> u64 {
        self.step.saturating_mul(self.stride).saturating_mul(steps)
    }

    /// Creates the row of a new tag, or of a tag of which only the store knows more.
    pub fn new(tag: &Tag, options: TagOptions) -> TagRow {
        let TagOptions { start: next, step, stride, max } = options;
        TagRow {
            tag: tag.clone(),
            next,
            step,
            stride,
            updated_ms: 0,
            raises: 0,
            max,
            moved_to: None,
            left_by: None,
            came_by: None,
        }
    }
}

/// The options of a new tag.
///
/// ```
/// let options = snowmint::TagOptions::default().start(1_000_000).step(5_000);
/// # assert_eq!((options.start, options.step, options.stride), (1_000_000, 5_000, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct TagOptions {
    /// The first number: 1 unless set.
    #[cfg_attr(feature = "serde", serde(with = "snowmint_engine::serde::string"))]
    pub start: u64,
    /// The size of a range in numbers: 1000 unless set.
    pub step: u64,
    /// The distance between two numbers: 1 unless set.
    pub stride: u64,
    /// The largest number that may be given, for example that of the column which stores them:
    /// `i32::MAX`, or 2^53 - 1 for JavaScript. By default 2^63 - 2, the largest of all.
    #[cfg_attr(feature = "serde", serde(with = "snowmint_engine::serde::string"))]
    pub max: u64,
}

impl Default for TagOptions {
    fn default() -> TagOptions {
        TagOptions { start: 1, step: 1_000, stride: 1, max: LAST_NUMBER }
    }
}

impl TagOptions {
    /// Sets the first number.
    #[must_use]
    pub fn start(self, start: u64) -> TagOptions {
        TagOptions { start, ..self }
    }

    /// Sets how many numbers a range has.
    #[must_use]
    pub fn step(self, step: u64) -> TagOptions {
        TagOptions { step, ..self }
    }

    /// Sets the distance between two numbers.
    #[must_use]
    pub fn stride(self, stride: u64) -> TagOptions {
        TagOptions { stride, ..self }
    }

    /// Sets the largest number.
    #[must_use]
    pub fn max(self, max: u64) -> TagOptions {
        TagOptions { max, ..self }
    }

    /// Checks every number against its limit.
    ///
    /// # Errors
    /// [`Code::InvalidStep`], [`Code::InvalidRange`].
    pub fn check(&self) -> Result<()> {
        check_step(self.step)?;
        NumberRange::new(self.start, MAX_NUMBER, self.stride)?;
        check_max(self.max)?;
        if self.start > self.max {
            return Err(errors::tags::start_above_max(self.start, self.max));
        }
        Ok(())
    }
}

/// Checks a step against its limit.
///
/// # Errors
/// [`Code::InvalidStep`].
pub(crate) fn check_step(step: u64) -> Result<()> {
    snowmint_engine::StepSize::fixed(step)?;
    debug_assert!(step <= MAX_STEP);
    Ok(())
}

fn check_max(max: u64) -> Result<()> {
    if max <= LAST_NUMBER { Ok(()) } else { Err(errors::tags::max_too_large(max)) }
}

/// Returns true if two progressions, each given by one number and a stride and unbounded in both
/// directions, have a number in common.
pub(crate) fn can_meet(one: (u64, u64), other: (u64, u64)) -> bool {
    let apart = gcd(one.1, other.1);
    one.0 % apart == other.0 % apart
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The error for a row whose tag continues in another store.
pub(crate) fn tag_moved(row: &TagRow) -> Error {
    errors::tags::tag_moved(&row.tag, row.moved_to.as_deref())
}

/// The error for a change that no row took: it lowers `next`, leaves no numbers, or the tag moved.
pub(crate) fn not_changed(tag: &Tag, change: TagChange, present: &TagRow) -> Error {
    if present.moved_to.is_some() {
        return tag_moved(present);
    }
    let next = change.next.unwrap_or(present.next);
    if next < present.next {
        return errors::tags::next_falls(tag, next, present.next);
    }
    match change.max {
        Some(max) => errors::tags::max_below_next(tag, max, next),
        None => errors::tags::next_above_max(tag, next, present.max),
    }
}

/// A change to a tag; fields that are not set stay as they are.
///
/// ```
/// let raise = snowmint::TagChange::default().next(2_000_000);
/// # assert_eq!((raise.next, raise.step), (Some(2_000_000), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct TagChange {
    /// The first number that is not reserved. It can only be raised.
    #[cfg_attr(feature = "serde", serde(with = "snowmint_engine::serde::string::option"))]
    pub next: Option<u64>,
    /// The step.
    pub step: Option<u64>,
    /// The largest number. It cannot be below the numbers that are reserved.
    #[cfg_attr(feature = "serde", serde(with = "snowmint_engine::serde::string::option"))]
    pub max: Option<u64>,
}

impl TagChange {
    /// Sets the first number that is not reserved.
    #[must_use]
    pub fn next(self, next: impl Into<Option<u64>>) -> TagChange {
        TagChange { next: next.into(), ..self }
    }

    /// Sets the step.
    #[must_use]
    pub fn step(self, step: impl Into<Option<u64>>) -> TagChange {
        TagChange { step: step.into(), ..self }
    }

    /// Sets the largest number.
    #[must_use]
    pub fn max(self, max: impl Into<Option<u64>>) -> TagChange {
        TagChange { max: max.into(), ..self }
    }

    /// Checks each number against its limit.
    ///
    /// # Errors
    /// [`Code::InvalidStep`], [`Code::InvalidRange`].
    pub fn check(&self) -> Result<()> {
        self.step.map_or(Ok(()), check_step)?;
        self.max.map_or(Ok(()), check_max)?;
        match self.next {
            Some(next) if next > MAX_NUMBER => Err(errors::tags::next_too_large(next)),
            _ => Ok(()),
        }
    }
}
