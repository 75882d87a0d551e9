//! Errors of the service as a whole, from its start to its end.

use std::fmt::Display;
use std::io;

use snowmint::{Code, Error};

snowmint::errors! {
    opening_unfinished() => Internal: "opening did not come to its end";
    service_stopping() => Closed: "the service stops";
}

/// `key` is the setting that has the address.
pub(crate) fn address_unusable(key: &str, address: impl Display, error: io::Error) -> Error {
    let cure = match error.kind() {
        io::ErrorKind::NotFound => "make its directory first",
        _ => "set another one",
    };
    let message = format!("{key}: {address} cannot be listened on: {cure}");
    Error::new(Code::InvalidParameter, message).caused_by(error)
}
