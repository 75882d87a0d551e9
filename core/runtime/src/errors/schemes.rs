//! What keeps a URL from opening a source or a store.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// Schemes.

/// `what` is opened, `meant` asks for another scheme or is empty, and `right` are the known ones.
pub(crate) fn scheme_unknown(what: &str, scheme: &str, meant: &str, right: &[String]) -> Error {
    let right = listed(right);
    let but = if meant.is_empty() { " but by".to_owned() } else { format!("{meant} It is by") };
    Error::new(Code::UnknownScheme, format!("no {what} is opened by {scheme}:{but} {right}"))
}

/// Adds the stores to the error for a source's scheme.
pub(crate) fn with_stores(error: &Error, stores: &[String]) -> Error {
    let stores = listed(stores);
    Error::new(error.code(), format!("{error}; what follows the + is a store: {stores}"))
}

fn listed(names: &[String]) -> String {
    match names {
        [names @ .., last] if !names.is_empty() => format!("{} or {last}", names.join(", ")),
        _ => names.concat(),
    }
}

pub(crate) fn feature_missing(scheme: &str, feature: &str) -> Error {
    let message = format!(
        "{scheme}: needs the feature {feature} of the crate snowmint, which this program was built \
         without: cargo add snowmint --features {feature}"
    );
    Error::new(Code::UnknownScheme, message)
}

pub(crate) fn kind_differs(found: &str, wanted: &str) -> Error {
    let message = format!("the URL opens a source of the kind {found}, and {wanted} is asked for");
    Error::new(Code::InvalidParameter, message)
}

// A source's own parameters.

pub(crate) fn worker_id_missing(forms: &str) -> Error {
    let message = format!(
        "a snowflake needs a worker ID: add ?worker_id= with {forms}, or lease one with \
         snowflake+sqlite:ids.db"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn epoch_stated_twice(layout: &str) -> Error {
    let message =
        format!("layout={layout} says its epoch and tick: leave out epoch_ms and tick_ms");
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn epoch_of_preset(preset: &str, fields: impl Display) -> Error {
    let message = format!(
        "epoch_ms and tick_ms belong to a layout given by its fields; the preset {preset} has its \
         own: write layout={fields}&…"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn tag_missing(called: &str) -> Error {
    Error::new(Code::InvalidTag, format!("a {called} needs a tag: add ?tag=orders"))
}

pub(crate) fn tag_missing_in_path(scheme: &str, example: &str) -> Error {
    let message = format!(
        "{scheme}: names no tag: write {scheme}:{example}/orders, or snowflake+{scheme}:{example} \
         for worker IDs"
    );
    Error::new(Code::InvalidUrl, message)
}

pub(crate) fn key_without_shards() -> Error {
    let message =
        "key= chooses among the databases of a tag: name the others by at=, once for each";
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn ring_missing() -> Error {
    let message = "ring_refill and ring_every_ms belong to a ring: add ring=1024";
    Error::new(Code::InvalidParameter, message)
}

// Stores.

/// `what` begins a key space.
pub(crate) fn key_space_named(what: &str) -> Error {
    let message = format!(
        "key_space= names a key space that is there, and {what} begins one where there is none: \
         leave one of them out"
    );
    Error::new(Code::InvalidParameter, message)
}

pub(crate) fn dialect_of_another_generator(dialect: &str) -> Error {
    let message = format!(
        "dialect={dialect} names another generator's tables, and this is for the tables of \
         snowmint: leave dialect out"
    );
    Error::new(Code::Unsupported, message)
}

#[cfg(feature = "sqlite")]
pub(crate) fn file_missing() -> Error {
    Error::new(Code::InvalidUrl, "sqlite: names no file: write sqlite:ids.db")
}

pub(crate) fn store_without_columns(scheme: &str, column: impl Display) -> Error {
    let message = format!("a store by {scheme}: has no table with {column}: name a database");
    Error::new(Code::Unsupported, message)
}

#[cfg(feature = "service")]
pub(crate) fn store_behind_service() -> Error {
    let message = "an ID service is on a store, and does not show it: name that, where it is";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn memory_without_tables() -> Error {
    let message = "a store in memory has no tables to be made: name a file or a database";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn memory_without_past() -> Error {
    let message = "a store in memory is new each time: name a file or a database";
    Error::new(Code::Unsupported, message)
}
