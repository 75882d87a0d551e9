//! What is looked at in several kinds of stores.

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) mod clocks;
pub(super) mod rows;
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) mod servers;
