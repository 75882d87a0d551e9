//! The errors that stores on servers have in common, with their messages.
//!
//! A text that is no error stands behind the name and the place of a product in its own errors.

use std::error::Error as StdError;
#[cfg(feature = "service")]
use std::fmt::Debug;
use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint_engine::Code;

use crate::error::Error;

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(in crate::store) mod sql;

// Certificates and their authorities. A parameter is the product's own name of it.

pub(in crate::store) fn file_unreadable(file: &Path, error: impl Display) -> Error {
    let message = format!("{} cannot be read: {error}", file.display());
    Error::new(Code::InvalidParameter, message)
}

pub(in crate::store) fn roots_missing(parameter: &str) -> Error {
    let message = format!("the system has no root certificates: name a file by {parameter}");
    Error::new(Code::InvalidParameter, message)
}

pub(in crate::store) fn roots_unreadable(
    parameter: &str,
    file: &Path,
    error: impl Display,
) -> Error {
    let message = format!("{parameter}: {} cannot be read: {error}", file.display());
    Error::new(Code::InvalidParameter, message)
}

pub(in crate::store) fn roots_empty(parameter: &str, file: &Path) -> Error {
    roots_unreadable(parameter, file, "it has no certificate in it")
}

pub(in crate::store) fn roots_unusable(error: impl StdError + Send + Sync + 'static) -> Error {
    unusable("the root certificates", error)
}

pub(in crate::store) fn tls_unusable(error: impl StdError + Send + Sync + 'static) -> Error {
    unusable("TLS", error)
}

fn unusable(what: &str, error: impl StdError + Send + Sync + 'static) -> Error {
    let message = format!("{what} cannot be used: {error}");
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

/// The names are those of the parameters.
#[cfg(any(feature = "etcd", feature = "service", feature = "zookeeper"))]
pub(in crate::store) fn certificate_without_key(certificate: &str, key: &str) -> Error {
    let message = format!("a certificate goes with its key: say {certificate} and {key}");
    Error::new(Code::InvalidParameter, message)
}

// What ends a failure of TLS, whose own text stands before.

pub(in crate::store) const CLIENT_CERTIFICATE_MISSING: &str =
    "it takes only clients with a certificate: name one, and its key";
pub(in crate::store) const CLIENT_CERTIFICATE_REFUSED: &str =
    "it does not take this client's certificate: name another, and its key";
pub(in crate::store) const CERTIFICATE_EXPIRED: &str = "renew it";
pub(in crate::store) const CERTIFICATE_UNFIT: &str = "have the server use another";

/// `plain` is the setting for a connection without TLS.
pub(in crate::store) fn tls_missing(plain: &str) -> String {
    format!("it speaks no TLS there: write {plain}, or another port")
}

pub(in crate::store) fn authority_unknown(parameter: &str) -> String {
    format!("name its authority's file by {parameter}")
}

/// `or` is the parameter for an authority's certificate of any host, if there is one.
pub(in crate::store) fn certificate_of_another_host(or: Option<&str>) -> String {
    let or = or.map(|it| format!(", or {it} with its authority's file"));
    format!("use the host name that it is for{}", or.unwrap_or_default())
}

// Connections.

#[cfg(any(feature = "etcd", feature = "redis", feature = "service", feature = "zookeeper"))]
pub(in crate::store) const SILENT: &str = "it does not answer in time";

#[cfg(any(feature = "etcd", feature = "redis", feature = "service", feature = "zookeeper"))]
pub(in crate::store) fn unreachable(error: &io::Error) -> String {
    format!("it cannot be reached: check host, port and network ({error})")
}

/// `plain` is the scheme without TLS.
#[cfg(any(feature = "etcd", feature = "service"))]
pub(in crate::store) fn ended_without_tls(plain: &str) -> String {
    format!("it ended the connection, as one does that has no TLS ({plain})")
}

/// `secured` is the scheme with TLS.
#[cfg(any(feature = "etcd", feature = "service"))]
pub(in crate::store) fn ended_for_tls(secured: &str) -> String {
    format!("it ended the connection, as one does that wants TLS ({secured})")
}

#[cfg(any(feature = "etcd", feature = "service"))]
pub(in crate::store) fn no_http(error: &io::Error, product: &str) -> String {
    format!("it speaks no HTTP there ({error}): is it {product}?")
}

pub(in crate::store) fn name_without_address() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the name has no address")
}

pub(in crate::store) fn name_service_silent() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no answer of the name service in time")
}

#[cfg(any(
    feature = "etcd",
    feature = "mysql",
    feature = "redis",
    feature = "service",
    feature = "zookeeper"
))]
pub(in crate::store) fn secured_already() -> io::Error {
    strange("it is secured already")
}

#[cfg(any(
    feature = "etcd",
    feature = "mysql",
    feature = "redis",
    feature = "service",
    feature = "zookeeper"
))]
pub(in crate::store) fn host_unfit_for_certificate(host: &str, error: impl Display) -> io::Error {
    strange(&format!("{host:?} is no name for a certificate: {error}"))
}

#[cfg(any(feature = "etcd", feature = "service"))]
pub(in crate::store) fn request_too_long() -> io::Error {
    strange("the request is too long")
}

