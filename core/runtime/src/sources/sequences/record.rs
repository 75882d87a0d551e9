//! The number of keys in a section, as a tag of the store records it.

use snowmint_engine::{Code, MAX_STEP, MAX_TAG_LENGTH};

use super::Sequences;
use crate::error::{Error, Result};
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
        let message = format!("{keys} keys a section are not possible: use 1 to {MAX_STEP}");
        return Err(Error::new(Code::InvalidParameter, message));
    }
    Tag::of_row(&format!("{tag}:{KEYS_SUFFIX}")).map_err(|_| {
        let room = MAX_TAG_LENGTH - KEYS_SUFFIX.len() - 1;
        let message = format!(
            "the tag {:?} leaves no room for the number of a section: use at most {room} \
             characters, better 40",
            tag.as_str()
        );
        Error::new(Code::InvalidTag, message)
    })
}

/// Records the number of keys in a section, or compares it with the record. The record is the
/// stride of its tag, because a stride cannot be changed, unlike the next number and the step. A
/// tag that was created without a stride records nothing.
pub(super) fn check_record(store: &dyn SegmentAdmin, record: &Tag, keys: u64) -> Result<()> {
    ensure_tag(store, record, TagOptions::default().step(keys).stride(keys))?;
    let row = store::tag(store, record)?;
    let (stride, step) = row.map_or((0, 0), |row| (row.stride, row.step));
    let message = match stride {
        _ if stride == keys => return Ok(()),
        0 => format!("the tag {record} was removed: its stride is how many keys a section has"),
        1 if step != 1 => format!(
            "the tag {record} does not say how many keys a section has: that would be its stride; \
             use another tag"
        ),
        _ => format!(
            "by the tag {record} a section has {stride} keys, not {keys}: with another number keys \
             could repeat theirs; use {stride}, or another tag"
        ),
    };
    Err(Error::new(Code::InvalidParameter, message))
}
