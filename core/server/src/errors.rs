//! The errors of this crate, with their messages. Each function is named after what is wrong.

pub(crate) mod certificates;
pub(crate) mod config;
