//! Sources that are being opened stand in line, so that those that are open keep what they have.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use super::Pool;
use crate::host::Sleep as _;
use crate::waiting::Deadline;

/// So many ask at once: one connection of a store is left to its keeper.
const AT_ONCE: usize = 3;
/// A keeper is behind once a source has been due for longer.
const BEHIND_MS: i64 = 20;
/// How long whoever stands in line sleeps between looks.
const LOOK: Duration = Duration::from_millis(5);

/// The line before a store.
#[derive(Default)]
pub(super) struct Line {
    length: AtomicUsize,
    asking: AtomicUsize,
    /// How often the store gave what it was asked for.
    answers: AtomicU64,
}

impl Line {
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
pub(crate) struct Opening<'a> {
    pool: &'a Pool,
    wait: Duration,
    deadline: Deadline,
    answers: u64,
}

impl<'a> Opening<'a> {
    pub(super) fn of(pool: &'a Pool, wait: Duration) -> Opening<'a> {
        pool.line.length.fetch_add(1, Ordering::Relaxed);
        let deadline = Deadline::after(wait, &pool.host);
        Opening { pool, wait, deadline, answers: pool.line.answers.load(Ordering::Relaxed) }
    }

    /// Asks when it is its turn: no source that is open is late, and few others ask. Where the store has
    /// given nobody anything for as long as the caller waits, it asks as well, to see what is wrong.
    pub(crate) fn ask<T>(&mut self, ask: impl FnOnce() -> T) -> T {
        let line = &self.pool.line;
        while self.pool.is_behind(BEHIND_MS) || !line.let_in() {
            let answers = line.answers.load(Ordering::Relaxed);
            if answers != self.answers {
                self.answers = answers;
                self.deadline = Deadline::after(self.wait, &self.pool.host);
            }
            if self.deadline.is_over(&self.pool.host) {
                return ask();
            }
            self.pool.host.sleep(LOOK);
        }
        let _asking = Asking(line);
        ask()
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.pool.line.length.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One of those let in.
struct Asking<'a>(&'a Line);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asking.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
