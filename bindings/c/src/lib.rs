//! snowmint for C: the functions of `snowmint.h` and `snowmint_engine.h`.
//!
//! Each function converts its arguments, calls the runtime and converts the result. [`argument`]
//! checks the arguments; errors and panics leave through [`failure`]. The comments on public items
//! become those of the headers. `bindings/c/header` writes the headers and decides which module
//! goes into which header, and in what order.
#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![allow(clippy::missing_safety_doc, reason = "the header says what each pointer must be")]

pub mod argument;
mod cancellation;
pub mod daily;
mod errors;
pub mod event;
pub mod failure;
pub mod guess;
pub mod kinds;
pub mod layout;
pub mod machine;
pub mod policy;
pub mod preset;
pub mod public_ids;
pub mod range;
pub mod range_buffer;
pub mod restore;
pub mod segment;
pub mod sequences;
pub mod snowflake;
pub mod source;
pub mod stats;
pub mod status;
pub mod store;
pub mod tag;
pub mod text;
pub mod version;
pub mod worker_store;
