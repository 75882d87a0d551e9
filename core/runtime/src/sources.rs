//! What mints: each kind of source in a file of its own.

#[cfg(feature = "daily")]
mod daily;
mod ids;
mod ring;
mod segment;
mod sequences;
mod snowflake;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(feature = "daily")]
pub use daily::{DEFAULT_DIGITS, Daily, DailyBuilder};
#[cfg(feature = "daily")]
pub(crate) use daily::{DEFAULT_ZONE, check as check_daily};
pub(crate) use ring::{DEFAULT_EVERY, check as check_ring};
pub use ring::{RingBuilder, RingSource};
pub(crate) use segment::{LateStore, check as check_segment};
pub use segment::{Segment, SegmentBuilder};
pub(crate) use sequences::{DEFAULT_KEYS_PER_SECTION, check as check_sequences};
pub use sequences::{Sequences, SequencesBuilder};
pub use snowflake::{Snowflake, SnowflakeBuilder};
#[cfg(feature = "uuid")]
pub use uuid::{UuidSource, UuidVersion};
