//! A section of keys, and what is known of its fetches.

use std::sync::{Mutex, MutexGuard, PoisonError};

use snowmint_engine::NumberRange;

use super::keys::Keys;
use crate::error::{Error, Result};
use crate::keepers::RETRY_MS;
use crate::store::Tag;

/// Keys that share one persisted maximum.
pub(super) struct Section {
    pub(super) tag: Tag,
    pub(super) state: Mutex<State>,
}

impl Section {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
pub(super) struct State {
    pub(super) keys: Keys,
    /// No longer in the registry: it may not mint.
    pub(super) forgotten: bool,
    /// The keeper has it, or will.
    pub(super) loading: bool,
    pub(super) failure: Option<Error>,
    pub(super) retry_boot_ms: i64,
}

impl State {
    /// Takes what a fetch brought.
    pub(super) fn note(&mut self, fetched: Result<NumberRange>, now_boot_ms: i64) {
        self.loading = false;
        self.failure = fetched.and_then(|range| Ok(self.keys.supply(range)?)).err();
        if self.failure.is_some() {
            self.retry_boot_ms = now_boot_ms.saturating_add(RETRY_MS);
        }
    }
}
