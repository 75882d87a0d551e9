//! Any source of IDs by its URL.

use std::sync::Arc;
use std::time::Duration;

use snowmint_engine::{Code, Prefetch, REFILL_BELOW_PERCENT, StepSize};

use crate::error::{Error, Result};
use crate::host::Platform;
use crate::names;
use crate::schemes::{OpenSource, Placed, SourceKind, StoreUrl, kind_by, open_source, placed_by};
#[cfg(feature = "uuid")]
use crate::sources::UuidSource;
#[cfg(feature = "daily")]
use crate::sources::{DEFAULT_DIGITS, DEFAULT_ZONE, Daily, DailyBuilder, check_daily};
use crate::sources::{
    DEFAULT_EVERY, DEFAULT_KEYS_PER_SECTION, LateStore, RingSource, Segment, SegmentBuilder,
    Sequences, SequencesBuilder, Snowflake, SnowflakeBuilder, Source, check_ring, check_segment,
    check_sequences,
};
use crate::store::{SegmentStore, Store, Tag};
use crate::url::Parameters;
use crate::waiting::open_within;
use crate::worker::{WORKERS, WorkerId};

mod own;

#[cfg(feature = "uuid")]
use own::uuid_version;
use own::{layout, policy, prefetch, runway, step, tag, wait};

