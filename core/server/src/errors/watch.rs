//! Errors of the state that operators watch.

use snowmint::{Code, Error};

pub(crate) fn listeners_too_many(max: usize) -> Error {
    let message = format!("{max} look already: close a page, or ask /admin/state");
    Error::new(Code::Overloaded, message)
}

pub(crate) fn state_unwritable(error: serde_json::Error) -> Error {
    Error::new(Code::Internal, "the state cannot be written").caused_by(error)
}
