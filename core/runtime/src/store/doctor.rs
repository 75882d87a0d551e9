//! Checks of `doctor` that several kinds of stores share.

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) mod clocks;
pub(super) mod rows;
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) mod servers;
