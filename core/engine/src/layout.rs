//! The division of an ID's 64 bits: fields of any order and width, an epoch and a tick.
//!
//! A layout is checked once, when it is built. Afterwards it is valid, and nothing checks it again.

use core::fmt;

use crate::error::Error;
use crate::id::Parts;

mod builder;
mod field;

pub use builder::{LayoutBuilder, MAX_FIELDS};
pub use field::{
    Field, FieldKind, MAX_ROLLBACK_BITS, MAX_SEQUENCE_BITS, MAX_TIME_BITS, MAX_WORKER_BITS,
};

use builder::PLACES;

/// The IDs of a layout that fit a number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// All IDs fit, to the layout's end.
    Always,
    /// IDs fit if they are minted before this Unix time in milliseconds.
    Until(i64),
    /// No ID fits, not even in the first tick.
    Never,
}

/// A checked division of 64 bits into fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    fields: [Field; PLACES],
    first: u8,
    past: u8,
    worker_bits: u8,
    /// All worker fields as one, if they lie side by side; otherwise of width 0.
    worker: Field,
    time: Field,
    sequence: Field,
    rollback: Field,
    constant: u64,
    constant_mask: u64,
    epoch_ms: i64,
    epoch_tick: i64,
    tick_ms: u32,
}

impl Layout {
    /// Starts a layout. Add its fields from the top bit down. By default the epoch is 1970 and the
    /// tick 1 ms. Bits that are left over become zeros at the top.
    pub const fn builder() -> LayoutBuilder {
        LayoutBuilder::new()
    }

    /// Returns the fields, from the top bit down.
    pub fn fields(&self) -> &[Field] {
        self.fields.get(usize::from(self.first)..usize::from(self.past)).unwrap_or_default()
    }

    /// Returns the time field.
    pub const fn time(&self) -> Field {
        self.time
    }

    /// Returns the sequence field; its width is 0 if the layout has none.
    pub const fn sequence(&self) -> Field {
        self.sequence
    }

    /// Returns the rollback counter's field; its width is 0 if the layout has none.
    pub const fn rollback(&self) -> Field {
        self.rollback
    }

