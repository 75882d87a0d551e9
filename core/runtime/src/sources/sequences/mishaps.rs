//! What went wrong last, of all sections together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::section::Section;
use crate::error::{Error, Result};
use crate::host::Platform;
use crate::stats::Stats;
use crate::trouble::Trouble;

/// The failure of one section, until any has a range again.
#[derive(Default)]
pub(super) struct Mishaps(Mutex<Last>);

#[derive(Default)]
struct Last {
    trouble: Trouble,
    /// The sequences are closed: nobody is to hear of any more.
    are_over: bool,
    /// Whose it is.
    section: Weak<Section>,
}

impl Mishaps {
    pub(super) fn note(&self, section: &Arc<Section>, error: Error, host: &Platform) {
        let mut last = self.lock();
        last.section = Arc::downgrade(section);
        last.trouble.note(error, host);
    }

    /// Notes what a look at the store found.
    pub(super) fn note_look<T>(&self, looked: Result<T>, host: &Platform) {
        self.lock().trouble.note_look(looked, host);
    }

    pub(super) fn end(&self) {
        self.lock().are_over = true;
    }

    pub(super) fn are_over(&self) -> bool {
        self.lock().are_over
    }

    pub(super) fn clear(&self) {
        self.lock().trouble.clear();
    }

    /// The section whose range failed last, if none has come since and no look at the store either.
    pub(super) fn section(&self) -> Option<Arc<Section>> {
        let mut last = self.lock();
        last.trouble.present().filter(|_| !last.trouble.is_of_look())?;
        let section = last.section.upgrade();
        if section.is_none() {
            // It was forgotten: nobody asks for its range any more.
            last.trouble.clear();
        }
        section
    }

    pub(super) fn stats(&self, is_closed: bool) -> Stats {
        Stats::of("sequences", is_closed, Some(&self.lock().trouble))
    }

    fn lock(&self) -> MutexGuard<'_, Last> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
