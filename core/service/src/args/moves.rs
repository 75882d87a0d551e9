//! `snowmint segment move`: what can be asked of it.

use clap::Args as ClapArgs;

const MOVE_EXAMPLES: &str = "\
The tag is closed here for good, as one number more would be taken, and then made there above all that \
it gave, with its step, stride and max. Sources that have numbers of it give those; after that they are \
told tag_moved and the place: start them with the other URL. One that was cut off in between is ended \
by the same command, and nothing is made twice. To move it back, name the stores the other way round.

A server that lacks the close after a failover gives no number until you vouch for it, as for a lost \
range: of tags that moved do not. A store that is put back from a backup does not know it either.

Tables of other generators (dialect= in a URL), but for counters of Redis, have no place for a close: \
`snowmint adopt --into` goes on above them.

Examples:
  snowmint segment move ids.db orders --to postgres://ids@host/ids
  snowmint segment move postgres://ids@old/ids shop/orders --to postgres://ids@new/ids";

#[derive(Debug, ClapArgs)]
#[command(after_help = MOVE_EXAMPLES)]
pub(crate) struct MoveArgs {
    #[arg(help = super::OWN_STORE_HELP)]
    pub(crate) store: String,
    /// The tag, with its namespace where it has one: orders, or shop/orders
    pub(crate) tag: String,
    /// The store where it goes on, by a URL as sources write it: they are told that
    #[arg(long, value_name = "STORE")]
    pub(crate) to: String,
    /// Print the tag as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
