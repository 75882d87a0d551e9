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
    /// Have a server that took another's place go on with all it has
    #[command(after_help = VOUCH_EXAMPLES)]
    Vouch(VouchArgs),
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
With --from the next number is the first one above all that the columns have or their own sequences \
gave, in the tag's own class where it has a stride; a tag that is above already is left as it is. \
First end whatever gives IDs of its own to those tables: what it adds meanwhile is not seen. Without an \
index on a column its table is read whole.

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

const VOUCH_EXAMPLES: &str = "\
A server that takes another's place may lack the last ranges and tags; on PostgreSQL it goes on \
by itself where the URL says replication=synchronous. Such tags give no range, and no tag is made, until you say that what the \
server has, so raised, is above all that was given. It is named as its refusals name it, so that a \
repeated command is no word for a third one, nor on PostgreSQL for one that was started again since. Sources go on by themselves. The tags that were raised \
are printed.

How many steps: compare a tag's next number in `snowmint segment list` with the largest ID that \
applications have of it, and take the steps between, and two more; 0 if you know that nothing was lost.

A step is as long as the tag's last range, where that was longer; of Redis, which is vouched for with \
restarts=vouched in URL, it is the tag's own, and every tag is raised. A lost range may have been longer \
still: as long as whoever took it asked for, up to a million numbers unless step or runway say more, \
and where one call took more at once (fill, next_ids, a range of the service: 2^30 at most) up to as \
many, and the next one likewise. \
Of daily numbers --new-from is the number of the day, without its date: a day cannot begin above its \
largest. The largest one that was given holds for all tags made later, until --new-from 0: safe once \
each lost tag is there again, or never comes. With --all every tag waits until that is done.

Examples:
  snowmint segment vouch postgres://ids@new-primary/ids \\
    --server 7412345678901234567-00000002.650f5f3c1d2a3 --raise-by-steps 100
  snowmint segment vouch URL --server ID --raise-by-steps 100 --new-from 50001
  snowmint segment vouch URL --server ID --raise-by-steps 100 --all";

#[derive(Debug, ClapArgs)]
pub(crate) struct VouchArgs {
    #[arg(help = OWN_STORE_HELP)]
    pub(crate) store: String,
    /// The server that is vouched for, as its refusals name it
    #[arg(long, value_name = "ID")]
    pub(crate) server: String,
    /// Raise each tag whose ranges may be lost by so many of its steps first: 0 if none was lost
    #[arg(long, value_name = "COUNT", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) raise_by_steps: u64,
    /// Begin each tag that is made from now on there, if not above: where tags may be lost
    #[arg(long, value_name = "NUMBER", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) new_from: Option<u64>,
    /// Raise each tag, and not only those that are refused
    #[arg(long)]
    pub(crate) all: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}
