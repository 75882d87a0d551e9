//! Ranges of numbers.

use std::mem::MaybeUninit;

use snowmint::engine::Error as EngineError;
use snowmint::{NumberRange, Result};

use crate::argument::read;
use crate::failure::{give, snowmint_status};

/// Reserved numbers: `start`, `start + stride`, ... below `end`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_range {
    /// The first number.
    pub start: u64,
    /// The first number past the range, at most `SNOWMINT_MAX_NUMBER`.
    pub end: u64,
    /// The distance between two numbers, 1 to `SNOWMINT_MAX_STEP`.
    pub stride: u64,
}

impl From<NumberRange> for snowmint_range {
    fn from(range: NumberRange) -> snowmint_range {
        snowmint_range { start: range.start(), end: range.end(), stride: range.stride() }
    }
}

impl TryFrom<&snowmint_range> for NumberRange {
    type Error = EngineError;

    fn try_from(range: &snowmint_range) -> Result<NumberRange, EngineError> {
        NumberRange::new(range.start, range.end, range.stride)
    }
}

/// Counts the numbers of a range.
///
/// Errors: `SNOWMINT_INVALID_RANGE` if the fields are not those of a range.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_range_count(
    range: Option<&snowmint_range>,
    count: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give(count, "count", || {
        let range = NumberRange::try_from(read(range, "range")?)?;
        Ok(range.count())
    })
}
