//! Integers of 64 bits that JavaScript libraries split in two: `{"low": 1, "high": 2}`.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

/// The longest text of a split integer.
const LONGEST: usize = 200;
/// The least high half of a pair without names: smaller ones may be numbers of their own.
const LEAST_HIGH: i64 = 1 << 20;

/// Returns a text with each split integer replaced by its decimal digits.
pub(crate) fn joined(text: &str) -> Cow<'_, str> {
    if let Some(id) = pair(text.trim()) {
        return Cow::Owned(id.to_string());
    }
    // Looks for the shorter of the two names.
    if !text.as_bytes().windows(3).any(|word| word == b"low") {
        return Cow::Borrowed(text);
    }
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let end = after.find(['{', '}']).filter(|end| *end <= LONGEST);
        let inner = end.and_then(|end| after.split_at_checked(end));
        let id = inner.and_then(|(fields, rest)| Some((long(fields)?, rest.strip_prefix('}')?)));
        match id {
            Some((id, left)) => {
                // As Node prints it: `Long { low: … }`.
                made.push_str(before.strip_suffix("Long ").unwrap_or(before));
                made.push_str(&id.to_string());
                rest = left;
            }
            None => {
                made.push_str(before);
                made.push('{');
                rest = after;
            }
        }
    }
    made.push_str(rest);
    Cow::Owned(made)
}

/// Returns the number of the fields `low` and `high`, if there are no others but `unsigned`.
fn long(fields: &str) -> Option<u64> {
    let (mut low, mut high) = (None, None);
    for field in fields.split(',').filter(|field| !field.trim().is_empty()) {
        let (name, value) = field.split_once(':')?;
        let value = value.trim();
        match name.trim().trim_matches(['"', '\'']).trim_end_matches('_') {
            "low" => low = Some(half(value)?),
            "high" => high = Some(half(value)?),
            "unsigned" if value == "true" || value == "false" => {}
            _ => return None,
        }
    }
    Some(u64::from(high?) << 32 | u64::from(low?))
}

/// Returns the 32 bits of a signed or unsigned number.
fn half(value: &str) -> Option<u32> {
    let value: i64 = value.parse().ok()?;
    let is_half = (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&value);
    is_half.then_some(value as u32)
}

/// Returns the number of a pair `[low, high]` that cannot be two IDs, as the first is negative.
fn pair(text: &str) -> Option<u64> {
    let (low, high) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
    let (low, high) = (low.trim(), high.trim());
    let is_pair = low.starts_with('-') && high.parse::<i64>().is_ok_and(|high| high >= LEAST_HIGH);
    if !is_pair {
        return None;
    }
    long(&format!("low:{low},high:{high}"))
}
