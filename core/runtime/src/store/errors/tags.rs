//! The errors of tags: their names, their rows and their moves.

use std::fmt::Display;

use snowmint_engine::{Code, MAX_NUMBER, MAX_TAG_LENGTH};

use crate::error::Error;
use crate::store::{LAST_NUMBER, MAX_NAME_LENGTH};

// Names.

errors! {
    namespace_in_tag(name: &str, namespace: &str, within: &str) => InvalidTag:
        "{name:?} is a tag in a namespace: say namespace={namespace}&tag={within} in a URL";

    too_long_with_namespace(full: &str, separator: char) => InvalidTag:
        "{full:?} is too long for a tag in a namespace: use at most {MAX_TAG_LENGTH} characters \
         together with the {separator}";

    namespace_of_owners_table(name: &str, namespace: &str) => InvalidTag:
        "the tag {name} is of a table with names of its owner's, which have no namespace: leave \
         out namespace={namespace}";

    name_of_place(name: &str) => InvalidTag:
        "no tag {name:?} is made: paths and URLs take the names . and .. for places; use another \
         one";
}

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

// Options and changes.

errors! {
    start_above_max(start: u64, max: u64) => InvalidRange:
        "a tag that starts at {start} has no number up to a max of {max}";

    max_too_large(max: u64) => InvalidRange: "max {max} is above the largest number, {LAST_NUMBER}";

    next_too_large(next: u64) => InvalidRange:
        "next {next} is above {MAX_NUMBER}, where numbers end";

    /// The change lowers `next` below the numbers that are reserved already.
    next_falls(tag: impl Display, asked: u64, present: u64) => RangeRegressed:
        "tag {tag}: next is {present} and can only be raised, not set to {asked}";

    next_above_max(tag: impl Display, next: u64, max: u64) => InvalidRange:
        "tag {tag}: its next number cannot be {next}, as its max is {max}: raise that to {} or \
         more",
        next.saturating_sub(1);

    max_below_next(tag: impl Display, max: u64, next: u64) => InvalidRange:
        "tag {tag}: a max of {max} is too low, as its next number is {next}: use {} or more",
        next.saturating_sub(1);

    // Rows.

    unknown_tag(tag: impl Display) => UnknownTag: "no tag {tag}: create it first";

    tag_exists(tag: impl Display) => TagExists:
        "tag {tag} exists: change it, or choose another name";

    tag_contended(tag: impl Display) => StoreLocked:
        "tag {tag} was changed at that moment: ask again";
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

errors! {
    tag_moved(tag: impl Display, to: Option<&str>) => TagMoved:
        "tag {tag} goes on at {}: open it there", to.unwrap_or("another store");

    place_unfit(place: &str) => InvalidParameter:
        "a place has 1 to {MAX_NAME_LENGTH} bytes: {place}";

    /// A repeat of a move after which the tag returned.
    tag_came_back(tag: impl Display) => TagMoved:
        "tag {tag} came back at that moment, and goes on here: move it again, if it is to go once \
         more";

    /// The row there is closed, and its move is not among the last `remembered` ones of the tag.
    tag_left_elsewhere(tag: impl Display, remembered: usize) => TagExists:
        "tag {tag} is there, closed, and more than {remembered} moves ago, or never went on here \
         from there: have it go on in a store that has none";

    tag_has_numbers_there(tag: impl Display, next: u64) => TagExists:
        "tag {tag} is there, too, with numbers of its own (next {next}): numbers of both would \
         meet; `snowmint adopt` says whether, and raises tags above each other";
}
