//! The errors of stores of values, with their messages.

use std::fmt::Display;

use snowmint_engine::Code;

use crate::error::Error;

// Values.

errors! {
    /// The value was changed by hand.
    value_foreign(what: impl Display, error: impl Display) => StoreSchema:
        "the value of {what} is not one of snowmint's: {error}; put it back as it was";
}

pub(super) fn value_unwritable(error: impl Display) -> Error {
    Error::new(Code::Internal, error.to_string())
}

// Others who change the same.

errors! {
    layout_contended() => contended(): "the layout of the key space";

    /// Other writers were faster each time.
    contended(what: impl Display) => StoreLocked: "others change {what} all the time: ask again";

    // Key spaces.

    key_space_missing() => StoreMissing:
        "no key space was begun here, or it was taken away with all that was given: `snowmint \
         migrate URL`, or create=true, begins one, after which every tag has to be raised if there \
         was one";

    key_space_of_another_version(version: u32, ours: u32) => StoreSchema:
        "the key space is of version {version}, and not {ours}: use the snowmint of it";

    /// The key space at `outer` would mistake another one at `place` for its own rows.
    place_within_key_space(place: &str, outer: &str) => InvalidUrl:
        "{place} lies where the key space {outer} keeps its rows: name another place";

    store_gone_back(store: &str) => IncarnationChanged:
        "{store} has gone back to before what it had told this process: wait as long as the \
         longest reservation, raise every tag above all that was given, and open the store anew";
}
