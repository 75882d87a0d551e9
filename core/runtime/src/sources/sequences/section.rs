//! A section of keys, and what is known of its fetches.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use snowmint_engine::Code;

use super::keys::Keys;
use super::mishaps::Mishaps;
use crate::allocations::{Allocations, Customer};
use crate::error::Result;
use crate::host::{Clock, Platform};
use crate::reports::Subject;
use crate::store::{Allocation, Tag};
use crate::trouble::Trouble;

/// Keys that share one persisted maximum.
pub(super) struct Section {
    pub(super) tag: Tag,
    /// Whether its store has operators raise it.
    can_be_raised: bool,
    host: Platform,
    /// Of all sections.
    mishaps: Arc<Mishaps>,
    state: Mutex<State>,
}

impl Section {
    /// A section whose numbers below `floor` are refused.
    pub(super) fn new(
        tag: Tag,
        can_be_raised: bool,
        floor: u64,
        host: Platform,
        mishaps: Arc<Mishaps>,
    ) -> Section {
        let state = State { keys: Keys::above(floor), ..State::default() };
        Section { tag, can_be_raised, host, mishaps, state: Mutex::new(state) }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
pub(super) struct State {
    pub(super) keys: Keys,
    /// No longer in the registry: it may not mint.
    pub(super) forgotten: bool,
    /// A keeper has it, or will.
    pub(super) loading: bool,
    /// The store has no such tag yet.
    pub(super) missing: bool,
    /// It mints no more, until the sequences are opened anew.
    pub(super) is_latched: bool,
    pub(super) trouble: Trouble,
}

impl Customer for Section {
    fn answer(self: Arc<Self>, allocated: Result<Allocation>, known: &Allocations) {
        if self.mishaps.are_over() {
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
                state.trouble.clear();
                self.mishaps.clear();
            }
            // It is created, and asked for again.
            Err(error) if error.code() == Code::UnknownTag && !state.missing => {
                state.missing = true;
            }
            Err(error) => {
                if error.code() == Code::RangeRegressed {
                    known.raise_floor(&self.tag, state.keys.floor());
                    if !state.is_latched {
                        let now_ms = self.host.now_ms();
                        let latched = subject().latched(&error, self.can_be_raised, now_ms);
                        known.reports.note(latched);
                    }
                    state.latch();
                }
                self.mishaps.note(&self, error.clone(), &self.host);
                state.trouble.note(error, &self.host);
            }
        }
    }
}

impl State {
    /// The store gave numbers that it had given before: what it gives from now on, and what is at
    /// hand, may be another's.
    fn latch(&mut self) {
        self.is_latched = true;
        self.keys = Keys::above(self.keys.floor());
    }
}
