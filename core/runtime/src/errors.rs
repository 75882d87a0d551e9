//! The errors of this crate, with their messages.
//!
//! No message shows a secret: callers hide the secrets of URLs and of the environment first, by
//! `secrets`.

use std::fmt::Display;

use snowmint_reading::shown;

#[cfg(feature = "daily")]
pub(crate) mod daily;
pub(crate) mod host;
pub(crate) mod schemes;
pub(crate) mod snowflake;
pub(crate) mod sources;
pub(crate) mod url;
pub(crate) mod workers;

// Names.

errors! {
    layout_unknown(name: &str, meant: &str, known: &[&str]) => UnknownLayout:
        "no layout is called {name:?}{meant}; there are {}", known.join(", ");

    text_form_not_detected(text: &str) => UnknownTextForm:
        "{} is in no form that can be told: name the form", shown(text);

    // Waits.

    wait_interrupted() => WaitTimeout:
        "the wait was interrupted, and nothing was issued; ask again";

    // Numbers of other generators.

    giver_missing(place: &str) => StoreMissing:
        "{place}: it is an application's file, and no tag of snowmint is in it: name its columns \
         of IDs";

    numbers_out_of_order(column: impl Display) => InvalidAnswer:
        "the database gave numbers of {column} out of their order";
}
