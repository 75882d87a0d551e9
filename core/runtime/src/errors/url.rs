//! What is wrong with the text of a URL.

use std::str::Utf8Error;

use snowmint_engine::Code;

use crate::error::Error;

// The parts of a URL.

pub(crate) fn scheme_missing(url: &str, example: &str) -> Error {
    Error::new(Code::InvalidUrl, format!("{url:?} is no URL: it should look like {example}"))
}

pub(crate) fn source_without_path(called: &str, stands: &str, right: &str) -> Error {
    let message = format!("{called}: takes no path, but {stands:?} stands there: write {right}");
    Error::new(Code::InvalidUrl, message)
}

pub(crate) fn store_without_path(called: &str, stands: &str) -> Error {
    let message = format!("{called}: takes no path, but {stands:?} stands there");
    Error::new(Code::InvalidUrl, message)
}

#[cfg(any(test, feature = "sqlite"))]
pub(crate) fn file_of_another_machine(called: &str, machines: &str) -> Error {
    let message = format!(
        "{called} is a file of this machine, but {machines} names another: write {called}:ids.db, \
         or {called}:/dir/ids.db"
    );
    Error::new(Code::InvalidUrl, message)
}

pub(crate) fn part_not_utf8(what: &str, error: Utf8Error) -> Error {
    Error::new(Code::InvalidUrl, format!("the {what} is not UTF-8")).caused_by(error)
}

// Hosts. No part of their text is shown, because it may belong to a password.

pub(crate) fn at_sign_behind_hosts() -> Error {
    let message = "an @ stands behind the hosts: in a password write / as %2F, ? as %3F and @ as \
                   %40, and @ anywhere else as %40";
    Error::new(Code::InvalidUrl, message)
}

/// For a list of whole URLs, or for a list with a path in the middle.
pub(crate) fn hosts_with_schemes_or_paths() -> Error {
    let message = "several hosts have one scheme before them and one path behind them: write \
                   //host:port,host:port/path";
    Error::new(Code::InvalidUrl, message)
}

pub(crate) fn bracket_not_closed() -> Error {
    Error::new(Code::InvalidUrl, "an IPv6 address has no closing bracket")
}

pub(crate) fn brackets_missing() -> Error {
    Error::new(Code::InvalidUrl, "an IPv6 address stands in brackets: [::1]:5432")
}

pub(crate) fn host_without_name() -> Error {
    Error::new(Code::InvalidUrl, "a host has no name: write //host:port,host:port")
}

pub(crate) fn port_out_of_range() -> Error {
    let message = "the port of a host is no number from 1 to 65535: write //host:port, and in a \
                   password / as %2F and ? as %3F";
    Error::new(Code::InvalidUrl, message)
}

// Parameters.

pub(crate) fn value_missing(pair: &str) -> Error {
    let message = format!("the parameter {pair:?} has no value: write {pair}=…");
    Error::new(Code::InvalidParameter, message)
}

/// The text after a secret parameter may be the end of its value, so it is not shown.
pub(crate) fn no_parameter_behind_secret(code: Code, secret: &str) -> Error {
    let message = format!("what follows {secret}= is no parameter: write & in a value as %26");
    Error::new(code, message)
}

/// `takers` are the names of what takes parameters, each with the parameters' names.
pub(crate) fn parameter_unknown(
    scheme: &str,
    name: &str,
    meant: &str,
    takers: &[(&str, &[&str])],
) -> Error {
    let each = takers.iter().map(|(called, names)| {
        let names = if names.is_empty() { "none" } else { &names.join(", ") };
        format!("{called} takes {names}")
    });
    let each = each.collect::<Vec<_>>().join("; ");
    let message = format!("{scheme} has no parameter {name:?}{meant}: {each}");
    Error::new(Code::UnknownParameter, message)
}

pub(crate) fn value_not_possible(name: &str, value: &str, expected: &str) -> Error {
    Error::new(Code::InvalidParameter, format!("{name}={value:?} is not possible: use {expected}"))
}

pub(crate) fn parameter_repeated(name: &str) -> Error {
    Error::new(Code::InvalidParameter, format!("the parameter {name:?} stands twice"))
}

pub(crate) fn value_not_utf8(name: &str, error: Utf8Error) -> Error {
    let message = format!("the value of {name:?} is not UTF-8");
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

#[cfg(any(
    feature = "etcd",
    feature = "mysql",
    feature = "postgres",
    feature = "redis",
    feature = "zookeeper"
))]
pub(crate) fn parameter_also_in_address(name: &str) -> Error {
    let message = format!("{name} stands in the address and as a parameter: say it once");
    Error::new(Code::InvalidParameter, message)
}
