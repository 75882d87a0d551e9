//! Errors in the fields of a layout.

use core::fmt;

use super::Plain;
use crate::layout::FieldKind;

/// An error in the fields of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutFault {
    /// The fields take more than 64 bits.
    TooWide {
        /// Sum of the fields' widths.
        bits: u32,
    },
    /// There are more fields than a layout holds.
    TooManyFields,
    /// A field appears twice.
    Twice(FieldKind),
    /// There is no time field.
    NoTime,
    /// A width is 0, or more than the field may have.
    Width {
        /// The field.
        field: FieldKind,
        /// The width given.
        bits: u32,
        /// The largest width allowed.
        max: u32,
    },
    /// All worker fields together are wider than 32 bits.
    WorkersTooWide {
        /// Sum of their widths.
        bits: u32,
    },
    /// A constant does not fit its field.
    Constant {
        /// The constant given.
        value: u64,
        /// Its field's width.
        bits: u32,
    },
    /// The tick has 0 milliseconds.
    TickZero,
    /// The first or last tick is out of range of 64-bit milliseconds.
    TimeTooLong,
    /// A field's text is not `name:bits`.
    Syntax {
        /// Byte offset of the part that cannot be read.
        at: u32,
    },
}

impl fmt::Display for LayoutFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LayoutFault::TooWide { bits } => {
                write!(f, "the fields take {bits} bits, and 64 are there")
            }
            LayoutFault::TooManyFields => f.write_str("more than 9 fields"),
            LayoutFault::Twice(field) => write!(f, "the {} field stands twice", Plain(field.name())),
            LayoutFault::NoTime => f.write_str("it has no time field"),
            LayoutFault::Width { field, bits, max } => {
                write!(f, "the {} field takes 1 to {max} bits, not {bits}", Plain(field.name()))
            }
            LayoutFault::WorkersTooWide { bits } => {
                write!(f, "the worker fields take {bits} bits together, at most 32 are possible")
            }
            LayoutFault::Constant { value, bits } => {
                write!(f, "the constant {value} does not fit its {bits} bits")
            }
            LayoutFault::TickZero => f.write_str("a tick lasts at least 1 ms"),
            LayoutFault::TimeTooLong => f.write_str(
                "its ticks reach past the years of 64-bit milliseconds, 292 million before or after \
                 1970; use fewer time bits, a shorter tick or another epoch",
            ),
            LayoutFault::Syntax { at } => write!(
                f,
                "cannot read the fields from offset {at}: write them from the top bit down as \
                 time:41,worker:10,sequence:12, or take a preset by its name"
            ),
        }
    }
}
