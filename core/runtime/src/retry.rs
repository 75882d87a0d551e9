//! The last failure of a store, and the time at which it may be asked again.

use std::time::Duration;

use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::host::{Clock, Platform, Random};

/// The pause after a first failure, in milliseconds. It doubles with each further failure.
const RETRY_MS: i64 = 100;
/// The first pause after `tag_exhausted`, short because a change of the tag's max may be on its
/// way.
const EXHAUSTED_MS: i64 = 5;
/// The longest of these pauses, in milliseconds.
const RETRY_MAX_MS: i64 = 500;
/// The first pause after a lasting failure, in milliseconds, for a source that still has numbers.
/// Such a failure ends only once an operator has repaired the store.
const MENDED_MS: i64 = 1_000;
/// The longest of these pauses, in milliseconds.
pub(crate) const MENDED_MAX_MS: i64 = 30_000;
/// The longest pause that a failure itself may ask for, in milliseconds.
const SAID_MAX_MS: i64 = 60_000;

/// The failures of a source's requests to its store, and when the store may be asked again.
#[derive(Debug, Default)]
pub(crate) struct RetryState {
    present: Option<Error>,
    /// The lasting failure that was present when the request in progress was made.
    before: Option<Error>,
    failures: u32,
    retry_boot_ms: Option<i64>,
    /// The boot time at which a source that still has numbers may ask again.
    ahead_boot_ms: Option<i64>,
    last: Option<LastFailure>,
    /// The `tag_exhausted` failure, kept while the store fails for passing reasons.
    ended: Option<LastFailure>,
    /// True if `present` came from a look at the store, so that a look that succeeds ends it.
    is_of_look: bool,
}

/// The most recent failure, which may be over.
#[derive(Clone, Debug)]
pub(crate) struct LastFailure {
    pub(crate) error: Error,
    pub(crate) unix_ms: i64,
}

impl RetryState {
    /// Returns the failure that no success has ended yet.
    pub(crate) fn present(&self) -> Option<&Error> {
        self.present.as_ref()
    }

    /// Returns the error for a caller that does not wait for the request in progress.
    pub(crate) fn known(&self) -> Option<&Error> {
        self.present.as_ref().or(self.before.as_ref())
    }

    /// Returns the present failure if asking again does not help.
    pub(crate) fn lasting(&self) -> Option<&Error> {
        self.present.as_ref().filter(|failure| !failure.is_transient())
    }

    pub(crate) fn last(&self) -> Option<&LastFailure> {
        self.last.as_ref()
    }

    /// Returns the `tag_exhausted` failure, if the store's last answer about the tag was one.
    pub(crate) fn end(&self) -> Option<&LastFailure> {
        let is_known = self.known().is_some_and(is_exhausted);
        if is_known { self.last.as_ref() } else { self.ended.as_ref() }
    }

    /// Returns how long not to ask the store after a failure, or `None` if it may be asked.
    pub(crate) fn rest(&self, host: &Platform) -> Option<Duration> {
        until(self.retry_boot_ms?, host)
    }

    /// Like [`rest`](Self::rest), for a source that still has numbers: longer after a lasting
    /// failure.
    pub(crate) fn rest_ahead(&self, host: &Platform) -> Option<Duration> {
        until(self.ahead_boot_ms?, host)
    }

    pub(crate) fn clear(&mut self) {
        (self.failures, self.present, self.before, self.ended) = (0, None, None, None);
        (self.retry_boot_ms, self.ahead_boot_ms) = (None, None);
        self.is_of_look = false;
    }

    /// Sets a lasting failure aside while a new request is in progress: it must not answer calls
    /// that wait for the outcome.
    pub(crate) fn hope(&mut self) {
        if let Some(lasting) = self.present.take_if(|failure| !failure.is_transient()) {
            self.before = Some(lasting);
        }
    }

    pub(crate) fn note(&mut self, error: Error, host: &Platform) {
        let is_exhausted = is_exhausted(&error);
        let retry_ms = if is_exhausted { EXHAUSTED_MS } else { RETRY_MS };
        let pause_ms = (retry_ms << self.failures.min(8)).min(RETRY_MAX_MS);
        let pause_ms = pause_ms.max(said_ms(&error));
        // Jitter keeps sources that lost the store together from coming back together.
        let mut jitter = [0; 1];
        let jitter_ms = host.fill(&mut jitter).map_or(0, |()| i64::from(jitter[0]) / 2);
        let jitter_ms = jitter_ms.min(pause_ms);
        let mended_ms = (MENDED_MS << self.failures.min(8)).min(MENDED_MAX_MS);
        let ahead_ms = if error.is_transient() { pause_ms } else { mended_ms.max(pause_ms) };
        let now_ms = host.boot_ms();
        self.retry_boot_ms = Some(now_ms.saturating_add(pause_ms + jitter_ms));
        self.ahead_boot_ms = Some(now_ms.saturating_add(ahead_ms + jitter_ms));
        self.failures = self.failures.saturating_add(1);
        // A passing failure says nothing of the tag, which stays known as exhausted.
        self.ended = self.end().filter(|_| !is_exhausted && error.is_transient()).cloned();
        self.last = Some(LastFailure { error: error.clone(), unix_ms: host.now_ms() });
        (self.present, self.before) = (Some(error), None);
        self.is_of_look = false;
    }

    /// Returns true if the present failure came from a look at the store.
    pub(crate) fn is_of_look(&self) -> bool {
        self.present.is_some() && self.is_of_look
    }

    /// Returns true if a range request failed for another reason than an exhausted tag.
    fn has_failed(&self) -> bool {
        self.present.as_ref().is_some_and(|failure| !self.is_of_look && !is_exhausted(failure))
    }

    /// Notes the outcome of a look at the store. A look that succeeds does not end the failure of a
    /// range request, but allows the next request sooner.
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
            // The failure of a range request says more, except that the tag is exhausted.
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

/// Returns for how many milliseconds a failure asks not to try again.
pub(crate) fn said_ms(failure: &Error) -> i64 {
    let said_ms = failure.wait_ms().unwrap_or(0);
    said_ms.min(SAID_MAX_MS.unsigned_abs()).cast_signed()
}

/// Returns the time until `boot_ms`, or `None` if that is past.
fn until(boot_ms: i64, host: &Platform) -> Option<Duration> {
    let left_ms = boot_ms.saturating_sub(host.boot_ms());
    (left_ms > 0).then(|| Duration::from_millis(left_ms.unsigned_abs()))
}
