//! `snowmint recover`: what can be asked of it.

use clap::Args as ClapArgs;
use snowmint::Tag;

use super::{STORE_HELP, count};

const RECOVER_EXAMPLES: &str = "\
A copy of a store (a dump, a backup, a snapshot) and a standby that was promoted lack the numbers that \
were given last. PostgreSQL, MariaDB, MySQL and Redis with restarts=vouched refuse their tags until this \
command has raised and confirmed them; a copy of PostgreSQL leases no worker ID before that either. \
SQLite, etcd, ZooKeeper, other servers of Redis and tables of other generators (dialect= in a URL) refuse \
nothing: end whatever mints from them, and wait for the longest lease, before you run it.

This line is for every store. It prints what to add to it. Put your number for N. Tags that were made \
since the backup, and sections of sequences, need a --next each, as they would begin at 1 again:
  snowmint recover STORE --all --raise-by-steps N --new-from 1

Without --yes nothing changes. The command prints each tag, how far it went as far as that is known, and \
where it would go on. Of each tag it needs one of:
  --from STORE            the original, if it can be reached, once all that mints from it has ended
  --next TAG=NUMBER       the largest snowmint_tag_next in monitoring since the backup, or one more
                          than the largest ID in the tables
  --raise-by-steps N      how many of the tag's steps may have been given since, of all processes
                          together, twice; a tag without --next goes up by these steps only

--from and --next go with --raise-by-steps, for what was reserved after the number was read: 0 if \
everything that mints had ended. A step is as long as the tag's last range here, if that was longer, so a tag may go on \
higher than is printed. A process reserves up to a million numbers at once unless step or runway in its \
URL say more, and up to 2^30 for a call that asks for so many.

Repeat the command as it stands if it was interrupted. Sources that have this store's URL go on by \
themselves. Restart those that have the original's URL, or give them this one and reload them. \
PostgreSQL, MariaDB and MySQL lease worker IDs again once all earlier leases are over, about 70 s after \
the first request. Other stores do not wait.

Examples:
  snowmint recover postgres://ids@new/ids
  snowmint recover postgres://ids@new/ids --all --from postgres://ids@old/ids --raise-by-steps 0
  snowmint recover postgres://ids@new/ids --all --next orders=4176001 --raise-by-steps N \\
      --new-from 1 --server 7412345678901234567-16389-16446-00000001.650f5f3c1d2a3 --yes
  snowmint recover ids.db --all --raise-by-steps N --new-from 1 --yes";

/// Go on with a store that was put back from a backup, or that took another's place.
#[derive(Debug, ClapArgs)]
#[command(after_help = RECOVER_EXAMPLES)]
pub(crate) struct RecoverArgs {
    #[arg(help = STORE_HELP)]
    pub(crate) store: String,
    /// The store that gave numbers for longer, such as the original, of which the tags are read; may
    /// be repeated
    #[arg(long, value_name = "STORE")]
    pub(crate) from: Vec<String>,
    /// The next number of a tag, as monitoring or the tables tell; may be repeated
    #[arg(long, value_name = "TAG=NUMBER", value_parser = tag_number)]
    pub(crate) next: Vec<(Tag, u64)>,
    /// Raise each tag by so many of its steps as well: 0 if no number was reserved since
    #[arg(long, value_name = "COUNT", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) raise_by_steps: Option<u64>,
    /// Begin each tag that is made from now on there, if not above: higher than any tag went that is
    /// missing here; 1 if none is. Only PostgreSQL, MariaDB and MySQL keep a number above 1, until
    /// --new-from 0
    #[arg(long, value_name = "NUMBER", value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) new_from: Option<u64>,
    /// Raise each tag, also those that the store does not refuse, which only costs a gap; a copy in
    /// the same place needs it
    #[arg(long)]
    pub(crate) all: bool,
    /// The server that is confirmed, as this command names it: any other changes nothing
    #[arg(long, value_name = "ID")]
    pub(crate) server: Option<String>,
    /// Do it: without, the command only says what it would do
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

fn tag_number(text: &str) -> Result<(Tag, u64), String> {
    let (tag, number) = text.rsplit_once('=').ok_or("write TAG=NUMBER, as orders=4176001")?;
    let tag = Tag::of_row(tag).map_err(|error| error.to_string())?;
    Ok((tag, count::number(number)?))
}
