//! The errors of key spaces: which one it is, and its layout.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// Identities.

pub(crate) fn no_key_space(text: &str, digits: usize) -> Error {
    let message = format!("{text:?} is no key space: it has {digits} hexadecimal digits");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn key_space_differs(found: impl Display, known: impl Display) -> Error {
    let message = format!(
        "this is the key space {found}, and not {known}, of which this process was given IDs or \
         was told: both would give the same. Name the store of {known}, or, if {found} is right, \
         start again, with key_space={found} in the URL if it names one"
    );
    Error::new(Code::IncarnationChanged, message)
}

// Layouts.

pub(crate) fn layout_changing(key_space: impl Display, layout: &str) -> Error {
    let message = format!(
        "the key space {key_space} is changed from layout {layout} by an operator: ask again, or, \
         where that was cut off, `snowmint layout change` does it again"
    );
    Error::new(Code::StoreLocked, message)
}

pub(crate) fn layout_differs(key_space: impl Display, layout: &str, wanted: &str) -> Error {
    let message = format!(
        "the key space {key_space} makes IDs of layout {layout}, and this source has {wanted}: \
         they could make the same ID; open it with that layout or on another key space, or \
         change the layout by `snowmint layout change URL LAYOUT`"
    );
    Error::new(Code::RealmMismatch, message)
}

pub(crate) fn time_of_layout_reserved(
    worker_id: u32,
    layout: &str,
    left_ms: i64,
    owner: &str,
) -> Error {
    let message = format!(
        "worker ID {worker_id} of layout {layout} has its time reserved for {left_ms} ms more, by \
         {owner}: end what mints, and wait until all that is reserved is over (`snowmint worker \
         list`)"
    );
    Error::new(Code::StoreLocked, message)
}

pub(crate) fn layout_cannot_follow(before: impl Display, to: impl Display) -> Error {
    let message = format!(
        "IDs of layout {to} can be those that were made of {before}: use another key space for it"
    );
    Error::new(Code::RealmMismatch, message)
}

/// The store's clock was set back to before the last change of the layout.
pub(crate) fn layout_not_begun(key_space: impl Display, wait_ms: i64) -> Error {
    let message = format!(
        "the key space {key_space} has had this layout since a time that its store's clock reaches \
         in {wait_ms} ms: wait"
    );
    Error::new(Code::WorkersExhausted, message)
}
