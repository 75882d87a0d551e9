//! Errors of files that are written.

use std::fmt::Display;
use std::io::{self, ErrorKind};

use snowmint::{Code, Error};

/// Builds the error for a file that could not be written, by its cause.
pub fn unwritten(what: impl Display, error: io::Error) -> Error {
    let code = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::StoreFull,
        _ => Code::StoreReadOnly,
    };
    let why = match error.kind() {
        ErrorKind::NotFound => "its directory is not there: make it first".into(),
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
            "a file is in the place of a directory".into()
        }
        _ => error.to_string(),
    };
    Error::new(code, format!("{what} cannot be written: {why}")).caused_by(error)
}
