//! The thread beside a source that calls its store, so that minting never does.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::error::Result;
use crate::host::Host;

/// After a failure a store is asked again within this, in milliseconds.
pub(crate) const RETRY_MS: i64 = 100;
/// How long a caller sleeps between looks at what a keeper is fetching.
pub(crate) const POLL: Duration = Duration::from_millis(1);
/// A keeper's rest when only the bell can bring work.
pub(crate) const NOTHING_DUE: Duration = Duration::from_secs(3600);

/// Calls a source's store, so that minting never does: one round after another, for as long as
/// the source lives.
///
/// A host runs it on a thread ([`run`](Self::run)). One without threads calls
/// [`round`](Self::round) itself: when the pause is over that the last one returned, or once
/// [`is_rung`](Self::is_rung) says so.
pub struct Keeper {
    kept: Weak<dyn Kept>,
    bell: Arc<Bell>,
}

impl Keeper {
    /// Rounds with rests between them, until the source is gone.
    pub fn run(mut self) {
        while let Some(pause) = self.round() {
            self.rest(pause);
        }
    }

    /// Does what is due, and says how long nothing will be unless the bell rings; `None` when the
    /// source is gone. It waits for the store, and for nothing else.
    pub fn round(&mut self) -> Option<Duration> {
        let kept = self.kept.upgrade()?;
        // Before the round: what it does not see any more rings again.
        *self.bell.rung() = false;
        Some(kept.keep())
    }

    /// Waits until the bell rings, or for `at_most`.
    pub fn rest(&self, at_most: Duration) {
        let rested = self.bell.changed.wait_timeout_while(self.bell.rung(), at_most, |rung| !*rung);
        drop(rested.unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether there is something to do before the pause is over.
    pub fn is_rung(&self) -> bool {
        *self.bell.rung()
    }
}

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").field("is_rung", &self.is_rung()).finish_non_exhaustive()
    }
}

/// Something that a keeper looks after.
pub(crate) trait Kept: Send + Sync + 'static {
    /// Does what is due, and says how long nothing will be.
    fn keep(&self) -> Duration;
}

/// Wakes a keeper before its time.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl Bell {
    pub(crate) fn ring(&self) {
        *self.rung() = true;
        self.changed.notify_all();
    }

    fn rung(&self) -> MutexGuard<'_, bool> {
        self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps `kept` until nobody else holds it; whoever drops it rings the bell.
pub(crate) fn start<K: Kept>(
    host: &impl Host,
    name: &str,
    kept: Weak<K>,
    bell: Arc<Bell>,
) -> Result<()> {
    host.spawn(name, Keeper { kept, bell })
}
