//! The engine's own source files, compiled on the atomics of a model checker.
//!
//! The engine takes its atomics from `crate::atomic` alone. Here that module is loom's or
//! shuttle's, by feature; everything else is the engine's files as they are. Without a feature
//! nothing but [`only_the_first`] is here: the model of the lease protocol (`tests/protocol`) needs no
//! engine.

#[cfg(all(feature = "loom", feature = "shuttle"))]
compile_error!("the features loom and shuttle exclude each other: one set of atomics at a time");

#[cfg(feature = "loom")]
use loom as checker;
#[cfg(feature = "shuttle")]
use shuttle as checker;

/// Returns the number of executions or schedules in a short run (`scripts/check-models`), or `None`
/// for all of them. The number of states is a multiple of it.
pub fn only_the_first() -> Option<usize> {
    let given = std::env::var("SNOWMINT_MODELS_FIRST").ok()?;
    Some(given.parse().expect("SNOWMINT_MODELS_FIRST is a number"))
}

/// Stands in for the engine's module of the same name.
#[cfg(any(feature = "loom", feature = "shuttle"))]
mod atomic {
    pub(crate) use crate::checker::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
    pub(crate) use crate::checker::sync::atomic::{AtomicU32, AtomicU64};
}

#[cfg(any(feature = "loom", feature = "shuttle"))]
#[path = "../../../core/engine/src"]
#[allow(dead_code, unused_imports, unreachable_pub)]
mod files {
    pub(crate) mod cache_line;
    pub(crate) mod claim;
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
#[cfg(any(feature = "loom", feature = "shuttle"))]
use files::{
    cache_line, claim, error, id, layout, policy, ring, segment, shared, shared_range, snowflake,
    text, timestamp,
};

/// The primitives that a model's own threads use.
#[cfg(any(feature = "loom", feature = "shuttle"))]
pub use crate::checker::{sync, thread};

#[cfg(any(feature = "loom", feature = "shuttle"))]
pub use {
    error::{Code, Error},
    layout::Layout,
    ring::{Producer, Ring},
    segment::{NumberRange, Prefetch, SegmentBuffer, StepSize},
    shared::SharedSnowflake,
    shared_range::SharedRange,
    snowflake::{Grant, Lane, Pace, Snowflake, Stall, StallReason},
};
