//! The ID service: IDs over HTTP and the Redis protocol.
//!
//! [`serve`] runs it. What the command line and the service have in common is public here: the
//! settings, the file of tokens, the decoding of IDs, and rows and statistics as JSON.
#![forbid(unsafe_code)]

mod address;
mod certificates;
mod config;
mod counters;
pub mod decoding;
mod denial;
mod errors;
mod event_loop;
pub mod files;
mod gather;
mod handshake;
mod housekeeping;
mod http;
mod leases;
mod lifetime;
mod listen;
mod log;
mod minting;
pub mod moment;
mod notify;
mod patience;
mod phase;
mod polling;
mod public_ids;
mod quotas;
mod recent;
mod refusal;
mod reload;
mod resp;
pub mod rows;
mod service;
mod setup;
mod sources;
mod state;
pub mod stats;
mod stream;
mod template;
pub mod tokens;
mod turns;
mod uptime;
mod watch;

pub use config::{FILE_VARIABLE, Layers, Origin, SETTINGS, Setting};
pub use lifetime::serve;
