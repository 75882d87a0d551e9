//! Waiting: what for, how long, and the answer of calls that leave it to their caller.

use std::time::Duration;

use snowmint_engine::Error as EngineError;

use crate::error::{Error, Result};
use crate::host::Host;

/// What a call came to whose caller sleeps itself: event loops, and languages whose threads must
/// not wait in foreign code.
#[derive(Clone, Debug)]
pub enum Attempt<T> {
    /// What was asked for.
    Done(T),
    /// Nothing yet; nothing was issued.
    Later {
        /// How long to sleep before asking again.
        pause: Duration,
        /// What to tell those who have no time left.
        why: Error,
    },
}

impl<T> Attempt<T> {
    pub(crate) fn map<U>(self, made: impl FnOnce(T) -> U) -> Attempt<U> {
        match self {
            Attempt::Done(value) => Attempt::Done(made(value)),
            Attempt::Later { pause, why } => Attempt::Later { pause, why },
        }
    }
}

/// What a generator that has no ID waits for.
pub(crate) enum Pause {
    /// The clock.
    Clock { wait_ms: u64 },
    /// Its keeper, and so the store.
    Keeper,
}

/// The end of a caller's patience, in boot time.
pub(crate) struct Deadline {
    boot_ms: i64,
}

impl Deadline {
    pub(crate) fn after(wait: Duration, host: &impl Host) -> Deadline {
        let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        Deadline { boot_ms: host.boot_ms().saturating_add(wait_ms) }
    }

    pub(crate) fn is_over(&self, host: &impl Host) -> bool {
        host.boot_ms() >= self.boot_ms || host.is_interrupted()
    }

    /// Sleeps until the millisecond `wait_ms` from the present one begins, or fails at once if
    /// that is too late.
    pub(crate) fn sleep_ms(
        &self,
        wait_ms: u64,
        host: &impl Host,
        refusal: EngineError,
    ) -> Result<()> {
        let left_ms = self.boot_ms.saturating_sub(host.boot_ms());
        let fits = i64::try_from(wait_ms).is_ok_and(|wait_ms| wait_ms <= left_ms);
        if fits && !host.is_interrupted() {
            host.sleep(until_ms(wait_ms, host));
            return Ok(());
        }
        Err(refusal.into())
    }
}

/// How long until the millisecond `wait_ms` from the present one begins.
pub(crate) fn until_ms(wait_ms: u64, host: &impl Host) -> Duration {
    let begun_ns = host.now_ns().rem_euclid(1_000_000).unsigned_abs();
    Duration::from_millis(wait_ms).saturating_sub(Duration::from_nanos(begun_ns))
}
