//! The work that a host runs beside the callers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Calls a store for its sources, so that minting never does: one round after another while the
/// store has sources.
///
/// A host runs it on a thread ([`run`](Self::run)). A host without threads calls
/// [`round`](Self::round) itself, after the pause that the last round returned, or once
/// [`is_notified`](Self::is_notified) returns true.
pub struct SchedulerLoop {
    work: Arc<dyn Rounds>,
}

/// The work of a scheduler, given by the code that spawns it.
pub(crate) trait Rounds: Send + Sync {
    /// See [`SchedulerLoop::round`].
    fn round(&self) -> Option<Duration>;

    /// See [`SchedulerLoop::rest`].
    fn rest(&self, at_most: Duration);

    /// See [`SchedulerLoop::is_notified`].
    fn is_notified(&self) -> bool;
}

impl SchedulerLoop {
    pub(crate) fn new(work: Arc<dyn Rounds>) -> SchedulerLoop {
        SchedulerLoop { work }
    }

    /// Runs rounds with rests between them, until the store has no more sources.
    pub fn run(mut self) {
        while let Some(pause) = self.round() {
            self.rest(pause);
        }
    }

    /// Does the most urgent work and returns how long nothing is due without a notification, or
    /// `None` if the store has no more sources. It waits for the store, and for nothing else.
    pub fn round(&mut self) -> Option<Duration> {
        self.work.round()
    }

    /// Waits until it is notified, at most for `at_most`.
    pub fn rest(&self, at_most: Duration) {
        self.work.rest(at_most);
    }

    /// Returns true if there is work before the pause is over.
    pub fn is_notified(&self) -> bool {
        self.work.is_notified()
    }
}

impl fmt::Debug for SchedulerLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchedulerLoop")
            .field("is_notified", &self.is_notified())
            .finish_non_exhaustive()
    }
}
