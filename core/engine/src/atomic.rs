//! The atomics of the lock-free code, in one place, so that a model checker can compile the same
//! files with its own atomics.

pub(crate) use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
pub(crate) use core::sync::atomic::{AtomicU32, AtomicU64};
