//! The engine's own source files, compiled on the atomics of a model checker.
//!
//! The engine takes its atomics from `crate::atomic` alone. Here that module is loom's; everything
//! else is the engine's files as they are. Without the feature `loom` this crate is empty.

/// Stands in for the engine's module of the same name.
#[cfg(feature = "loom")]
mod atomic {
    pub(crate) use loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
}

#[cfg(feature = "loom")]
#[path = "../../../core/engine/src"]
#[allow(dead_code, unused_imports, unreachable_pub)]
mod files {
    pub(crate) mod error;
    pub(crate) mod id;
    pub(crate) mod layout;
    pub(crate) mod policy;
    pub(crate) mod ring;
    pub(crate) mod segment;
    pub(crate) mod shared;
    pub(crate) mod shared_range;
    pub(crate) mod snowflake;
    pub(crate) mod text;
    pub(crate) mod timestamp;
}

// The engine's files name one another from the crate's root, where they stand in the engine.
#[cfg(feature = "loom")]
use files::{
    error, id, layout, policy, ring, segment, shared, shared_range, snowflake, text, timestamp,
};

#[cfg(feature = "loom")]
pub use {
    error::{Code, Error},
    layout::Layout,
    ring::{Producer, Ring},
    segment::{Prefetch, Range, SegmentBuffer, Step},
    shared::SharedSnowflake,
    shared_range::SharedRange,
    snowflake::{Grant, Lane, Pace, Snowflake, Stall, StallReason},
};
