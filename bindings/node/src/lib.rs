//! snowmint for Node: the native addon behind the npm package.
//!
//! It converts and decides nothing. Everything is a free function over a handle, because calling
//! one costs a fraction of a native class's method. The classes for users are JavaScript
//! (`packages/npm`), which also checks arguments: numbers arrive here in range.
//!
//! - Sources and public IDs are small integers, indices into a table of the thread: see `sources`.
//! - Everything else (layouts, stores, machines) is an external value, dropped by the garbage
//!   collector.
//! - Functions that mint one ID, or make or read one public ID, are written by hand against Node's
//!   C API: see `calls`.
//! - Nothing here waits, except the tasks that return promises, which run on threads of their own.
//! - Errors and panics leave by one guard: see `failure`.

#![allow(unreachable_pub, reason = "what #[napi] exports has to be pub")]
#![allow(clippy::needless_pass_by_value, reason = "#[napi] gives arguments away")]

mod arrays;
mod calls;
mod environments;
mod errors;
mod events;
mod failure;
mod foreign;
mod layouts;
mod machines;
mod migrations;
mod minting;
mod opening;
mod places;
mod public_ids;
mod sources;
mod stats;
mod stores;
mod tables;
mod tasks;
