//! snowmint for Node: the native addon behind the npm package.
//!
//! It translates and decides nothing. Everything is a free function over a handle, because a call
//! of one costs a fraction of a call of a native class's method; the classes that users see are
//! JavaScript (`packages/npm`), and so is the checking of arguments: numbers come here in range.
//!
//! - Sources and public IDs are small integers, indices into a table of the thread: see `sources`.
//! - Everything else (layouts, stores, machines) is an external value, dropped by the garbage
//!   collector.
//! - What mints one ID, or makes or reads one public ID, is written against Node's C API by hand: see
//!   `calls`.
//! - Nothing here waits, but for the tasks that return promises: those run on threads of their own.
//! - Errors and panics leave by one guard: see `failure`.

#![allow(unreachable_pub, reason = "what #[napi] exports has to be pub")]
#![allow(clippy::needless_pass_by_value, reason = "#[napi] gives arguments away")]

mod arrays;
mod calls;
mod environments;
mod events;
mod failure;
mod foreign;
mod layouts;
mod machines;
mod minting;
mod opening;
mod places;
mod public_ids;
mod sources;
mod stats;
mod stores;
mod tables;
mod tasks;
