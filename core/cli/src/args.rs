//! The command line: what can be asked, and the help that says so.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, value_parser};
use snowmint::TextForm;

mod adopt;
mod count;
mod decode;
mod layouts;
mod manual;
pub(crate) mod public_ids;
mod recover;
mod segment;
mod serve;
mod time_base;
pub(crate) mod token;
mod top;

pub(crate) use adopt::AdoptArgs;
pub(crate) use count::MAX_IDS;
pub(crate) use decode::DecodeArgs;
pub(crate) use layouts::{BoundsArgs, ChangeArgs, LayoutArgs, LayoutCommand, LayoutsArgs};
pub(crate) use manual::{CompletionsArgs, ManArgs};
pub(crate) use recover::RecoverArgs;
pub(crate) use segment::{
    CreateArgs, ListArgs, MoveArgs, RaiseArgs, SegmentArgs, SegmentCommand, SetArgs,
};
pub(crate) use serve::ServeArgs;
pub(crate) use token::TokenArgs;
pub(crate) use top::TopArgs;

const EXIT_STATUS: &str = "\
Exit status:
  0  done (a reader that closed the pipe is no error)
  1  the output cannot be written, or a defect (an output that is closed, >&-, goes unnoticed: 0)
  2  wrong usage or input: an option, a URL, a number, a layout, a tag, a key, a public ID
  3  no ID can be had now: clock, expired layout, worker ID, lease, exhausted tag
  4  the store: locked, read-only, damaged, full, not there; or what doctor found refused, or
     adopt --check found given twice

Examples:
  snowmint id
  snowmint id -n 5 'snowflake:?worker_id=7&layout=twitter'
  snowmint decode 1541815603606036480
  snowmint layouts twitter";

/// Mint unique 64-bit IDs and take them apart.
#[derive(Debug, Parser)]
#[command(name = "snowmint", version, after_help = EXIT_STATUS, max_term_width = 100)]
#[command(propagate_version = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Id(IdArgs),
    Decode(DecodeArgs),
    Layouts(LayoutsArgs),
    Layout(LayoutArgs),
    Bounds(BoundsArgs),
    Segment(SegmentArgs),
    Worker(WorkerArgs),
    Adopt(AdoptArgs),
    Migrate(MigrateArgs),
    Doctor(DoctorArgs),
    Recover(RecoverArgs),
    PublicIds(public_ids::PublicIdsArgs),
    Serve(ServeArgs),
    Token(TokenArgs),
    Top(TopArgs),
    Bench(BenchArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    /// Print the licences of all that is in this command
    Licences,
}

const ID_EXAMPLES: &str = "\
Sources:
  snowflake:?worker_id=7&layout=twitter       a fixed worker ID; also worker_id=env and so on, below
  snowflake+sqlite:ids.db?create=true      a worker ID leased from an SQLite file
  snowflake+postgres://user@host/database  the same from a database, for all machines
  snowflake+mysql://user@host/database     the same: MariaDB, or MySQL
  snowflake+redis://host:6379/0            the same: Redis
  snowflake+etcd://host:2379               the same: etcd
  snowflake+zookeeper://host:2181          the same: ZooKeeper
  snowflake+http://host:8064,host:8064     the same: an ID service, `snowmint serve`
  segment+sqlite:ids.db?tag=orders         a tag's numbers, no more than asked for
  http://host:8064,host:8064/orders        the same from an ID service
  daily+sqlite:ids.db?tag=bills&zone=UTC   numbers that begin with the date
  sequences+sqlite:ids.db?tag=chat         the numbers of one --key
  uuid:?version=7                          UUIDs of version 4 or 7
  snowflake:?worker_id=7&ring=1024            made ahead; also segments and daily numbers

worker_id=env reads SNOWMINT_WORKER_ID. worker_id=ordinal takes the number at the end of a StatefulSet \
pod's name, which POD_NAME holds. worker_id=ip:10.0.4.0/22 takes the host part of this host's address in \
that network, which must hold all hosts. env:NAME and ordinal:NAME read another variable.

