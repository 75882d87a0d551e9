//! The errors of key spaces: which one it is, and its layout.

use std::fmt::Display;

// Identities.

errors! {
    no_key_space(text: &str, digits: usize) => InvalidParameter:
        "{text:?} is no key space: it has {digits} hexadecimal digits";

    key_space_differs(found: impl Display, known: impl Display) => IncarnationChanged:
        "this is the key space {found}, and not {known}, of which this process was given IDs or \
         was told: both would give the same. Name the store of {known}, or, if {found} is right, \
         start again, with key_space={found} in the URL if it names one";

    // Layouts.

    layout_changing(key_space: impl Display, layout: &str) => StoreLocked:
        "the key space {key_space} is changed from layout {layout} by an operator: ask again, or, \
         where that was cut off, `snowmint layout change` does it again";

    layout_differs(key_space: impl Display, layout: &str, wanted: &str) => RealmMismatch:
        "the key space {key_space} makes IDs of layout {layout}, and this source has {wanted}: \
         they could make the same ID. Open it with that layout or on another key space, or change \
         the layout by `snowmint layout change URL LAYOUT`";

    time_of_layout_reserved(worker_id: u32, layout: &str, left_ms: i64, owner: &str) => StoreLocked:
        "worker ID {worker_id} of layout {layout} has its time reserved for {left_ms} ms more, by \
         {owner}: end what mints, and wait until all that is reserved is over (`snowmint worker \
         list`)";

    layout_cannot_follow(before: impl Display, to: impl Display) => RealmMismatch:
        "IDs of layout {to} can be those that were made of {before}: use another key space for it";

    /// The store's clock was set back to before the last change of the layout.
    layout_not_begun(key_space: impl Display, wait_ms: i64) => WorkersExhausted:
        "the key space {key_space} has had this layout since a time that its store's clock reaches \
         in {wait_ms} ms: wait";
}
