//! The deterministic engine: time is an argument, waiting is a result.

pub(crate) mod segment;
pub(crate) mod snowflake;