An SQLite file is a key space for one machine. Two files repeat each other's IDs, so a file is created only \
with create=true, and so are the tables in a database. For several machines use a database, or give each \
process a fixed worker ID. Other users can see a URL, so put a password into PGPASSWORD, ~/.pgpass or \
~/.my.cnf, and a token into SNOWMINT_TOKEN.

Without a URL the worker ID is leased from ids.db in your state directory ($XDG_STATE_HOME/snowmint, by \
default ~/.local/state/snowmint). So two shells of yours never mint the same ID. Other users and containers \
have files of their own. Quote URLs, because shells read ? and & themselves.

Examples:
  snowmint id
  snowmint id -n 1e6 > ids.txt
  snowmint id --format base32 -n 3
  snowmint id -n 5 'segment+sqlite:ids.db?tag=orders'
  snowmint id 'sequences+sqlite:ids.db?tag=chat' --key 42
  snowmint id --json 'uuid:?version=7'";

/// Mint IDs, one a line.
#[derive(Debug, ClapArgs)]
#[command(after_help = ID_EXAMPLES)]
pub(crate) struct IdArgs {
    /// Where the IDs come from: a source's URL [default: a leased worker ID]
    pub(crate) url: Option<String>,
    /// How many IDs, as 1000000 or 1e6
    #[arg(short = 'n', long, default_value = "1", allow_negative_numbers = true)]
    #[arg(value_parser = count::parse)]
    pub(crate) count: u64,
    /// Whose numbers, of sequences: 0 to 18446744073709551615
    #[arg(long, value_parser = count::number, allow_negative_numbers = true)]
    pub(crate) key: Option<u64>,
    /// How the IDs are written
    #[arg(long, value_name = "FORM", value_parser = text_form())]
    pub(crate) format: Option<TextForm>,
    /// Print {"id":"…"} a line, with "text" beside it if --format is given
    #[arg(long)]
    pub(crate) json: bool,
    /// At the end, tell on standard error what the source is doing: a line of JSON
    #[arg(long)]
    pub(crate) stats: bool,
}

macro_rules! store {
    ($more:literal) => {
        concat!(
            "An SQLite file, PATH or sqlite:PATH, postgres://user@host/database, \
             mysql://user@host/database, redis://host:6379/0, etcd://host:2379 or \
             zookeeper://host:2181; a URL with parameters as ?create=true",
            $more
        )
    };
}

const STORE_HELP: &str = store!(
    ", or ?dialect=leaf for another generator's tables (tinyid, netease, cosid, sequence, \
     sequence-lo)"
);
/// Of what other generators' tables have no place for.
const OWN_STORE_HELP: &str = store!("");
const KEY_SPACE_HELP: &str = store!("; or a state directory, which has fixed worker IDs");

const WORKER_EXAMPLES: &str = "\
Examples:
  snowmint worker list
  snowmint worker list ids.db --json
  snowmint worker release ids.db 7
  snowmint worker release ids.db 7 --yes";

