//! The errors that stores on servers have in common, with their messages.
//!
//! A text that is no error stands behind the name and the place of a product in its own errors.

use std::error::Error as StdError;
use std::fmt::{Debug, Display};
use std::io;
use std::path::Path;

use crate::error::Error;

pub(in crate::store) mod sql;

// Certificates and their authorities. A parameter is the product's own name of it.

errors! {
    file_unreadable(file: &Path, error: impl Display) => InvalidParameter:
        "{} cannot be read: {error}", file.display();

    roots_missing(parameter: &str) => InvalidParameter:
        "the system has no root certificates: name a file by {parameter}";

    roots_unreadable(parameter: &str, file: &Path, error: impl Display) => InvalidParameter:
        "{parameter}: {} cannot be read: {error}", file.display();

    unusable(
        what: &str,
        error: impl StdError + Send + Sync + 'static,
    ) => InvalidParameter caused_by error:
        "{what} cannot be used: {error}";

    /// The connection to a place of a product failed. `cure` is how to mend its TLS, if that did.
    unreachable_at(
        product: &str,
        place: impl Display,
        what: &str,
        cure: Option<String>,
        error: io::Error,
    ) => StoreUnavailable caused_by error:
        "{product} at {place}: {what}{}", cure.map_or(String::new(), |cure| format!("; {cure}"));

    /// The names are those of the parameters.
    certificate_without_key(certificate: &str, key: &str) => InvalidParameter:
        "a certificate goes with its key: say {certificate} and {key}";
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

// Endings of the messages about TLS failures. The failure's own text stands before.

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

pub(in crate::store) const SILENT: &str = "it does not answer in time";

pub(in crate::store) fn unreachable(error: &io::Error) -> String {
    format!("it cannot be reached: check host, port and network ({error})")
}

/// `plain` is the scheme without TLS.
pub(in crate::store) fn ended_without_tls(plain: &str) -> String {
    format!("it ended the connection, as one does that has no TLS ({plain})")
}

/// `secured` is the scheme with TLS.
pub(in crate::store) fn ended_for_tls(secured: &str) -> String {
    format!("it ended the connection, as one does that wants TLS ({secured})")
}

pub(in crate::store) fn no_http(error: &io::Error, product: &str) -> String {
    format!("it speaks no HTTP there ({error}): is it {product}?")
}

pub(in crate::store) fn name_without_address() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the name has no address")
}

pub(in crate::store) fn name_service_silent() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no answer of the name service in time")
}

pub(in crate::store) fn secured_already() -> io::Error {
    strange("it is secured already")
}

pub(in crate::store) fn host_unfit_for_certificate(host: &str, error: impl Display) -> io::Error {
    strange(&format!("{host:?} is no name for a certificate: {error}"))
}

pub(in crate::store) fn request_too_long() -> io::Error {
    strange("the request is too long")
}

pub(in crate::store) fn answer_endless() -> io::Error {
    strange("its answer has no end")
}

/// Returns the error for data, read or to be sent, that the protocol does not allow.
fn strange(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

// Servers of which any one can answer for all.

errors! {
    connections_in_use() => StoreUnavailable:
        "all connections to the store that this process may have are in use: ask again";

    /// The change may have been made.
    change_unconfirmed(error: Error) => OutcomeUnknown caused_by error:
        "a change was sent, and what became of it is not known ({error}); what it reserved is not \
         used";

    // A server that took another's place.

    /// An operator vouches for another server than the one that answers.
    server_not_vouched_for(present: &str, vouched: &str) => IncarnationChanged:
        "this server is {present}, not {vouched}: nothing was done; find out what this one lacks, \
         by `snowmint recover URL`";
}

// Tables that are not as our schema declares them.

errors! {
    column_of_another_type(name: &str, table: &str, found: &str, right: &str) => StoreSchema:
        "the column {name} of {table} is of type {found}, and has to be of {right}: put it back";

    primary_key_missing(table: &str) => StoreSchema:
        "the table {table} has lost its primary key: put it back";

    column_missing(name: &str, table: &str, declared: &str) => StoreSchema:
        "the table {table} has lost its column {name}, or hides it from this user: put it back as \
         it was, with its values ({declared})";
}

// Name servers.

pub(in crate::store) fn name_server_missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "there is no name server")
}

/// `file` is the one that names those of the system.
pub(in crate::store) fn name_servers_unknown(file: &str, error: impl Display) -> io::Error {
    let message = format!("{file} names no name server ({error}): name one");
    io::Error::new(io::ErrorKind::NotFound, message)
}

pub(in crate::store) fn name_server_failed(server: impl Display, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the name server {server}: {error}"))
}

pub(in crate::store) fn name_unfit(name: &str, error: impl Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{name}: {error}"))
}

pub(in crate::store) fn name_server_silent() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, SILENT)
}

pub(in crate::store) fn no_answer_of_name_server() -> io::Error {
    strange("its answer is none")
}

pub(in crate::store) fn refused_by_name_server(code: impl Debug) -> io::Error {
    io::Error::other(format!("it answers {code:?}"))
}
