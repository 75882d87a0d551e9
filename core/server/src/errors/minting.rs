//! Errors of minting from a source.

use snowmint::{Code, Error};

snowmint::errors! {
    id_missing() => InvalidAnswer: "no ID came";
}

/// `code` and `message` are those of the store's last failure.
pub(crate) fn store_down(code: Code, message: &str) -> Error {
    Error::new(code, message)
}

// Another request is right. The library's own errors name its calls.

snowmint::errors! {
    key_malformed(text: &str) => InvalidKey:
        "the key {text:?} is not a whole number of 64 bits: digits alone, without a zero before \
         them";

    key_missing(name: &str) => Unsupported:
        "{name} has a sequence for each key: ask POST /v1/sequences/{name}/KEY, or INCR \
         seq:{name}:KEY";

    source_without_keys(name: &str) => Unsupported:
        "{name} has no keys: ask POST /v1/ids/{name}, or INCR {name}";

    source_of_uuids(name: &str) => Unsupported: "{name} makes UUIDs: ask POST /v1/ids/{name}";
    source_without_ranges() => Unsupported: "only a segment has ranges: ask for single IDs";

    range_without_order() => Unsupported:
        "clients that mint from ranges of their own keep no order: ask for numbers";

    // Blocks of consecutive numbers.

    block_with_stride() => Unsupported:
        "the tag has a stride: its numbers do not follow each other, take one at a time";

    block_too_long(count: u64) => Unsupported:
        "no {count} numbers lie together in the tag's ranges: raise its step, or take fewer";
}
