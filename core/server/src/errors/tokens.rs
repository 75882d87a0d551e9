//! Errors of the file of tokens, and of the file with this server's own.

use std::fmt::Display;
use std::io;
use std::path::Path;

use snowmint::{Code, Error};
use toml_edit::TomlError;

use super::files::unwritten;

// The file of tokens.

fn file_invalid(path: &Path, why: impl Display) -> Error {
    let message = format!("the tokens in {}: {why}", path.display());
    Error::new(Code::InvalidParameter, message)
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

#[cfg(unix)]
pub(crate) fn file_writable_by_others(path: &Path, mode: u32) -> Error {
    let message = format!(
        "the tokens in {} may be written by others than their owner (mode {:03o}): chmod go-w it",
        path.display(),
        mode & 0o777
    );
    Error::new(Code::UnsafeSetting, message)
}

/// `none_left` is the text of a file that means to have no tokens.
pub(crate) fn file_empty(path: &Path, none_left: &str) -> Error {
    let why = format!("the file is empty, and nobody could ask: {none_left:?} in it means that");
    file_invalid(path, why)
}

pub(crate) fn file_too_long(path: &Path, max_bytes: u64) -> Error {
    file_invalid(path, format!("it is longer than {max_bytes} bytes"))
}

/// `line` counts from 1.
pub(crate) fn file_malformed(path: &Path, line: Option<usize>, why: &str) -> Error {
    let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
    file_invalid(path, format!("{line}{why}"))
}

pub(crate) fn file_without_sections(path: &Path) -> Error {
    let message = format!("the tokens in {} are no [[token]] sections", path.display());
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn file_unchangeable(path: &Path, error: TomlError) -> Error {
    let message = format!("the tokens in {} cannot be changed", path.display());
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

pub(crate) fn tokens_too_many(path: &Path, count: usize, max: usize) -> Error {
    file_invalid(path, format!("it has {count} tokens: {max} at most"))
}

pub(crate) fn token_name_invalid(path: &Path, why: &Error) -> Error {
    file_invalid(path, why)
}

pub(crate) fn token_invalid(path: &Path, name: &str, why: &Error) -> Error {
    file_invalid(path, format!("token {name:?}: {why}"))
}

pub(crate) fn token_name_repeated(path: &Path, name: &str) -> Error {
    file_invalid(path, format!("two tokens are called {name:?}"))
}

pub(crate) fn token_repeated(path: &Path, name: &str) -> Error {
    file_invalid(path, format!("token {name:?} is the same as one before it"))
}

pub(crate) fn token_name_taken(name: &str) -> Error {
    let message =
        format!("a token is called {name} already: revoke it first, or choose another name");
    Error::new(Code::InvalidParameter, message)
}

/// `name` is `None` if a token was given in its place, which is not repeated.
pub(crate) fn token_missing(path: &Path, name: Option<&str>) -> Error {
    let called = name.unwrap_or("so: name it, without its text");
    let message = format!("no token in {} is called {called}", path.display());
    Error::new(Code::InvalidParameter, message)
}

// The entry of a token.

pub(crate) fn token_in_place_of_name() -> Error {
    let message = "a token stands in place of a name: create another, it may be known";
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn name_malformed(shown: &str) -> Error {
    let message = format!(
        "{shown} is no name of a token: use 1 to 64 letters, digits and the characters _ . : -"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn sources_too_many(count: usize, max: usize) -> Error {
    Error::new(Code::InvalidParameter, format!("it has {count} sources: {max} at most"))
}

pub(crate) fn types_too_many(count: usize, max: usize) -> Error {
    Error::new(Code::InvalidParameter, format!("it has {count} types: {max} at most"))
}

pub(crate) fn type_invalid(kind: &str, why: impl Display) -> Error {
    Error::new(Code::InvalidParameter, format!("public_ids: {kind:?}: {why}"))
}

pub(crate) fn number_out_of_range(key: &str, max: u32) -> Error {
    Error::new(Code::InvalidParameter, format!("{key} is not possible: use 1 to {max}"))
}

pub(crate) fn burst_without_rate() -> Error {
    Error::new(Code::InvalidParameter, "burst is of a rate, and there is none")
}

// The token that this server sends to other servers.

pub(crate) fn own_unreadable(path: &Path, error: io::Error) -> Error {
    let message = format!("the token in {} cannot be read: {error}", path.display());
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

pub(crate) fn own_missing(path: &Path) -> Error {
    let message = format!("{} has no token: it is one line of letters", path.display());
    Error::new(Code::InvalidParameter, message)
}

#[cfg(unix)]
pub(crate) fn own_exposed(path: &Path, mode: u32) -> Error {
    let message = format!(
        "the token in {} may be read or written by others (mode {:03o}): chmod 640 it",
        path.display(),
        mode & 0o777
    );
    Error::new(Code::UnsafeSetting, message)
}
