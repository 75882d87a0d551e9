//! Unique 64-bit IDs for distributed systems.
//!
//! **Nothing is issued that was not reserved before, durably, in one place.** A [`Snowflake`]
//! issues the time that its worker ID has reserved, and a [`Segment`] the numbers that its tag has
//! reserved. So pauses, crashes, forks, lost messages and clock steps cannot repeat an ID. The
//! clock decides only how true an ID's time is.
//!
//! ```
//! use snowmint::Mint;
//!
//! # fn main() -> snowmint::Result<()> {
//! # let directory = tempfile::tempdir().unwrap();
//! # let ids = directory.path().join("ids.db");
//! # let url = format!("snowflake+sqlite:{}?create=true", ids.display());
//! // "snowflake+sqlite:/var/lib/shop/ids.db": one file, one key space, for one machine.
//! let flake = snowmint::open(&url)?;
//! let id = flake.next_id()?;
//! let parts = snowmint::Layout::TWITTER.decode(id)?;
//! println!("{id} was minted by worker {} at {}", parts.worker_id, parts.unix_ms);
//! # Ok(())
//! # }
//! ```
//!
//! You open a source by its URL ([`open`]) or build it ([`Snowflake::builder`],
//! [`Segment::builder`]). For a `static`, [`lazy`] opens it at its first use. The trait [`Mint`]
//! has the calls of every source. Threads can share a source. It waits without spinning for as long
//! as you allow, and it survives a `fork` or, with [`on_restore`], a snapshot. Stores are called
//! from scheduler threads, never from a call that mints. [`on_event`] reports events for operators,
//! for example a lost lease. The [`doctor`] finds weaknesses of a store or a machine. [`migrate`]
//! creates a store's tables.
//!
//! Features add stores on servers, public forms of IDs, `serde`, and log records. `sqlite`,
//! `daily`, `uuid` and `interfaces` are on by default; a fixed worker ID needs none of them.
//!
//! snowmint does not give you gapless numbers, order across processes beyond the time in an ID, or
//! secrecy: an ID tells when it was made, and roughly how many there are. The feature `public-ids`
//! gives IDs a public form that hides both.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// Without some of the features, parts that others share are unused. The build with all of them
// finds what nothing uses.
#![cfg_attr(
    not(all(
        feature = "daily",
        feature = "etcd",
        feature = "interfaces",
        feature = "mysql",
        feature = "postgres",
        feature = "redis",
        feature = "service",
        feature = "sqlite",
        feature = "uuid",
        feature = "zookeeper",
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

#[macro_use]
mod error;

mod adopt;
mod alarm;
mod allocations;
mod clock;
pub mod doctor;
mod errors;
mod events;
mod findings;
#[cfg_attr(not(feature = "embedding"), expect(unreachable_pub, reason = "for embedders"))]
mod host;
mod lazy;
mod migrate;
pub mod names;
mod open;
mod panics;
mod reports;
mod retry;
mod scheduler;
mod schemes;
mod secrets;
#[cfg(feature = "serde")]
pub mod serde;
mod source_core;
mod sources;
mod stats;
mod store;
mod store_handle;
mod url;
mod waiting;
mod worker;

pub use adopt::{
    Common, Filler, Giver, Givers, common_ids, filled_by, fillers, givers, largest_id,
};
pub use error::{Error, Result, escaped};
pub use events::{Event, EventKind, Listening, Severity, on_event, on_event_aside};
pub use host::paths::{default_database, default_url, state_directory};
pub use host::restore::on_restore;
pub use host::{Clock, System};
pub use lazy::LazySource;
pub use migrate::{migrate, migration};
pub use open::{kind_of, lazy, lazy_as, open, open_as, open_store, placed};
pub use schemes::Placed;
pub use secrets::redacted;
/// The whole engine, including its state machines.
pub use snowmint_engine as engine;
pub use snowmint_engine::{
    ClockPolicy, Code, CodeGroup, Doubt, Field, FieldKind, Fit, Guess, Guesses, Id, Layout,
    LayoutBuilder, LayoutFault, MAX_COUNT, MAX_TAG_LENGTH, NoneLikely, NumberRange, Parts,
    Prefetch, Preset, SequenceStart, StepSize, Text, TextForm, Timestamp, Unfit, WhenBehind,
    WhenFull, detect, guess, guess_beside,
};
/// Public forms of IDs under a key, which show neither order nor number nor time.
#[cfg(feature = "public-ids")]
pub use snowmint_opaque as public_ids;
/// Reads IDs from what people paste, and names what is none.
pub use snowmint_reading as reading;
#[cfg(feature = "daily")]
pub use sources::{DEFAULT_DIGITS, Daily, DailyBuilder};
pub use sources::{
    Mint, RingBuilder, RingSource, Segment, SegmentBuilder, Sequences, SequencesBuilder, Snowflake,
    SnowflakeBuilder, Source,
};
#[cfg(feature = "uuid")]
pub use sources::{UuidSource, UuidVersion};
pub use stats::{Bucket, Failure, Stats, TagNext};
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub use store::Dialect;
#[cfg(feature = "sessions")]
#[doc(hidden)]
pub use store::sessions;
pub use store::{
    Allocation, AllocationRequest, Call, Column, Incarnation, KeptIn, KeySpaceId, Lease,
    LeaseRequest, MAX_RESERVE_AHEAD_MS, MAX_RESERVE_MS, MemoryStore, Migration, Move, RefusedRow,
    SegmentAdmin, SegmentStore, Standing, Store, Tag, TagAllocator, TagChange, TagOptions, TagRow,
    Token, Vouch, WorkerAdmin, WorkerRow, WorkerStore, allocate_one, allocate_one_within, move_tag,
};
#[cfg(feature = "etcd")]
pub use store::{EtcdBuilder, EtcdStore};
#[cfg(feature = "zookeeper")]
pub use store::{LeafNodes, LeafNodesBuilder, ZookeeperBuilder, ZookeeperStore};
#[cfg(feature = "mysql")]
pub use store::{MysqlBuilder, MysqlDialectBuilder, MysqlDialectStore, MysqlSslMode, MysqlStore};
#[cfg(feature = "postgres")]
pub use store::{
    PostgresBuilder, PostgresDialectBuilder, PostgresDialectStore, PostgresStore, SslMode,
};
#[cfg(feature = "redis")]
pub use store::{RedisBuilder, RedisCounters, RedisCountersBuilder, RedisStore};
#[cfg(feature = "service")]
pub use store::{ServerList, ServiceBuilder, ServiceStore};
#[cfg(feature = "sqlite")]
pub use store::{SqliteBuilder, SqliteStore};
#[cfg(feature = "uuid")]
pub use uuid::Uuid;
pub use waiting::{Attempt, DEFAULT_WAIT};
pub use worker::{Network, WorkerId, change_state_layout};
/// Runs the code of the README as tests.
#[cfg(all(doctest, feature = "serde", feature = "sqlite"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "embedding")]
pub use {
    host::files::{Disk, Files, StateFile},
    host::identity::FileId,
    host::rounds::SchedulerLoop,
    host::{Host, Random, Sleep, Spawn},
};
