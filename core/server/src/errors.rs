//! The errors of this crate, with their messages. Each function is named after what is wrong.

pub(crate) mod certificates;
pub(crate) mod config;
pub(crate) mod decoding;
pub(crate) mod files;
pub(crate) mod http;
pub(crate) mod lifetime;
pub(crate) mod minting;
pub(crate) mod resp;
pub(crate) mod sources;
pub(crate) mod stores;
pub(crate) mod system;
pub(crate) mod tokens;
pub(crate) mod turns;
pub(crate) mod watch;
