//! How much texts look like IDs.

use alloc::string::String;
use alloc::vec::Vec;

use crate::clean::{clean, is_digits, is_integer};
use crate::damage::is_damaged;
use crate::one::{One, is_plausible, read_bare};

/// The number of cells that are examined to detect the content of a column.
pub(crate) const SAMPLE: usize = 200;

/// Returns cells from the whole length of a column.
pub(crate) fn sample<T: AsRef<str>>(items: &[T]) -> Vec<&str> {
    let step = (items.len() / SAMPLE).max(1);
    items.iter().step_by(step).take(SAMPLE).map(AsRef::as_ref).collect()
}

/// Returns the share of cells that look like IDs. Small numbers count little.
pub(crate) fn share_of_ids(sample: &[&str], now_ms: i64) -> f64 {
    let cells = sample.iter().map(|cell| clean(cell));
    let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
    if cells.is_empty() {
        return 0.0;
    }
    cells.iter().map(|cell| likeness(cell, now_ms)).sum::<f64>() / cells.len() as f64
}

/// Returns how much a text looks like an ID, from 0 to 1.
pub(crate) fn likeness(cell: &str, now_ms: i64) -> f64 {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    if is_digits(digits) && (14..=20).contains(&digits.len()) || is_damaged(cell) {
        return 1.0;
    }
    if is_integer(cell) {
        return 0.6;
    }
    // Words also are short texts of some base.
    if cell.len() < 11 && !cell.bytes().any(|byte| byte.is_ascii_digit()) {
        return 0.0;
    }
    match read_bare(cell, None, now_ms) {
        One::Number(number) if number.readings.iter().any(|(_, id)| is_plausible(*id, now_ms)) => {
            0.8
        }
        _ => 0.0,
    }
}
