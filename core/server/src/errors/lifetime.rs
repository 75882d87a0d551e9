//! Errors of the service as a whole, from its start to its end.

use std::fmt::Display;
use std::io;

use snowmint::{Code, Error};

/// `key` is the setting that has the address.
pub(crate) fn address_unusable(key: &str, address: impl Display, error: io::Error) -> Error {
    let cure = match error.kind() {
        io::ErrorKind::NotFound => "make its directory first",
        _ => "set another one",
    };
    let message = format!("{key}: {address} cannot be listened on: {cure}");
    Error::new(Code::InvalidParameter, message).caused_by(error)
}

pub(crate) fn opening_unfinished() -> Error {
    Error::new(Code::Internal, "opening did not come to its end")
}

pub(crate) fn service_stopping() -> Error {
    Error::new(Code::Closed, "the service stops")
}
