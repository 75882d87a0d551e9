//! The sections that are remembered, up to a limit.

use std::sync::Arc;

use indexmap::IndexMap;

use super::section::Section;

/// Sections by their number.
#[derive(Default)]
pub(super) struct Remembered {
    sections: IndexMap<u64, Arc<Section>>,
    /// Where the last one was forgotten.
    hand: u64,
}

/// How many places are looked at for a section that waits for nothing.
const LOOKS: usize = 8;

impl Remembered {
    pub(super) fn get(&self, number: u64) -> Option<&Arc<Section>> {
        self.sections.get(&number)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.sections.len()
    }

    /// The section of that number, made by `fresh` if it is not there; another one is forgotten if
    /// there are `max` already.
    pub(super) fn get_or_add(
        &mut self,
        number: u64,
        max: usize,
        fresh: impl FnOnce() -> Section,
    ) -> Arc<Section> {
        if self.sections.len() >= max && !self.sections.contains_key(&number) {
            self.forget_one();
        }
        Arc::clone(self.sections.entry(number).or_insert_with(|| Arc::new(fresh())))
    }

    /// Forgets one that is drawn by lot. By age, callers that go round over a few more than are
    /// remembered would each time find that theirs was the one just forgotten.
    fn forget_one(&mut self) {
        for look in 1..=LOOKS {
            let Some(place) = self.draw() else { return };
            let Some((_, section)) = self.sections.get_index(place) else { return };
            let mut state = section.lock();
            // Somebody waits for its range.
            if state.loading && look < LOOKS {
                continue;
            }
            state.forgotten = true;
            drop(state);
            self.sections.swap_remove_index(place);
            return;
        }
    }

    /// A place, as good as at random (Knuth's multiplier of MMIX); none if there is no section.
    fn draw(&mut self) -> Option<usize> {
        self.hand = self.hand.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.hand >> 32).ok()?.checked_rem(self.sections.len())
    }

    /// Whoever holds one of them looks again: its successor may be minting already.
    pub(super) fn forget_all(&mut self) {
        for (_, section) in self.sections.drain(..) {
            section.lock().forgotten = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::Sequences;
    use crate::store::{MemoryStore, SegmentAdmin, Tag};

    /// One section more than are remembered, in turn: a few are forgotten in each round, not all.
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
