//! The errors of stores in Redis, with their messages.

use std::fmt::Display;
use std::io;

use snowmint_engine::Code;

use crate::error::Error;
use crate::store::values::errors::contended;

/// The most characters of a server's text that a message shows.
const SAID_MAX: usize = 300;
/// The most characters of a wrong value that a message shows.
const VALUE_MAX: usize = 40;

// URLs.

errors! {
    servers_without_cluster() => InvalidUrl:
        "redis: names several servers, of which each would count by itself. Name one in each URL, \
         and further ones by at=. Or name sentinels, and their master before the number: \
         redis+sentinel://host:26379,host:26379/mymaster/0. Or name nodes of a cluster: \
         redis+cluster://host:6379,host:6379";

    master_without_sentinels() => InvalidUrl:
        "redis: takes no master: write redis+sentinel://host:26379,host:26379/mymaster/0";

    no_cluster() => InvalidUrl:
        "redis+cluster: names no nodes, or a database, which clusters have not: write \
         redis+cluster://host:6379,host:6379";

    address_missing() => InvalidUrl:
        "redis: names no server: write redis://host:6379/0, or \
         redis:///0?socket=/run/redis/redis.sock";

    socket_beside_host() => InvalidParameter:
        "a socket is of this machine, and a host stands in the address: say one of them";

    no_master() => InvalidUrl:
        "redis+sentinel: names no sentinel, or not their master: write \
         redis+sentinel://host:26379,host:26379/mymaster/0";

    dialect_unknown(dialect: &str) => Unsupported:
        "dialect={dialect} is of databases, and Redis has dialect=counter: the counters of those \
         who use INCR";

    counters_not_asked_for() => InvalidParameter:
        "stride and expire are of counters: say dialect=counter, or make tags with `snowmint \
         segment create --stride`";

    authorities_missing() => InvalidParameter:
        "a certificate for any name needs the file of your own authorities, as the system's sign \
         for anybody: name it by ssl_ca_certs";

    // Sentinels and clusters.

    sentinels_unnamed() => InvalidUrl: "no sentinel is named";

    denied_by_sentinel(
        endpoint: impl Display,
        (name, port): (&str, u16),
        said: &str,
    ) => StoreDenied:
        "Redis at {endpoint}: the sentinel {name}:{port} says {}; name the user and the password \
         that sentinels have, if any, by sentinel_user and sentinel_password",
        shown(said);

    nodes_unnamed() => InvalidUrl: "no node is named";

    slot_without_node(endpoint: impl Display, slot: i64) => StoreUnavailable:
        "Redis at {endpoint}: no node has slot {slot}, in which our keys are";
}

pub(super) fn master_unknown((name, port): (&str, u16)) -> io::Error {
    strange(format!("the sentinel {name}:{port} knows no such master"))
}

pub(super) fn replica_for_master(name: &str, port: u16) -> io::Error {
    strange(format!("{name}:{port} is a replica, and no master as a sentinel says"))
}

pub(super) fn no_sentinel(name: &str, port: u16, said: &str) -> io::Error {
    strange(format!("{name}:{port} is no sentinel: {said}"))
}

/// The server is found by asking others, and has no address of its own.
pub(super) fn server_looked_for() -> io::Error {
    strange("it is looked for by others")
}

// Connections and answers.

errors! {
    connections_in_use() => StoreUnavailable:
        "all connections to Redis that this process may have are in use: ask again";

    change_unconfirmed(endpoint: impl Display, error: io::Error) => OutcomeUnknown caused_by error:
        "Redis at {endpoint}: a change was sent, and what became of it is not known ({error}); \
         what it reserved is not used";

    /// The answer does not fit its question, which is `what`.
    strange_answer(endpoint: impl Display, what: &str) => InvalidAnswer:
        "Redis at {endpoint} answers {what} with what is no such thing";
}

pub(super) const CONNECTION_ENDED: &str = "it ended the connection";

pub(super) fn no_redis() -> io::Error {
    strange("it speaks another protocol there: is it Redis?")
}

pub(super) fn answer_unasked() -> io::Error {
    strange("it answers unasked")
}

