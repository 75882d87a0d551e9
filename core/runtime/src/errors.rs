//! The errors of this crate, with their messages.
//!
//! No message shows a secret: callers hide the secrets of URLs and of the environment first, by
//! `secrets`.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

#[cfg(feature = "daily")]
pub(crate) mod daily;
pub(crate) mod host;
pub(crate) mod schemes;
pub(crate) mod snowflake;
pub(crate) mod sources;
pub(crate) mod url;
pub(crate) mod workers;

// Names.

pub(crate) fn layout_unknown(name: &str, meant: &str, known: &[&str]) -> Error {
    let message = format!("no layout is called {name:?}{meant}; there are {}", known.join(", "));
    Error::new(Code::UnknownLayout, message)
}

// Waits.

pub(crate) fn wait_interrupted() -> Error {
    Error::new(Code::WaitTimeout, "the wait was interrupted, and nothing was issued; ask again")
}

// Numbers of other generators.

pub(crate) fn giver_missing(place: &str) -> Error {
    let message = format!(
        "{place}: it is an application's file, and no tag of snowmint is in it: name its columns \
         of IDs"
    );
    Error::new(Code::StoreMissing, message)
}

pub(crate) fn numbers_out_of_order(column: impl Display) -> Error {
    let message = format!("the database gave numbers of {column} out of their order");
    Error::new(Code::InvalidAnswer, message)
}
