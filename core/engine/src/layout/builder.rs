//! The builder of layouts, which collects fields and checks them once.

use super::Layout;
use super::field::{Field, FieldKind, MAX_WORKER_BITS};
use crate::error::{Error, LayoutFault};
use crate::text::TextForm;

/// The largest number of fields in a layout.
pub const MAX_FIELDS: usize = 9;

/// Index 0 is reserved for the zeros on top of fields that take fewer than 64 bits.
pub(super) const PLACES: usize = MAX_FIELDS + 1;
/// Collects the fields of a [`Layout`], from the top bit down.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct LayoutBuilder {
    fields: [Field; PLACES],
    constants: [u64; PLACES],
    past: u8,
    fault: Option<LayoutFault>,
    epoch_ms: i64,
    tick_ms: u32,
}

impl LayoutBuilder {
    pub(super) const fn new() -> Self {
        LayoutBuilder {
            fields: [Field::absent(FieldKind::Constant); PLACES],
            constants: [0; PLACES],
            past: 1,
            fault: None,
            epoch_ms: 0,
            tick_ms: 1,
        }
    }

    /// Adds a field below the present ones.
    pub const fn field(self, kind: FieldKind, bits: u32) -> Self {
        self.push(kind, bits, 0)
    }

    /// Adds bits that are `value` in every ID.
    pub const fn constant(self, bits: u32, value: u64) -> Self {
        self.push(FieldKind::Constant, bits, value)
    }

    /// Adds bits that are 0 in every ID.
    pub const fn zero(self, bits: u32) -> Self {
        self.push(FieldKind::Constant, bits, 0)
    }

    /// Adds the time field.
    pub const fn time(self, bits: u32) -> Self {
        self.push(FieldKind::Time, bits, 0)
    }

    /// Adds the worker ID, or the part of it that stands beside a datacenter.
    pub const fn worker(self, bits: u32) -> Self {
        self.push(FieldKind::Worker, bits, 0)
    }

    /// Adds the sequence.
    pub const fn sequence(self, bits: u32) -> Self {
        self.push(FieldKind::Sequence, bits, 0)
    }

    /// Sets the epoch, in Unix milliseconds.
    pub const fn epoch_ms(mut self, epoch_ms: i64) -> Self {
        self.epoch_ms = epoch_ms;
        self
    }

    /// Sets the length of a tick in milliseconds.
    pub const fn tick_ms(mut self, tick_ms: u32) -> Self {
        self.tick_ms = tick_ms;
        self
    }

    /// Adds fields from a text such as `time:41,worker:10,sequence:12`; `zero:N` and `constant:N=V`
    /// add constants.
    ///
    /// # Errors
    /// [`Error::InvalidLayout`] with the offset of the part that cannot be read.
    pub fn fields(mut self, text: &str) -> Result<Self, Error> {
        let mut at = 0_u32;
        for part in text.split(',') {
            let fault = LayoutFault::Syntax { at };
            let (kind, bits, value) = parse_field(part).ok_or(Error::InvalidLayout(fault))?;
            self = self.push(kind, bits, value);
            at = at.saturating_add(u32::try_from(part.len()).unwrap_or(u32::MAX)).saturating_add(1);
        }
        Ok(self)
    }

    /// Checks the layout and returns it.
    ///
    /// # Errors
    /// [`Error::InvalidLayout`] with the reason.
    pub const fn build(self) -> Result<Layout, Error> {
        match self.checked() {
            Ok(layout) => Ok(layout),
            Err(fault) => Err(Error::InvalidLayout(fault)),
        }
    }

    const fn push(mut self, kind: FieldKind, bits: u32, value: u64) -> Self {
        let max = kind.max_bits();
        if self.fault.is_some() {
            return self;
        }
        let index = self.past as usize;
        // Written and left-over zeros on top are equivalent: both are stored at index 0.
        let on_top = index == 1 && self.fields[0].bits == 0;
        if on_top && kind.is(FieldKind::Constant) && value == 0 && 0 < bits && bits <= max {
            self.fields[0].bits = bits as u8;
        } else if index >= PLACES {
            self.fault = Some(LayoutFault::TooManyFields);
        } else if bits == 0 || bits > max {
            self.fault = Some(LayoutFault::Width { field: kind, bits, max });
        } else if value.wrapping_shr(bits) != 0 {
            self.fault = Some(LayoutFault::Constant { value, bits });
        } else {
            #[expect(clippy::indexing_slicing, reason = "index was compared with PLACES")]
            {
                self.fields[index] = Field { kind, bits: bits as u8, shift: 0 };
                self.constants[index] = value;
            }
            self.past = self.past.wrapping_add(1);
        }
        self
    }

