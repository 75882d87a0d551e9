//! The command line of `snowmint serve`, its settings made from their table.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::Error as ClapError;
use clap::{Arg, ArgMatches, Args as ClapArgs, Command, FromArgMatches};
use snowmint_server::{FILE_VARIABLE, Layers, Origin, SETTINGS};

const SERVE_EXAMPLES: &str = "\
Settings come from the file, then SNOWMINT_SERVE_… in the environment (--http-listen is \
SNOWMINT_SERVE_HTTP_LISTEN, --source orders=URL is SNOWMINT_SERVE_SOURCES_ORDERS), then the flags: \
the last word counts. What is no setting is refused. --print-config shows all of them, as a file.

A LIST has commas between its items, and '' is an empty one; in a file it is written ['a', 'b']. Paths \
are of the directory in which the service is started, not of the file. In the environment the name of \
a source has small letters, digits and _ alone.

Without a source the service has one, ids: snowflakes under a worker ID leased from ids.db in your \
state directory, as `snowmint id` has it. SIGTERM and SIGINT stop it: requests under way are \
answered, leases given up, and a second signal waits for nothing.

Examples:
  snowmint serve
  snowmint serve --source 'orders=segment+sqlite:ids.db?tag=orders'
  snowmint serve --config serve.toml --print-config
  curl -X POST 'http://127.0.0.1:8064/v1/ids/ids?count=3'
  redis-cli -p 6064 INCR ids";

/// Serve IDs over HTTP and the Redis protocol.
#[derive(Debug, ClapArgs)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArgs {
    /// A TOML file of settings, also SNOWMINT_SERVE_CONFIG
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// A source's name and URL; may be repeated
    #[arg(long = "source", value_name = "NAME=URL")]
    pub(crate) sources: Vec<String>,
    /// Print the configuration and end
    #[arg(long)]
    pub(crate) print_config: bool,
    #[command(flatten)]
    pub(crate) flags: Flags,
}

impl ServeArgs {
    /// Where the configuration comes from.
    pub(crate) fn origin(&self) -> Origin {
        let text = |text: OsString| text.to_string_lossy().into_owned();
        Origin {
            file: self.config.clone().or_else(|| env::var_os(FILE_VARIABLE).map(PathBuf::from)),
            layers: Layers {
                file: None,
                environment: env::vars_os()
                    .map(|(name, value)| (text(name), text(value)))
                    .collect(),
                flags: self.flags.0.clone(),
                sources: self.sources.clone(),
            },
        }
    }
}

/// Settings given on the command line, by their keys.
#[derive(Clone, Debug)]
pub(crate) struct Flags(pub(crate) Vec<(&'static str, String)>);

impl ClapArgs for Flags {
    fn augment_args(command: Command) -> Command {
        command.args(SETTINGS.iter().map(|setting| {
            Arg::new(setting.key)
                .long(setting.flag())
                .value_name(setting.value_name())
                .allow_negative_numbers(true)
                .help(setting.help)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Flags, ClapError> {
        let given = SETTINGS.iter().filter_map(|setting| {
            Some((setting.key, matches.get_one::<String>(setting.key)?.clone()))
        });
        Ok(Flags(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), ClapError> {
        *self = Flags::from_arg_matches(matches)?;
        Ok(())
    }
}