fn strange(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

// Refusals of the server. What helps stands behind what it says.

fn shown(said: &str) -> String {
    said.chars().take(SAID_MAX).collect()
}

pub(super) const REPLICA_ASKED: &str = "this is a replica: name the server that takes changes";
pub(super) const FILE_READING: &str = "it reads its file: ask again when that is done";
pub(super) const SCRIPT_RUNNING: &str = "a script of somebody's runs on it: ask again";
pub(super) const MASTER_LOST: &str = "this is a replica that has lost its master";
pub(super) const PASSWORD_MISSING: &str = "name a password, in the URL or in REDISCLI_AUTH";
pub(super) const PASSWORD_WRONG: &str = "check the user and the password";
pub(super) const PASSWORD_NEEDLESS: &str = "leave the password out, as it has none";
pub(super) const RIGHTS_MISSING: &str = "allow this user EVAL, TIME, INFO, CONFIG|GET, PTTL and \
                                         what is done to hashes, on the keys snowmint:*; in a \
                                         cluster CLUSTER|KEYSLOT and CLUSTER|SLOTS too, on the \
                                         keys {snowmint}:*";
pub(super) const RIGHTS_OF_SCRIPTS_MISSING: &str =
    "allow this user what the scripts run: GET, SET, INCRBY, HGET, HLEN, HSET, PTTL";
pub(super) const MEMORY_FULL: &str =
    "it has used up maxmemory: give it more, or take other keys away";
pub(super) const FILE_UNWRITABLE: &str = "it cannot write its file: see its log";
pub(super) const REPLICAS_MISSING: &str = "it waits for replicas (min-replicas-to-write)";
pub(super) const KEY_FOREIGN: &str = "a key of snowmint's holds something else: name another \
                                      database, or move that key";
pub(super) const KEYS_ELSEWHERE: &str = "another node of its cluster has the keys: ask again, or \
                                         name the cluster where that was one server \
                                         (redis+cluster:)";
pub(super) const KEYS_MOVING: &str = "the keys go to another node at the moment: ask again";
pub(super) const CLUSTER_DOWN: &str = "nodes of its cluster are down, or have no slots";
pub(super) const CONNECTIONS_USED_UP: &str = "it has too many connections (maxclients)";
pub(super) const DATABASE_MISSING: &str = "name a database that it has (databases)";
pub(super) const REASON_UNKNOWN: &str = "see its log";

pub(super) fn refused(code: Code, endpoint: impl Display, said: &str, cure: &str) -> Error {
    Error::new(code, format!("Redis at {endpoint}: {}; {cure}", shown(said)))
}

// Durability.

errors! {
    /// The server may lose what it acknowledged, by the way that was found.
    durability_weak(found: &str, cure: &str) => UnsafeSetting:
        "Redis could lose what it acknowledged, and repeat it: {found}; {cure}, or say \
         durability=declared, where something else keeps it";

    /// Sentinels watch the server. `declare` says that its durability has to be declared.
    server_watched(found: &str, declare: &str) => UnsafeSetting:
        "Redis could lose what it acknowledged, and repeat it: {found}; {declare}";

    /// `schema` is the key of the schema, where the table has its own name.
    rows_missing(table: &str, key: &str, schema: &str, count: i64, noted: i64) => StoreMissing:
        "the key {key} has {count} rows and had {noted}: it was deleted or has expired, and what \
         it gave would be given again. Put it back as it was; or wait as long as the longest \
         reservation, say HSET {schema} {table} {count}, and make tags that are gone above all \
         that they gave";

    key_expires(key: &str, ttl_ms: i64) => UnsafeSetting:
        "the key {key} expires in {ttl_ms} ms, after which what was given would be given again: \
         say PERSIST {key}";
}

pub(super) fn replica_named() -> Error {
    Error::new(Code::StoreReadOnly, REPLICA_ASKED)
}

// Starts of the server.

errors! {
    /// `cure` says how to vouch for the start.
    start_not_vouched_for(endpoint: impl Display, cure: &str) => IncarnationChanged:
        "Redis at {endpoint}: the server was started since somebody vouched for it, perhaps with \
         an older file: wait as long as the longest reservation, and {cure}";

    vouching_not_in_url() => Unsupported:
        "a server of Redis is vouched for where the URL says so: add restarts=vouched";

    new_from_not_kept() => Unsupported:
        "Redis keeps no first number for tags that are made later: say new-from 1, and name each lost \
         tag with its next number (--next TAG=NUMBER)";

    // Counters.

    counter_short_lived(seconds: u64) => InvalidParameter:
        "a counter that goes while its day lasts would begin again, and it can be made a day \
         before: let it live for {seconds} s at least";

    counters_without_key_space() => InvalidParameter:
        "create=true begins a key space of snowmint, and counters need none: drop create, and make \
         each by `snowmint segment create`";

    counters_without_identity() => InvalidParameter:
        "key_space is the identity of rows of snowmint, and counters have none: drop key_space";

    counters_in_cluster() => Unsupported:
        "counters of a cluster lie on several nodes, and their keys have names of their owner's: \
         keep rows of ours there, or counters on a server that stands alone";

    counters_without_vouching() => Unsupported:
        "restarts=vouched is of rows of ours: counters are their owner's, who counts on whatever \
         was lost";

    counters_without_workers() => InvalidParameter:
        "dialect=counter is for numbers, as segment+ and daily+ have them: lease worker IDs from \
         the same server without a dialect";

    counter_with_stride_or_max() => counter_without():
        "its stride stands in the URL, and it has no max";

    counter_with_step_or_max() => counter_without():
        "its step stands in the URL, and it has no max";

    counter_without(what: &str) => Unsupported: "a counter of Redis is its value alone: {what}";

    counter_below_zero(tag: impl Display, last: i64) => StoreSchema:
        "the counter {tag} is at {last}, and the next number would be below 0: raise it";
}

/// `INCR` cannot count the value up.
pub(super) fn no_counter(tag: impl Display, value: &str) -> Error {
    let shown: String = value.chars().take(VALUE_MAX).collect();
    let message = format!(
        "the counter {tag} is {shown:?}, which is no number as INCR writes it: put one in its \
         place, above all that was given"
    );
    Error::new(Code::StoreSchema, message)
}

pub(super) fn counter_contended(tag: impl Display) -> Error {
    contended(format_args!("the counter {tag}"))
}
