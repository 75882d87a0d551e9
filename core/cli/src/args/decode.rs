//! `snowmint decode`: what can be asked of it.

use clap::Args as ClapArgs;
use snowmint::TextForm;

use super::layouts::{LAYOUT, LAYOUT_HELP};
use super::text_form;
use super::time_base::TimeBaseArgs;

const DECODE_EXAMPLES: &str = "\
An ID may be pasted as it stands: decimal, hexadecimal with 0x in front, in quotes, with separators, in \
a link, a URN, JSON or a row of a table. 16 hexadecimal digits, 13 or 14 symbols of base 32 and 11 of \
base 62 are recognised. Name other forms with --format. UUIDs, ULIDs, KSUIDs, Xids, TIDs and the IDs of MongoDB \
and Firebase are named and dated. A rounded number such as 7.08E+17 is refused with the range that it \
was in. A negative number is what a program shows that reads the 64 bits as signed.

Without --layout every preset is listed that the ID may come from, likeliest first: in JSON, one \
object a line each. A preset with a doubt is not likely. If all have one, the reason is printed first.

  ambiguous  systems that would give it another time fit as well
  unlikely   its bits are unusual there, or another system is far likelier
  rare       few have this layout: name it with --beside or --layout
  expired    no new IDs are from this layout
  young      it would be of the layout's first month, as numbers of 13 to 16 digits are

A wrong ID is reported and the others are decoded; the exit status is then 2.

Examples:
  snowmint decode 1541815603606036480
  snowmint decode --layout twitter --bits 1541815603606036480
  snowmint decode --layout twitter --json 1541815603606036480
  snowmint id -n 3 | snowmint decode --layout twitter
  snowmint decode --layout time:41,worker:10,sequence:12 20000000000
  snowmint decode --beside guild_id 175928847299117063
  snowmint decode 'https://x.com/jack/status/1541815603606036480?s=20'
  snowmint decode --format base58-flickr 4ER3kHKGPGB";

/// Take IDs apart: time, worker, sequence.
#[derive(Debug, ClapArgs)]
#[command(after_help = DECODE_EXAMPLES)]
pub(crate) struct DecodeArgs {
    /// IDs, or texts with IDs in them; - reads standard input line by line, as no ID does where it is a pipe
    #[arg(value_name = "ID", allow_negative_numbers = true)]
    pub(crate) ids: Vec<String>,
    #[arg(long, short, value_name = LAYOUT, help = LAYOUT_HELP)]
    pub(crate) layout: Option<String>,
    #[command(flatten)]
    pub(crate) base: TimeBaseArgs,
    /// How the IDs are written [default: told by their looks, but for base36, base58 and z-base32, and
    /// what base62 writes as base58 does]
    #[arg(long, value_name = "FORM", value_parser = text_form())]
    pub(crate) format: Option<TextForm>,
    /// What stood beside the IDs, such as the key guild_id or a link: a system that it names comes first
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) beside: String,
    /// Draw the bits, of the likeliest layout if none is named
    #[arg(long, conflicts_with = "json")]
    pub(crate) bits: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}
