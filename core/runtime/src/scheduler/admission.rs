//! The queue of sources that are being opened, so that open sources get the store's time first.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::Scheduler;
use crate::host::Sleep as _;
use crate::waiting::Deadline;

/// The number of sources that may ask at once. It leaves one of the four connections to a database
/// to the scheduler.
const AT_ONCE: usize = 3;
/// A scheduler is behind once a source has been due for longer than this.
const BEHIND_MS: i64 = 20;
/// The time that a waiting caller sleeps between looks.
const LOOK: Duration = Duration::from_millis(5);

/// Counts the sources that are being opened on a store.
#[derive(Default)]
pub(super) struct AdmissionQueue {
    length: AtomicUsize,
    asking: AtomicUsize,
    /// The number of requests that the store answered.
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

/// A place in the queue, until dropped.
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

    /// Calls `ask` once no open source is late and few others ask. If the store answers no request
    /// for the whole wait, it calls `ask` anyway, to find out what is wrong.
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

/// Counts a caller that was let in, until dropped.
struct Asking<'a>(&'a AdmissionQueue);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asking.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