/// Look after the worker IDs that a store leases.
#[derive(Debug, ClapArgs)]
#[command(after_help = WORKER_EXAMPLES)]
pub(crate) struct WorkerArgs {
    #[command(subcommand)]
    pub(crate) command: WorkerCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkerCommand {
    /// List the worker IDs, their holders and the time they have reserved
    #[command(after_help = WORKER_EXAMPLES)]
    List(WorkersArgs),
    /// Take a worker ID from its holder, which takes another one at its next renewal. Its reserved
    /// time is kept, so a holder that has ended needs no release
    #[command(after_help = WORKER_EXAMPLES)]
    Release(ReleaseArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct WorkersArgs {
    /// An SQLite file, PATH or sqlite:PATH, postgres://user@host/database,
    /// mysql://user@host/database, redis://host:6379/0, etcd://host:2379
    /// or zookeeper://host:2181 [default: the one `snowmint id` leases from]
    pub(crate) store: Option<String>,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReleaseArgs {
    #[arg(help = STORE_HELP)]
    pub(crate) store: String,
    /// The worker ID
    #[arg(value_parser = count::worker_id, allow_negative_numbers = true)]
    pub(crate) worker_id: u32,
    /// Its realm as `worker list` prints it, where several have that worker ID
    #[arg(long)]
    pub(crate) realm: Option<String>,
    /// Do it: without, it is only said what it would mean
    #[arg(long, short)]
    pub(crate) yes: bool,
}

const MIGRATE_EXAMPLES: &str = "\
Creates what create=true in a URL creates: a file, the tables in a database, or the mark of a key space in \
Redis, etcd and ZooKeeper. It leaves complete tables alone. If some are missing or were changed, it says what \
differs and changes nothing. It prints the identity of the key space: with that as key_space= in the URL, \
the command only checks that this key space is there. With --dry-run it prints the SQL, or the command of the store's own client, for \
an operator to run.

Examples:
  snowmint migrate postgres://owner@host/database
  snowmint migrate postgres://owner@host/database --dry-run | psql postgres://owner@host/database
  snowmint migrate sqlite:ids.db --json";

/// Make the tables of a store, or begin its key space, where there are none.
#[derive(Debug, ClapArgs)]
#[command(after_help = MIGRATE_EXAMPLES)]
pub(crate) struct MigrateArgs {
    #[arg(help = OWN_STORE_HELP)]
    pub(crate) store: String,
    /// Print the SQL that would run, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print the place, its state and the SQL as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const DOCTOR_EXAMPLES: &str = "\
Each finding is a line: ok; weaker, which works and promises less; refused, which does not work; or \
unseen, for want of a right or of a place where it is told. Below it stands the cure. Nothing is \
changed. The exit status is 4 if anything is refused, and 0 otherwise.

Examples:
  snowmint doctor
  snowmint doctor postgres://app@host/database
  snowmint doctor ids.db --json";

/// Say what is right, weak or refused about a store, or this machine's clock.
#[derive(Debug, ClapArgs)]
#[command(after_help = DOCTOR_EXAMPLES)]
pub(crate) struct DoctorArgs {
    /// An SQLite file, PATH or sqlite:PATH, postgres://user@host/database,
    /// mysql://user@host/database, redis://host:6379/0, etcd://host:2379
    /// or zookeeper://host:2181 [default: this machine]
    pub(crate) store: Option<String>,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

const BENCH_EXAMPLES: &str = "\
Floors are what nothing that does the same can be faster than; they are measured in the same rounds, \
so that what disturbs the machine disturbs both sides of a ratio. Figures are medians; an idle \
machine gives the best. Ratios are of times, and with several threads of IDs a second. A timed call includes a read of the precise clock.

Without a URL a fixed worker ID is measured, in a temporary directory that is removed. With one, the \
IDs are minted from that source and lost: a tag's numbers are used up, often hundreds of millions, \
and a worker ID is held and its time passed as by any program. Bench a tag made for it. Only \
snowflakes and segments are measured.

Examples:
  snowmint bench
  snowmint bench --threads 8 --seconds 10
  snowmint bench --json 'snowflake:?worker_id=7&layout=sonyflake-v2'
  snowmint bench 'segment+sqlite:ids.db?tag=bench'";

/// Measure how fast a source mints on this machine, beside floors.
#[derive(Debug, ClapArgs)]
#[command(after_help = BENCH_EXAMPLES)]
pub(crate) struct BenchArgs {
    /// The source measured: its IDs are used up [default: a fixed worker ID of its own]
    pub(crate) url: Option<String>,
    /// How many threads mint together
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    #[arg(value_parser = value_parser!(u8).range(1..=64))]
    pub(crate) threads: u8,
    /// How long to mint without a pause [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = value_parser!(u64).range(1..=3600))]
    pub(crate) seconds: Option<u64>,
    /// Under a second, to see that everything runs: the figures mean little
    #[arg(long)]
    pub(crate) quick: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reads the name of a text form; help and errors list them all.
fn text_form() -> impl TypedValueParser<Value = TextForm> {
    let names = TextForm::ALL.iter().map(|form| form.name());
    PossibleValuesParser::new(names)
        .try_map(|name| TextForm::from_name(&name).ok_or("no text form has that name"))
}
