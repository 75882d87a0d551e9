//! The errors of stores in ZooKeeper, with their messages.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint_engine::Code;

use crate::error::Error;

// URLs.

errors! {
    address_missing() => InvalidUrl:
        "zookeeper: names no server: write zookeeper://host:2181,host:2181/path";

    path_unfit() => InvalidUrl:
        "zookeeper: a path has no empty names, none that are dots, and no control characters";

    dialect_unknown(dialect: &str) => InvalidParameter:
        "dialect={dialect:?} is none of ZooKeeper's: say leaf";

    dialect_missing() => InvalidParameter: "address and cache are of dialect=leaf: say that too";

    leaf_with_create() => InvalidParameter:
        "the nodes of dialect=leaf are made as they are needed: leave out create";

    leaf_with_key_space() => InvalidParameter:
        "key_space is the identity of rows of snowmint, and the nodes of dialect=leaf have none: \
         drop key_space";

    leaf_without_address() => InvalidParameter:
        "dialect=leaf needs the address that the worker ID is of: address=10.0.0.7:8080";

    /// The command is for rows of ours.
    leaf_without_rows() => Unsupported:
        "the nodes of dialect=leaf are made by whoever starts first: leave out dialect, or open a \
         source";
}

// Connections and answers.

pub(super) const CONNECTION_ENDED: &str = "it ended the connection, as a member does without most \
                                           of the others, or one that wants TLS at this port \
                                           (zookeepers:), or has none, or has as many clients as \
                                           it may (maxClientCnxns)";

errors! {
    session_over(member: impl Display) => StoreUnavailable:
        "ZooKeeper at {member}: the session is over: ask again";

    /// The answer does not fit its question.
    strange_answer(member: impl Display) => InvalidAnswer:
        "ZooKeeper at {member} answers a question with what is no such thing";

    /// The key space was begun anew since this process saw it.
    nodes_begun_anew(endpoint: impl Display) => IncarnationChanged:
        "the nodes of ZooKeeper at {endpoint} were begun anew since this process saw them: raise \
         every tag above all that was given, and open what uses it anew";
}

pub(super) fn no_answer() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it answers what is no answer of ZooKeeper's")
}

pub(super) fn answer_too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it answers as ZooKeeper does not")
}

// Refusals of a member, for the node at a path.

errors! {
    rights_missing(member: impl Display, path: &str) => refused(Code::StoreDenied, member, path):
        "we may not: let this user, or all, read, write and create there, or name the user whose \
         nodes they are";

    log_in_unknown(member: impl Display, path: &str) => refused(Code::StoreDenied, member, path):
        "it knows no such log-in";

    node_missing(member: impl Display, path: &str) => refused(Code::StoreSchema, member, path):
        "it is not there: put it back as it was";

    quota_used_up(member: impl Display, path: &str) => refused(Code::StoreFull, member, path):
        "its quota is used up: raise it (setquota)";

    member_overloaded(member: impl Display, path: &str) => refused(Code::Overloaded, member, path):
        "it has too much to do: ask again";

    refused_by_number(
        member: impl Display,
        path: &str,
        number: i32,
    ) => refused(Code::StoreUnavailable, member, path):
        "error {number}; see its log";
}

fn refused(code: Code, member: impl Display, path: &str, what: impl Display) -> Error {
    Error::new(code, format!("ZooKeeper at {member}: {path}: {what}"))
}

// Nodes of Leaf's servers.

errors! {
    leaf_address_invalid(text: &str) => InvalidParameter:
        "address={text:?} is no address of a server: write host:port, as Leaf shows it in its \
         nodes, 10.0.0.7:8080";

    node_foreign(path: &str) => StoreSchema:
        "the node {path} is not as Leaf makes it: put it back, or delete it";

    leaf_without_numbers() => Unsupported:
        "Leaf's nodes have worker IDs and no numbers: leave out dialect=leaf for those, or name \
         the database with its table leaf_alloc";

    address_in_use(
        address: impl Display,
        worker_id: u32,
        realm: &str,
        free_in_ms: i64,
    ) => WorkersExhausted:
        "the address {address} has worker ID {worker_id} in realm {realm}, and its time is \
         reserved. End the other process that has that address, or name this server's own. Of a \
         server that has just ended, or whose clock was ahead, wait: it may be free in {} ms",
        free_in_ms.max(0);

    /// The only worker ID of the address is the one to avoid.
    no_other_worker_id(address: impl Display, number: i64) => WorkersExhausted:
        "the address {address} has worker ID {number} and no other: wait until the clock has \
         caught up, or use a policy that waits";

    number_too_large(address: impl Display, number: i64, max_worker_id: u32) => WorkersExhausted:
        "the address {address} has number {number}, and the layout's worker IDs end at \
         {max_worker_id}: take one with more bits for them, or lease them from a store without a \
         dialect, which gives them again";

    /// `how` says whether the clock is ahead of the others or behind.
    clock_differs(differs_ms: i64, how: &str) => ClockDiffers:
        "this machine's clock is {differs_ms} ms {how} the average of the others that use these \
         nodes: set it right, by chrony or the like, or see whether theirs are";

    // The cache of a node's worker ID.

    no_directory(directory: &Path, error: io::Error) => InvalidParameter caused_by error:
        "cache={} is no directory: name one for this address alone", directory.display();

    /// `key` is what stands before the number in the file.
    worker_id_missing(path: &Path, key: &str) => StateCorrupt:
        "{} has no {key}NUMBER: delete it", path.display();

    /// The mark file cannot be read. The node knows every reservation except one made without
    /// ZooKeeper. The message has the operator wait longer than that one can last.
    mark_damaged(error: &Error) => StateCorrupt:
        "{error}. That is a minute after the last process of this address ended, or twice \
         max_ahead_ms or four ticks if they are longer. The clock must not be set back meanwhile, \
         and ZooKeeper, which knows the rest, must be up";
}

pub(super) fn file_unusable(path: &Path, error: io::Error) -> Error {
    let code = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::StoreFull,
        _ => Code::StoreReadOnly,
    };
    let message = format!("{}: {error}; let this process write it, in cache=", path.display());
    Error::new(code, message).caused_by(error)
}
