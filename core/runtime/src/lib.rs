//! Unique 64-bit IDs, minted anywhere.
//!
//! **Nothing is issued that was not reserved before, durably, in one place.** A [`Snowflake`]
//! issues the time its worker ID has reserved, a [`Segment`] the numbers its tag has reserved. So
//! pauses, crashes, forks, lost messages and clock steps cannot repeat an ID; the clock decides
//! only how true an ID's time is.
//!
//! ```
//! # fn main() -> snowmint::Result<()> {
//! # let directory = tempfile::tempdir().unwrap();
//! # let ids = directory.path().join("ids.db");
//! # let url = format!("snowflake+sqlite:{}?layout=twitter", ids.display());
//! let flake = snowmint::open(&url)?; // snowflake+sqlite:ids.db?layout=twitter
//! let id = flake.next_id()?;
//! let parts = snowmint::Layout::TWITTER.decode(id)?;
//! println!("{id} was minted by worker {} at {}", parts.worker_id, parts.unix_ms);
//! # Ok(())
//! # }
//! ```
//!
//! Sources are opened by URL ([`open`]) or built ([`Snowflake::builder`], [`Segment::builder`]).
//! Each is safe to share among threads, waits without spinning for as long as the caller allows,
//! and may be carried through a `fork`, or through a snapshot with [`on_restore`]. Stores are
//! called from keeper threads, never from a call that mints.
//!
//! What it does not do: gapless numbers, order across processes beyond the time in an ID, secrecy
//! (an ID tells when it was made, and roughly how many there are).
#![deny(unsafe_code)]

mod clock;
mod daily;
mod error;
mod files;
mod generator;
mod holder;
mod host;
mod keeper;
mod mark;
pub mod names;
mod paths;
mod process;
mod restore;
mod segments;
mod sequences;
mod source;
mod store;
mod url;
mod uuids;
mod waiting;
mod worker;

pub use daily::{Daily, DailyBuilder};
pub use error::{Error, Result};
pub use files::{Disk, Files, StateFile};
pub use generator::{DEFAULT_WAIT, Snowflake, SnowflakeBuilder};
pub use host::{Clock, Host, Random, Sleep, Spawn, System};
pub use keeper::Keeper;
pub use paths::state_directory;
pub use restore::on_restore;
pub use segments::{Segment, SegmentBuilder};
pub use sequences::{Sequences, SequencesBuilder};
/// The plain machines and everything else of the engine.
pub use snowmint_engine as engine;
pub use snowmint_engine::{
    ClockPolicy, Code, Field, FieldKind, Fit, Guess, Guesses, Layout, LayoutBuilder, LayoutFault,
    MAX_COUNT, MAX_TAG_LENGTH, Parts, Prefetch, Preset, Range, SequenceStart, Step, Text, TextForm,
    Timestamp, WhenBehind, WhenFull, detect, guess,
};
pub use source::{Source, open, open_store};
#[cfg(feature = "sqlite")]
pub use store::SqliteStore;
pub use store::{
    Allocation, Lease, LeaseRequest, MAX_SLAB_MS, MemoryStore, SegmentStore, Store, Tag, TagChange,
    TagOptions, TagRow, Token, WorkerRow, WorkerStore,
};
pub use uuid::Uuid;
pub use uuids::{UuidSource, UuidVersion};
pub use waiting::Poll;
pub use worker::Worker;