/// Opens a source.
///
/// | URL | source |
/// |---|---|
/// | `snowflake:?worker_id=7` | [`Snowflake`] with a fixed worker ID; also `worker_id=env`, `env:NAME`, `ordinal`, `ordinal:NAME`, `ip:NETWORK` |
/// | `snowflake+sqlite:ids.db?create=true` | [`Snowflake`] with a worker ID leased from the file |
/// | `snowflake+postgres://user@host/database` | the same, leased from a database for all machines |
/// | `snowflake+mysql://user@host/database` | the same: MariaDB, or MySQL |
/// | `snowflake+redis://host:6379/0` | the same: Redis |
/// | `snowflake+etcd://host:2379,host:2379` | the same: etcd |
/// | `snowflake+zookeeper://host:2181,host:2181` | the same: ZooKeeper |
/// | `snowflake+http://host:8064,host:8064` | the same: an ID service, `snowmint serve` |
/// | `segment+sqlite:ids.db?tag=orders` | [`Segment`] |
/// | `http://host:8064,host:8064/orders` | the same as `segment+http://host:8064,host:8064?tag=orders`: of an ID service |
/// | `daily+sqlite:ids.db?tag=orders&zone=UTC` | [`Daily`] |
/// | `sequences+sqlite:ids.db?tag=chat` | [`Sequences`]: numbers of a key, by [`Source::next_of`] |
/// | `uuid:?version=7` | [`UuidSource`]; version 4 or 7 |
///
/// | parameter | of | meaning |
/// |---|---|---|
/// | `worker_id` | snowflake: | the fixed worker ID |
/// | `layout` | snowflake | a preset's name (`twitter` unless set), or fields as `time:41,worker:10,sequence:12`, or a layout's own text, which has its epoch and tick: `…@1288834974657/1` |
/// | `epoch_ms`, `tick_ms` | snowflake | with fields: Unix milliseconds (0), milliseconds (1) |
/// | `policy` | snowflake | a [`ClockPolicy`](snowmint_engine::ClockPolicy)'s name, `snowmint` unless set |
/// | `max_ahead_ms` | snowflake | how far to borrow from the future, in place of the policy's, up to 3600000; 0: never |
/// | `start` | snowflake | `zero`, `vibrate:MAX`, `random:BELOW`, `rotate` (unless set) |
/// | `reserve_ms` | snowflake | how much time a renewal reserves, 100 to 3600000: of a fixed worker ID always (1000 unless set), of a leased one at most (60000), once it has lived as long; raised to twice `max_ahead_ms` and four ticks where it is less: to 2000 with the policy `snowmint` |
/// | `state` | snowflake: | directory of the state files, all of one layout |
/// | `require_state` | snowflake: | `true`: refused where the state file is missing |
/// | `tag` | segment, daily, sequences | the tag; a segment's has to be created before, the others make theirs |
/// | `namespace` | segment, daily, sequences | the application whose tag it is, where several share a store: the row is called `shop/orders` for `namespace=shop&tag=orders` |
/// | `step` | segment, daily, sequences | numbers a range; unless set the tag's own, adapted, or a thousandth of a day's, or 10000 of a section's, whose keys leap by up to two of them at a start |
/// | `runway` | segment | in place of `step`: how long the numbers at hand are to last, as `60s` or `5m`, so that the store may be away for as long: ranges double from the tag's step on until they do |
/// | `at` | segment | a further database of the tag, as a URL with `&` written as `%26`; may be repeated: [`SegmentBuilder::shard`](crate::SegmentBuilder::shard) |
/// | `key` | segment | with `at` a number, whose database gives all: [`SegmentBuilder::key`](crate::SegmentBuilder::key) |
/// | `prefetch` | segment, daily | percent of a range used when the next is fetched: 10 unless set, daily 50 |
/// | `zone`, `digits` | daily | time zone (`UTC` unless set, `+08:00`, `Asia/Shanghai`), digits after the date (6) |
/// | `keys_per_section` | sequences | how many keys share a persisted maximum: 100000 unless set; never changed for a tag |
/// | `wait_ms` | snowflake, segment, daily, sequences | how long a call on the source waits, of many IDs for each block of them, and opening for a store that is down or locked, or for a worker ID: 5000 unless set. A question that the store has been asked goes on for up to 5 s |
/// | `ring` | snowflake, segment, daily | how many IDs to make ahead, a power of two: a [`RingSource`] |
/// | `ring_refill` | snowflake, segment, daily | below which percentage of that it is filled up: 30 unless set |
/// | `ring_every_ms` | snowflake, segment, daily | how often it is filled up while IDs are taken, and the age of its snowflakes: 1000 unless set |
/// | `version` | uuid | 4 or 7 (unless set) |
/// | `create` | sqlite, postgres | `true` makes the file, and its directory, or the tables, if they are not there; `false` unless set |
/// | `shared_file` | sqlite | `true` goes on with a file of snowmint's in which an application has made tables; `false` unless set |
/// | `host`, `port` | postgres | hosts in place of those in the address, with commas between them, or the directory of a Unix socket; one port for all, or one each (5432) |
/// | `user`, `password`, `dbname` | postgres | likewise; the user is `PGUSER` unless named, or the system's, the database has the user's name |
/// | `schema` | postgres | the schema with snowmint's tables, whatever `search_path` is: `snowmint` unless set. A second schema is a second key space |
/// | `passfile` | postgres | a file of passwords that nobody else can read: `PGPASSFILE`, or `~/.pgpass` unless set, on Windows `%APPDATA%\postgresql\pgpass.conf`; read for each connection, as is `PGPASSWORD` |
/// | `sslmode` | postgres | `disable`, `prefer` (unless set: TLS where the server has it, and no second try without), `require`, `verify-ca`, `verify-full` (unless set with `sslrootcert=system`) |
/// | `sslrootcert` | postgres | a file of root certificates in PEM: `~/.postgresql/root.crt` unless set, on Windows `%APPDATA%\postgresql\root.crt`; where that is not there, `verify-full` trusts the system's, and `verify-ca` is refused. `system`: those, with `verify-full` alone, as they sign for anybody |
/// | `target_session_attrs` | postgres | `read-write` or `primary` passes over hosts that take no changes; `any` unless set |
/// | `connect_timeout` | postgres | seconds for which each host is tried, from 1 on; unless set, or 0, its share of what the call may take |
/// | `application_name` | postgres | what the server shows of the connection: `snowmint` unless set |
/// | `dialect` | postgres, mysql | another generator's tables in place of ours: a `leaf`, `tinyid`, `netease` or `cosid`; of PostgreSQL also its sequences: `sequence`, `sequence-lo`; `worker-node` has worker IDs |
/// | `table` | postgres, mysql | with `dialect`: what its table is called, `NAME` or `SCHEMA.NAME` as the database has it; what its owner calls it unless set |
/// | `replication` | postgres | `synchronous` states that each standby that may be promoted confirms each commit (`synchronous_standby_names = '2 (a, b)'`): one that takes over goes on by itself. `none` unless set: it gives no range of a tag until an operator vouches for it |
/// | `durability` | postgres | `declared` takes your word that the server keeps what it acknowledges; `checked` (unless set) asks its settings, and refuses one without `fsync` or `full_page_writes` |
/// | `create` | mysql | `true` makes the tables, if they are not there; `false` unless set |
/// | `socket` | mysql | the Unix socket of a server of this machine, in place of a host |
/// | `user`, `password` | mysql | in place of those in the address |
/// | `defaults-file` | mysql | a file of options that nobody else can read, whose section `[client]` has `user`, `password`, `host`, `port`, `socket`, `ssl-mode`, `ssl-ca` or `ssl-verify-server-cert`: `~/.my.cnf` unless set |
/// | `ssl-mode`, `sslmode` | mysql | one of them: `disabled`, `preferred` (unless set), `required`, `verify_ca` (unless set, with `ssl-ca`), `verify_identity` |
/// | `ssl-ca` | mysql | a file of root certificates in PEM; `verify_identity` trusts the system's without one |
/// | `connect_timeout` | mysql | seconds for which each host is tried, from 1 on; unless set, or 0, its share of what the call may take |
/// | `durability` | mysql | `declared` takes your word that the server keeps what it acknowledges; `checked` (unless set) asks its settings, and refuses one that could lose it, and a MariaDB server that follows another and takes changes |
/// | `create` | redis, rediss, redis+cluster, rediss+cluster, etcd, etcds, zookeeper, zookeepers | `true` begins a key space, if there is none; `false` unless set |
/// | `socket` | redis | the Unix socket of a server of this machine, in place of a host |
/// | `user`, `password` | redis, rediss, redis+cluster, rediss+cluster | in place of those in the address; `REDISCLI_AUTH` has the password unless set |
/// | `sentinel_user`, `sentinel_password` | redis, rediss | with `redis+sentinel:` what the sentinels ask for, which are not told the server's password; none unless set |
/// | `db` | redis, rediss | the number of the database, in place of the path: 0 unless set |
/// | `connect_timeout` | redis, rediss, redis+cluster, rediss+cluster | seconds for which the server is tried, from 1 on; unless set, or 0, as long as the call may take |
/// | `durability` | redis, rediss, redis+cluster, rediss+cluster | `declared` takes your word that the server keeps what it acknowledges; `checked` (unless set) asks its settings |
/// | `restarts` | redis, rediss, redis+cluster, rediss+cluster | `vouched`: each start of the server gives nothing until somebody vouches for it (`snowmint segment vouch`), as it may have been with an older file; `trusted` unless set |
/// | `dialect` | redis, rediss | `counter`: the counters of those who use `INCR`, a key for each tag, in place of ours |
/// | `stride` | redis, rediss | with `dialect=counter`: by how much each number is above the one before, where several servers count by `INCRBY`; 1 unless set |
/// | `expire` | redis, rediss | with `dialect=counter`: seconds after which counters go that are made here, as those of days: 345600 or more; never unless set |
/// | `ssl_ca_certs` | rediss, rediss+cluster | a file of root certificates in PEM: the system's unless set |
/// | `ssl_check_hostname` | rediss, rediss+cluster | `false` takes a certificate of that file's authorities for any name; `true` unless set |
/// | `user`, `password` | etcd, etcds | in place of those in the address; `ETCDCTL_PASSWORD` has the password unless set |
/// | `connect_timeout` | etcd, etcds, zookeeper, zookeepers | seconds for which each member is tried, from 1 on; unless set, or 0, its share of what the call may take |
/// | `cafile` | etcds, zookeepers | a file of root certificates in PEM: the system's unless set |
/// | `certfile`, `keyfile` | etcds, zookeepers | our own certificate and its key in PEM, for members that ask for one (`client-cert-auth`, `ssl.clientAuth`) |
/// | `key_space` | sqlite, postgres, mysql, redis, rediss, redis+cluster, rediss+cluster, etcd, etcds, zookeeper, zookeepers, http, https | which key space it has to be, by its 32 hexadecimal digits: another is refused; the first one seen unless set |
/// | `token`, `token_file` | http, https | who asks, or a file that says it, read for each connection; `SNOWMINT_TOKEN` has the token unless set |
/// | `servers` | http, https | where the servers are listed: `file:PATH`, with a `host:port` a line; `dns`, all addresses of the names in the URL; `srv`, the SRV records of these names; `etcd://host:2379/prefix`, with a `host:port` as each key's value. Unless set the URL names them |
/// | `name_server` | http, https | the address and port of a name server that is asked for `dns` and `srv`, as Consul's `127.0.0.1:8600`; the system's unless set |
/// | `connect_timeout` | http, https | seconds for which each server is tried to be reached, from 1 on; unless set, or 0, its share of what the call may take |
/// | `cafile` | https | a file of root certificates in PEM: the system's unless set |
/// | `certfile`, `keyfile` | https | our own certificate and its key in PEM, for servers that ask for one (`tls.client_ca`) |
/// | `user`, `password` | zookeeper, zookeepers | in place of those in the address: whose nodes they are, by the scheme `digest` |
/// | `dialect` | zookeeper, zookeepers | `leaf`: worker IDs by the nodes of Leaf's servers, below the path `/snowflake/{leaf.name}`: [`LeafNodes`](crate::LeafNodes) |
/// | `address` | zookeeper, zookeepers | with `dialect=leaf`: the server that the worker ID belongs to, as `10.0.0.7:8080` |
/// | `cache` | zookeeper, zookeepers | with `dialect=leaf`: a directory, with which worker IDs are had while ZooKeeper is away; none unless set |
///
/// One file is one key space, for one machine: two files can repeat each other's IDs, so making one has
/// to be asked for. Several machines need a store: PostgreSQL, MariaDB, Redis, etcd or ZooKeeper by its
/// URL (with the feature `postgres`, `mysql`, `redis`, `etcd` or `zookeeper`), or an ID service on one
/// (with the feature `service`); another one of yours by a
/// [`TagAllocator`](crate::TagAllocator) over it for ranges and a [`WorkerStore`](crate::WorkerStore) for worker IDs. Or give each a fixed worker ID of its
/// own.
///
/// `postgres://user:password@host:5432,host:5432/database`, also `postgresql:`, is in the form of
/// the URLs of PostgreSQL's own clients; of their parameters it takes those above, and of their
/// environment what is named there. Hosts are tried in their order: one that cannot be reached, or
/// takes nobody in, is passed over, one that refuses the user, the password or the database ends
/// the search. Better than in a URL, a password stands in `PGPASSWORD` or in the file of passwords.
/// A process has up to four connections to a database, by whatever number of sources with the same
/// URL, and keeps two while nothing is asked; pgbouncer may stand between, in transaction mode.
///
/// `redis+sentinel://host:26379,host:26379/mymaster/0` asks sentinels for the master, anew for each
/// connection; replicas, which may lack its last changes, need `durability=declared`.
/// `redis+cluster://host:6379,host:6379` asks nodes which one has our keys.
///
/// `etcd://user:password@host:2379,host:2379/prefix` names members of one cluster, and what its keys
/// begin with: `snowmint` unless set. `zookeeper://user:password@host:2181,host:2181/path` names members
/// of an ensemble likewise, and the node that all of ours are below.
///
/// `http://host:8064,host:8064`, and `https:` under TLS, names servers of one ID service
/// (`ServiceStore`, with the feature `service`): behind a kind, its path is that of the service below
/// another's; alone, it is a segment's tag, as `/orders`, or `/shop/orders` in a namespace.
///
/// `mysql://user:password@host:3306,host:3306/database`, also `mariadb:`, likewise: of several hosts,
/// those that take no changes are passed over. Better than in a URL, a password stands in
/// `~/.my.cnf`, or in `MYSQL_PWD`.
///
/// A path is taken as it stands, up to the `?`; values may be percent-encoded. `sqlite:///dir/ids.db`
/// is `sqlite:/dir/ids.db`. All that is opened on one file shares a connection and a scheduler; all that
/// is opened by equal URLs of a database, a scheduler.
///
/// Opening calls the store, and takes as long as that does: SQLite waits up to 5 s for other
/// processes at each of a few steps. A fixed worker ID whose last holder was killed waits for the
/// time that one had reserved where the policy does not borrow: up to a reservation, a second unless set.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`], [`Code::UnknownLayout`]; [`Code::StoreMissing`] for a file that is
/// not there; and those of the source. No message shows a password: what it shows of the URL is
/// [`redacted`](crate::redacted), but for a file's path and names such as the tag's, which are shown
/// as they are.
pub fn open(url: &str) -> Result<Source> {
    open_source(url, SOURCES)
}

