//! What a host is given to run beside the callers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Calls a store for its sources, so that minting never does: one round after another, for as long
/// as there are any.
///
/// A host runs it on a thread ([`run`](Self::run)). One without threads calls
/// [`round`](Self::round) itself: when the pause is over that the last one returned, or once
/// [`is_rung`](Self::is_rung) says so.
pub struct Keeper {
    work: Arc<dyn Rounds>,
}

/// The work of a keeper, which it has from whoever spawns it.
pub(crate) trait Rounds: Send + Sync {
    /// See [`Keeper::round`].
    fn round(&self) -> Option<Duration>;

    /// See [`Keeper::rest`].
    fn rest(&self, at_most: Duration);

    /// See [`Keeper::is_rung`].
    fn is_rung(&self) -> bool;
}

impl Keeper {
    pub(crate) fn of(work: Arc<dyn Rounds>) -> Keeper {
        Keeper { work }
    }

    /// Rounds with rests between them, until the store has no more sources.
    pub fn run(mut self) {
        while let Some(pause) = self.round() {
            self.rest(pause);
        }
    }

    /// Does what is due first, and says how long nothing will be unless somebody rings; `None` when
    /// the store has no more sources. It waits for the store, and for nothing else.
    pub fn round(&mut self) -> Option<Duration> {
        self.work.round()
    }

    /// Waits until somebody rings, or for `at_most`.
    pub fn rest(&self, at_most: Duration) {
        self.work.rest(at_most);
    }

    /// Whether there is something to do before the pause is over.
    pub fn is_rung(&self) -> bool {
        self.work.is_rung()
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").field("is_rung", &self.is_rung()).finish_non_exhaustive()
    }
}
