//! How many keys a section has, as a tag of the store records it.

use snowmint_engine::{Code, MAX_STEP, MAX_TAG_LENGTH};

use super::Sequences;
use crate::error::{Error, Result};
use crate::store::{self, SegmentAdmin, Tag, TagOptions, ensure_tag};

/// Ends the name of that tag.
const KEYS_SUFFIX: &str = "keys";

impl Sequences {
    /// Whether a tag is the record of some sequences: its stride is how many keys a section has.
    pub fn is_record(tag: &Tag) -> bool {
        tag.as_str().rsplit_once(':').is_some_and(|(_, suffix)| suffix == KEYS_SUFFIX)
    }
}

/// Checks what needs no store, and gives the tag that records how many keys a section has.
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

/// Records how many keys a section has, or compares with the record. That is the tag's stride,
/// which nobody can change: its next number and its step may be, with those of all tags. Whoever
/// made the tag without a stride said nothing.
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
