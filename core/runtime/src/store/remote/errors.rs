//! The errors of stores on servers, with their messages.

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(in crate::store) mod sql;
