//! The number of keys in a section, as a tag of the store records it.

use snowmint_engine::{MAX_STEP, MAX_TAG_LENGTH};

use super::Sequences;
use crate::error::Result;
use crate::errors;
use crate::store::{self, SegmentAdmin, Tag, TagOptions, ensure_tag};

/// The suffix of that tag's name.
const KEYS_SUFFIX: &str = "keys";

impl Sequences {
    /// Returns true if the tag is the record of some sequences. Its stride is the number of keys in
    /// a section.
    pub fn is_record(tag: &Tag) -> bool {
        tag.as_str().rsplit_once(':').is_some_and(|(_, suffix)| suffix == KEYS_SUFFIX)
    }
}

/// Checks everything that needs no store, and returns the tag that records the keys in a section.
pub(crate) fn check(tag: &Tag, keys: u64) -> Result<Tag> {
    if !(1..=MAX_STEP).contains(&keys) {
        return Err(errors::sources::key_count_out_of_range(keys));
    }
    Tag::of_row(&format!("{tag}:{KEYS_SUFFIX}")).map_err(|_| {
        let room = MAX_TAG_LENGTH - KEYS_SUFFIX.len() - 1;
        errors::sources::tag_without_room_for_section(tag.as_str(), room)
    })
}

/// Records the number of keys in a section, or compares it with the record. The record is the
/// stride of its tag, because a stride cannot be changed, unlike the next number and the step. A
/// tag that was created without a stride records nothing.
pub(super) fn check_record(store: &dyn SegmentAdmin, record: &Tag, keys: u64) -> Result<()> {
    ensure_tag(store, record, TagOptions::default().step(keys).stride(keys))?;
    let row = store::tag(store, record)?;
    let (stride, step) = row.map_or((0, 0), |row| (row.stride, row.step));
    let record = record.as_str();
    match stride {
        _ if stride == keys => Ok(()),
        0 => Err(errors::sources::key_count_removed(record)),
        1 if step != 1 => Err(errors::sources::key_count_unknown(record)),
        _ => Err(errors::sources::key_count_differs(record, stride, keys)),
    }
}