/// Opens a source that has to be of a kind, which its URL tells before anything is opened.
///
/// ```
/// let refused = snowmint::open_as("segment", "snowflake:?worker_id=7").unwrap_err();
/// assert_eq!(refused.code(), snowmint::Code::InvalidParameter);
/// ```
///
/// # Errors
/// As [`open`]; [`Code::InvalidParameter`] for a URL of another [kind](kind_of).
pub fn open_as(kind: &str, url: &str) -> Result<Source> {
    let found = kind_of(url)?;
    if found == kind {
        return open(url);
    }
    let message = format!("the URL opens a source of the kind {found}, and {kind} is asked for");
    Err(Error::new(Code::InvalidParameter, message))
}

/// The opening of one kind, where its type is wanted.
macro_rules! opens {
    ($($source:ident as $variant:ident, $kind:literal $(, $feature:literal)?;)*) => {$(
        $(#[cfg(feature = $feature)])?
        impl $source {
            /// Opens one by its URL, as [`open`](crate::open()) does.
            ///
            /// # Errors
            /// As [`open_as`](crate::open_as).
            pub fn open(url: &str) -> Result<$source> {
                match open_as($kind, url)? {
                    Source::$variant(source) => Ok(source),
                    _ => unreachable!("the URL is of that kind"),
                }
            }
        }
    )*};
}

opens! {
    Snowflake as Snowflake, "snowflake";
    Segment as Segment, "segment";
    Daily as Daily, "daily", "daily";
    Sequences as Sequences, "sequences";
    RingSource as Ring, "ring";
    UuidSource as Uuid, "uuid", "uuid";
}

/// Opens a store: `sqlite:ids.db`, made where there is none by `sqlite:ids.db?create=true`;
/// `postgres://user@host/database`, `mysql://user@host/database`, `redis://host:6379/0`,
/// `etcd://host:2379` or `zookeeper://host:2181`, likewise; or `memory:` for one that ends with the
/// process.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`]; [`Code::StoreMissing`] for a file that is not there; and those of
/// the store.
pub fn open_store(url: &str) -> Result<Arc<dyn Store>> {
    StoreUrl::parse(url)?.open()
}

/// Where a source of this URL has its numbers or worker IDs from: nothing is opened for it. `None`
/// for one without a store.
///
/// ```
/// let placed = snowmint::placed("segment+sqlite:ids.db?create=true&step=100&tag=orders")?;
/// let placed = placed.ok_or("it is on a store")?;
/// assert_eq!((placed.store.as_str(), placed.tag.as_deref()), ("sqlite:ids.db?create=true", Some("orders")));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`open`], of what stands in the URL.
pub fn placed(url: &str) -> Result<Option<Placed>> {
    placed_by(url, SOURCES)
}

/// What kind of source a URL opens: `snowflake`, `segment`, `daily`, `sequences`, `uuid`, or a `ring`
/// of one. Nothing is opened for it.
///
/// ```
/// assert_eq!(snowmint::kind_of("segment+sqlite:ids.db?tag=orders")?, "segment");
/// # Ok::<_, snowmint::Error>(())
/// ```
///
/// # Errors
/// As [`open`], of the URL's form, its scheme and the names of its parameters.
pub fn kind_of(url: &str) -> Result<&'static str> {
    kind_by(url, SOURCES)
}

