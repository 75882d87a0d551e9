//! IDs as the engine returns them: as a type, as parts, and in runs.

use core::iter::{FusedIterator, repeat_with};

mod typed;

pub use typed::Id;

/// The most IDs that one call of a source returns. A generator issues as many as its
/// [`Pace`](crate::Pace) allows.
pub const MAX_COUNT: usize = 1 << 24;

/// The parts of an ID. A [`Layout`](crate::Layout) knows from which fields they come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Parts {
    /// The start of the ID's tick, in Unix milliseconds.
    pub unix_ms: i64,
    /// The worker ID: all worker fields side by side, the upper first. 0 if there is none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub worker_id: u32,
    /// The sequence number within its tick.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sequence: u32,
    /// The rollback counter; 0 if there is none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rollback: u32,
}

/// The positions of time and sequence in an ID, and its fixed bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    pub(crate) template: u64,
    pub(crate) places: Places,
}

/// The positions of the time and the sequence in an ID.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// The largest sequence number.
    pub(crate) sequence_mask: u64,
    pub(crate) sequence_bits: u8,
    pub(crate) sequence_shift: u8,
    pub(crate) time_shift: u8,
}

impl Places {
    #[inline]
    pub(crate) const fn spread(self, template: u64, slot: u64) -> u64 {
        let tick = slot.wrapping_shr(self.sequence_bits as u32);
        let sequence = slot & self.sequence_mask;
        template
            | tick.wrapping_shl(self.time_shift as u32)
            | sequence.wrapping_shl(self.sequence_shift as u32)
    }
}

/// IDs issued together, in rising order of their slots.
///
/// Creating the run issued the IDs: dropping it loses them.
#[derive(Clone, Debug)]
#[must_use = "the IDs are issued: dropping them leaves a gap"]
pub struct Ids {
    spread: Spread,
    next: u64,
    past: u64,
}

impl Ids {
    pub(crate) const fn new(spread: Spread, next: u64, past: u64) -> Ids {
        Ids { spread, next, past }
    }

    /// Fills `out` with the next IDs, and returns how many it took. It takes the same IDs as the
    /// iterator, a tick at a time.
    #[inline(never)] // compiled here, at full speed, whoever calls it
    pub fn fill(&mut self, out: &mut [u64]) -> usize {
        let mut filled = 0_usize;
        let mut rest = out;
        while !rest.is_empty() && self.next != self.past {
            let room = self.take_tick(rest.len() as u64).write(rest);
            filled = filled.wrapping_add(room);
            rest = rest.split_at_mut_checked(room).unwrap_or_default().1;
        }
        filled
    }

    /// Appends all remaining IDs to a vector or the like, without writing its memory twice.
    pub fn append_to(mut self, out: &mut impl Extend<u64>) {
        while self.next != self.past {
            self.take_tick(u64::MAX).append_to(out);
        }
    }

    /// Takes up to `at_most` IDs of the next ID's tick. Within a tick, IDs differ by a constant.
    fn take_tick(&mut self, at_most: u64) -> Numbers {
        let places = self.spread.places;
        let first = places.spread(self.spread.template, self.next);
        let count = self.left_in_tick().min(at_most);
        self.next = self.next.wrapping_add(count);
        Numbers::new(first, count, 1_u64.wrapping_shl(u32::from(places.sequence_shift)))
    }

    /// Returns how many remaining slots lie in the tick of the next one.
    fn left_in_tick(&self) -> u64 {
        let in_tick = (self.next | self.spread.places.sequence_mask).wrapping_sub(self.next);
        let left = self.past.wrapping_sub(self.next);
        in_tick.saturating_add(1).min(left)
    }
}

impl Iterator for Ids {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.next == self.past {
            return None;
        }
        let id = self.spread.places.spread(self.spread.template, self.next);
        self.next = self.next.wrapping_add(1);
        Some(id)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.past.wrapping_sub(self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Ids {}
impl FusedIterator for Ids {}

/// Rising numbers with a constant distance: a [`NumberRange`](crate::NumberRange), or a tick's IDs.
#[derive(Clone, Debug)]
pub struct Numbers {
    next: u64,
    left: u64,
    stride: u64,
}

impl Numbers {
    pub(crate) const fn new(next: u64, left: u64, stride: u64) -> Numbers {
        Numbers { next, left, stride }
    }

    /// Fills `out` with the next numbers, and returns how many it took.
    #[inline(never)] // compiled here, at full speed, whoever calls it
    pub fn fill(&mut self, out: &mut [u64]) -> usize {
        self.write(out)
    }

    #[inline(always)]
    fn write(&mut self, out: &mut [u64]) -> usize {
        let room = self.left.min(out.len() as u64);
        let mut number = self.next;
        for place in out.iter_mut().take(room as usize) {
            *place = number;
            number = number.wrapping_add(self.stride);
        }
        self.next = number;
        self.left = self.left.wrapping_sub(room);
        room as usize
    }

    /// Appends all remaining numbers to a vector or the like, without writing its memory twice.
    pub fn append_to(self, out: &mut impl Extend<u64>) {
        // The compiler trusts the length of this iterator, and so vectorizes the loop.
        let Numbers { mut next, left, stride } = self;
        let numbers = repeat_with(|| {
            let number = next;
            next = number.wrapping_add(stride);
            number
        });
        out.extend(numbers.take(left as usize));
    }
}

impl Iterator for Numbers {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let number = self.next;
        self.next = number.wrapping_add(self.stride);
        Some(number)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Numbers {}
impl FusedIterator for Numbers {}
