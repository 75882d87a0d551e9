//! The engine of snowmint: layouts, minting, buffers and text forms of 64-bit IDs.
//!
//! **Time is an argument, waiting is a result.** Nothing here reads a clock, sleeps, allocates,
//! does I/O or panics, whatever the input. The caller passes the time as Unix milliseconds. If no
//! ID can be had yet, the result is a [`Stall`] that says when to ask again.
//!
//! **Nothing is issued that was not reserved before.** A generator issues the ticks of its
//! [`Grant`], and a segment the numbers of its [`NumberRange`]. The code that provides grants and
//! ranges, for example the `snowmint` crate's stores, must make them disjoint and durable.
//!
//! ```
//! use snowmint_engine::{Lane, Layout, Pace, Snowflake};
//!
//! let mut flake = Snowflake::new(Layout::TWITTER, Lane::of_worker(378), Pace::default())?;
//! let id = flake.next_id(1_656_432_460_105)?;
//! assert_eq!(id, 1_541_815_603_606_036_480);
//! assert_eq!(Layout::TWITTER.decode(id)?.unix_ms, 1_656_432_460_105);
//! # Ok::<(), snowmint_engine::Error>(())
//! ```
//!
//! The engine does not fetch worker IDs, read clocks, wait, or stop a process from forking with a
//! generator in memory. The `snowmint` crate does.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::std_instead_of_core,
    clippy::unreachable,
    clippy::unwrap_used
)]
#![cfg_attr(
    test,
    allow(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used,
        clippy::std_instead_of_core
    )
)]

#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(target_has_atomic = "64")]
mod atomic;
#[cfg(target_has_atomic = "64")]
mod cache_line;
#[cfg(target_has_atomic = "64")]
mod claim;
mod error;
mod guess;
mod id;
mod layout;
mod policy;
mod preset;
#[cfg(target_has_atomic = "64")]
mod ring;
mod segment;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(target_has_atomic = "64")]
mod shared;
#[cfg(target_has_atomic = "64")]
mod shared_range;
mod snowflake;
mod text;
mod timestamp;

pub use error::{Code, CodeGroup, Error, LayoutFault};
pub use guess::{Doubt, Guess, Guesses, NoneLikely, Unfit, guess, guess_beside};
pub use id::{Id, Ids, MAX_COUNT, Numbers, Parts};
pub use layout::{
    Field, FieldKind, Fit, Layout, LayoutBuilder, MAX_FIELDS, MAX_ROLLBACK_BITS, MAX_SEQUENCE_BITS,
    MAX_TIME_BITS, MAX_WORKER_BITS,
};
pub use policy::{Action, ClockPolicy, SequenceStart, WhenBehind, WhenFull};
pub use preset::Preset;
#[cfg(target_has_atomic = "64")]
pub use ring::{MAX_CAPACITY, Producer, REFILL_BELOW_PERCENT, Ring};
pub use segment::{
    MAX_DISTANCE, MAX_NUMBER, MAX_STEP, MAX_TAG_LENGTH, NumberRange, Prefetch, Request,
    SegmentBuffer, StepSize,
};
#[cfg(target_has_atomic = "64")]
pub use shared::{SharedSnowflake, SnowflakeOwner};
#[cfg(target_has_atomic = "64")]
pub use shared_range::{RangeOwner, SharedRange};
pub use snowflake::{Grant, Lane, Pace, Snowflake, Stall, StallReason};
pub use text::{Text, TextForm, detect};
pub use timestamp::Timestamp;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
