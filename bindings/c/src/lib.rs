//! snowmint for C: the functions of `snowmint.h`.
//!
//! Each function converts its arguments, calls the runtime and converts the result. What C
//! may pass is checked in [`argument`]; errors and panics leave through [`failure`]. The comments on
//! public items are those of the header, which `bindings/c/header` writes.
#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![allow(clippy::missing_safety_doc, reason = "the header says what each pointer must be")]

// In the order of the header, which the blank lines keep.
pub mod version;

mod cancellation;
pub mod failure;

pub mod source;

pub mod snowflake;

pub mod segment;

pub mod daily;

pub mod sequences;

pub mod stats;

pub mod event;

pub mod restore;

pub mod store;

pub mod tag;

pub mod worker_store;

pub mod layout;

pub mod preset;

pub mod policy;

pub mod text;

pub mod opaque;

pub mod machine;

pub mod range_buffer;

pub mod argument;