    /// Returns the fields in the form that [`LayoutBuilder::fields`] reads:
    /// `zero:1,time:41,worker:10,sequence:12`. It contains neither epoch nor tick.
    pub fn fields_text(&self) -> impl fmt::Display + '_ {
        FieldsText(self)
    }

    /// Returns the epoch, in Unix milliseconds.
    pub const fn epoch_ms(&self) -> i64 {
        self.epoch_ms
    }

    /// Returns the length of a tick, in milliseconds.
    pub const fn tick_ms(&self) -> u32 {
        self.tick_ms
    }

    /// Returns the width of the worker ID: all worker fields side by side, the upper first.
    pub const fn worker_bits(&self) -> u32 {
        self.worker_bits as u32
    }

    /// Returns the largest worker ID.
    pub const fn max_worker_id(&self) -> u32 {
        match self.worker_bits() {
            0 => 0,
            bits => u32::MAX.wrapping_shr(32_u32.wrapping_sub(bits)),
        }
    }

    /// Returns how many ticks the time field counts.
    pub const fn ticks(&self) -> u64 {
        self.time.max().wrapping_add(1)
    }

    /// Returns how many IDs one worker can mint in a tick.
    pub const fn ids_per_tick(&self) -> u64 {
        self.sequence.max().wrapping_add(1)
    }

    /// Returns how many IDs one worker can mint in a second, on average.
    pub const fn ids_per_second(&self) -> u64 {
        match self.ids_per_tick().wrapping_mul(1000).checked_div(self.tick_ms as u64) {
            Some(ids) => ids,
            None => 0,
        }
    }

    /// Returns the first Unix millisecond that the layout cannot express.
    pub const fn expires_ms(&self) -> i64 {
        self.tick_start_ms(self.ticks())
    }

    /// Returns which of its IDs fit `bits` bits: 63 for a signed integer, 53 for a JavaScript
    /// number.
    pub fn fits(&self, bits: u32) -> Fit {
        if bits >= 64 {
            return Fit::Always;
        }
        let above = u64::MAX.wrapping_shl(bits);
        let others = self.fields().iter().filter(|field| !field.kind.is(FieldKind::Time));
        let reach = others.fold(0, |reach, field| {
            reach | if field.kind.is(FieldKind::Constant) { 0 } else { field.place(u64::MAX) }
        });
        if (reach | self.constant) & above != 0 {
            return Fit::Never;
        }
        match bits.checked_sub(self.time.shift()) {
            Some(low) if low >= self.time.bits() => Fit::Always,
            Some(low) => Fit::Until(self.tick_start_ms(1_u64.wrapping_shl(low))),
            // Only tick 0 sets no bit of the field.
            None => Fit::Until(self.tick_start_ms(1)),
        }
    }

    /// Returns the tick of a time: `floor(unix_ms / tick) − floor(epoch / tick)`.
    ///
    /// # Errors
    /// [`Error::TimeOutOfRange`] before the epoch's tick or past the layout's end.
    pub const fn tick_at(&self, unix_ms: i64) -> Result<u64, Error> {
        match self.tick_of(unix_ms) {
            Some(tick) => Ok(tick),
            None => Err(Error::TimeOutOfRange {
                unix_ms,
                first_ms: self.tick_start_ms(0),
                last_ms: self.expires_ms().wrapping_sub(1),
            }),
        }
    }

    /// Returns the Unix millisecond at which a tick begins; ticks past the end count as the end.
    pub const fn tick_start_ms(&self, tick: u64) -> i64 {
        let tick = if tick > self.ticks() { self.ticks() } else { tick };
        // Cannot wrap: `build` refuses a layout whose end is past 64-bit milliseconds.
        self.epoch_tick.wrapping_add(tick as i64).wrapping_mul(self.tick_ms as i64)
    }

    /// Checks that IDs can be minted at `now_ms`.
    ///
    /// # Errors
    /// [`Error::EpochInFuture`] or [`Error::LayoutExpired`].
    pub const fn check_mints_at(&self, now_ms: i64) -> Result<(), Error> {
        if now_ms < self.tick_start_ms(0) {
            Err(Error::EpochInFuture { epoch_ms: self.epoch_ms, now_ms })
        } else if now_ms >= self.expires_ms() {
            Err(Error::LayoutExpired { since_ms: self.expires_ms() })
        } else {
            Ok(())
        }
    }

    /// Splits an ID into its parts.
    ///
    /// # Errors
    /// [`Error::IdNotInLayout`] if constant bits differ, so that `decode` and `encode` are inverse.
    #[inline]
    pub const fn decode(&self, id: u64) -> Result<Parts, Error> {
        if id & self.constant_mask != self.constant {
            return Err(Error::IdNotInLayout { id });
        }
        Ok(self.parts(id))
    }

    /// Splits an ID into its parts without checking its constant bits.
    #[inline]
    pub const fn parts(&self, id: u64) -> Parts {
        Parts {
            // Cannot wrap, as in `tick_start_ms`.
            unix_ms: self
                .epoch_tick
                .wrapping_add(self.time.of(id) as i64)
                .wrapping_mul(self.tick_ms as i64),
            worker_id: self.worker_of(id),
            sequence: self.sequence.of(id) as u32,
            rollback: self.rollback.of(id) as u32,
        }
    }

    /// Builds an ID from its parts; the time is rounded down to its tick.
    ///
    /// # Errors
    /// [`Error::TimeOutOfRange`], or [`Error::FieldOutOfRange`] for the first value that does not
    /// fit.
    pub const fn encode(&self, parts: Parts) -> Result<u64, Error> {
        let time = match self.tick_at(parts.unix_ms) {
            Ok(tick) => self.time.place(tick),
            Err(error) => return Err(error),
        };
        let worker = match self.worker_template(parts.worker_id) {
            Ok(bits) => bits,
            Err(error) => return Err(error),
        };
        let sequence = match self.sequence.check(parts.sequence as u64) {
            Ok(bits) => bits,
            Err(error) => return Err(error),
        };
        let rollback = match self.rollback.check(parts.rollback as u64) {
            Ok(bits) => bits,
            Err(error) => return Err(error),
        };
        Ok(worker | time | sequence | rollback)
    }

    /// Returns the smallest ID with the tick of `unix_ms`: the start of a page by time. An ID
    /// minted later can be below the smallest ID of the present, because its clock may lag, for
    /// example by up to 10 ms with a coarse Linux clock.
    ///
    /// # Errors
    /// [`Error::TimeOutOfRange`].
    pub const fn min_id(&self, unix_ms: i64) -> Result<u64, Error> {
        match self.tick_at(unix_ms) {
            Ok(tick) => Ok(self.constant | self.time.place(tick)),
            Err(error) => Err(error),
        }
    }

    /// Returns the largest ID with the tick of `unix_ms`. The largest ID of the present does not
    /// bound the IDs minted so far, whose time may be ahead of the clock by `max_ahead_ms`.
    ///
    /// # Errors
    /// [`Error::TimeOutOfRange`].
    pub const fn max_id(&self, unix_ms: i64) -> Result<u64, Error> {
        match self.min_id(unix_ms) {
            Ok(id) => Ok(id | !(self.constant_mask | self.time.place(u64::MAX))),
            Err(error) => Err(error),
        }
    }

    /// Builds a worker ID from its parts: `[(Datacenter, 11), (Worker, 26)]` is 378 in Twitter's
    /// layout. Missing parts are 0. If a part is given twice, the last one counts.
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`] for a value that does not fit. A missing field only takes 0.
    pub fn worker_id(&self, parts: &[(FieldKind, u32)]) -> Result<u32, Error> {
        let mut id = 0;
        for &(kind, value) in parts {
            let field = self.fields().iter().find(|field| field.kind.is(kind) && kind.is_worker());
            let field = field.copied().unwrap_or(Field::absent(kind));
            id = (id & !field.place(u64::MAX)) | field.check(u64::from(value))?;
        }
        Ok(self.worker_of(id))
    }

    /// Splits a worker ID into its parts, the upper first: 378 gives `(Datacenter, 11)` and
    /// `(Worker, 26)` in Twitter's layout. The inverse of [`worker_id`](Layout::worker_id).
    ///
    /// # Errors
    /// [`Error::FieldOutOfRange`] above [`max_worker_id`](Layout::max_worker_id).
    pub fn worker_parts(
        &self,
        worker_id: u32,
    ) -> Result<impl Iterator<Item = (FieldKind, u32)> + '_, Error> {
        self.check_worker_id(worker_id)?;
        let mut below = self.worker_bits();
        Ok(self.fields().iter().filter(|field| field.kind.is_worker()).map(move |field| {
            below = below.saturating_sub(field.bits());
            let mask =
                1_u32.checked_shl(field.bits()).map_or(u32::MAX, |past| past.wrapping_sub(1));
            (field.kind, worker_id.checked_shr(below).unwrap_or(0) & mask)
        }))
    }

    const fn check_worker_id(&self, worker_id: u32) -> Result<(), Error> {
        let (field, value, max) =
            (FieldKind::Worker, worker_id as u64, self.max_worker_id() as u64);
        if value > max { Err(Error::FieldOutOfRange { field, value, max }) } else { Ok(()) }
    }

    /// Returns a worker's ID with time, sequence and rollback 0.
    pub(crate) const fn worker_template(&self, worker_id: u32) -> Result<u64, Error> {
        if let Err(error) = self.check_worker_id(worker_id) {
            return Err(error);
        }
        let mut template = self.constant;
        let mut below = self.worker_bits();
        let mut rest: &[Field] = &self.fields;
        while let [field, tail @ ..] = rest {
            if field.kind.is_worker() {
                below = below.wrapping_sub(field.bits());
                template |= field.place((worker_id as u64).wrapping_shr(below));
            }
            rest = tail;
        }
        Ok(template)
    }

    pub(crate) const fn rollback_template(&self, rollback: u32) -> Result<u64, Error> {
        self.rollback.check(rollback as u64)
    }

    /// Returns the tick of a time, or `None` outside the layout.
    #[inline]
    pub(crate) const fn tick_of(&self, unix_ms: i64) -> Option<u64> {
        // One unsigned comparison rejects both ends: before the epoch the difference is negative.
        match self.ticks_since_epoch(unix_ms) {
            Some(tick) if (tick as u64) <= self.time.max() => Some(tick as u64),
            _ => None,
        }
    }

    /// Returns the ticks since the epoch, negative before it, or `None` if they do not fit 64 bits.
    #[inline(always)]
    pub(crate) const fn ticks_since_epoch(&self, unix_ms: i64) -> Option<i64> {
        let absolute = if self.tick_ms == 1 { unix_ms } else { self.absolute_tick(unix_ms) };
        absolute.checked_sub(self.epoch_tick)
    }

    /// Returns whole ticks since 1970. A separate function keeps the division out of every caller.
    #[inline(never)]
    const fn absolute_tick(&self, unix_ms: i64) -> i64 {
        // A tick is never 0, but only a checked division compiles without a panic.
        match unix_ms.checked_div_euclid(self.tick_ms as i64) {
            Some(tick) => tick,
            None => unix_ms,
        }
    }

    #[inline]
    const fn worker_of(&self, id: u64) -> u32 {
        if self.worker.bits == self.worker_bits {
            return self.worker.of(id) as u32;
        }
        self.scattered_worker_of(id)
    }

    #[inline(never)]
    const fn scattered_worker_of(&self, id: u64) -> u32 {
        let mut worker = 0_u64;
        let mut rest: &[Field] = &self.fields;
        while let [field, tail @ ..] = rest {
            if field.kind.is_worker() {
                worker = worker.wrapping_shl(field.bits()) | field.of(id);
            }
            rest = tail;
        }
        worker as u32
    }
}

/// Writes the whole layout as [`Layout::named`] reads it: the [fields](Layout::fields_text), `@`,
/// the epoch in Unix milliseconds, `/` and the tick in milliseconds, for example
/// `zero:1,time:41,worker:10,sequence:12@0/1`. This text is also the name of a realm of worker IDs.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}/{}", self.fields_text(), self.epoch_ms, self.tick_ms)
    }
}

/// See [`Layout::fields_text`].
struct FieldsText<'a>(&'a Layout);

impl fmt::Display for FieldsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldsText(layout) = self;
        for (index, field) in layout.fields().iter().enumerate() {
            let value = field.of(layout.constant);
            let is_zero = field.kind.is(FieldKind::Constant) && value == 0;
            f.write_str(if index == 0 { "" } else { "," })?;
            f.write_str(if is_zero { "zero" } else { field.kind.name() })?;
            write!(f, ":{}", field.bits())?;
            if value != 0 {
                write!(f, "={value}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({self})")
    }
}
