//! Whether the store of sequences answers, asked while nobody wants a number.

use std::sync::{Arc, PoisonError, RwLock};

use super::record::check;
use super::{Registry, Sequences, Work};
use crate::reports::Subject;
use crate::station::lock;
use crate::store;

impl Sequences {
    /// Has their store asked whether it answers.
    pub(crate) fn look(&self) {
        let registry = &self.registry;
        let desk = registry.station.desk(Work::default);
        let mut desk = lock(&desk);
        // Closed, they need no store.
        if registry.station.attend(&mut desk, registry, || registry.pool()).is_ok() {
            desk.work.is_to_look = true;
            desk.ring();
        }
    }
}

impl Registry {
    /// Asks for the record's row.
    pub(super) fn look_at_store(self: &Arc<Self>) {
        let looked = check(&self.tag, self.keys_per_section)
            .and_then(|record| store::tag(&*self.store, &record));
        if self.is_over() {
            return;
        }
        let sections = self.sections.get_or_init(RwLock::default);
        let has_sections = !sections.read().unwrap_or_else(PoisonError::into_inner).is_empty();
        let subject = Subject::of_tag("sequences", &self.tag, has_sections).looking();
        self.pool().allocations.reports.judge(&subject, &looked, &self.host);
        self.mishaps().note_look(looked, &self.host);
    }
}
