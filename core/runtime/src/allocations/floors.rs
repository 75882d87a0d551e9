//! The highest numbers that this process and its parents had of a store's tags.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arc_swap::ArcSwapOption;

use crate::store::Tag;

/// The number of tags of a store whose ranges are noted: four times the sections that sequences
/// remember. Further tags are noted only when they are fenced.
const NOTED_MAX: usize = 1 << 18;

/// The floor of each tag of a store: the first number above all ranges that this process had. It is
/// known for as long as the store is held.
///
/// Nothing here is locked or removed, so a forked child finds a consistent tree whatever its
/// parent's threads were adding.
#[derive(Default)]
pub(crate) struct Floors {
    /// The root of a tree in which the bits of a tag's hash choose the branch.
    first: Link,
    count: AtomicUsize,
    hasher: RandomState,
}

type Link = ArcSwapOption<KnownFloor>;

struct KnownFloor {
    tag: Tag,
    floor: AtomicU64,
    further: [Link; 2],
}

impl Floors {
    /// Returns the floor of a tag, 0 if unknown.
    pub(crate) fn get(&self, tag: &Tag) -> u64 {
        self.known(tag, false).map_or(0, |known| known.floor.load(Ordering::Relaxed))
    }

    /// Raises the floor of a tag, unless the tag is new and [`NOTED_MAX`] tags are noted.
    pub(crate) fn note(&self, tag: &Tag, floor: u64) {
        self.raise_if(tag, floor, self.count.load(Ordering::Relaxed) < NOTED_MAX);
    }

    /// Raises the floor of a fenced tag, whatever the number of tags.
    pub(crate) fn raise(&self, tag: &Tag, floor: u64) {
        self.raise_if(tag, floor, true);
    }

    fn raise_if(&self, tag: &Tag, floor: u64, may_add: bool) {
        if let Some(known) = self.known(tag, may_add) {
            known.floor.fetch_max(floor, Ordering::Relaxed);
        }
    }

    /// Returns the entry of a tag, and adds it if it is missing and `may_add` is true.
    fn known(&self, tag: &Tag, may_add: bool) -> Option<Arc<KnownFloor>> {
        let hash = self.hasher.hash_one(tag);
        let mut above: Option<Arc<KnownFloor>> = None;
        // A tag that finds all 65 places of its path taken stays unknown. That needs tags whose
        // hashes agree in almost all bits.
        for bit in 0..=u64::BITS {
            let place = match above.as_deref() {
                None => &self.first,
                Some(known) => known.further_on(hash.rotate_right(bit)),
            };
            let known = match place.load_full() {
                Some(known) => known,
                None if may_add => self.add(place, tag),
                None => return None,
            };
            if known.tag == *tag {
                return Some(known);
            }
            above = Some(known);
        }
        None
    }

    /// Adds a tag in an empty place, or returns the entry that another thread added there first.
    fn add(&self, place: &Link, tag: &Tag) -> Arc<KnownFloor> {
        let (tag, floor, further) = (tag.clone(), AtomicU64::new(0), Default::default());
        let fresh = Arc::new(KnownFloor { tag, floor, further });
        let before = place.compare_and_swap(&None::<Arc<KnownFloor>>, Some(Arc::clone(&fresh)));
        match &*before {
            Some(first) => Arc::clone(first),
            None => {
                self.count.fetch_add(1, Ordering::Relaxed);
                fresh
            }
        }
    }
}

impl KnownFloor {
    /// Returns the branch that the last bit of `hash` chooses.
    fn further_on(&self, hash: u64) -> &Link {
        let [left, right] = &self.further;
        if hash & 1 == 0 { left } else { right }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn tag(number: usize) -> Tag {
        Tag::new(&format!("chat:{number}")).unwrap()
    }

    #[test]
    fn notes_of_several_threads_are_all_kept() {
        const TAGS: usize = 10_000;
        let floors = Floors::default();
        thread::scope(|scope| {
            for thread in 1..=4 {
                let floors = &floors;
                scope.spawn(move || {
                    (0..TAGS).for_each(|n| floors.note(&tag(n), (n * thread) as u64));
                });
            }
        });
        assert!((0..TAGS).all(|n| floors.get(&tag(n)) == 4 * n as u64));
        assert_eq!((floors.get(&tag(TAGS)), floors.count.into_inner()), (0, TAGS));
    }

    #[test]
    fn a_tag_too_many_is_known_only_once_it_was_fenced() {
        let floors = Floors::default();
        floors.note(&tag(0), 7);
        floors.count.store(NOTED_MAX, Ordering::Relaxed);
        floors.note(&tag(0), 8);
        floors.note(&tag(1), 9);
        assert_eq!((floors.get(&tag(0)), floors.get(&tag(1))), (8, 0));
        floors.raise(&tag(1), 9);
        assert_eq!(floors.get(&tag(1)), 9);
    }
}
