//! A host whose clocks are moved, and whose schedulers do their rounds by hand.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use snowmint::{Clock, Random, Result, SchedulerLoop, Sleep, Spawn, System};

/// Unix milliseconds at boot.
pub(crate) const START_MS: i64 = 1_790_000_000_000;

/// The test's handle of the host. It ends the schedulers when it is dropped, because they hold the
/// host, which must not hold them for ever.
#[derive(Default)]
pub(crate) struct Hands(ByHand);

impl Deref for Hands {
    type Target = ByHand;

    fn deref(&self) -> &ByHand {
        &self.0
    }
}

impl Drop for Hands {
    fn drop(&mut self) {
        self.schedulers().clear();
    }
}

/// The host itself.
#[derive(Clone, Default)]
pub(crate) struct ByHand {
    pub(crate) passed_ms: Arc<AtomicI64>,
    /// The time by which somebody has set the wall clock.
    pub(crate) set_ms: Arc<AtomicI64>,
    /// The number of times that a scheduler had something to do.
    pub(crate) rounds: Arc<AtomicI64>,
    /// True while readers of the boot time have to wait. `stood` is true once one has waited.
    pub(crate) stands: Arc<AtomicBool>,
    pub(crate) stood: Arc<AtomicBool>,
    schedulers: Arc<Mutex<Vec<SchedulerLoop>>>,
}

impl ByHand {
    pub(crate) fn pass(&self, ms: i64) {
        self.passed_ms.fetch_add(ms, SeqCst);
        self.rounds();
    }

    /// Rounds of every scheduler, until nothing is due.
    pub(crate) fn rounds(&self) {
        let schedulers = std::mem::take(&mut *self.schedulers());
        let busy = |mut scheduler: SchedulerLoop| loop {
            match scheduler.round() {
                Some(Duration::ZERO) => {
                    self.rounds.fetch_add(1, SeqCst);
                }
                Some(_) => break Some(scheduler),
                None => break None,
            }
        };
        let kept: Vec<_> = schedulers.into_iter().filter_map(busy).collect();
        self.schedulers().extend(kept);
    }

    fn schedulers(&self) -> MutexGuard<'_, Vec<SchedulerLoop>> {
        self.schedulers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for ByHand {
    fn coarse_ms(&self) -> i64 {
        START_MS + self.set_ms.load(SeqCst) + self.boot_ms()
    }

    fn now_ns(&self) -> i64 {
        self.coarse_ms() * 1_000_000
    }

    fn boot_ms(&self) -> i64 {
        while self.stands.load(SeqCst) {
            self.stood.store(true, SeqCst);
            thread::sleep(Duration::from_millis(1));
        }
        self.passed_ms.load(SeqCst)
    }
}

impl Sleep for ByHand {
    fn sleep(&self, duration: Duration) {
        self.pass(duration.as_millis().max(1) as i64);
    }
}

impl Random for ByHand {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        System.fill(bytes)
    }
}

impl Spawn for ByHand {
    fn spawn(&self, _: &str, scheduler: SchedulerLoop) -> Result<()> {
        self.schedulers().push(scheduler);
        Ok(())
    }
}
