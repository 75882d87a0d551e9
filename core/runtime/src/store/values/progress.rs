//! Detects that a store has gone back behind what it acknowledged.

use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(doc)]
use snowmint_engine::Code;

use super::errors;
use crate::error::Result;

/// The highest progress number seen; the store raises this number with its changes.
pub(in crate::store) struct Progress(AtomicU64);

impl Progress {
    pub(in crate::store) const fn new() -> Progress {
        Progress(AtomicU64::new(0))
    }

    /// Returns the number that the answer to a question asked from now on must have reached.
    pub(in crate::store) fn reached(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    /// Notes the number `now` in an answer to a question that was asked when `before` was reached.
    ///
    /// # Errors
    /// [`Code::IncarnationChanged`] if the store has gone back, and from then on in every call.
    pub(in crate::store) fn note(&self, before: u64, now: u64, store: &str) -> Result<()> {
        if now >= before {
            self.0.fetch_max(now, Ordering::SeqCst);
            return Ok(());
        }
        self.0.store(u64::MAX, Ordering::SeqCst);
        Err(errors::store_gone_back(store))
    }
}

#[cfg(test)]
mod tests {
    use snowmint_engine::Code;

    use super::*;

    #[test]
    fn a_store_that_went_back_is_refused_even_once_it_has_caught_up() {
        let progress = Progress::new();
        let before = progress.reached();
        progress.note(before, 7, "it").unwrap();
        progress.note(before, 5, "it").unwrap(); // asked earlier, answered later
        progress.note(progress.reached(), 7, "it").unwrap();
        for now in [6, 7, 8] {
            let error = progress.note(progress.reached(), now, "it").unwrap_err();
            assert_eq!(error.code(), Code::IncarnationChanged);
        }
    }
}