/// Every kind of source.
static SOURCES: &[SourceKind] = &[
    SourceKind {
        name: "snowflake",
        parameters: &[
            "worker_id",
            "layout",
            "epoch_ms",
            "tick_ms",
            "policy",
            "max_ahead_ms",
            "start",
            "reserve_ms",
            "state",
            "require_state",
            "wait_ms",
            "ring",
            "ring_refill",
            "ring_every_ms",
        ],
        example: "?worker_id=7",
        open: OpenSource::Alone(|own| {
            behind_ring(own, |own| open_fixed(own).map(Source::Snowflake))
        }),
    },
    SourceKind {
        name: "snowflake",
        parameters: &[
            "layout",
            "epoch_ms",
            "tick_ms",
            "policy",
            "max_ahead_ms",
            "start",
            "reserve_ms",
            "wait_ms",
            "ring",
            "ring_refill",
            "ring_every_ms",
        ],
        example: "",
        open: OpenSource::OnStore(|own, store| {
            behind_ring(own, |own| open_leased(own, store).map(Source::Snowflake))
        }),
    },
    SourceKind {
        name: "segment",
        parameters: &[
            "tag",
            "namespace",
            "step",
            "runway",
            "prefetch",
            "at",
            "key",
            "wait_ms",
            "ring",
            "ring_refill",
            "ring_every_ms",
        ],
        example: "?tag=orders",
        open: OpenSource::OnStore(|own, store| {
            behind_ring(own, |own| open_segment(own, store).map(Source::Segment))
        }),
    },
    #[cfg(feature = "daily")]
    SourceKind {
        name: "daily",
        parameters: &[
            "tag",
            "namespace",
            "step",
            "prefetch",
            "zone",
            "digits",
            "wait_ms",
            "ring",
            "ring_refill",
            "ring_every_ms",
        ],
        example: "?tag=orders",
        open: OpenSource::OnStore(|own, store| {
            behind_ring(own, |own| open_daily(own, store).map(Source::Daily))
        }),
    },
    SourceKind {
        name: "sequences",
        parameters: &["tag", "namespace", "keys_per_section", "step", "wait_ms"],
        example: "?tag=chat",
        open: OpenSource::OnStore(|own, store| open_sequences(own, store).map(Source::Sequences)),
    },
    #[cfg(feature = "uuid")]
    SourceKind {
        name: "uuid",
        parameters: &["version"],
        example: "?version=7",
        open: OpenSource::Alone(|own| {
            uuid_version(own).map(|version| Source::Uuid(UuidSource::new(version)))
        }),
    },
];

