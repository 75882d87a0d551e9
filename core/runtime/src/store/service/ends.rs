//! Which server gave the last numbers of a tag, so that one which gives older ones can be named.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::store::Tag;

/// Of so many tags it is known; a source knows of all of its own that they went back.
const TAGS_MAX: usize = 1 << 16;

/// Where the numbers of a tag end that were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The first number above.
    pub(super) end: u64,
    /// The server that gave the last of them.
    pub(super) server: usize,
}

/// Those of one process.
#[derive(Default)]
pub(super) struct Ends(Mutex<HashMap<Tag, End>>);

impl Ends {
    pub(super) fn get(&self, tag: &Tag) -> Option<End> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(tag).copied()
    }

    /// Notes numbers that were given. Answers need not come in the order in which they were made.
    pub(super) fn note(&self, tag: &Tag, end: u64, server: usize) {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = ends.len() < TAGS_MAX;
        match ends.get_mut(tag) {
            Some(known) if known.end < end => *known = End { end, server },
            None if has_room => {
                ends.insert(tag.clone(), End { end, server });
            }
            Some(_) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_comes_late_lowers_nothing() {
        let (ends, tag) = (Ends::default(), Tag::new("orders").unwrap());
        assert_eq!(ends.get(&tag), None);
        ends.note(&tag, 200, 1);
        ends.note(&tag, 100, 0);
        assert_eq!(ends.get(&tag), Some(End { end: 200, server: 1 }));
        ends.note(&tag, 300, 0);
        assert_eq!(ends.get(&tag), Some(End { end: 300, server: 0 }));
    }
}
