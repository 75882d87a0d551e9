//! `snowmint serve`: IDs over HTTP and the Redis protocol.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs};

use snowmint::{Code, Error, Result};

use crate::args::ServeArgs;
use crate::exit::{Done, Failure};
use crate::print::output;

mod config;

pub(crate) use config::SETTINGS;
use config::{Config, FILE_VARIABLE, Layers};

/// Prints the configuration.
pub(crate) fn run(args: &ServeArgs) -> Done {
    let config = configured(args).map_err(Failure::Configured)?;
    let mut output = output();
    output.write_all(config.print()?.as_bytes())?;
    Ok(output.flush()?)
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