/// Opens a source, behind a ring where one is asked for.
fn behind_ring(
    own: &mut Parameters,
    open: impl FnOnce(&mut Parameters) -> Result<Source>,
) -> Result<Source> {
    let capacity = own.take_parsed("ring", "a power of two from 1 to 1048576")?;
    let refill = own.take_parsed("ring_refill", "a percentage from 1 to 100")?;
    let every_ms = own.take_parsed("ring_every_ms", "milliseconds from 1 to 3600000")?;
    let Some(capacity) = capacity else {
        if refill.is_some() || every_ms.is_some() {
            let message = "ring_refill and ring_every_ms belong to a ring: add ring=1024";
            return Err(Error::new(Code::InvalidParameter, message));
        }
        return open(own);
    };
    let refill = refill.unwrap_or(REFILL_BELOW_PERCENT);
    let every = every_ms.map_or(DEFAULT_EVERY, Duration::from_millis);
    check_ring(capacity, refill, every)?;
    let ring = RingSource::builder(open(own)?).capacity(capacity).refill_below(refill);
    Ok(Source::Ring(ring.every(every).open()?))
}

fn open_fixed(own: &mut Parameters) -> Result<Snowflake> {
    let Some(text) = own.take("worker_id") else {
        let message = format!(
            "a snowflake needs a worker ID: add ?worker_id= with {WORKERS}, or lease one with \
             snowflake+sqlite:ids.db"
        );
        return Err(Error::new(Code::InvalidParameter, message));
    };
    let worker_id: WorkerId = text.parse()?;
    let mut builder = snowflake(own)?.wait(wait(own)?).worker_id(worker_id);
    if let Some(directory) = own.take("state") {
        builder = builder.state_directory(directory);
    }
    if let Some(require_state) = own.take_parsed("require_state", "true or false")? {
        builder = builder.require_state(require_state);
    }
    builder.open()
}

