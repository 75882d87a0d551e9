//! What went wrong with a store, and when it may be asked again.

use std::time::Duration;

use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::host::{Clock, Platform, Random};
use crate::store::max_changes;

/// After a failure a store is asked again within this, in milliseconds.
const RETRY_MS: i64 = 100;
/// The same after one that a change of a tag's max ends, which may be on its way.
const EXHAUSTED_MS: i64 = 5;
/// After several, within this.
const RETRY_MAX_MS: i64 = 500;
/// After a failure that lasts, whoever has numbers at hand asks again within this: it is over once
/// somebody has put the store right.
const MENDED_MS: i64 = 1_000;
/// After several, within this.
pub(crate) const MENDED_MAX_MS: i64 = 30_000;
/// One that says when to ask again is left alone for no longer than this.
const SAID_MAX_MS: i64 = 60_000;

/// What went wrong with the store, and when it may be asked again.
#[derive(Debug, Default)]
pub(crate) struct RetryState {
    present: Option<Error>,
    /// What lasted when the question was asked that is under way.
    before: Option<Error>,
    failures: u32,
    retry_boot_ms: Option<i64>,
    /// The same for whoever has numbers at hand.
    ahead_boot_ms: Option<i64>,
    last: Option<LastFailure>,
    /// That the tag is at its end, where its store has failed since.
    ended: Option<LastFailure>,
    /// Whether it is of a look at the store, and over with one that finds it well.
    is_of_look: bool,
    /// How many changes of a tag's max were made before it.
    max_changes: u64,
}

/// A failure that may be over.
#[derive(Clone, Debug)]
pub(crate) struct LastFailure {
    pub(crate) error: Error,
    pub(crate) unix_ms: i64,
}

impl RetryState {
    /// The failure that has not been made good.
    pub(crate) fn present(&self) -> Option<&Error> {
        self.present.as_ref()
    }

    /// What to tell who does not wait for the question that is under way.
    pub(crate) fn known(&self) -> Option<&Error> {
        self.present.as_ref().or(self.before.as_ref())
    }

    /// The failure that asking again does not mend.
    pub(crate) fn lasting(&self) -> Option<&Error> {
        self.present.as_ref().filter(|failure| !failure.is_transient() && !self.is_outdated())
    }

    pub(crate) fn last(&self) -> Option<&LastFailure> {
        self.last.as_ref()
    }

    /// That the tag has no number left, as far as its store has told.
    pub(crate) fn end(&self) -> Option<&LastFailure> {
        let is_known = self.known().is_some_and(is_exhausted);
        if is_known { self.last.as_ref() } else { self.ended.as_ref() }
    }

    /// How long the store is left alone after a failure; `None` if it may be asked.
    pub(crate) fn rest(&self, host: &Platform) -> Option<Duration> {
        if self.is_outdated() {
            return None;
        }
        until(self.retry_boot_ms?, host)
    }

    /// The same for whoever has numbers at hand, and can wait until a failure that lasts was put right.
    pub(crate) fn rest_ahead(&self, host: &Platform) -> Option<Duration> {
        until(self.ahead_boot_ms?, host)
    }

    pub(crate) fn clear(&mut self) {
        (self.failures, self.present, self.before, self.ended) = (0, None, None, None);
        (self.retry_boot_ms, self.ahead_boot_ms) = (None, None);
        self.is_of_look = false;
    }

    /// A failure that lasts is past: there will be news, for which it must not answer.
    pub(crate) fn hope(&mut self) {
        if let Some(lasting) = self.present.take_if(|failure| !failure.is_transient()) {
            self.before = Some(lasting);
        }
    }

    /// Whether a tag's max was changed since it had no number left.
    fn is_outdated(&self) -> bool {
        let failure = self.present.as_ref();
        failure.is_some_and(is_exhausted) && self.max_changes != max_changes()
    }

    pub(crate) fn note(&mut self, error: Error, host: &Platform) {
        let (is_exhausted, max_changes) = (is_exhausted(&error), max_changes());
        if is_exhausted && self.max_changes != max_changes {
            // Asked in the middle of the change, it may be over in a moment.
            (self.max_changes, self.failures) = (max_changes, 0);
        }
        let retry_ms = if is_exhausted { EXHAUSTED_MS } else { RETRY_MS };
        let pause_ms = (retry_ms << self.failures.min(8)).min(RETRY_MAX_MS);
        let pause_ms = pause_ms.max(said_ms(&error));
        // Sources that lost the store together do not come back together.
        let mut jitter = [0; 1];
        let jitter_ms = host.fill(&mut jitter).map_or(0, |()| i64::from(jitter[0]) / 2);
        let jitter_ms = jitter_ms.min(pause_ms);
        let mended_ms = (MENDED_MS << self.failures.min(8)).min(MENDED_MAX_MS);
        let ahead_ms = if error.is_transient() { pause_ms } else { mended_ms.max(pause_ms) };
        let now_ms = host.boot_ms();
        self.retry_boot_ms = Some(now_ms.saturating_add(pause_ms + jitter_ms));
        self.ahead_boot_ms = Some(now_ms.saturating_add(ahead_ms + jitter_ms));
        self.failures = self.failures.saturating_add(1);
        // What passes says nothing of the tag.
        self.ended = self.end().filter(|_| !is_exhausted && error.is_transient()).cloned();
        self.last = Some(LastFailure { error: error.clone(), unix_ms: host.now_ms() });
        (self.present, self.before) = (Some(error), None);
        self.is_of_look = false;
    }

    /// Whether the failure is of a look alone.
    pub(crate) fn is_of_look(&self) -> bool {
        self.present.is_some() && self.is_of_look
    }

    /// Whether a range has, and not because there was none.
    fn has_failed(&self) -> bool {
        self.present.as_ref().is_some_and(|failure| !self.is_of_look && !is_exhausted(failure))
    }

    /// Notes what a look at the store found. That it answers makes a range that failed no good, but is
    /// a reason to ask for it.
    pub(crate) fn note_look<T>(&mut self, looked: Result<T>, host: &Platform) {
        match looked {
            Ok(_) if self.is_of_look() => {
                let ended = self.ended.take();
                self.clear();
                if let Some(ended) = ended {
                    (self.present, self.last) = (Some(ended.error.clone()), Some(ended));
                }
            }
            Ok(_) => self.ahead_boot_ms = self.retry_boot_ms,
            // A range that failed meanwhile says more, but for one of a tag at its end.
            Err(_) if self.has_failed() => {}
            Err(error) if error.code() == Code::Unsupported => {}
            Err(error) => {
                self.note(error, host);
                self.is_of_look = true;
            }
        }
    }
}

pub(crate) fn is_exhausted(failure: &Error) -> bool {
    failure.code() == Code::TagExhausted
}

/// For how long a failure says to leave the store alone.
pub(crate) fn said_ms(failure: &Error) -> i64 {
    let said_ms = failure.wait_ms().unwrap_or(0);
    said_ms.min(SAID_MAX_MS.unsigned_abs()).cast_signed()
}

/// How long it is until then; `None` if that is past.
fn until(boot_ms: i64, host: &Platform) -> Option<Duration> {
    let left_ms = boot_ms.saturating_sub(host.boot_ms());
    (left_ms > 0).then(|| Duration::from_millis(left_ms.unsigned_abs()))
}
