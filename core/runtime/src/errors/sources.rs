//! The errors of sources: which call is of which source, segments, sequences and rings.

use std::time::Duration;

use snowmint_engine::{Code, MAX_STEP, MAX_TAG_LENGTH};

use crate::error::Error;

// Calls of other sources.

errors! {
    key_missing() => Unsupported:
        "each key has a sequence of its own: say of which key the next number is to be";

    source_without_keys() => Unsupported:
        "this source has no keys: take its IDs with next_id or next_uuid, or open \
         sequences+sqlite:ids.db?tag=chat for a sequence of each key";

    #[cfg(feature = "uuid")]
    source_of_uuids() => Unsupported: "a UUID has 128 bits: take it by the source's call for UUIDs";

    #[cfg(feature = "uuid")]
    source_without_uuids() => Unsupported:
        "this source makes 64-bit IDs; open uuid:?version=7 for UUIDs";

    // Sources that open at their first use.

    opening_pending() => WaitTimeout:
        "the source is still being opened; ask again, or wait longer";

    opening_panicked(said: &str) => StoreUnavailable: "opening the source panicked: {said}";

    // Rings.

    source_without_ring() => Unsupported:
        "a ring holds the IDs of a snowflake, a segment or a daily source";

    // Segments.

    step_and_runway() => InvalidParameter: "step and runway both size the ranges: set one of them";

    runway_out_of_range(runway: Duration) => InvalidParameter:
        "a runway of {runway:?} is not possible: use 1ms to 24h";

    runway_without_numbers() => InvalidParameter:
        "with prefetch=100 nothing is at hand while the next range is fetched, however long the \
         runway: use 99 or less";

    tag_missing(tag: &str) => UnknownTag:
        "the store has no tag {tag:?}: create it first, by the store itself, or by `snowmint \
         segment create URL {tag}` where a URL reaches it";

    first_range_pending(tag: &str) => WaitTimeout:
        "the first range of tag {tag:?} is still being fetched; ask again, or wait longer";

    next_range_pending(tag: &str) => WaitTimeout:
        "the numbers of tag {tag:?} are used up and the next range is still being fetched; wait \
         longer, or raise the tag's step if that is so often";

    /// `second` leaves this remainder by this stride, and is one of `count` stores.
    stores_can_meet(
        tag: &str,
        (first, second): (&str, &str),
        count: usize,
        (stride, remainder): (u64, u64),
    ) => InvalidParameter:
        "tag {tag} of {first} and of {second} can give the same numbers (the second leaves \
         {remainder} by {stride}). Make it in each database with one stride of {count} or more, \
         and a start that leaves another remainder by it: `snowmint segment create STORE {tag} \
         --stride {count} --start 1`, --start 2 and so on. One that has the stride already goes on \
         with another remainder, which no other has or had, by `snowmint segment raise STORE {tag} \
         --remainder NUMBER`";
}

/// The tag is in several stores, but not in this one.
pub(crate) fn tag_missing_in(store: &str, tag: &str) -> Error {
    let missing = tag_missing(tag);
    Error::new(missing.code(), format!("{store}: {missing}"))
}

/// `before` and `now` are a stride and a remainder.
pub(crate) fn store_changed_its_numbers(
    tag: &str,
    store: &str,
    before: (u64, u64),
    now: (u64, u64),
) -> Error {
    let ((stride_before, remainder_before), (stride, remainder)) = (before, now);
    let cure = if stride_before == stride {
        format!(
            "have it go on as before, above all that it gave: `snowmint segment raise STORE {tag} \
             --remainder {remainder_before} --next NUMBER`"
        )
    } else {
        "put the database back whose stride it was".to_owned()
    };
    let message = format!(
        "tag {tag} of {store} gave each {stride_before} from {remainder_before}, and gives each \
         {stride} from {remainder} now, which may be another database's. If that was meant, open \
         the source anew; if not, {cure}"
    );
    Error::new(Code::InvalidAnswer, message)
}

// Sequences.

errors! {
    key_count_out_of_range(keys: u64) => InvalidParameter:
        "{keys} keys a section are not possible: use 1 to {MAX_STEP}";

    tag_without_room_for_section(tag: &str, room: usize) => InvalidTag:
        "the tag {tag:?} leaves no room for the number of a section: use at most {room} \
         characters, better 40";

    tags_expire() => Unsupported:
        "tags go by themselves in this store, and the keys of a section whose tag went would begin \
         again: keep sequences where tags stay, as without expire";

    key_count_removed(record: &str) => InvalidParameter:
        "the tag {record} was removed: its stride is how many keys a section has";

    key_count_unknown(record: &str) => InvalidParameter:
        "the tag {record} does not say how many keys a section has: that would be its stride; use \
         another tag";

    key_count_differs(record: &str, recorded: u64, keys: u64) => InvalidParameter:
        "by the tag {record} a section has {recorded} keys, not {keys}: with another number keys \
         could repeat theirs; use {recorded}, or another tag";

    key_too_large(key: u64, tag: &str, section: u64) => InvalidKey:
        "the key {key} lies in section {section}, whose tag {tag}:{section} would be longer than \
         {MAX_TAG_LENGTH} characters; use smaller keys, or a shorter tag";

    key_pending(key: u64, tag: &str) => WaitTimeout:
        "the numbers of key {key} of {tag:?} are still being fetched; ask again, or wait longer";
}