fn open_leased(own: &mut Parameters, store: StoreUrl) -> Result<Snowflake> {
    let (builder, wait) = (snowflake(own)?, wait(own)?);
    let builder = builder.wait(wait);
    builder.check_time()?;
    builder.lease_from(store.open_within(wait)?).open()
}

/// What fixed and leased worker IDs have in common.
fn snowflake(own: &mut Parameters) -> Result<SnowflakeBuilder> {
    let mut builder = Snowflake::builder().layout(layout(own)?).policy(policy(own)?);
    if let Some(start) = own.take("start") {
        builder = builder.sequence_start(names::sequence_start(&start)?);
    }
    if let Some(reserve_ms) = own.take_parsed("reserve_ms", "milliseconds from 100 to 3600000")? {
        builder = builder.reserve_ms(reserve_ms);
    }
    Ok(builder)
}

fn open_segment(own: &mut Parameters, store: StoreUrl) -> Result<Segment> {
    let (tag, wait, step) = (tag(own, "segment")?, wait(own)?, step(own)?);
    let step = step.map(StepSize::fixed).transpose()?;
    let (prefetch, runway) = (prefetch(own)?, runway(own)?);
    let prefetch = prefetch.unwrap_or(Prefetch::LEAF);
    check_segment(step, runway, prefetch)?;
    let key = own.take_parsed("key", "a number from 0 to 18446744073709551615")?;
    let further = own.take_repeated();
    let builder = match further.as_slice() {
        [] if key.is_some() => return Err(key_without_shards()),
        [] => Segment::builder(store.open_within(wait)?, tag),
        further => open_shards(store, further, tag, wait)?,
    };
    let builder = key.into_iter().fold(builder, SegmentBuilder::key);
    let builder =
        step.into_iter().fold(builder.wait(wait).prefetch(prefetch), SegmentBuilder::step);
    runway.into_iter().fold(builder, SegmentBuilder::runway).open()
}

