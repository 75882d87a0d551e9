//! A host for tests whose clock moves only when told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use super::rounds::SchedulerLoop;
use super::{Clock, Random, Sleep, Spawn, System};
use crate::error::Result;

/// Unix milliseconds at boot.
pub(crate) const START_MS: i64 = 1_790_000_000_000;

/// Clocks that the test moves on. Schedulers do not run.
#[derive(Clone, Default)]
pub(crate) struct Manual(pub(crate) Arc<AtomicI64>);

impl Clock for Manual {
    fn coarse_ms(&self) -> i64 {
        START_MS + self.boot_ms()
    }

    fn now_ns(&self) -> i64 {
        self.coarse_ms() * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Sleep for Manual {
    fn sleep(&self, duration: Duration) {
        self.0.fetch_add(duration.as_millis() as i64, Ordering::Relaxed);
    }
}

impl Random for Manual {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for Manual {
    fn spawn(&self, _: &str, _: SchedulerLoop) -> Result<()> {
        Ok(())
    }
}
