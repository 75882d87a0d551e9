//! The errors of stores in ZooKeeper, with their messages.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint_engine::Code;

use crate::error::Error;

// URLs.

pub(super) fn address_missing() -> Error {
    let message = "zookeeper: names no server: write zookeeper://host:2181,host:2181/path";
    Error::new(Code::InvalidUrl, message)
}

pub(super) fn path_unfit() -> Error {
    let message =
        "zookeeper: a path has no empty names, none that are dots, and no control characters";
    Error::new(Code::InvalidUrl, message)
}

pub(super) fn dialect_unknown(dialect: &str) -> Error {
    let message = format!("dialect={dialect:?} is none of ZooKeeper's: say leaf");
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn dialect_missing() -> Error {
    let message = "address and cache are of dialect=leaf: say that too";
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn leaf_with_create() -> Error {
    let message = "the nodes of dialect=leaf are made as they are needed: leave out create";
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn leaf_without_address() -> Error {
    let message = "dialect=leaf needs the address that the worker ID is of: address=10.0.0.7:8080";
    Error::new(Code::InvalidParameter, message)
}

/// The command is for rows of ours.
pub(super) fn leaf_without_rows() -> Error {
    let message = "the nodes of dialect=leaf are made by whoever starts first: leave out \
                   dialect, or open a source";
    Error::new(Code::Unsupported, message)
}

// Connections and answers.

pub(super) const CONNECTION_ENDED: &str = "it ended the connection, as a member does without most \
                                           of the others, or one that wants TLS at this port \
                                           (zookeepers:), or has none, or has as many clients as \
                                           it may (maxClientCnxns)";

/// `cure` is how to mend the connection's TLS, if that failed.
pub(super) fn unreachable(
    member: impl Display,
    what: &str,
    cure: Option<&str>,
    error: io::Error,
) -> Error {
    let cure = cure.map_or(String::new(), |cure| format!("; {cure}"));
    let message = format!("ZooKeeper at {member}: {what}{cure}");
    Error::new(Code::StoreUnavailable, message).caused_by(error)
}

pub(super) fn session_over(member: impl Display) -> Error {
    let message = format!("ZooKeeper at {member}: the session is over: ask again");
    Error::new(Code::StoreUnavailable, message)
}

/// The answer does not fit its question.
pub(super) fn strange_answer(member: impl Display) -> Error {
    let message = format!("ZooKeeper at {member} answers a question with what is no such thing");
    Error::new(Code::InvalidAnswer, message)
}

/// The key space was begun anew since this process saw it.
pub(super) fn nodes_begun_anew(endpoint: impl Display) -> Error {
    let message = format!(
        "the nodes of ZooKeeper at {endpoint} were begun anew since this process saw them: raise \
         every tag above all that was given, and open what uses it anew"
    );
    Error::new(Code::IncarnationChanged, message)
}

pub(super) fn no_answer() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it answers what is no answer of ZooKeeper's")
}

pub(super) fn answer_too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it answers as ZooKeeper does not")
}

// Refusals of a member, for the node at a path.

pub(super) fn rights_missing(member: impl Display, path: &str) -> Error {
    let what = "we may not: let this user, or all, read, write and create there, or name the user \
                whose nodes they are";
    refused(Code::StoreDenied, member, path, what)
}

pub(super) fn log_in_unknown(member: impl Display, path: &str) -> Error {
    refused(Code::StoreDenied, member, path, "it knows no such log-in")
}

pub(super) fn node_missing(member: impl Display, path: &str) -> Error {
    refused(Code::StoreSchema, member, path, "it is not there: put it back as it was")
}

pub(super) fn quota_used_up(member: impl Display, path: &str) -> Error {
    refused(Code::StoreFull, member, path, "its quota is used up: raise it (setquota)")
}

pub(super) fn member_overloaded(member: impl Display, path: &str) -> Error {
    refused(Code::Overloaded, member, path, "it has too much to do: ask again")
}

pub(super) fn refused_by_number(member: impl Display, path: &str, number: i32) -> Error {
    let what = format!("error {number}; see its log");
    refused(Code::StoreUnavailable, member, path, &what)
}

fn refused(code: Code, member: impl Display, path: &str, what: &str) -> Error {
    Error::new(code, format!("ZooKeeper at {member}: {path}: {what}"))
}

// Nodes of Leaf's servers.

pub(super) fn leaf_address_invalid(text: &str) -> Error {
    let message = format!(
        "address={text:?} is no address of a server: write host:port, as Leaf shows it in \
         its nodes, 10.0.0.7:8080"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(super) fn node_foreign(path: &str) -> Error {
    let message = format!("the node {path} is not as Leaf makes it: put it back, or delete it");
    Error::new(Code::StoreSchema, message)
}

pub(super) fn leaf_without_numbers() -> Error {
    let message = "Leaf's nodes have worker IDs and no numbers: leave out dialect=leaf for those, \
                   or name the database with its table leaf_alloc";
    Error::new(Code::Unsupported, message)
}

pub(super) fn address_in_use(
    address: impl Display,
    worker_id: u32,
    realm: &str,
    free_in_ms: i64,
) -> Error {
    let message = format!(
        "the address {address} has worker ID {worker_id} in realm {realm}, and its time is \
         reserved: end the other process that has that address, or name this server's own; of a \
         server that has just ended, or whose clock was ahead, wait: it may be free in {} ms",
        free_in_ms.max(0)
    );
    Error::new(Code::WorkersExhausted, message)
}

/// The only worker ID of the address is the one to avoid.
pub(super) fn no_other_worker_id(address: impl Display, number: i64) -> Error {
    let message = format!(
        "the address {address} has worker ID {number} and no other: wait until the clock has \
         caught up, or use a policy that waits"
    );
    Error::new(Code::WorkersExhausted, message)
}

pub(super) fn number_too_large(address: impl Display, number: i64, max_worker_id: u32) -> Error {
    let message = format!(
        "the address {address} has number {number}, and the layout's worker IDs end at \
         {max_worker_id}: take one with more bits for them, or lease them from a store without a \
         dialect, which gives them again"
    );
    Error::new(Code::WorkersExhausted, message)
}

/// `how` says whether the clock is ahead of the others or behind.
pub(super) fn clock_differs(differs_ms: i64, how: &str) -> Error {
    let message = format!(
        "this machine's clock is {differs_ms} ms {how} the average of the others that use these \
         nodes: set it right, by chrony or the like, or see whether theirs are"
    );
    Error::new(Code::ClockDiffers, message)
}

// The cache of a node's worker ID.

pub(super) fn no_directory(directory: &Path, error: io::Error) -> Error {
    let shown = directory.display();
    let message = format!("cache={shown} is no directory: name one for this address alone");
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

/// `key` is what stands before the number in the file.
pub(super) fn worker_id_missing(path: &Path, key: &str) -> Error {
    let message = format!("{} has no {key}NUMBER: delete it", path.display());
    Error::new(Code::StateCorrupt, message)
}

/// The mark file cannot be read. The node knows every reservation except one made without
/// ZooKeeper. The message has the operator wait longer than that one can last.
pub(super) fn mark_damaged(error: &Error) -> Error {
    let message = format!(
        "{error}: as of a minute after the last process of this address ended (twice max_ahead_ms \
         or four ticks, where they are longer), its clock not set back since, and while ZooKeeper \
         is up, which knows the rest"
    );
    Error::new(Code::StateCorrupt, message)
}

pub(super) fn file_unusable(path: &Path, error: io::Error) -> Error {
    let code = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::StoreFull,
        _ => Code::StoreReadOnly,
    };
    let message = format!("{}: {error}; let this process write it, in cache=", path.display());
    Error::new(code, message).caused_by(error)
}
