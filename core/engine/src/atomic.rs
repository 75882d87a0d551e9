//! The atomics of the lock-free machines, in one place: a model checker compiles the same files
//! with its own.

pub(crate) use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
pub(crate) use core::sync::atomic::{AtomicU32, AtomicU64};
