//! UUIDs of versions 4 and 7, by the `uuid` crate.

use uuid::Uuid;

/// Which UUIDs a source makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UuidVersion {
    /// Random: 122 bits.
    V4,
    /// Unix milliseconds, a counter and random bits: rises within a process.
    V7,
}

/// Makes UUIDs of one version (RFC 9562).
///
/// - *Unique*: by 122 random bits (version 4), or 74 random bits and counter in each millisecond
///   (version 7); nothing is reserved. The bits come from the system: a forked child's differ.
/// - *Order*: version 7 rises within a process; version 4 has none.
/// - *Clock rollback*: version 7 goes on above its last UUID.
/// - *Threads*: any number.
#[derive(Clone, Copy, Debug)]
pub struct UuidSource {
    version: UuidVersion,
}

impl UuidSource {
    /// A source of one version.
    pub const fn new(version: UuidVersion) -> UuidSource {
        UuidSource { version }
    }

    /// The version.
    pub const fn version(&self) -> UuidVersion {
        self.version
    }

    /// The next UUID.
    pub fn next_uuid(&self) -> Uuid {
        match self.version {
            UuidVersion::V4 => Uuid::new_v4(),
            UuidVersion::V7 => Uuid::now_v7(),
        }
    }
}
