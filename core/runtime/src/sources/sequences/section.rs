//! A section of keys with the state of its fetches, and the last failure of all sections.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use snowmint_engine::Code;

use super::keys::Keys;
use crate::allocations::{Allocations, Requester};
use crate::error::{Error, Result};
use crate::host::{Clock, Platform};
use crate::reports::Subject;
use crate::retry::RetryState;
use crate::stats::Stats;
use crate::store::{Allocation, Tag};

/// Keys that share one persisted maximum.
pub(super) struct Section {
    pub(super) tag: Tag,
    /// True if operators can raise the tag through the store.
    can_be_raised: bool,
    host: Platform,
    /// The last failure of all sections.
    last_error: Arc<LastError>,
    state: Mutex<State>,
}

impl Section {
    /// Creates a section that refuses numbers below `floor`.
    pub(super) fn new(
        tag: Tag,
        can_be_raised: bool,
        floor: u64,
        host: Platform,
        last_error: Arc<LastError>,
    ) -> Section {
        let state = State { keys: Keys::above(floor), ..State::default() };
        Section { tag, can_be_raised, host, last_error, state: Mutex::new(state) }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
pub(super) struct State {
    pub(super) keys: Keys,
    /// The section is no longer in the registry and must not mint.
    pub(super) forgotten: bool,
    /// A scheduler fetches a range, or is about to.
    pub(super) loading: bool,
    /// The store has no such tag yet.
    pub(super) missing: bool,
    /// The section mints no more until the sequences are opened again.
    pub(super) is_fenced: bool,
    pub(super) retry: RetryState,
}

impl Requester for Section {
    fn answer(self: Arc<Self>, allocated: Result<Allocation>, known: &Allocations) {
        if self.last_error.are_over() {
            return;
        }
        let has_numbers = self.lock().keys.has_numbers();
        let subject = || Subject::of_tag("sequences", &self.tag, has_numbers);
        known.reports.judge(&subject(), &allocated, &self.host);
        let mut state = self.lock();
        state.loading = false;
        let supplied = allocated.and_then(|allocation| Ok(state.keys.supply(allocation.range)?));
        match supplied {
            Ok(()) => {
                state.missing = false;
                state.retry.clear();
                self.last_error.clear();
            }
            // The tag is then created, and the range is requested again.
            Err(error) if error.code() == Code::UnknownTag && !state.missing => {
                state.missing = true;
            }
            Err(error) => {
                if error.code() == Code::RangeRegressed {
                    known.raise_floor(&self.tag, state.keys.floor());
                    if !state.is_fenced {
                        let now_ms = self.host.now_ms();
                        let fenced = subject().fenced(&error, self.can_be_raised, now_ms);
                        known.reports.note(fenced);
                    }
                    state.fence();
                }
                self.last_error.note(&self, error.clone(), &self.host);
                state.retry.note(error, &self.host);
            }
        }
    }
}

impl State {
    /// Stops the section: the store gave numbers that it had given before, so its next numbers and
    /// those at hand may be another process's too.
    fn fence(&mut self) {
        self.is_fenced = true;
        self.keys = Keys::above(self.keys.floor());
    }
}

/// The failure of one section, until any section has a range again.
#[derive(Default)]
pub(super) struct LastError(Mutex<Last>);

#[derive(Default)]
struct Last {
    retry: RetryState,
    /// The sequences are closed, and further failures do not matter.
    are_over: bool,
    section: Weak<Section>,
}

impl LastError {
    pub(super) fn note(&self, section: &Arc<Section>, error: Error, host: &Platform) {
        let mut last = self.lock();
        last.section = Arc::downgrade(section);
        last.retry.note(error, host);
    }

    pub(super) fn note_look<T>(&self, looked: Result<T>, host: &Platform) {
        self.lock().retry.note_look(looked, host);
    }

    pub(super) fn end(&self) {
        self.lock().are_over = true;
    }

    pub(super) fn are_over(&self) -> bool {
        self.lock().are_over
    }

    pub(super) fn clear(&self) {
        self.lock().retry.clear();
    }

    /// Returns the section whose range failed last, unless a range or a look at the store has come
    /// since.
    pub(super) fn section(&self) -> Option<Arc<Section>> {
        let mut last = self.lock();
        last.retry.present().filter(|_| !last.retry.is_of_look())?;
        let section = last.section.upgrade();
        if section.is_none() {
            // The section was forgotten, so its range is no longer wanted.
            last.retry.clear();
        }
        section
    }

    pub(super) fn stats(&self, is_closed: bool) -> Stats {
        Stats::new("sequences", is_closed, Some(&self.lock().retry))
    }

    fn lock(&self) -> MutexGuard<'_, Last> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
