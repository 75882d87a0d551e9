//! Reads 64-bit IDs from what people paste, and names what is none.
//!
//! **One reader for all.** The command line, the service, the explorer and the errors of every
//! language read with it, and say what is wrong in the same sentences. `tests/vectors/readings.json`
//! holds them to it.
//!
//! - [`read`] takes any text: an ID in quotes, a link, JSON, a column of a table.
//! - [`read_one`] takes a single text, and returns all forms in which it is an ID.
//! - [`read_many`] takes a text with many IDs.
//! - [`advice`] explains a text that a form refused.
//!
//! It recognises decimal and hexadecimal numbers, the text forms of the engine, integers that
//! JavaScript split in two, and numbers that a spreadsheet rounded. It names other systems' IDs:
//! UUIDs, ULIDs, KSUIDs, Xids, the IDs of MongoDB and Firebase. Any input is safe.
//!
//! It has no clock, so the time is an argument. It cannot read public IDs, because it has no keys,
//! and does not say which system an ID is of: that is [`snowmint_engine::guess_beside`].
#![no_std]
#![forbid(unsafe_code)]
#![deny(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::std_instead_of_core,
    clippy::unreachable,
    clippy::unwrap_used
)]

extern crate alloc;

mod cells;
mod clean;
mod damage;
mod likeness;
mod longs;
mod many;
mod one;
mod other;
mod problem;
mod reading;

pub use cells::is_header;
pub use damage::{Damage, rounded};
pub use many::{Many, ManyReader, read_many};
pub use one::{Number, One, read_one};
pub use other::Other;
pub use problem::{Problem, shown};
pub use reading::{Reading, advice, read};

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