    const fn checked(mut self) -> Result<Layout, LayoutFault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.tick_ms == 0 {
            return Err(LayoutFault::TickZero);
        }
        let bits = self.bits();
        self.fields[0].bits = match 64_u32.checked_sub(bits) {
            Some(left) => self.fields[0].bits.wrapping_add(left as u8),
            None => return Err(LayoutFault::TooWide { bits }),
        };
        let mut layout = self.unplaced();
        if let Err(fault) = self.place_fields(&mut layout) {
            return Err(fault);
        }
        if layout.time.bits == 0 {
            return Err(LayoutFault::NoTime);
        }
        let tick_ms = layout.tick_ms as i64;
        match layout.epoch_tick.checked_add(layout.ticks() as i64) {
            Some(end)
                if end.checked_mul(tick_ms).is_some()
                    && layout.epoch_tick.checked_mul(tick_ms).is_some() =>
            {
                Ok(layout)
            }
            _ => Err(LayoutFault::TimeTooLong),
        }
    }

    const fn bits(&self) -> u32 {
        let mut bits = 0_u32;
        let mut rest: &[Field] = &self.fields;
        while let [field, tail @ ..] = rest {
            bits = bits.wrapping_add(field.bits());
            rest = tail;
        }
        bits
    }

    const fn unplaced(&self) -> Layout {
        Layout {
            fields: self.fields,
            first: if self.fields[0].bits == 0 { 1 } else { 0 },
            past: self.past,
            worker_bits: 0,
            worker: Field::absent(FieldKind::Worker),
            time: Field::absent(FieldKind::Time),
            sequence: Field::absent(FieldKind::Sequence),
            rollback: Field::absent(FieldKind::Rollback),
            constant: 0,
            constant_mask: 0,
            epoch_ms: self.epoch_ms,
            epoch_tick: self.epoch_ms.div_euclid(self.tick_ms as i64),
            tick_ms: self.tick_ms,
        }
    }

    /// Sets each field's shift, and the values that the layout derives from its fields.
    #[expect(clippy::indexing_slicing, reason = "index stays below PLACES")]
    const fn place_fields(&self, layout: &mut Layout) -> Result<(), LayoutFault> {
        let (mut shift, mut workers, mut seen, mut index) = (64_u32, 0_u32, 0_u32, 0);
        while index < PLACES && index < self.past as usize {
            let mut field = self.fields[index];
            shift = shift.wrapping_sub(field.bits());
            field.shift = shift as u8;
            layout.fields[index] = field;
            let bit = 1_u32.wrapping_shl(field.kind as u32);
            if seen & bit != 0 && !field.kind.is(FieldKind::Constant) {
                return Err(LayoutFault::Twice(field.kind));
            }
            seen |= bit;
            match field.kind {
                FieldKind::Constant => {
                    layout.constant |= field.place(self.constants[index]);
                    layout.constant_mask |= field.place(u64::MAX);
                }
                FieldKind::Time => layout.time = field,
                FieldKind::Sequence => layout.sequence = field,
                FieldKind::Rollback => layout.rollback = field,
                kind => {
                    workers = workers.wrapping_add(field.bits());
                    let bits = layout.worker.bits.wrapping_add(field.bits);
                    let is_next =
                        index > 0 && layout.fields[index.wrapping_sub(1)].kind.is_worker();
                    if is_next || layout.worker.bits == 0 {
                        layout.worker = Field { kind, bits, shift: field.shift };
                    }
                }
            }
            index = index.wrapping_add(1);
        }
        layout.worker_bits = workers as u8;
        if workers > MAX_WORKER_BITS {
            return Err(LayoutFault::WorkersTooWide { bits: workers });
        }
        Ok(())
    }
}

/// Reads `name:bits` or `constant:bits=value`.
fn parse_field(text: &str) -> Option<(FieldKind, u32, u64)> {
    let (name, width) = text.split_once(':')?;
    let (width, value) = match name {
        "constant" => width.split_once('=').map(|(bits, value)| (bits, parse_number(value)))?,
        _ => (width, Some(0)),
    };
    let kind = match name {
        "zero" | "constant" => FieldKind::Constant,
        _ => FieldKind::from_name(name)?,
    };
    Some((kind, u32::try_from(parse_number(width)?).ok()?, value?))
}

/// Reads digits only, without a sign or leading zeros.
fn parse_number(text: &str) -> Option<u64> {
    TextForm::Decimal.parse(text).ok()
}
