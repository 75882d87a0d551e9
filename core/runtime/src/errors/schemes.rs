//! Errors that keep a URL from opening a source or a store.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// Schemes.

fn listed(names: &[String]) -> String {
    match names {
        [names @ .., last] if !names.is_empty() => format!("{} or {last}", names.join(", ")),
        _ => names.concat(),
    }
}

errors! {
    feature_missing(scheme: &str, feature: &str) => UnknownScheme:
        "{scheme}: needs the feature {feature} of the crate snowmint, which this program was built \
         without: cargo add snowmint --features {feature}";

    kind_differs(found: &str, wanted: &str) => InvalidParameter:
        "the URL opens a source of the kind {found}, and {wanted} is asked for";
}

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

// A source's own parameters.

errors! {
    worker_id_missing(forms: &str) => InvalidParameter:
        "a snowflake needs a worker ID: add ?worker_id= with {forms}, or lease one with \
         snowflake+sqlite:ids.db";

    epoch_stated_twice(layout: &str) => InvalidParameter:
        "layout={layout} says its epoch and tick: leave out epoch_ms and tick_ms";

    epoch_of_preset(preset: &str, fields: impl Display) => InvalidParameter:
        "epoch_ms and tick_ms belong to a layout given by its fields; the preset {preset} has its \
         own: write layout={fields}&…";

    tag_missing(called: &str) => InvalidTag: "a {called} needs a tag: add ?tag=orders, or &tag=orders behind other parameters";

    tag_missing_in_path(scheme: &str, example: &str) => InvalidUrl:
        "{scheme}: names no tag: write {scheme}:{example}/orders, or snowflake+{scheme}:{example} \
         for worker IDs";

    key_without_shards() => InvalidParameter:
        "key= chooses among the databases of a tag: name the others by at=, once for each";

    ring_missing() => InvalidParameter:
        "ring_refill and ring_every_ms belong to a ring: add ring=1024";

    // Stores.

    /// `what` begins a key space.
    key_space_named() => InvalidParameter:
        "key_space= names a key space that is there, and create=true begins one where there is none: \
         leave one of them out";

    key_space_missing(place: &str, key_space: &str) => StoreMissing:
        "{place} has no key space, so {key_space} is elsewhere or lost. Name its place. To begin \
         another key space here, leave key_space= out";

    dialect_of_another_generator(dialect: &str) => Unsupported:
        "dialect={dialect} names another generator's tables, and this is for the tables of \
         snowmint: leave dialect out";

    file_missing() => InvalidUrl: "sqlite: names no file: write sqlite:ids.db";

    store_without_columns(scheme: &str, column: impl Display) => Unsupported:
        "a store by {scheme}: has no table with {column}: name a database";

    store_behind_service() => Unsupported:
        "an ID service is on a store, and does not show it: name that, where it is";

    memory_name_invalid(length_max: usize) => InvalidUrl:
        "memory: takes a name of up to {length_max} letters, digits, _ . and -: write memory:tests";

    memory_without_name() => InvalidUrl:
        "memory: is another store each time, and two sources would repeat each other's IDs: name \
         the store that they share in this process, as snowflake+memory:tests";

    memory_without_tables() => Unsupported:
        "a store in memory has no tables to be made: name a file or a database";

    memory_without_past() => Unsupported:
        "a store in memory ends with its process, and the next one repeats its IDs, so it is for \
         tests alone: name a file or a database";
}

pub(crate) fn memory_names_full(max: usize) -> Error {
    let message = format!(
        "this process has used {max} names of stores in memory, which stay until it ends: use one \
         name for several tests"
    );
    Error::new(Code::StoreFull, message).for_good()
}
