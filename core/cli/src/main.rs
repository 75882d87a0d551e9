//! The `snowmint` command: mints and decodes IDs, shows layouts, maintains stores, serves and
//! measures.
//!
//! It decides nothing about IDs: it reads arguments, calls the `snowmint` library and prints.
//! Results go to standard output, everything else to standard error; colour only to a terminal.
#![forbid(unsafe_code)]

mod adopt;
mod args;
mod bench;
mod bits;
mod bounds;
mod decode;
mod doctor;
mod errors;
mod exit;
mod id;
mod layout;
mod layouts;
mod lines;
mod manual;
mod migrate;
mod print;
mod public_ids;
mod recover;
mod segment;
mod serve;
mod token;
mod top;
mod worker;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use args::{Args, Command};

fn main() -> ExitCode {
    let matches = Args::command().try_get_matches_from(arguments());
    let parsed = matches.and_then(|found| Ok((Args::from_arg_matches(&found)?, named(&found))));
    let (parsed, name) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return exit::usage(&error, std::env::args_os()),
    };
    let done = match parsed.command {
        Command::Id(args) => id::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Layouts(args) => layouts::run(&args),
        Command::Layout(args) => layout::run(&args.command),
        Command::Bounds(args) => bounds::run(&args),
        Command::Segment(args) => segment::run(&args.command),
        Command::Worker(args) => worker::run(&args.command),
        Command::Adopt(args) => adopt::run(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Recover(args) => recover::run(&args),
        Command::PublicIds(args) => public_ids::run(&args.command),
        Command::Serve(args) => serve::run(&args),
        Command::Token(args) => token::run(&args.command),
        Command::Top(args) => top::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::pages(&args),
        Command::Licences => manual::licences(),
    };
    exit::code(done, &name)
}

/// Returns the arguments. `snowmint help --help` means `snowmint help`.
fn arguments() -> Vec<OsString> {
    let mut all: Vec<_> = std::env::args_os().collect();
    let mut command = Args::command();
    for at in 1..all.len() {
        let name = all[at].to_string_lossy();
        if name == "help" && command.has_subcommands() {
            all.retain(|argument| argument != "--help" && argument != "-h");
            break;
        }
        let Some(below) = command.find_subcommand(&*name) else { break };
        command = below.clone();
    }
    all
}

/// Returns the name of the command, for example `segment create`.
fn named(matches: &ArgMatches) -> String {
    let mut names = Vec::new();
    let mut within = matches.subcommand();
    while let Some((name, matches)) = within {
        names.push(name);
        within = matches.subcommand();
    }
    names.join(" ")
}
