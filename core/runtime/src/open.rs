//! Opening any source of IDs by its URL.

use std::sync::Arc;
use std::time::Duration;

#[cfg(doc)]
use snowmint_engine::Code;
use snowmint_engine::{Prefetch, REFILL_BELOW_PERCENT, StepSize};

use crate::error::{Error, Result};
use crate::errors;
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
/// | `snowflake+mysql://user@host/database` | the same, leased from MariaDB or MySQL |
/// | `snowflake+redis://host:6379/0` | the same, leased from Redis |
/// | `snowflake+etcd://host:2379,host:2379` | the same, leased from etcd |
/// | `snowflake+zookeeper://host:2181,host:2181` | the same, leased from ZooKeeper |
/// | `snowflake+http://host:8064,host:8064` | the same, leased from an ID service (`snowmint serve`) |
/// | `segment+sqlite:ids.db?tag=orders` | [`Segment`] |
/// | `http://host:8064,host:8064/orders` | short for `segment+http://host:8064,host:8064?tag=orders`, from an ID service |
/// | `daily+sqlite:ids.db?tag=orders&zone=UTC` | [`Daily`] |
/// | `sequences+sqlite:ids.db?tag=chat` | [`Sequences`]: a sequence for each key, by [`Source::next_of`] |
/// | `uuid:?version=7` | [`UuidSource`]; version 4 or 7 |
///
/// | parameter | of | meaning |
/// |---|---|---|
/// | `worker_id` | snowflake: | the fixed worker ID |
/// | `layout` | snowflake | the name of a preset (default `twitter`); or fields such as `time:41,worker:10,sequence:12`; or a layout's own text, which adds its epoch and tick: `…@1288834974657/1` |
/// | `epoch_ms`, `tick_ms` | snowflake | with fields: the epoch in Unix milliseconds (default 0), the tick in milliseconds (default 1) |
/// | `policy` | snowflake | the name of a [`ClockPolicy`](snowmint_engine::ClockPolicy); default `snowmint` |
/// | `max_ahead_ms` | snowflake | milliseconds to borrow from the future at most, instead of the policy's value, up to 3600000; 0: never |
/// | `start` | snowflake | `zero`, `vibrate:MAX`, `random:BELOW`, `rotate` (default) |
/// | `reserve_ms` | snowflake | milliseconds that a renewal reserves, 100 to 3600000: always for a fixed worker ID (default 1000), at most for a leased one (default 60000), which reserves that much once it has lived as long. At least twice `max_ahead_ms` and at least four ticks: 2000 with the policy `snowmint` |
/// | `state` | snowflake: | the directory of the state files, which must all be of one layout |
/// | `require_state` | snowflake: | `true`: fails if the state file is missing |
/// | `tag` | segment, daily, sequences | the tag. You have to create a segment's tag first; the other kinds create theirs |
/// | `namespace` | segment, daily, sequences | the application that owns the tag, if several share a store: `namespace=shop&tag=orders` is the row `shop/orders` |
/// | `step` | segment, daily, sequences | numbers in a range. Default: the tag's own step, adapted (segment); a thousandth of a day's numbers (daily); 10000 in each section, whose keys skip up to two ranges at a start (sequences) |
/// | `runway` | segment | instead of `step`: how long the numbers at hand should last while the store is away, for example `60s` or `5m`. Ranges double, beginning with the tag's step, until they last that long |
/// | `at` | segment | a further database of the tag, as a URL with `&` written as `%26`; may be repeated: [`SegmentBuilder::shard`](crate::SegmentBuilder::shard) |
/// | `key` | segment | with `at`: a number; all IDs come from the database that this key belongs to, as long as it answers: [`SegmentBuilder::key`](crate::SegmentBuilder::key) |
/// | `prefetch` | segment, daily | percent of a range that is used up when the next range is fetched; default 10, for daily 50 |
/// | `zone`, `digits` | daily | the time zone, for example `+08:00` or `Asia/Shanghai` (default `UTC`); the digits after the date (default 6) |
/// | `keys_per_section` | sequences | how many keys share a persisted maximum; default 100000. Never change it for a tag |
/// | `wait_ms` | snowflake, segment, daily, sequences | how long a call on the source waits, in milliseconds; a call for many IDs waits that long for each block. Also how long opening waits for a worker ID, or for a store that is down or locked. Default 5000. A request that the store has already received goes on for up to 5 s |
/// | `ring` | snowflake, segment, daily | how many IDs to make ahead, a power of two: a [`RingSource`] |
/// | `ring_refill` | snowflake, segment, daily | percent of the ring below which it is refilled; default 30 |
/// | `ring_every_ms` | snowflake, segment, daily | how often the ring is refilled while IDs are taken, and the greatest age of its snowflakes; default 1000 |
/// | `version` | uuid | 4 or 7 (default) |
/// | `create` | sqlite, postgres | `true` creates the file with its directory, or the tables, if they are missing; default `false` |
/// | `shared_file` | sqlite | `true` accepts a file of snowmint in which an application has created tables; default `false` |
/// | `host`, `port` | postgres | hosts instead of those in the address, separated by commas, or the directory of a Unix socket; one port for all, or one for each (default 5432) |
/// | `user`, `password`, `dbname` | postgres | instead of those in the address. The user is by default `PGUSER` or the system's user; the database has the user's name by default |
/// | `schema` | postgres | the schema with snowmint's tables, whatever `search_path` is; default `snowmint`. A second schema is a second key space |
/// | `passfile` | postgres | a file of passwords that no other user can read: by default `PGPASSFILE`, or `~/.pgpass`, on Windows `%APPDATA%\postgresql\pgpass.conf`. It is read for each connection, as is `PGPASSWORD` |
/// | `sslmode` | postgres | `disable`, `prefer` (default: TLS if the server has it, without a second try in plain text), `require`, `verify-ca`, `verify-full` (default with `sslrootcert=system`) |
/// | `sslrootcert` | postgres | a file of root certificates in PEM: by default `~/.postgresql/root.crt`, on Windows `%APPDATA%\postgresql\root.crt`. If that is missing, `verify-full` trusts the system's certificates, and `verify-ca` fails. `system` means the system's certificates and requires `verify-full`, because their authorities sign for anybody |
/// | `target_session_attrs` | postgres | `read-write` or `primary` skips hosts that are read-only; default `any` |
/// | `connect_timeout` | postgres | seconds for which each host is tried, from 1 on; by default, or with 0, its share of the call's time |
/// | `application_name` | postgres | the name of the connection that the server shows; default `snowmint` |
/// | `dialect` | postgres, mysql | another generator's tables instead of snowmint's: `leaf`, `tinyid`, `netease` or `cosid`; in PostgreSQL also sequences: `sequence`, `sequence-lo`; `worker-node` has worker IDs |
/// | `table` | postgres, mysql | with `dialect`: the name of its table, `NAME` or `SCHEMA.NAME`; by default the generator's own name for it |
/// | `replication` | postgres | `synchronous` states that each standby that may be promoted confirms each commit (`synchronous_standby_names = '2 (a, b)'`): after a failover, numbers go on without an operator. With `none` (default) a promoted standby gives no range of a tag until an operator confirms it with `snowmint segment vouch` |
/// | `durability` | postgres | `declared` takes your word that the server keeps what it acknowledges; `checked` (default) reads its settings, and refuses a server without `fsync` or `full_page_writes` |
/// | `create` | mysql | `true` creates the tables if they are missing; default `false` |
/// | `socket` | mysql | the Unix socket of a server on this machine, instead of a host |
/// | `user`, `password` | mysql | instead of those in the address |
/// | `defaults-file` | mysql | an options file that no other user can read, whose section `[client]` has `user`, `password`, `host`, `port`, `socket`, `ssl-mode`, `ssl-ca` or `ssl-verify-server-cert`; default `~/.my.cnf` |
/// | `ssl-mode`, `sslmode` | mysql | one of them: `disabled`, `preferred` (default), `required`, `verify_ca` (default with `ssl-ca`), `verify_identity` |
/// | `ssl-ca` | mysql | a file of root certificates in PEM; without it, `verify_identity` trusts the system's |
/// | `connect_timeout` | mysql | seconds for which each host is tried, from 1 on; by default, or with 0, its share of the call's time |
/// | `durability` | mysql | `declared` takes your word that the server keeps what it acknowledges; `checked` (default) reads its settings, and refuses a server that could lose it, and a writable MariaDB replica |
/// | `create` | redis, rediss, redis+sentinel, rediss+sentinel, redis+cluster, rediss+cluster, etcd, etcds, zookeeper, zookeepers | `true` begins a key space if there is none; default `false` |
/// | `socket` | redis | the Unix socket of a server on this machine, instead of a host |
/// | `user`, `password` | redis, rediss, redis+sentinel, rediss+sentinel, redis+cluster, rediss+cluster | instead of those in the address; `REDISCLI_AUTH` has the password by default |
/// | `sentinel_user`, `sentinel_password` | redis+sentinel, rediss+sentinel | the login at the sentinels, which never get the server's password; default none |
/// | `db` | redis, rediss, redis+sentinel, rediss+sentinel | the number of the database, instead of the path; default 0 |
/// | `connect_timeout` | redis, rediss, redis+sentinel, rediss+sentinel, redis+cluster, rediss+cluster | seconds for which the server is tried, from 1 on; by default, or with 0, as long as the call may take |
/// | `durability` | redis, rediss, redis+sentinel, rediss+sentinel, redis+cluster, rediss+cluster | `declared` takes your word that the server keeps what it acknowledges; `checked` (default) reads its settings |
/// | `restarts` | redis, rediss, redis+sentinel, rediss+sentinel, redis+cluster, rediss+cluster | `vouched`: after each start the server gives nothing until you confirm it with `snowmint segment vouch`, because it may have loaded an older file; default `trusted` |
/// | `dialect` | redis, rediss, redis+sentinel, rediss+sentinel | `counter`: counters that applications use with `INCR`, a key for each tag, instead of snowmint's keys |
/// | `stride` | redis, rediss, redis+sentinel, rediss+sentinel | with `dialect=counter`: the distance between numbers, if several servers count with `INCRBY`; default 1 |
/// | `expire` | redis, rediss, redis+sentinel, rediss+sentinel | with `dialect=counter`: seconds after which counters created here expire, for example those of a day: 345600 or more; default never |
/// | `ssl_ca_certs` | rediss, rediss+sentinel, rediss+cluster | a file of root certificates in PEM; default the system's |
/// | `ssl_check_hostname` | rediss, rediss+sentinel, rediss+cluster | `false` accepts a certificate of that file's authorities for any name; default `true` |
/// | `user`, `password` | etcd, etcds | instead of those in the address; `ETCDCTL_PASSWORD` has the password by default |
/// | `connect_timeout` | etcd, etcds, zookeeper, zookeepers | seconds for which each member is tried, from 1 on; by default, or with 0, its share of the call's time |
/// | `cafile` | etcds, zookeepers | a file of root certificates in PEM; default the system's |
/// | `certfile`, `keyfile` | etcds, zookeepers | the client's certificate and its key in PEM, for members that require one (`client-cert-auth`, `ssl.clientAuth`) |
/// | `key_space` | sqlite, postgres, mysql, redis, rediss, redis+sentinel, rediss+sentinel, redis+cluster, rediss+cluster, etcd, etcds, zookeeper, zookeepers, http, https | the required key space, as 32 hexadecimal digits: another one is refused; default the first one seen |
/// | `token`, `token_file` | http, https | the client's token, or a file with it that is read for each connection; `SNOWMINT_TOKEN` has the token by default |
/// | `servers` | http, https | where the servers are listed: `file:PATH`, with a `host:port` on each line; `dns`, all addresses of the names in the URL; `srv`, the SRV records of these names; `etcd://host:2379/prefix`, with a `host:port` as each key's value. By default the URL names them |
/// | `name_server` | http, https | the address and port of the name server for `dns` and `srv`, for example Consul's `127.0.0.1:8600`; default the system's |
/// | `connect_timeout` | http, https | seconds for which connecting to each server is tried, from 1 on; by default, or with 0, its share of the call's time |
/// | `cafile` | https | a file of root certificates in PEM; default the system's |
/// | `certfile`, `keyfile` | https | the client's certificate and its key in PEM, for servers that require one (`tls.client_ca`) |
/// | `user`, `password` | zookeeper, zookeepers | instead of those in the address: the owner of the nodes, by the scheme `digest` |
/// | `dialect` | zookeeper, zookeepers | `leaf`: worker IDs by the nodes of Leaf's servers, below the path `/snowflake/{leaf.name}`: [`LeafNodes`](crate::LeafNodes) |
/// | `address` | zookeeper, zookeepers | with `dialect=leaf`: the server that owns the worker ID, for example `10.0.0.7:8080` |
/// | `cache` | zookeeper, zookeepers | with `dialect=leaf`: a directory that provides worker IDs while ZooKeeper is away; default none |
///
/// One file is one key space, for one machine. Two files can repeat each other's IDs, so a new file
/// is created only with `create=true`. Several machines need a shared store: PostgreSQL, MariaDB,
/// Redis, etcd or ZooKeeper by its URL (with the feature `postgres`, `mysql`, `redis`, `etcd` or
/// `zookeeper`), or an ID service (with the feature `service`). Over a store of your own, implement
/// [`TagAllocator`](crate::TagAllocator) for ranges and [`WorkerStore`](crate::WorkerStore) for
/// worker IDs. Or give each machine its own fixed worker ID.
///
/// `postgres://user:password@host:5432,host:5432/database`, also `postgresql:`, has the form of
/// PostgreSQL's own URLs. Of their parameters and environment variables, those above are supported.
/// Hosts are tried in order. A host that is unreachable or accepts no connections is skipped; a
/// host that refuses the user, the password or the database ends the search. Put a password into
/// `PGPASSWORD` or the file of passwords rather than into a URL. All sources of a process with the
/// same URL share up to four connections, of which two stay open when idle. You can use pgbouncer
/// in transaction mode.
///
/// `redis+sentinel://host:26379,host:26379/mymaster/0` asks sentinels for the master, again for
/// each connection. A master with replicas needs `durability=declared`, because a replica may lack
/// its last changes. `redis+cluster://host:6379,host:6379` asks the nodes which of them has
/// snowmint's keys.
///
/// `etcd://user:password@host:2379,host:2379/prefix` names members of one cluster and the prefix of
/// snowmint's keys (default `snowmint`). `zookeeper://user:password@host:2181,host:2181/path` names
/// members of an ensemble and the node above all of snowmint's nodes.
///
/// `http://host:8064,host:8064`, or `https:` with TLS, names servers of one ID service
/// (`ServiceStore`, with the feature `service`). After a kind, its path is that of a service
/// mounted below another. Alone, its path is a segment's tag: `/orders`, or `/shop/orders` in a
/// namespace.
///
/// `mysql://user:password@host:3306,host:3306/database`, also `mariadb:`, tries its hosts in order
/// and skips those that are read-only. Put a password into `~/.my.cnf` or `MYSQL_PWD` rather than
/// into a URL.
///
/// A path is taken literally, up to the `?`; values may be percent-encoded. `sqlite:///dir/ids.db`
/// is `sqlite:/dir/ids.db`. All sources on one file share a connection and a scheduler. All sources
/// with equal URLs of a database share a scheduler.
///
/// Opening calls the store, and takes as long as that does: SQLite waits up to 5 s for other
/// processes at each of a few steps. If the last holder of a fixed worker ID was killed and the
/// policy does not borrow, opening waits for the time which that holder had reserved: up to a
/// reservation, by default a second.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`], [`Code::UnknownLayout`]; [`Code::StoreMissing`] if the file is
/// missing; and the codes of the source. No message shows a password: URLs in it are
/// [`redacted`](crate::redacted), except for paths of files and names such as the tag's.
pub fn open(url: &str) -> Result<Source> {
    open_source(url, SOURCES)
}

