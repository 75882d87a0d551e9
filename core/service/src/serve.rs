//! `snowmint serve`: IDs over HTTP and the Redis protocol.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use crate::args::ServeArgs;
use crate::exit::{Done, Failure};
use crate::print::output;

mod address;
mod certificates;
mod config;
mod counters;
mod days;
mod event_loop;
mod files;
mod handshake;
mod housekeeping;
mod http;
mod leases;
mod lifetime;
mod listen;
mod log;
mod minting;
mod notify;
mod opaque;
mod order;
mod patience;
mod phase;
mod quotas;
mod recent;
mod refusal;
mod reload;
mod resp;
mod service;
mod setup;
mod sources;
mod stream;
mod template;
pub(crate) mod tokens;
mod uptime;
mod watch;

use config::{FILE_VARIABLE, Layers, Origin};
pub(crate) use config::{SETTINGS, defaults};

/// What is wrong with the settings.
fn configured(error: snowmint::Error) -> Failure {
    Failure::Hinted(error, "`snowmint serve --help` lists the settings")
}

/// Serves until it is told to stop.
pub(crate) fn run(args: &ServeArgs) -> Done {
    let origin = origin(args);
    if args.print_config {
        let config = origin.read().map_err(configured)?;
        let mut output = output();
        output.write_all(config.print()?.as_bytes())?;
        return Ok(output.flush()?);
    }
    lifetime::serve(origin)
}

fn origin(args: &ServeArgs) -> Origin {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    Origin {
        file: args.config.clone().or_else(|| env::var_os(FILE_VARIABLE).map(PathBuf::from)),
        layers: Layers {
            file: None,
            environment: env::vars_os().map(|(name, value)| (text(name), text(value))).collect(),
            flags: args.flags.0.clone(),
            sources: args.sources.clone(),
        },
    }
}
