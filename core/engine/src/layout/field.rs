//! The fields of a layout: their kinds, widths and positions.

use crate::error::Error;

/// The largest width of all worker fields together: a worker ID is a `u32`.
pub const MAX_WORKER_BITS: u32 = 32;
/// The largest width of a sequence: a sequence number is a `u32`.
pub const MAX_SEQUENCE_BITS: u32 = 32;
/// The largest width of a rollback counter.
pub const MAX_ROLLBACK_BITS: u32 = 2;
/// The largest width of a time field.
pub const MAX_TIME_BITS: u32 = 62;

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldKind {
    /// Bits that are the same in every ID.
    Constant,
    /// Ticks since the epoch.
    Time,
    /// The upper part of a worker ID, in layouts that split it (Twitter).
    Datacenter,
    /// The worker ID, or the part of it that stands beside a datacenter or process.
    Worker,
    /// The lower part of a worker ID (Discord).
    Process,
    /// The worker ID in layouts that number database shards (Instagram).
    Shard,
    /// A counter of the IDs within one tick.
    Sequence,
    /// A cyclic counter of the clock's rollbacks.
    Rollback,
}

impl FieldKind {
    /// Every kind that [`from_name`](Self::from_name) knows: all except constants.
    pub const NAMED: [FieldKind; 7] = [
        FieldKind::Time,
        FieldKind::Datacenter,
        FieldKind::Worker,
        FieldKind::Process,
        FieldKind::Shard,
        FieldKind::Sequence,
        FieldKind::Rollback,
    ];

    /// Returns the name in layouts, JSON and URLs.
    pub const fn name(self) -> &'static str {
        match self {
            FieldKind::Constant => "constant",
            FieldKind::Time => "time",
            FieldKind::Datacenter => "datacenter",
            FieldKind::Worker => "worker",
            FieldKind::Process => "process",
            FieldKind::Shard => "shard",
            FieldKind::Sequence => "sequence",
            FieldKind::Rollback => "rollback",
        }
    }

    /// Returns the name for use in a sentence.
    pub const fn title(self) -> &'static str {
        match self {
            FieldKind::Worker => "worker ID",
            other => other.name(),
        }
    }

    /// Returns the kind with this name, except constants.
    pub fn from_name(name: &str) -> Option<FieldKind> {
        FieldKind::NAMED.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns true if the field is the worker ID or a part of it.
    pub const fn is_worker(self) -> bool {
        use FieldKind::{Datacenter, Process, Shard, Worker};
        matches!(self, Datacenter | Worker | Process | Shard)
    }

    pub(super) const fn max_bits(self) -> u32 {
        match self {
            FieldKind::Constant => 63,
            FieldKind::Time => MAX_TIME_BITS,
            FieldKind::Sequence => MAX_SEQUENCE_BITS,
            FieldKind::Rollback => MAX_ROLLBACK_BITS,
            _ => MAX_WORKER_BITS,
        }
    }

    pub(super) const fn is(self, other: FieldKind) -> bool {
        self as u8 == other as u8
    }
}

/// A run of bits in an ID. An absent field has width 0 and value 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    pub(super) kind: FieldKind,
    pub(super) bits: u8,
    pub(super) shift: u8,
}

impl Field {
    pub(super) const fn absent(kind: FieldKind) -> Field {
        Field { kind, bits: 0, shift: 0 }
    }

    /// Returns the kind of its content.
    pub const fn kind(self) -> FieldKind {
        self.kind
    }

    /// Returns its width in bits.
    pub const fn bits(self) -> u32 {
        self.bits as u32
    }

    /// Returns how many bits lie below it.
    pub const fn shift(self) -> u32 {
        self.shift as u32
    }

    /// Returns the largest value that it holds.
    pub const fn max(self) -> u64 {
        match self.bits {
            0 => 0,
            bits => u64::MAX.wrapping_shr(64_u32.wrapping_sub(bits as u32)),
        }
    }

    /// Returns its value in an ID.
    pub const fn of(self, id: u64) -> u64 {
        id.wrapping_shr(self.shift()) & self.max()
    }

    pub(super) const fn place(self, value: u64) -> u64 {
        (value & self.max()).wrapping_shl(self.shift())
    }

    pub(super) const fn check(self, value: u64) -> Result<u64, Error> {
        if value > self.max() {
            Err(Error::FieldOutOfRange { field: self.kind, value, max: self.max() })
        } else {
            Ok(self.place(value))
        }
    }
}