/// Opens a source of a given kind. The URL's kind is checked before anything is opened.
///
/// ```
/// let refused = snowmint::open_as("segment", "snowflake:?worker_id=7").unwrap_err();
/// assert_eq!(refused.code(), snowmint::Code::InvalidParameter);
/// ```
///
/// # Errors
/// As [`open`]; [`Code::InvalidParameter`] if the URL is of another [kind](kind_of).
pub fn open_as(kind: &str, url: &str) -> Result<Source> {
    let found = kind_of(url)?;
    if found == kind {
        return open(url);
    }
    Err(errors::schemes::kind_differs(found, kind))
}

/// Defines an `open` that returns the source's own type.
macro_rules! opens {
    ($($source:ident as $variant:ident, $kind:literal $(, $feature:literal)?;)*) => {$(
        $(#[cfg(feature = $feature)])?
        impl $source {
            /// Opens a source of this type by its URL, as [`open`](crate::open()) does.
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

/// Opens a store, for example `sqlite:ids.db`, `postgres://user@host/database`,
/// `mysql://user@host/database`, `redis://host:6379/0`, `etcd://host:2379` or
/// `zookeeper://host:2181`. With `create=true` it is created if it is missing. `memory:` is a store
/// that ends with the process.
///
/// # Errors
/// [`Code::InvalidUrl`], [`Code::UnknownScheme`], [`Code::UnknownParameter`],
/// [`Code::InvalidParameter`]; [`Code::StoreMissing`] if the file is missing; and the codes of the
/// store.
pub fn open_store(url: &str) -> Result<Arc<dyn Store>> {
    StoreUrl::parse(url)?.open()
}

/// Returns the store and the tag of a source's URL without opening anything, or `None` for a source
/// without a store.
///
/// ```
/// let placed = snowmint::placed("segment+sqlite:ids.db?create=true&step=100&tag=orders")?;
/// let placed = placed.ok_or("it is on a store")?;
/// assert_eq!((placed.store.as_str(), placed.tag.as_deref()), ("sqlite:ids.db?create=true", Some("orders")));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The codes of [`open`] that concern the URL.
pub fn placed(url: &str) -> Result<Option<Placed>> {
    placed_by(url, SOURCES)
}

/// Returns the kind of source that a URL opens, without opening anything: `snowflake`, `segment`,
/// `daily`, `sequences`, `uuid`, or a `ring` of one of them.
///
/// ```
/// assert_eq!(snowmint::kind_of("segment+sqlite:ids.db?tag=orders")?, "segment");
/// # Ok::<_, snowmint::Error>(())
/// ```
///
/// # Errors
/// The codes of [`open`] that concern the URL's form, its scheme and the names of its parameters.
pub fn kind_of(url: &str) -> Result<&'static str> {
    kind_by(url, SOURCES)
}

/// The parameters of snowflakes, of tags, and of rings.
const SNOWFLAKE: &str = "layout epoch_ms tick_ms policy max_ahead_ms start reserve_ms wait_ms";
const TAG: &str = "tag namespace";
const RING: &str = "ring ring_refill ring_every_ms";

static SOURCES: &[SourceKind] = &[
    SourceKind {
        name: "snowflake",
        parameters: &["worker_id state require_state", SNOWFLAKE, RING],
        example: "?worker_id=7",
        open: OpenSource::Alone(|own| {
            behind_ring(own, |own| open_fixed(own).map(Source::Snowflake))
        }),
    },
    SourceKind {
        name: "snowflake",
        parameters: &[SNOWFLAKE, RING],
        example: "",
        open: OpenSource::OnStore(|own, store| {
            behind_ring(own, |own| open_leased(own, store).map(Source::Snowflake))
        }),
    },
    SourceKind {
        name: "segment",
        parameters: &[TAG, "step runway prefetch at key wait_ms", RING],
        example: "?tag=orders",
        open: OpenSource::OnStore(|own, store| {
            behind_ring(own, |own| open_segment(own, store).map(Source::Segment))
        }),
    },
    #[cfg(feature = "daily")]
    SourceKind {
        name: "daily",
        parameters: &[TAG, "step prefetch zone digits wait_ms", RING],
        example: "?tag=orders",
        open: OpenSource::OnStore(|own, store| {
            behind_ring(own, |own| open_daily(own, store).map(Source::Daily))
        }),
    },
    SourceKind {
        name: "sequences",
        parameters: &[TAG, "keys_per_section step wait_ms"],
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

/// Opens a source, behind a ring if the URL asks for one.
fn behind_ring(
    own: &mut Parameters,
    open: impl FnOnce(&mut Parameters) -> Result<Source>,
) -> Result<Source> {
    let capacity = own.take_parsed("ring", "a power of two from 1 to 1048576")?;
    let refill = own.take_parsed("ring_refill", "a percentage from 1 to 100")?;
    let every_ms = own.take_parsed("ring_every_ms", "milliseconds from 1 to 3600000")?;
    let Some(capacity) = capacity else {
        if refill.is_some() || every_ms.is_some() {
            return Err(errors::schemes::ring_missing());
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
        return Err(errors::schemes::worker_id_missing(WORKERS));
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

/// Reads the parameters that fixed and leased worker IDs share.
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
        [] if key.is_some() => return Err(errors::schemes::key_without_shards()),
        [] => Segment::builder(store.open_within(wait)?, tag),
        further => open_shards(store, further, tag, wait)?,
    };
    let builder = key.into_iter().fold(builder, SegmentBuilder::key);
    let builder =
        step.into_iter().fold(builder.wait(wait).prefetch(prefetch), SegmentBuilder::step);
    runway.into_iter().fold(builder, SegmentBuilder::runway).open()
}

/// Opens stores in parallel, so that a store which does not answer delays no other.
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

/// Opens a segment whose tag is in several databases. One of them must answer; the others may be
/// down.
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
        // A failure that waiting cannot mend ends the wait. If all stores are down, the first
        // failure counts.
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
