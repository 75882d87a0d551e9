//! Errors in the text of a URL.

use std::str::Utf8Error;

use snowmint_engine::Code;

use crate::error::Error;

// The parts of a URL.

errors! {
    scheme_missing(url: &str, example: &str) => InvalidUrl:
        "{url:?} is no URL: it should look like {example}";

    source_without_path(called: &str, stands: &str, right: &str) => InvalidUrl:
        "{called}: takes no path, but {stands:?} stands there: write {right}";

    #[cfg(any(test, feature = "sqlite"))]
    file_of_another_machine(called: &str, machines: &str) => InvalidUrl:
        "{called} is a file of this machine, but {machines} names another: write {called}:ids.db, \
         or {called}:/dir/ids.db";

    part_not_utf8(what: &str, error: Utf8Error) => InvalidUrl caused_by error:
        "the {what} is not UTF-8";

    // Hosts. No part of their text is shown, because it may belong to a password.

    at_sign_behind_hosts() => InvalidUrl:
        "an @ stands behind the hosts: in a password write / as %2F, ? as %3F and @ as %40, and @ \
         anywhere else as %40";

    /// For a list of whole URLs, or for a list with a path in the middle.
    hosts_with_schemes_or_paths() => InvalidUrl:
        "several hosts have one scheme before them and one path behind them: write \
         //host:port,host:port/path";

    bracket_not_closed() => InvalidUrl: "an IPv6 address has no closing bracket";
    brackets_missing() => InvalidUrl: "an IPv6 address stands in brackets: [::1]:5432";
    host_without_name() => InvalidUrl: "a host has no name: write //host:port,host:port";

    port_out_of_range() => InvalidUrl:
        "the port of a host is no number from 1 to 65535: write //host:port, and in a password / \
         as %2F and ? as %3F";

    // Parameters.

    value_missing(pair: &str) => InvalidParameter:
        "the parameter {pair:?} has no value: write {pair}=…";

    value_not_possible(name: &str, value: &str, expected: &str) => InvalidParameter:
        "{name}={value:?} is not possible: use {expected}";

    parameter_repeated(name: &str) => InvalidParameter: "the parameter {name:?} stands twice";

    value_not_utf8(name: &str, error: Utf8Error) => InvalidParameter caused_by error:
        "the value of {name:?} is not UTF-8";
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

pub(crate) fn parameter_also_in_address(name: &str) -> Error {
    let message = format!("{name} stands in the address and as a parameter: say it once");
    Error::new(Code::InvalidParameter, message)
}
