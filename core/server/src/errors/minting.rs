//! Errors of minting from a source.

use snowmint::{Code, Error};

pub(crate) fn id_missing() -> Error {
    Error::new(Code::InvalidAnswer, "no ID came")
}

/// `code` and `message` are those of the store's last failure.
pub(crate) fn store_down(code: Code, message: &str) -> Error {
    Error::new(code, message)
}

// Another request is right. The library's own errors name its calls.

pub(crate) fn key_malformed(text: &str) -> Error {
    let message = format!(
        "the key {text:?} is not a whole number of 64 bits: digits alone, without a zero before \
         them"
    );
    Error::new(Code::InvalidKey, message)
}

pub(crate) fn key_missing(name: &str) -> Error {
    let message = format!(
        "{name} has a sequence for each key: ask POST /v1/sequences/{name}/KEY, or INCR \
         seq:{name}:KEY"
    );
    Error::new(Code::Unsupported, message)
}

pub(crate) fn source_without_keys(name: &str) -> Error {
    let message = format!("{name} has no keys: ask POST /v1/ids/{name}, or INCR {name}");
    Error::new(Code::Unsupported, message)
}

pub(crate) fn source_of_uuids(name: &str) -> Error {
    Error::new(Code::Unsupported, format!("{name} makes UUIDs: ask POST /v1/ids/{name}"))
}

pub(crate) fn source_without_ranges() -> Error {
    Error::new(Code::Unsupported, "only a segment has ranges: ask for single IDs")
}

pub(crate) fn range_without_order() -> Error {
    let message = "clients that mint from ranges of their own keep no order: ask for numbers";
    Error::new(Code::Unsupported, message)
}

// Blocks of consecutive numbers.

pub(crate) fn block_with_stride() -> Error {
    let message = "the tag has a stride: its numbers do not follow each other, take one at a time";
    Error::new(Code::Unsupported, message)
}

pub(crate) fn block_too_long(count: u64) -> Error {
    let message = format!(
        "no {count} numbers lie together in the tag's ranges: raise its step, or take fewer"
    );
    Error::new(Code::Unsupported, message)
}
