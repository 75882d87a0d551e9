//! The errors of stores of values, with their messages.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// Values.

/// The value was changed by hand.
pub(super) fn value_foreign(what: impl Display, error: impl Display) -> Error {
    let message =
        format!("the value of {what} is not one of snowmint's: {error}; put it back as it was");
    Error::new(Code::StoreSchema, message)
}

pub(super) fn value_unwritable(error: impl Display) -> Error {
    Error::new(Code::Internal, error.to_string())
}

// Others who change the same.

pub(super) fn layout_contended() -> Error {
    contended("the layout of the key space")
}

pub(super) fn worker_ids_contended(realm: &str) -> Error {
    contended(format_args!("the worker IDs of realm {realm}"))
}

/// Other writers were faster each time.
pub(in crate::store) fn contended(what: impl Display) -> Error {
    let message = format!("others change {what} all the time: ask again");
    Error::new(Code::StoreLocked, message)
}

// Key spaces.

pub(super) fn key_space_missing() -> Error {
    let message = "no key space was begun here, or it was taken away with all that was given: \
                   `snowmint migrate URL`, or create=true, begins one, after which every tag has \
                   to be raised if there was one";
    Error::new(Code::StoreMissing, message)
}

pub(super) fn key_space_of_another_version(version: u32, ours: u32) -> Error {
    let message =
        format!("the key space is of version {version}, and not {ours}: use the snowmint of it");
    Error::new(Code::StoreSchema, message)
}

/// The key space at `outer` would mistake another one at `place` for its own rows.
pub(super) fn place_within_key_space(place: &str, outer: &str) -> Error {
    let message =
        format!("{place} lies where the key space {outer} keeps its rows: name another place");
    Error::new(Code::InvalidUrl, message)
}

#[cfg(any(feature = "etcd", feature = "zookeeper"))]
pub(super) fn store_gone_back(store: &str) -> Error {
    let message = format!(
        "{store} has gone back to before what it had told this process: wait as long as the \
         longest reservation, raise every tag above all that was given, and open the store anew"
    );
    Error::new(Code::IncarnationChanged, message)
}