fn key_without_shards() -> Error {
    let message =
        "key= chooses among the databases of a tag: name the others by at=, once for each";
    Error::new(Code::InvalidParameter, message)
}

/// None waits for another, which may not answer.
fn opened_at_once(urls: &[StoreUrl]) -> Vec<Result<Arc<dyn Store>>> {
    std::thread::scope(|scope| {
        let opening = urls.iter().map(|url| {
            let open = || url.open();
            (url, std::thread::Builder::new().spawn_scoped(scope, open))
        });
        let opening: Vec<_> = opening.collect();
        let opened = opening.into_iter().map(|(url, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => url.open(),
        });
        opened.collect()
    })
}

/// A segment whose tag is in several databases: one of them has to answer, and the others may be down.
fn open_shards(
    store: StoreUrl,
    further: &[String],
    tag: Tag,
    wait: Duration,
) -> Result<SegmentBuilder> {
    let further = further.iter().map(|url| StoreUrl::parse(url));
    let urls: Vec<_> = [Ok(store)].into_iter().chain(further).collect::<Result<_>>()?;
    let opened = open_within(wait, &Platform::System, || {
        let opened = opened_at_once(&urls);
        let down = |opened: &Result<_>| opened.as_ref().is_err_and(Error::is_transient);
        // What waiting does not mend ends it, and that nobody answers.
        let failed = opened.iter().find(|it| it.is_err() && !down(it));
        match failed.or_else(|| opened.iter().find(|_| opened.iter().all(down))) {
            Some(Err(error)) => Err(error.clone()),
            _ => Ok(opened),
        }
    })?;
    let mut shards = urls.into_iter().zip(opened).map(|(url, opened)| {
        let place = url.place();
        match opened {
            Ok(store) => (place, store as Arc<dyn SegmentStore>),
            Err(why) => (place, Arc::new(LateStore::new(why, move || url.open())) as _),
        }
    });
    let Some((place, first)) = shards.next() else { unreachable!("the first is the source's own") };
    let builder = Segment::builder(first, tag).called(place);
    Ok(shards.fold(builder, |builder, (place, store)| builder.shard_called(place, store)))
}

#[cfg(feature = "daily")]
fn open_daily(own: &mut Parameters, store: StoreUrl) -> Result<Daily> {
    let (tag, wait, step) = (tag(own, "daily source")?, wait(own)?, step(own)?);
    let prefetch = prefetch(own)?;
    let (zone, digits) = (own.take("zone"), own.take_parsed("digits", "a number from 1 to 10")?);
    let (zone, digits) =
        (zone.as_deref().unwrap_or(DEFAULT_ZONE), digits.unwrap_or(DEFAULT_DIGITS));
    check_daily(&tag, zone, digits, step)?;
    let builder =
        Daily::builder(store.open_within(wait)?, tag).wait(wait).zone(zone).digits(digits);
    let builder = prefetch.into_iter().fold(builder, DailyBuilder::prefetch);
    step.into_iter().fold(builder, DailyBuilder::step).open()
}

fn open_sequences(own: &mut Parameters, store: StoreUrl) -> Result<Sequences> {
    let (tag, wait, step) = (tag(own, "sequence")?, wait(own)?, step(own)?);
    let keys = own.take_parsed("keys_per_section", "a number from 1 on")?;
    let keys = keys.unwrap_or(DEFAULT_KEYS_PER_SECTION);
    check_sequences(&tag, keys)?;
    let builder =
        Sequences::builder(store.open_within(wait)?, tag).wait(wait).keys_per_section(keys);
    step.into_iter().fold(builder, SequencesBuilder::step).open()
}

#[cfg(test)]
mod tests;
