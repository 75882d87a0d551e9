//! `snowmint top`: what can be asked of it.

use std::time::Duration;

use clap::Args as ClapArgs;

const TOP_EXAMPLES: &str = "\
URL is one of the addresses of admin.listen of `snowmint serve`. By TLS it takes cafile=FILE, a file of \
authorities in PEM in place of the system's, and certfile=FILE with keyfile=FILE, for services that want \
a certificate of each client.

Keys: q ends it, / searches (Enter keeps what was found, Esc does not), s and < choose the column that is \
sorted by, r turns the order round, Tab or a digit shows another table, Enter the whole of the marked row, p holds it still; arrows, Page Up, \
Page Down, Home and End move.

Examples:
  snowmint top
  snowmint top http://10.0.0.7:8065 --interval 0.5
  snowmint top 'https://10.0.0.7:8065?cafile=ca.pem'
  snowmint top unix:/run/snowmint/admin.sock
  snowmint top --once | grep orders";

/// Watch a running `snowmint serve`: its sources, workers, stores, tokens and errors.
#[derive(Debug, ClapArgs)]
#[command(after_help = TOP_EXAMPLES)]
pub(crate) struct TopArgs {
    /// Operators' address of the service: http://HOST:PORT, https://HOST:PORT or unix:PATH
    #[arg(default_value = "http://127.0.0.1:8065")]
    pub(crate) url: String,
    /// How often it is asked, in seconds from 0.1 to 3600
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub(crate) interval: Duration,
    /// Print everything once, as tables; likewise where standard output is no terminal
    #[arg(long)]
    pub(crate) once: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "write seconds from 0.1 to 3600".to_owned())
}
