//! snowmint for Java: the native methods of `io.github.snowmint.internal.Native`. Each converts its
//! arguments, calls one function of the runtime and converts the result; none decides anything.
//!
//! - *Waiting*: nothing here sleeps for an ID. If none is ready, a call returns how long to pause,
//!   and Java sleeps, so that a virtual thread frees its carrier.
//! - *Errors*: every failure and panic becomes a `SnowmintException` with its code (`failure`).
//! - *Handles*: a source, store or machine is a pointer in a `long`. Java's cleaner frees it once
//!   its object is unreachable. Closing ends a source and frees nothing. Layouts are interned and
//!   never freed.

mod argument;
mod callback;
mod errors;
mod events;
mod exports;
mod failure;
mod handle;
mod layouts;
mod machines;
mod opening;
mod public_ids;
mod sessions;
mod sources;
mod stats;
mod stores;
mod tables;
mod texts;
mod users_store;
