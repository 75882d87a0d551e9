//! The command line of `snowmint token`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, value_parser};
use snowmint_server::tokens::MAX_COUNT;

const TOKEN_EXAMPLES: &str = "\
A token is 128 random bits. It is printed once, and the file has its SHA-256 alone; keep it as any \
password. It may nothing that it is not given: --sources names those whose IDs it may ask for, and \
tags of the leases' store where --leases is given.

A service needs tokens where --tokens-file names the file, and reads it again when it is told to \
reload. Clients send Authorization: Bearer TOKEN, or AUTH TOKEN in the Redis protocol.

Examples:
  snowmint token create --name shop --sources orders,bills --max-count 1000 --rate 5000
  snowmint token create --file tokens.toml --name browsers --leases
  snowmint token create --name web --public-ids order,user --max-count 100
  printf %s \"$OLD\" | snowmint token create --name old --sources orders --text-from-stdin
  snowmint token list --json
  snowmint token revoke shop
  curl -X POST -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:8064/v1/ids/orders
  REDISCLI_AUTH=$TOKEN redis-cli -p 6064 INCR orders";

const LIST_EXAMPLES: &str = "\
Examples:
  snowmint token list
  snowmint token list --file tokens.toml --json";

const REVOKE_EXAMPLES: &str = "\
A service goes on with the token until it reads the file again: tell it to reload.

Examples:
  snowmint token revoke shop
  snowmint token revoke --file tokens.toml shop && kill -HUP \"$PID\"";

/// Look after the tokens of `snowmint serve`: who may ask for what.
#[derive(Debug, ClapArgs)]
#[command(after_help = TOKEN_EXAMPLES)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    pub(crate) command: TokenCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token and print it; the file is made if it is not there
    #[command(after_help = TOKEN_EXAMPLES)]
    Create(TokenCreateArgs),
    /// List the tokens and what they may do
    #[command(after_help = LIST_EXAMPLES)]
    List(TokenListArgs),
    /// Take a token away
    #[command(after_help = REVOKE_EXAMPLES)]
    Revoke(TokenRevokeArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TokenFileArgs {
    /// The file of tokens, as --tokens-file of `snowmint serve` [default: the one in
    /// SNOWMINT_SERVE_TOKENS_FILE, else tokens.toml in your state directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TokenCreateArgs {
    #[command(flatten)]
    pub(crate) file: TokenFileArgs,
    /// What it is called: 1 to 64 letters, digits and the characters _ . : -
    #[arg(long)]
    pub(crate) name: String,
    /// Sources whose IDs it may ask for, with commas between; * for all
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) sources: Vec<String>,
    /// IDs of one request at most, within --burst [default: as many as for everybody]
    #[arg(long, value_name = "COUNT", value_parser = count())]
    pub(crate) max_count: Option<u32>,
    /// IDs a second [default: no limit]
    #[arg(long, value_name = "COUNT", value_parser = count())]
    pub(crate) rate: Option<u32>,
    /// IDs at once, of that rate, and so the most of one request [default: those of a second]
    #[arg(long, value_name = "COUNT", value_parser = count(), requires = "rate")]
    pub(crate) burst: Option<u32>,
    /// Lease worker IDs to it, and ranges of its sources
    #[arg(long)]
    pub(crate) leases: bool,
    /// Let it see what the sources are doing that it may ask, at /v1/sources and by INFO
    #[arg(long)]
    pub(crate) reads: bool,
    /// Types of public IDs that it may make and read, with commas between; * for all
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub(crate) public_ids: Vec<String>,
    /// Take the token from standard input, as one of tinyid's; only as safe as its text is hard to
    /// guess
    #[arg(long)]
    pub(crate) text_from_stdin: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TokenListArgs {
    #[command(flatten)]
    pub(crate) file: TokenFileArgs,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TokenRevokeArgs {
    #[command(flatten)]
    pub(crate) file: TokenFileArgs,
    /// The token's name
    pub(crate) name: String,
}

fn count() -> clap::builder::RangedI64ValueParser<u32> {
    value_parser!(u32).range(1..=i64::from(MAX_COUNT))
}
