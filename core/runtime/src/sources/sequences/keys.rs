//! The numbers of a section's keys.

use std::collections::HashMap;

use snowmint_engine::{Error as EngineError, NumberRange};

/// The numbers of a section's keys.
///
/// The section owns `start`, `start + stride`, … below `end`, which the store gave without a gap. A
/// key that is not in `last` has had none of them.
pub(super) struct Keys {
    start: u64,
    end: u64,
    stride: u64,
    /// A range above `end` that does not begin there.
    ahead: Option<NumberRange>,
    /// The last number of each key, which is at or above `start`.
    last: HashMap<u64, u64>,
    /// Above every number in `last`, and on the same stride.
    top: u64,
    /// The lowest number with which a further range may begin.
    floor: u64,
}

impl Default for Keys {
    fn default() -> Keys {
        let last = HashMap::new();
        Keys { start: 0, end: 0, stride: 1, ahead: None, last, top: 0, floor: 0 }
    }
}

impl Keys {
    /// The state without numbers. Ranges that begin below `floor` are refused.
    pub(super) fn above(floor: u64) -> Keys {
        Keys { floor, ..Keys::default() }
    }

    pub(super) fn floor(&self) -> u64 {
        self.floor
    }

    /// Returns true if any key can get a number.
    pub(super) fn has_numbers(&self) -> bool {
        self.start < self.end || self.ahead.is_some()
    }

    /// Returns the next number of a key; `None` if a range must be supplied first.
    pub(super) fn take(&mut self, key: u64, max_keys: usize) -> Option<u64> {
        if self.last.len() >= max_keys && !self.last.contains_key(&key) {
            self.leap(self.top, self.end, self.stride);
        }
        let mut number = self.next(key);
        if number >= self.end {
            let range = self.ahead.take()?;
            self.leap(range.start(), range.end(), range.stride());
            number = range.start();
        }
        self.last.insert(key, number);
        self.top = self.top.max(number.saturating_add(self.stride));
        Some(number)
    }

    fn next(&self, key: u64) -> u64 {
        self.last.get(&key).map_or(self.start, |last| last.saturating_add(self.stride))
    }

    /// Makes all keys go on at `start`, which is above every number that was given.
    fn leap(&mut self, start: u64, end: u64, stride: u64) {
        (self.start, self.end, self.stride, self.top) = (start, end, stride, start);
        self.last = HashMap::new();
    }

    /// Returns true if the next range should be fetched, after a key has got `number`.
    pub(super) fn is_short(&self, number: Option<u64>, step: u64) -> bool {
        let half = (step / 2).saturating_mul(self.stride);
        let left = |number| self.end.saturating_sub(number);
        number.is_none_or(|number| self.ahead.is_none() && left(number) <= half.max(self.stride))
    }

    pub(super) fn supply(&mut self, range: NumberRange) -> Result<(), EngineError> {
        if range.start() < self.floor {
            let (start, expected) = (range.start(), self.floor);
            return Err(EngineError::RangeRegressed { start, expected });
        }
        self.floor = range.end();
        let in_step = range.start().abs_diff(self.start).checked_rem(self.stride) == Some(0);
        if range.start() == self.end && range.stride() == self.stride && in_step {
            self.end = range.end();
        } else {
            self.ahead = Some(range);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clipped_range_does_not_shift_the_stride() {
        let mut keys = Keys::default();
        keys.supply(NumberRange::new(1, 25, 10).unwrap()).unwrap();
        assert_eq!([(); 3].map(|()| keys.take(7, 9)), [Some(1), Some(11), Some(21)]);
        keys.supply(NumberRange::new(25, 45, 10).unwrap()).unwrap();
        assert_eq!([(); 3].map(|()| keys.take(7, 9)), [Some(25), Some(35), None]);
    }
}
