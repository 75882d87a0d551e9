//! Errors of the file of tokens, and of the file with this server's own.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint::{Code, Error};
use toml_edit::TomlError;

use super::files::unwritten;

// The file of tokens.

snowmint::errors! {
    file_invalid(path: &Path, why: impl Display) => InvalidParameter:
        "the tokens in {}: {why}", path.display();

    #[cfg(unix)]
    file_writable_by_others(path: &Path, mode: u32) => UnsafeSetting:
        "the tokens in {} may be written by others than their owner (mode {:03o}): chmod go-w it",
        path.display(), mode & 0o777;

    /// `none_left` is the text of a file that means to have no tokens.
    file_empty(path: &Path, none_left: &str) => file_invalid(path):
        "the file is empty, and nobody could ask: {none_left:?} in it means that";

    file_too_long(path: &Path, max_bytes: u64) => file_invalid(path):
        "it is longer than {max_bytes} bytes";

    file_without_sections(path: &Path) => InvalidParameter:
        "the tokens in {} are no [[token]] sections", path.display();

    file_unchangeable(path: &Path, error: TomlError) => InvalidParameter caused_by error:
        "the tokens in {} cannot be changed", path.display();

    tokens_too_many(path: &Path, count: usize, max: usize) => file_invalid(path):
        "it has {count} tokens: {max} at most";

    token_invalid(path: &Path, name: &str, why: &Error) => file_invalid(path):
        "token {name:?}: {why}";

    token_name_repeated(path: &Path, name: &str) => file_invalid(path):
        "two tokens are called {name:?}";

    token_repeated(path: &Path, name: &str) => file_invalid(path):
        "token {name:?} is the same as one before it";

    token_name_taken(name: &str) => InvalidParameter:
        "a token is called {name} already: revoke it first, or choose another name";
}

pub(crate) fn file_unreadable(path: &Path, error: io::Error) -> Error {
    let mut message = format!("the tokens in {} cannot be read: {error}", path.display());
    if error.kind() == io::ErrorKind::NotFound {
        message.push_str("; `snowmint token create` begins a file");
    }
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

pub(crate) fn file_unwritten(path: &Path, error: io::Error) -> Error {
    unwritten(format_args!("the tokens in {}", path.display()), error)
}

/// `line` counts from 1.
pub(crate) fn file_malformed(path: &Path, line: Option<usize>, why: &str) -> Error {
    let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
    file_invalid(path, format!("{line}{why}"))
}

pub(crate) fn token_name_invalid(path: &Path, why: &Error) -> Error {
    file_invalid(path, why)
}

/// `name` is `None` if a token was given in its place, which is not repeated.
pub(crate) fn token_missing(path: &Path, name: Option<&str>) -> Error {
    let called = name.unwrap_or("so: name it, without its text");
    let message = format!("no token in {} is called {called}", path.display());
    Error::new(Code::InvalidParameter, message)
}

// The entry of a token.

snowmint::errors! {
    token_in_place_of_name() => InvalidParameter:
        "a token stands in place of a name: create another, it may be known";

    name_malformed(shown: &str) => InvalidParameter:
        "{shown} is no name of a token: use 1 to 64 letters, digits and the characters _ . : -";

    sources_too_many(count: usize, max: usize) => InvalidParameter:
        "it has {count} sources: {max} at most";

    types_too_many(count: usize, max: usize) => InvalidParameter:
        "it has {count} types: {max} at most";

    type_invalid(kind: &str, why: impl Display) => InvalidParameter: "public_ids: {kind:?}: {why}";

    number_out_of_range(key: &str, max: u32) => InvalidParameter:
        "{key} is not possible: use 1 to {max}";

    burst_without_rate() => InvalidParameter: "burst is of a rate, and there is none";

    // The token that this server sends to other servers.

    own_unreadable(path: &Path, error: io::Error) => InvalidParameter caused_by error:
        "the token in {} cannot be read: {error}", path.display();

    own_missing(path: &Path) => InvalidParameter:
        "{} has no token: it is one line of letters", path.display();

    #[cfg(unix)]
    own_exposed(path: &Path, mode: u32) => UnsafeSetting:
        "the token in {} may be read or written by others (mode {:03o}): chmod 640 it",
        path.display(), mode & 0o777;
}
