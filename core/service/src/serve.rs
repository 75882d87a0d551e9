//! `snowmint serve`: IDs over HTTP and the Redis protocol.

use std::io::Write;

use crate::exit::{Done, Failure};
use crate::print::output;

mod address;
mod certificates;
mod config;
mod counters;
mod denial;
mod event_loop;
mod files;
mod gather;
mod handshake;
mod housekeeping;
mod http;
mod leases;
mod lifetime;
mod listen;
mod log;
mod minting;
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
mod service;
mod setup;
mod sources;
mod state;
mod stream;
mod template;
pub(crate) mod tokens;
mod turns;
mod uptime;
mod watch;

pub(crate) use config::{FILE_VARIABLE, Layers, Origin, SETTINGS, defaults};

/// Adds a hint to an error in the settings.
fn configured(error: snowmint::Error) -> Failure {
    Failure::Hinted(error, "`snowmint serve --help` lists the settings")
}

pub(crate) fn run(origin: Origin) -> Done {
    lifetime::serve(origin)
}

/// Prints the configuration in the form of its file.
pub(crate) fn print_config(origin: &Origin) -> Done {
    let config = origin.read().map_err(configured)?;
    let mut output = output();
    output.write_all(config.print()?.as_bytes())?;
    Ok(output.flush()?)
}
