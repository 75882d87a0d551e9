//! Sources that are being opened stand in line, so that those that are open keep what they have.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::Scheduler;
use crate::host::Sleep as _;
use crate::waiting::Deadline;

/// So many ask at once: one connection of a store is left to its scheduler.
const AT_ONCE: usize = 3;
/// A scheduler is behind once a source has been due for longer.
const BEHIND_MS: i64 = 20;
/// How long whoever stands in line sleeps between looks.
const LOOK: Duration = Duration::from_millis(5);

/// The line before a store.
#[derive(Default)]
pub(super) struct AdmissionQueue {
    length: AtomicUsize,
    asking: AtomicUsize,
    /// How often the store gave what it was asked for.
    answers: AtomicU64,
}

impl AdmissionQueue {
    pub(super) fn length(&self) -> usize {
        self.length.load(Ordering::Relaxed)
    }

    pub(super) fn note_answer(&self) {
        self.answers.fetch_add(1, Ordering::Relaxed);
    }

    fn let_in(&self) -> bool {
        let one_more = |asking: usize| (asking < AT_ONCE).then_some(asking.saturating_add(1));
        self.asking.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok()
    }
}

/// A place in line, until dropped.
pub(crate) struct Permit<'a> {
    scheduler: &'a Scheduler,
    wait: Duration,
    deadline: Deadline,
    answers: u64,
}

impl<'a> Permit<'a> {
    pub(super) fn new(scheduler: &'a Scheduler, wait: Duration) -> Permit<'a> {
        scheduler.admission.length.fetch_add(1, Ordering::Relaxed);
        let deadline = Deadline::after(wait, &scheduler.host);
        Permit {
            scheduler,
            wait,
            deadline,
            answers: scheduler.admission.answers.load(Ordering::Relaxed),
        }
    }

    /// Asks when it is its turn: no source that is open is late, and few others ask. Where the store has
    /// given nobody anything for as long as the caller waits, it asks as well, to see what is wrong.
    pub(crate) fn ask<T>(&mut self, ask: impl FnOnce() -> T) -> T {
        let queue = &self.scheduler.admission;
        while self.scheduler.is_behind(BEHIND_MS) || !queue.let_in() {
            let answers = queue.answers.load(Ordering::Relaxed);
            if answers != self.answers {
                self.answers = answers;
                self.deadline = Deadline::after(self.wait, &self.scheduler.host);
            }
            if self.deadline.is_over(&self.scheduler.host) {
                return ask();
            }
            self.scheduler.host.sleep(LOOK);
        }
        let _asking = Asking(queue);
        ask()
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.scheduler.admission.length.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One of those let in.
struct Asking<'a>(&'a AdmissionQueue);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asking.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
