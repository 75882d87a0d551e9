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

errors! {
    worker_ids_not_listed() => unsupported(): "list its worker IDs";
    layout_fixed() => unsupported(): "change its layout";
    leases_not_evicted() => unsupported(): "evict";
    tags_not_created() => unsupported(): "create tags";
    tags_not_changed() => unsupported(): "change tags";
    tags_not_listed() => unsupported(): "list its tags";
    tags_cannot_leave() => unsupported(): "have its tags go on elsewhere";
    tags_cannot_arrive() => unsupported(): "go on with tags of another";

    /// The store cannot tell its incarnations apart.
    nothing_to_vouch_for() => unsupported():
        "tell whether it took another's place: there is nothing to vouch for";

    unsupported(what: &str) => Unsupported: "this store cannot {what}";

    // Confirmations by an operator.

    raise_too_large(steps: u64) => InvalidParameter:
        "tags are not raised by {steps} steps: use up to {MAX_STEP}";
}

// Stores in memory.

pub(crate) fn memory_of_another_process() -> Error {
    let message = "a store in memory belongs to the process that made it, and this is a \
                   forked child or a restored image: open a store of its own, or one on \
                   disk";
    Error::new(Code::StoreUnavailable, message).for_good()
}

// Columns of an application's tables.

errors! {
    no_column(text: &str) => InvalidParameter:
        "{text:?} names no column: write TABLE.COLUMN or SCHEMA.TABLE.COLUMN";

    column_missing(column: impl Display) => InvalidParameter:
        "there is no {column} that this user may see: name a table and its column as the database \
         has them, as orders.id or public.orders.id";

    column_of_another_type(column: impl Display, found: &str) => InvalidParameter:
        "{column} is of type {found}: name a column of whole numbers";

    number_too_large(column: impl Display, number: i128, largest: i128) => InvalidParameter:
        "{column} has {number}: no tag goes beyond {largest}";

    no_number(column: impl Display, text: &str) => InvalidParameter:
        "{column} has {text}, which is no whole number";
}
