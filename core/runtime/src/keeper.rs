//! The thread beside a source that calls its store, so that minting never does.

use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::Duration;

use crate::error::Result;
use crate::host::Host;

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
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    fn wait(&self, at_most: Duration) {
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let woken = self.changed.wait_timeout_while(rung, at_most, |rung| !*rung);
        *woken.unwrap_or_else(PoisonError::into_inner).0 = false;
    }
}

/// Keeps `kept` until nobody else holds it; whoever drops it rings the bell.
pub(crate) fn start<K: Kept>(
    host: &impl Host,
    name: &str,
    kept: Weak<K>,
    bell: Arc<Bell>,
) -> Result<()> {
    let rounds = move || {
        while let Some(alive) = kept.upgrade() {
            let pause = alive.keep();
            drop(alive);
            bell.wait(pause);
        }
    };
    host.spawn(name, Box::new(rounds))
}
