//! Which numbers of a store's tags this process had, and those that it was forked from.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arc_swap::ArcSwapOption;

use crate::store::Tag;

/// Of so many tags of a store every range is noted: as much memory as four times the sections take
/// that are remembered.
const NOTED_MAX: usize = 1 << 18;

/// Of each tag of a store the first number that no range had: whoever asks for one in this process
/// goes on above. Known for as long as the store is there.
///
/// Nothing here is locked, and nothing taken out: a forked child goes on with what there is,
/// whatever its parent's threads were about to add.
#[derive(Default)]
pub(crate) struct Floors {
    /// A tree, where each bit of a tag's hash says which way to go on.
    first: Link,
    count: AtomicUsize,
    hasher: RandomState,
}

type Link = ArcSwapOption<Known>;

struct Known {
    tag: Tag,
    floor: AtomicU64,
    further: [Link; 2],
}

impl Floors {
    /// The floor of a tag, 0 unless it is known.
    pub(crate) fn get(&self, tag: &Tag) -> u64 {
        self.known(tag, false).map_or(0, |known| known.floor.load(Ordering::Relaxed))
    }

    /// Notes that a range of the tag ended below `floor`, if the tag is one of the first so many.
    pub(crate) fn note(&self, tag: &Tag, floor: u64) {
        self.raise_if(tag, floor, self.count.load(Ordering::Relaxed) < NOTED_MAX);
    }

    /// The same of a tag that was fenced, however many there are.
    pub(crate) fn raise(&self, tag: &Tag, floor: u64) {
        self.raise_if(tag, floor, true);
    }

    fn raise_if(&self, tag: &Tag, floor: u64, may_add: bool) {
        if let Some(known) = self.known(tag, may_add) {
            known.floor.fetch_max(floor, Ordering::Relaxed);
        }
    }

    /// What is known of a tag, added where it belongs if it may be.
    fn known(&self, tag: &Tag, may_add: bool) -> Option<Arc<Known>> {
        let hash = self.hasher.hash_one(tag);
        let mut above: Option<Arc<Known>> = None;
        // Two tags of one hash would be one too many at the end: the second is not known.
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

    /// Puts a tag in a place that is empty; or what somebody else puts there first.
    fn add(&self, place: &Link, tag: &Tag) -> Arc<Known> {
        let (tag, floor, further) = (tag.clone(), AtomicU64::new(0), Default::default());
        let fresh = Arc::new(Known { tag, floor, further });
        let before = place.compare_and_swap(&None::<Arc<Known>>, Some(Arc::clone(&fresh)));
        match &*before {
            Some(first) => Arc::clone(first),
            None => {
                self.count.fetch_add(1, Ordering::Relaxed);
                fresh
            }
        }
    }
}

impl Known {
    /// The way on that the last bit says.
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
