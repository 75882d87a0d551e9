//! The errors of tags: their names, their rows and their moves.

use std::fmt::Display;

use snowmint_engine::{Code, MAX_NUMBER, MAX_TAG_LENGTH};

use crate::error::Error;
use crate::store::{LAST_NUMBER, MAX_NAME_LENGTH};

// Names.

/// `called` is what the name would be, a tag or a namespace.
pub(crate) fn name_invalid(name: &str, called: &str) -> Error {
    let count = name.chars().count();
    let shown: String = name.chars().take(MAX_TAG_LENGTH).collect();
    let shown = match count > MAX_TAG_LENGTH {
        true => format!("{shown:?} and so on, of {count} characters,"),
        false => format!("{shown:?}"),
    };
    let message = format!(
        "{shown} is no {called}: use 1 to {MAX_TAG_LENGTH} letters, digits and the characters _ . \
         : -"
    );
    Error::new(Code::InvalidTag, message)
}

pub(crate) fn namespace_in_tag(name: &str, namespace: &str, within: &str) -> Error {
    let message = format!(
        "{name:?} is a tag in a namespace: say namespace={namespace}&tag={within} in a URL"
    );
    Error::new(Code::InvalidTag, message)
}

pub(crate) fn too_long_with_namespace(full: &str, separator: char) -> Error {
    let message = format!(
        "{full:?} is too long for a tag in a namespace: use at most {MAX_TAG_LENGTH} \
         characters together with the {separator}"
    );
    Error::new(Code::InvalidTag, message)
}

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(crate) fn namespace_of_owners_table(name: &str, namespace: &str) -> Error {
    let message = format!(
        "the tag {name} is of a table with names of its owner's, which have no namespace: \
         leave out namespace={namespace}"
    );
    Error::new(Code::InvalidTag, message)
}

pub(crate) fn name_of_place(name: &str) -> Error {
    let message = format!(
        "no tag {name:?} is made: paths and URLs take the names . and .. for places; use another \
         one"
    );
    Error::new(Code::InvalidTag, message)
}

// Options and changes.

pub(crate) fn start_above_max(start: u64, max: u64) -> Error {
    let message = format!("a tag that starts at {start} has no number up to a max of {max}");
    Error::new(Code::InvalidRange, message)
}

pub(crate) fn max_too_large(max: u64) -> Error {
    let message = format!("max {max} is above the largest number, {LAST_NUMBER}");
    Error::new(Code::InvalidRange, message)
}

pub(crate) fn next_too_large(next: u64) -> Error {
    let message = format!("next {next} is above {MAX_NUMBER}, where numbers end");
    Error::new(Code::InvalidRange, message)
}

/// The change lowers `next` below the numbers that are reserved already.
pub(crate) fn next_falls(tag: impl Display, asked: u64, present: u64) -> Error {
    let message =
        format!("tag {tag}: next is {present} and can only be raised, not set to {asked}");
    Error::new(Code::RangeRegressed, message)
}

pub(crate) fn next_above_max(tag: impl Display, next: u64, max: u64) -> Error {
    let message = format!(
        "tag {tag}: its next number cannot be {next}, as its max is {max}: raise that to {} or \
         more",
        next.saturating_sub(1)
    );
    Error::new(Code::InvalidRange, message)
}

pub(crate) fn max_below_next(tag: impl Display, max: u64, next: u64) -> Error {
    let message = format!(
        "tag {tag}: a max of {max} is too low, as its next number is {next}: use {} or more",
        next.saturating_sub(1)
    );
    Error::new(Code::InvalidRange, message)
}

// Rows.

pub(crate) fn unknown_tag(tag: impl Display) -> Error {
    Error::new(Code::UnknownTag, format!("no tag {tag}: create it first"))
}

pub(crate) fn tag_exists(tag: impl Display) -> Error {
    Error::new(Code::TagExists, format!("tag {tag} exists: change it, or choose another name"))
}

#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
pub(crate) fn tag_contended(tag: impl Display) -> Error {
    Error::new(Code::StoreLocked, format!("tag {tag} was changed at that moment: ask again"))
}

pub(crate) fn tag_exhausted(tag: impl Display, max: u64) -> Error {
    let reached = match max {
        LAST_NUMBER.. => format!("tag {tag} has reached {MAX_NUMBER}, where numbers end"),
        _ => format!(
            "tag {tag} has reached its max, {max}: if the column that the numbers are for takes \
             more, raise that by `snowmint segment set STORE {tag} --max NUMBER` where a URL \
             reaches the store, else by the store itself"
        ),
    };
    let message = format!("{reached}; a new tag begins at 1 again, and is for another column");
    Error::new(Code::TagExhausted, message)
}

// Moves.

pub(crate) fn tag_moved(tag: impl Display, to: Option<&str>) -> Error {
    let to = to.unwrap_or("another store");
    let message = format!("tag {tag} goes on at {to}: open it there");
    Error::new(Code::TagMoved, message)
}

pub(crate) fn place_unfit(place: &str) -> Error {
    let message = format!("a place has 1 to {MAX_NAME_LENGTH} bytes: {place}");
    Error::new(Code::InvalidParameter, message)
}

/// A repeat of a move after which the tag returned.
pub(crate) fn tag_came_back(tag: impl Display) -> Error {
    let message = format!(
        "tag {tag} came back at that moment, and goes on here: move it again, if it is to go once \
         more"
    );
    Error::new(Code::TagMoved, message)
}

/// The row there is closed, and its move is not among the last `remembered` ones of the tag.
pub(crate) fn tag_left_elsewhere(tag: impl Display, remembered: usize) -> Error {
    let message = format!(
        "tag {tag} is there, closed, and more than {remembered} moves ago, or never went on \
         here from there: have it go on in a store that has none"
    );
    Error::new(Code::TagExists, message)
}

pub(crate) fn tag_has_numbers_there(tag: impl Display, next: u64) -> Error {
    let message = format!(
        "tag {tag} is there, too, with numbers of its own (next {next}): numbers of both would \
         meet; `snowmint adopt` says whether, and raises tags above each other"
    );
    Error::new(Code::TagExists, message)
}
