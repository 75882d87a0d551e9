//! The sections that are remembered, up to a limit.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::section::Section;

/// Sections by their number.
#[derive(Default)]
pub(super) struct Remembered {
    sections: IndexMap<u64, Arc<Section>>,
    /// Sections that stopped because their store went back, which must not be forgotten. They have
    /// no keys, and there are at most as many as tags whose ranges are noted.
    fenced: HashMap<u64, Arc<Section>>,
    /// The state of the pseudo-random generator that picks the section to forget.
    hand: u64,
}

/// The number of sections that are tried to find one that waits for no range.
const LOOKS: usize = 8;

impl Remembered {
    pub(super) fn get(&self, number: u64) -> Option<&Arc<Section>> {
        self.sections.get(&number).or_else(|| self.fenced.get(&number))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.sections.len()
    }

    /// Returns the section with this number, made by `fresh` if it is missing. If there are `max`
    /// already, another one is forgotten.
    pub(super) fn get_or_add(
        &mut self,
        number: u64,
        max: usize,
        fresh: impl FnOnce() -> Section,
    ) -> Arc<Section> {
        if let Some(section) = self.get(number) {
            return Arc::clone(section);
        }
        if self.sections.len() >= max {
            self.forget_one();
        }
        Arc::clone(self.sections.entry(number).or_insert_with(|| Arc::new(fresh())))
    }

    /// Forgets a random section, or sets it aside if it is fenced. If the oldest were forgotten,
    /// callers that go round over a few more than are remembered would always find theirs just
    /// forgotten.
    fn forget_one(&mut self) {
        for look in 1..=LOOKS {
            let Some(place) = self.draw() else { return };
            let Some((&number, section)) = self.sections.get_index(place) else { return };
            let mut state = section.lock();
            // A caller waits for this section's range.
            if state.loading && look < LOOKS {
                continue;
            }
            state.forgotten = !state.is_fenced;
            if state.is_fenced {
                self.fenced.insert(number, Arc::clone(section));
            }
            drop(state);
            self.sections.swap_remove_index(place);
            return;
        }
    }

    /// Draws a pseudo-random place (Knuth's MMIX multiplier); none if there is no section.
    fn draw(&mut self) -> Option<usize> {
        self.hand = self.hand.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.hand >> 32).ok()?.checked_rem(self.sections.len())
    }

    /// Forgets all sections except those that are fenced. Callers that hold a forgotten section
    /// look it up again, because its successor may be minting already.
    pub(super) fn forget_all(&mut self) {
        self.sections.retain(|_, section| {
            let mut state = section.lock();
            state.forgotten = !state.is_fenced;
            state.is_fenced
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use snowmint_engine::{Code, NumberRange};

    use super::*;
    use crate::Sequences;
    use crate::error::Result;
    use crate::store::{
        Allocation, AllocationRequest, Call, MemoryStore, SegmentAdmin, Tag, TagAllocator,
        TagOptions, TagRow,
    };

    /// Gives the hundred numbers from there on.
    struct From(AtomicU64);

    impl TagAllocator for From {
        fn reserve(&self, _: &AllocationRequest, _: &Call) -> Result<Allocation> {
            let start = self.0.load(Ordering::Relaxed);
            Ok(Allocation::new(NumberRange::new(start, start + 100, 1)?, 1))
        }

        fn row(&self, tag: &Tag) -> Result<Option<TagRow>> {
            Ok(Some(TagRow::new(tag, TagOptions::default().step(1))))
        }
    }

    impl SegmentAdmin for From {
        fn create_tag(&self, _: &Tag, _: TagOptions) -> Result<()> {
            Ok(())
        }
    }

    /// Sequences with one key in a section, which remember one section.
    fn forgetful(store: &Arc<From>) -> Sequences {
        let store: Arc<dyn SegmentAdmin> = Arc::<From>::clone(store);
        let mut builder = Sequences::builder(store, Tag::new("chat").unwrap()).keys_per_section(1);
        builder.max_sections = 1;
        builder.step(10).open().unwrap()
    }

    fn next(chat: &Sequences, key: u64) -> Result<u64, Code> {
        chat.next(key).map_err(|error| error.code())
    }

    #[test]
    fn l1_a_forgotten_section_takes_no_range_again() {
        let store = Arc::new(From(AtomicU64::new(100)));
        let chat = forgetful(&store);
        assert_eq!([next(&chat, 0), next(&chat, 1)], [Ok(100), Ok(100)]);
        store.0.store(50, Ordering::Relaxed);
        assert_eq!(next(&chat, 0), Err(Code::RangeRegressed));
    }

    /// The fence stays even once the store has caught up.
    #[test]
    fn l1_a_section_that_was_fenced_stays_so_however_many_others_come() {
        let store = Arc::new(From(AtomicU64::new(100)));
        let chat = forgetful(&store);
        while next(&chat, 0) != Err(Code::RangeRegressed) {
            store.0.store(50, Ordering::Relaxed);
        }
        store.0.store(1_000, Ordering::Relaxed);
        for key in 1..10 {
            assert_eq!(next(&chat, key), Ok(1_000));
            assert_eq!(next(&chat, 0), Err(Code::RangeRegressed));
        }
        assert_eq!(next(&forgetful(&store), 0), Ok(1_000), "opened anew");
    }

    /// With one section more than are remembered, used in turn, each round forgets a few sections,
    /// not all.
    #[test]
    fn a_section_too_many_does_not_forget_the_others() {
        const SECTIONS: u64 = 100;
        let store: Arc<dyn SegmentAdmin> = Arc::new(MemoryStore::default());
        let mut builder = Sequences::builder(store, Tag::new("chat").unwrap()).keys_per_section(1);
        builder.max_sections = SECTIONS as usize;
        let chat = builder.open().unwrap();
        let (mut last, mut leaps) = (HashMap::new(), 0);
        for _ in 0..10 {
            for key in 0..=SECTIONS {
                let number = chat.next(key).unwrap();
                let before = last.insert(key, number);
                leaps += u64::from(before.is_some_and(|before| number != before + 1));
            }
        }
        assert!(leaps < 9 * SECTIONS / 4, "{leaps} leaps");
    }
}
