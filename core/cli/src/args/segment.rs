//! `snowmint segment`: what can be asked of it.

use clap::{ArgGroup, Args as ClapArgs, Subcommand};
use snowmint::Column;

use super::{OWN_STORE_HELP, STORE_HELP, count};

const SEGMENT_EXAMPLES: &str = "\
Examples:
  snowmint segment create 'sqlite:ids.db?create=true' orders --if-not-exists
  snowmint segment list ids.db
  snowmint segment set ids.db orders --step 5000
  snowmint segment raise ids.db orders --next 5000
  snowmint id -n 5 'segment+sqlite:ids.db?tag=orders'";

/// Look after the tags of a store: sequences of numbers.
#[derive(Debug, ClapArgs)]
#[command(after_help = SEGMENT_EXAMPLES)]
pub(crate) struct SegmentArgs {
    #[command(subcommand)]
    pub(crate) command: SegmentCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SegmentCommand {
    /// List the tags
    #[command(after_help = SEGMENT_EXAMPLES)]
    List(ListArgs),
    /// Add a tag; makes the file if the store says create=true
    #[command(after_help = SEGMENT_EXAMPLES)]
    Create(CreateArgs),
    /// Change a tag's step or max
    #[command(after_help = SEGMENT_EXAMPLES)]
    Set(SetArgs),
    /// Raise a tag: to a number, or above the largest ID that tables have already
    #[command(after_help = RAISE_EXAMPLES)]
    Raise(RaiseArgs),
    /// Have a tag go on in another store
    Move(MoveArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    #[arg(help = STORE_HELP)]
    pub(crate) store: String,
    /// Those of this namespace alone: shop for shop/orders
    #[arg(long)]
    pub(crate) namespace: Option<String>,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CreateArgs {
    #[arg(help = STORE_HELP)]
    pub(crate) store: String,
    /// 1 to 64 letters, digits and the characters _ . : -, and not . or ..; in a namespace shop/orders,
    /// which a source's URL names by namespace=shop&tag=orders
    pub(crate) tag: String,
    /// The first number [default: 1]
    #[arg(long, value_name = "NUMBER", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) start: Option<u64>,
    /// How many numbers a client reserves at once [default: 1000]
    #[arg(long, value_name = "COUNT", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) step: Option<u64>,
    /// The distance of two numbers [default: 1]
    #[arg(long, value_name = "DISTANCE", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) stride: Option<u64>,
    /// The largest number, as a column takes it: 2147483647 [default: 9223372036854775806]
    #[arg(long, value_name = "NUMBER", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) max: Option<u64>,
    /// Leave a tag that is there already as it is: no error
    #[arg(long)]
    pub(crate) if_not_exists: bool,
    /// Print the tag as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(override_usage = "snowmint segment set [OPTIONS] <STORE> <TAG>")]
#[command(group = ArgGroup::new("change").required(true).multiple(true).args(["step", "max"]))]
pub(crate) struct SetArgs {
    #[arg(help = STORE_HELP)]
    pub(crate) store: String,
    /// The tag, with its namespace where it has one: orders, or shop/orders
    pub(crate) tag: String,
    /// How many numbers a client reserves at once
    #[arg(long, value_name = "COUNT", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) step: Option<u64>,
    /// The largest number: not below those given
    #[arg(long, value_name = "NUMBER", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) max: Option<u64>,
    /// Print the tag as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// How far a tag is raised.
const RAISES: [&str; 3] = ["from", "next", "remainder"];

const RAISE_EXAMPLES: &str = "\
With --from the next number is above all numbers that the columns have, and that their own sequences gave. \
A tag that is above already stays as it is. First end everything that fills these tables in another way: the \
command does not see what is added meanwhile. A column without an index takes a read of its whole table.

Sources that are open first give the numbers that they have reserved, below the new one, and then go on \
at it by themselves. Start them and the services again where none of those may be given. Of another \
generator's table (dialect= in a URL) a source that stopped has to be started again as well.

Examples:
  snowmint segment raise ids.db orders --next 5000
  snowmint segment raise postgres://app@host/shop orders --from orders.id --from orders_old.id
  snowmint segment raise ids.db orders --from shop.orders.id \\
      --at mysql://app@shard1/shop --at mysql://app@shard2/shop";

#[derive(Debug, ClapArgs)]
#[command(override_usage = "snowmint segment raise [OPTIONS] <STORE> <TAG>")]
#[command(group = ArgGroup::new("raise").required(true).multiple(true).args(RAISES))]
pub(crate) struct RaiseArgs {
    #[arg(help = STORE_HELP)]
    pub(crate) store: String,
    /// The tag, with its namespace where it has one: orders, or shop/orders
    pub(crate) tag: String,
    /// Above the largest ID of a column, TABLE.COLUMN or SCHEMA.TABLE.COLUMN; may be repeated
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["next", "remainder"])]
    pub(crate) from: Vec<Column>,
    /// A database that has those tables, by its URL; may be repeated [default: the store's own]
    #[arg(long, value_name = "URL", requires = "from")]
    pub(crate) at: Vec<String>,
    /// The first number not reserved by anybody: not below the present one, and the next one of the
    /// tag's class where it has a stride
    #[arg(long, value_name = "NUMBER", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) next: Option<u64>,
    /// Go on in another class: with numbers that leave this by the tag's stride. It must be one that no
    /// database of the tag has or had
    #[arg(long, value_name = "NUMBER", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) remainder: Option<u64>,
    /// Print the tag as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const MOVE_EXAMPLES: &str = "\
The tag is closed here for good, as one number more would be taken, and then made there above all that \
it gave, with its step, stride and max. Sources that have numbers of it give those; after that they are \
told tag_moved and the place: start them with the other URL. One that was cut off in between is ended \
by the same command, and nothing is made twice. To move it back, name the stores the other way round.

A server that lacks the close after a failover gives no number until `snowmint recover`. Neither does a \
store know it that is put back from a backup: name the store that knows by --from there.

Tables of other generators (dialect= in a URL), but for counters of Redis, have no place for a close: \
`snowmint adopt --into` goes on above them.

Examples:
  snowmint segment move ids.db orders --to postgres://ids@host/ids
  snowmint segment move postgres://ids@old/ids shop/orders --to postgres://ids@new/ids";

#[derive(Debug, ClapArgs)]
#[command(after_help = MOVE_EXAMPLES)]
pub(crate) struct MoveArgs {
    #[arg(help = OWN_STORE_HELP)]
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
