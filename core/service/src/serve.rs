//! `snowmint serve`: IDs over HTTP and the Redis protocol.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs};

use anstream::eprintln;
use snowmint::{Code, Error, Event, Result, Severity, on_event_aside};

use crate::args::ServeArgs;
use crate::exit::{Done, Failure};
use crate::print::{WARN, output};

mod address;
mod config;
mod counters;
mod event_loop;
mod http;
mod leases;
mod lifetime;
mod listen;
mod minting;
mod patience;
mod phase;
mod refusal;
mod resp;
mod service;
mod sources;
mod stream;

pub(crate) use config::SETTINGS;
use config::{Config, FILE_VARIABLE, Layers};

/// Serves until it is told to stop.
pub(crate) fn run(args: &ServeArgs) -> Done {
    let config = configured(args).map_err(Failure::Configured)?;
    if args.print_config {
        let mut output = output();
        output.write_all(config.print()?.as_bytes())?;
        return Ok(output.flush()?);
    }
    on_event_aside(tell).for_good();
    lifetime::serve(config)
}

fn configured(args: &ServeArgs) -> Result<Config> {
    let path = args.config.clone().or_else(|| env::var_os(FILE_VARIABLE).map(PathBuf::from));
    let file = path.map(|path| {
        fs::read_to_string(&path).map_err(|error| {
            let message = format!("the configuration {} cannot be read", path.display());
            Error::new(Code::InvalidParameter, message).caused_by(error)
        })
    });
    let text = |text: OsString| text.to_string_lossy().into_owned();
    config::load(&Layers {
        file: file.transpose()?,
        environment: env::vars_os().map(|(name, value)| (text(name), text(value))).collect(),
        flags: args.flags.0.clone(),
        sources: args.sources.clone(),
    })
}

/// Says what happens to the sources. The message is escaped.
fn tell(event: &Event) {
    let message = &event.message;
    match event.kind.severity() {
        Severity::Info => eprintln!("snowmint: info: {message}"),
        _ => warn(message),
    }
}

fn warn(message: &str) {
    eprintln!("snowmint: {WARN}warning:{WARN:#} {message}");
}
