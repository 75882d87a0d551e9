//! The command line of `snowmint public-ids`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use snowmint::public_ids::NumberWidth;

const PUBLIC_IDS_EXAMPLES: &str = "\
A public form shows neither order nor number nor time of an ID to whoever lacks the key, and the \
database keeps the ID as it is. It is no permission; one ID has one form for each key, by which it is \
recognised; a number is not checked, and who has the key reads all that was ever made with it.

A file of keys is TOML, or JSON with the same fields, which on one line is an environment variable. \
Only its owner may read it:
  current = \"2\"     # the key that makes what is new; all are read
  numbers = \"1\"     # the key of the form `number`, for good
  [keys]            # 16 to 32 random bytes, in hexadecimal digits
  1 = \"…\"
  2 = \"…\"

Examples:
  snowmint public-ids keygen keys.toml
  snowmint public-ids encode --keys keys.toml --type order 1541815603606036480
  SHOP_KEYS=$(cat keys.toml) snowmint public-ids encode --keys env:SHOP_KEYS --type order 42
  snowmint id -n 3 | snowmint public-ids encode --keys keys.toml --type order - > tokens
  snowmint public-ids decode --keys keys.toml --type order - < tokens
  snowmint public-ids encode --keys keys.toml --type order --form number --bits 53 42
  snowmint public-ids rotate keys.toml";

/// Give IDs public forms that tell nothing, and read them.
#[derive(Debug, ClapArgs)]
#[command(after_help = PUBLIC_IDS_EXAMPLES)]
pub(crate) struct PublicIdsArgs {
    #[command(subcommand)]
    pub(crate) command: PublicIdsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PublicIdsCommand {
    /// Make a file with a new random key
    #[command(after_help = KEYGEN_EXAMPLES)]
    Keygen(KeygenArgs),
    /// Print the public forms of IDs
    #[command(after_help = PUBLIC_IDS_EXAMPLES)]
    Encode(PublicArgs),
    /// Print the IDs of public forms
    #[command(after_help = PUBLIC_IDS_EXAMPLES)]
    Decode(PublicArgs),
    /// Add a new key to a file and make it the current one
    #[command(after_help = ROTATE_EXAMPLES)]
    Rotate(RotateArgs),
}

const KEYGEN_EXAMPLES: &str = "\
The file is made for its owner alone, and one that is there is left as it is. Keep a copy: without the \
key nobody reads what it made. Standard output is for another keeper of secrets, which takes it by a \
pipe; on a terminal the key is shown.

Examples:
  snowmint public-ids keygen keys.toml
  snowmint public-ids keygen shop.toml --realm shop
  snowmint public-ids keygen - | gzip > keys.gz";

#[derive(Debug, ClapArgs)]
pub(crate) struct KeygenArgs {
    /// The file; - is standard output
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
    /// What keeps these IDs apart from others under the same keys: letters, digits and _ . : -
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) realm: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PublicArgs {
    /// IDs, or of decode their public forms; - reads standard input, one a line
    #[arg(required = true, value_name = "ID", allow_negative_numbers = true)]
    pub(crate) ids: Vec<String>,
    /// The type of the IDs: small letters, digits and underscores
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) kind: String,
    /// The file of keys, or env:NAME for a document in the environment
    #[arg(long, value_name = "FILE", default_value = "env:SNOWMINT_PUBLIC_ID_KEYS")]
    pub(crate) keys: PathBuf,
    /// The public form
    #[arg(long, value_enum, default_value_t = CommandForm::Token)]
    pub(crate) form: CommandForm,
    /// How many bits a number has, 64, 63 or 53 [default: 64]
    #[arg(long, value_parser = width)]
    pub(crate) bits: Option<NumberWidth>,
    /// Print {"id":"…","public":"…"} a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// How a public ID is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CommandForm {
    /// The type, an underscore, the key's symbol and 26 of base 32
    Token,
    /// The same with 22 symbols of base 64
    Base64url,
    /// A UUID of version 8
    Uuid,
    /// Another number of as many bits: each one decodes, made-up ones too
    Number,
}

fn width(text: &str) -> Result<NumberWidth, &'static str> {
    text.parse()
        .ok()
        .and_then(|bits| NumberWidth::from_bits(bits).ok())
        .ok_or("numbers have 64, 63 or 53 bits")
}

const ROTATE_EXAMPLES: &str = "\
What the old keys made is still read, and numbers stay with the key they have. A process that has not \
read the new file does not know the new key: where there are several, add it first, give the file to \
all of them, and make it current then. A key that is removed takes all that it made with it, and no \
new key has its symbol until all were used: `last` in the file remembers the newest one's.

A number does not name its key. With --numbers all numbers that were made are read as other IDs, and \
nothing tells: it is for files whose keys never made any, or that have no `numbers`.

The file is written anew: as JSON if it was, and without its comments.

Examples:
  snowmint public-ids rotate keys.toml
  snowmint public-ids rotate keys.toml --add-only
  snowmint public-ids rotate keys.toml --current 3
  snowmint public-ids rotate keys.toml --remove 2
  snowmint public-ids rotate keys.toml --numbers 3";

#[derive(Debug, ClapArgs)]
#[command(group = clap::ArgGroup::new("change").args(["add_only", "current", "remove", "numbers"]))]
pub(crate) struct RotateArgs {
    /// The file
    pub(crate) file: PathBuf,
    /// Add a new key, and leave the current one
    #[arg(long)]
    pub(crate) add_only: bool,
    /// Add none: make that one current
    #[arg(long, value_name = "SYMBOL")]
    pub(crate) current: Option<char>,
    /// Add none: take that one away
    #[arg(long, value_name = "SYMBOL")]
    pub(crate) remove: Option<char>,
    /// Add none: have that one make numbers; all that were made until now are other IDs then
    #[arg(long, value_name = "SYMBOL")]
    pub(crate) numbers: Option<char>,
}
