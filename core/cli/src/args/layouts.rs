//! `snowmint layouts` and `snowmint bounds`: what can be asked of a layout.

use clap::{Args as ClapArgs, Subcommand};

use super::KEY_SPACE_HELP;
use super::time_base::TimeBaseArgs;

pub(super) const LAYOUT: &str = "LAYOUT";
pub(super) const LAYOUT_HELP: &str =
    "A preset's name, or fields from the top bit down as time:41,worker:10,sequence:12";

const LAYOUTS_EXAMPLES: &str = "\
FITS says which integers hold every ID: 53 bits are exact as JavaScript numbers, 63 are never \
negative as signed integers.

Examples:
  snowmint layouts
  snowmint layouts twitter
  snowmint layouts time:41,worker:10,sequence:12 --epoch-ms 1700000000000
  snowmint layouts --json";

/// Show layouts: bits, epoch, expiry, capacity.
#[derive(Debug, ClapArgs)]
#[command(after_help = LAYOUTS_EXAMPLES)]
pub(crate) struct LayoutsArgs {
    #[arg(value_name = LAYOUT, help = LAYOUT_HELP)]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) base: TimeBaseArgs,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

const LAYOUT_EXAMPLES: &str = "\
A key space makes IDs of one layout, that of its first lease: two could make the same ID. To change it, end \
what mints, wait until all that is reserved is over, which this says if it is not, and start it again \
with the new layout. It has to have the time above all else, as the one before, and its first ID above the \
last one: more bits below the time, say. For any other layout use another key space.

Examples:
  snowmint layout change postgres://ids@host/ids time:41,worker:11,sequence:11@1288834974657/1
  snowmint layout change ids.db leaf
  snowmint layout change /var/lib/ids leaf      of the fixed worker IDs in a state directory";

/// Change what a key space makes IDs of.
#[derive(Debug, ClapArgs)]
#[command(after_help = LAYOUT_EXAMPLES)]
pub(crate) struct LayoutArgs {
    #[command(subcommand)]
    pub(crate) command: LayoutCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LayoutCommand {
    /// Have a key space make IDs of another layout, once all leases of the present one are over
    #[command(after_help = LAYOUT_EXAMPLES)]
    Change(ChangeArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ChangeArgs {
    #[arg(help = KEY_SPACE_HELP)]
    pub(crate) store: String,
    #[arg(value_name = LAYOUT, help = LAYOUT_HELP)]
    pub(crate) layout: String,
    #[command(flatten)]
    pub(crate) base: TimeBaseArgs,
}

const BOUNDS_EXAMPLES: &str = "\
Times are UTC unless they say otherwise: 2026-01-31, 2026-01-31T12:00, 2026-01-31T12:00:00.5+08:00, \
2026-01-31T12:00[Asia/Shanghai], or Unix milliseconds. A range has its beginning and not its end: of 2026-01-01..2026-02-01 the last ID is \
January's. Either side may be left out: from the layout's epoch, to its end. A day alone is all of it, \
and any other time alone its tick.

The smallest and the largest ID are printed, each on a line, as for BETWEEN in SQL. Only in layouts that \
begin with the time do IDs sort by it. An ID tells when it was minted to within what its source may run \
ahead of the clock: up to max_ahead_ms later, a second unless set. On Linux it can be up to 10 ms before \
that as well, as minting reads the system's coarse clock.

Examples:
  snowmint bounds --layout twitter 2026-01-01..2026-02-01
  snowmint bounds --layout discord 2026-01-31
  snowmint bounds --layout leaf 1767225600000.. --json";

/// Say between which IDs those of a time lie.
#[derive(Debug, ClapArgs)]
#[command(after_help = BOUNDS_EXAMPLES)]
pub(crate) struct BoundsArgs {
    /// From when to when: FROM..TO, or a day
    #[arg(value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) time: String,
    #[arg(long, short, value_name = LAYOUT, help = LAYOUT_HELP)]
    pub(crate) layout: String,
    #[command(flatten)]
    pub(crate) base: TimeBaseArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
