//! The errors that stores of every kind have in common, with their messages.
//!
//! Those of one kind stand beside it, as in `redis/errors.rs`.

use std::fmt::Display;

use snowmint_engine::{Code, MAX_STEP};

use crate::error::Error;

pub(crate) mod answers;
pub(crate) mod key_spaces;
pub(crate) mod leases;
pub(crate) mod tags;

// Calls that a store does not have.

pub(crate) fn worker_ids_not_listed() -> Error {
    unsupported("list its worker IDs")
}

pub(crate) fn layout_fixed() -> Error {
    unsupported("change its layout")
}

pub(crate) fn leases_not_evicted() -> Error {
    unsupported("evict")
}

pub(crate) fn tags_not_created() -> Error {
    unsupported("create tags")
}

pub(crate) fn tags_not_changed() -> Error {
    unsupported("change tags")
}

pub(crate) fn tags_not_listed() -> Error {
    unsupported("list its tags")
}

pub(crate) fn tags_cannot_leave() -> Error {
    unsupported("have its tags go on elsewhere")
}

pub(crate) fn tags_cannot_arrive() -> Error {
    unsupported("go on with tags of another")
}

/// The store cannot tell its incarnations apart.
pub(crate) fn nothing_to_vouch_for() -> Error {
    unsupported("tell whether it took another's place: there is nothing to vouch for")
}

fn unsupported(what: &str) -> Error {
    Error::new(Code::Unsupported, format!("this store cannot {what}"))
}

// Confirmations by an operator.

pub(crate) fn raise_too_large(steps: u64) -> Error {
    let message = format!("tags are not raised by {steps} steps: use up to {MAX_STEP}");
    Error::new(Code::InvalidParameter, message)
}

// Stores in memory.

pub(crate) fn memory_of_another_process() -> Error {
    let message = "a store in memory belongs to the process that made it, and this is a \
                   forked child or a restored image: open a store of its own, or one on \
                   disk";
    Error::new(Code::StoreUnavailable, message).for_good()
}

// Columns of an application's tables.

pub(crate) fn no_column(text: &str) -> Error {
    let message = format!("{text:?} names no column: write TABLE.COLUMN or SCHEMA.TABLE.COLUMN");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn column_missing(column: impl Display) -> Error {
    let message = format!(
        "there is no {column} that this user may see: name a table and its column as the \
         database has them, as orders.id or public.orders.id"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn column_of_another_type(column: impl Display, found: &str) -> Error {
    let message = format!("{column} is of type {found}: name a column of whole numbers");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn number_too_large(column: impl Display, number: i128, largest: i128) -> Error {
    let message = format!("{column} has {number}: no tag goes beyond {largest}");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn no_number(column: impl Display, text: &str) -> Error {
    let message = format!("{column} has {text}, which is no whole number");
    Error::new(Code::InvalidParameter, message)
}