#[cfg(any(feature = "etcd", feature = "redis", feature = "service"))]
pub(in crate::store) fn answer_endless() -> io::Error {
    strange("its answer has no end")
}

/// What was said there, or has to be said, is not as the protocol has it.
#[cfg(any(
    feature = "etcd",
    feature = "mysql",
    feature = "redis",
    feature = "service",
    feature = "zookeeper"
))]
fn strange(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

// Servers of which any one can answer for all.

#[cfg(any(feature = "etcd", feature = "service", feature = "zookeeper"))]
pub(in crate::store) fn connections_in_use() -> Error {
    let message = "all connections to the store that this process may have are in use: ask again";
    Error::new(Code::StoreUnavailable, message)
}

/// The change may have been made.
#[cfg(any(feature = "etcd", feature = "service", feature = "zookeeper"))]
pub(in crate::store) fn change_unconfirmed(error: Error) -> Error {
    let message = format!(
        "a change was sent, and what became of it is not known ({error}); what it reserved is not \
         used"
    );
    Error::new(Code::OutcomeUnknown, message).caused_by(error)
}

// A server that took another's place.

/// The server gives no worker ID yet. The message tells how to shorten the next wait, because one
/// lease of long ago, or a clock that went back once, may have asked for an hour. `table` and
/// `now_ms` are the store's terms for the table and the time.
#[cfg(any(feature = "mysql", feature = "postgres", feature = "redis"))]
pub(in crate::store) fn leases_unknown(
    realm: &str,
    wait_ms: i64,
    longest_ms: i64,
    [table, now_ms]: [&str; 2],
) -> Error {
    let message = format!(
        "no worker ID of realm {realm} is given for {wait_ms} ms: this server took another's place \
         or has its tables from a copy, and may not know of leases that go on for so long; wait. \
         The longest reservation ever asked for, and an eighth more, are {longest_ms} ms: where \
         all leases are shorter by now, UPDATE {table} SET longest_reserve_ms to what they ask \
         for, and the next wait is shorter. Where this one is longer than twice that, a server's \
         clock was ahead: once all leases are over that the other server gave, UPDATE {table} SET \
         waits_until_ms = {now_ms}"
    );
    Error::new(Code::WorkersExhausted, message)
}

/// An operator vouches for another server than the one that answers.
#[cfg(any(feature = "mysql", feature = "postgres", feature = "redis"))]
pub(in crate::store) fn server_not_vouched_for(present: &str, vouched: &str) -> Error {
    let message = format!(
        "this server is {present}, not {vouched}: nothing was done; find out what this one lacks, \
         and vouch for it"
    );
    Error::new(Code::IncarnationChanged, message)
}

/// What ends the refusals of a server whose tags cannot be lost.
#[cfg(any(feature = "mysql", feature = "postgres", feature = "redis"))]
pub(in crate::store) fn vouch_for_ranges(server: &str) -> String {
    format!(
        "vouch for all that this server has, by `snowmint segment vouch URL --server {server} \
         --raise-by-steps N`, with N the steps of a tag that may be lost, 0 if none (its --help \
         says how to find N)"
    )
}

/// What ends the refusals of a server.
#[cfg(any(feature = "mysql", feature = "postgres", feature = "redis"))]
pub(in crate::store) fn vouch_for_all(server: &str) -> String {
    format!("{}, and --new-from where tags may be lost", vouch_for_ranges(server))
}

// Tables that are not as our schema declares them.

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(in crate::store) fn column_of_another_type(
    name: &str,
    table: &str,
    found: &str,
    right: &str,
) -> Error {
    let message = format!(
        "the column {name} of {table} is of type {found}, and has to be of {right}: put it back"
    );
    Error::new(Code::StoreSchema, message)
}

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(in crate::store) fn primary_key_missing(table: &str) -> Error {
    let message = format!("the table {table} has lost its primary key: put it back");
    Error::new(Code::StoreSchema, message)
}

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(in crate::store) fn column_missing(name: &str, table: &str, declared: &str) -> Error {
    let message = format!(
        "the table {table} has lost its column {name}, or hides it from this user: put it back as \
         it was, with its values ({declared})"
    );
    Error::new(Code::StoreSchema, message)
}

// Name servers.

#[cfg(feature = "service")]
pub(in crate::store) fn name_server_missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "there is no name server")
}

/// `file` is the one that names those of the system.
#[cfg(feature = "service")]
pub(in crate::store) fn name_servers_unknown(file: &str, error: impl Display) -> io::Error {
    let message = format!("{file} names no name server ({error}): name one");
    io::Error::new(io::ErrorKind::NotFound, message)
}

#[cfg(feature = "service")]
pub(in crate::store) fn name_server_failed(server: impl Display, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the name server {server}: {error}"))
}

#[cfg(feature = "service")]
pub(in crate::store) fn name_unfit(name: &str, error: impl Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{name}: {error}"))
}

#[cfg(feature = "service")]
pub(in crate::store) fn name_server_silent() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, SILENT)
}

#[cfg(feature = "service")]
pub(in crate::store) fn no_answer_of_name_server() -> io::Error {
    strange("its answer is none")
}

#[cfg(feature = "service")]
pub(in crate::store) fn refused_by_name_server(code: impl Debug) -> io::Error {
    io::Error::other(format!("it answers {code:?}"))
}
