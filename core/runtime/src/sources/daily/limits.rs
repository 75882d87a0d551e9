//! Checks of daily numbers that need no store.

use jiff::tz::TimeZone;
use snowmint_engine::MAX_TAG_LENGTH;

use super::calendar::parse_zone;
use super::day::largest;
use crate::error::Result;
use crate::errors;
use crate::store::{Tag, check_step};

/// The most digits after the date: with its 8 digits they make 18, which fit a signed 64-bit
/// integer.
const MAX_DIGITS: u32 = 10;
/// The largest default step; up to it the default is a thousandth of the day's numbers.
const MAX_DEFAULT_STEP: u64 = 1_000;
/// The length of a separator and `yyyymmdd`.
const SUFFIX_LENGTH: usize = 9;

/// Checks everything that needs no store, and returns the zone and the step.
pub(crate) fn check(
    tag: &Tag,
    zone: &str,
    digits: u32,
    step: Option<u64>,
) -> Result<(TimeZone, u64)> {
    check_tag(tag)?;
    Ok((parse_zone(zone)?, check_digits(digits, step)?))
}

/// The distance between the first numbers of two days.
pub(crate) fn day_size(digits: u32) -> u64 {
    largest(digits).saturating_add(1)
}

fn check_tag(tag: &Tag) -> Result<()> {
    let room = MAX_TAG_LENGTH - SUFFIX_LENGTH;
    if tag.as_str().len() > room {
        return Err(errors::daily::tag_without_room_for_date(tag.as_str(), room));
    }
    Ok(())
}

fn check_digits(digits: u32, step: Option<u64>) -> Result<u64> {
    if !(1..=MAX_DIGITS).contains(&digits) {
        return Err(errors::daily::digits_out_of_range(digits, MAX_DIGITS));
    }
    let max = largest(digits);
    let step = step.unwrap_or_else(|| (max.saturating_add(1) / 1_000).clamp(1, MAX_DEFAULT_STEP));
    check_step(step)?;
    if step > max {
        return Err(errors::daily::step_beyond_day(step, max));
    }
    Ok(step)
}
