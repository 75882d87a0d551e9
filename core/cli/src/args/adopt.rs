//! `snowmint adopt`: what can be asked of it.

use clap::Args as ClapArgs;
use snowmint::Column;

const ADOPT_EXAMPLES: &str = "\
What it finds: tags of snowmint and of Leaf, tinyid, NetEase and CosId, PostgreSQL's sequences (by \
dialect=sequence-lo in a URL those whose values begin a block), and the largest ID of each column. \
Nothing is changed without --into.

With --into each tag found is made in that store, or raised there, above all that was found of its \
name in all databases. One that is made has the step, the max and the stride that were found: of \
several the largest step, the least max, and their stride if all are of one class. First end \
whatever gives numbers there: what it gives meanwhile is given twice. To go on \
beside it, use its table as it is: dialect=leaf and so on in a URL.

--check changes nothing. It looks for two generators that could give the same number, for a tag or sequence \
that is behind the IDs of its columns, and for IDs that two columns have in common. With --into it also looks \
for numbers that a tag there would repeat, and for whatever still fills a column. The exit status is 4 if it \
finds any of these, and 0 otherwise.

Examples:
  snowmint adopt mysql://app@host/leaf
  snowmint adopt mysql://app@host/leaf --tag orders --from shop.orders.id \\
    --into postgres://ids@host/ids
  snowmint adopt mysql://app@shard1/tinyid mysql://app@shard2/tinyid \\
    --into postgres://ids@host/ids
  snowmint adopt postgres://app@host/shop --tag orders --from orders.id --from old_orders.id --check
  snowmint adopt shop.db --from orders.id --tag orders --into ids.db";

/// Look at what gives numbers already, and start above it.
#[derive(Debug, ClapArgs)]
#[command(after_help = ADOPT_EXAMPLES)]
pub(crate) struct AdoptArgs {
    /// Databases whose numbers are one key space: an SQLite file, postgres://user@host/database
    /// or mysql://user@host/database
    #[arg(value_name = "STORE", required = true)]
    pub(crate) stores: Vec<String>,
    /// A column of IDs in them, TABLE.COLUMN or SCHEMA.TABLE.COLUMN; may be repeated
    #[arg(long, value_name = "COLUMN")]
    pub(crate) from: Vec<Column>,
    /// This tag alone, which is that of the columns
    #[arg(long)]
    pub(crate) tag: Option<String>,
    /// The store that goes on
    #[arg(long, value_name = "STORE")]
    pub(crate) into: Option<String>,
    /// Compare, and change nothing
    #[arg(long)]
    pub(crate) check: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}
