//! Files that commands write.

use std::fmt::Display;
use std::io::{self, ErrorKind};

use snowmint::{Code, Error};

/// A file could not be written.
pub(crate) fn unwritten(what: impl Display, error: io::Error) -> Error {
    let code = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::StoreFull,
        _ => Code::StoreReadOnly,
    };
    Error::new(code, format!("{what} cannot be written: {error}")).caused_by(error)
}
