//! The operating system as the runtime needs it, as traits: clock, sleep, randomness, threads.
//!
//! [`System`] is the real one. A simulator brings its own and runs the same code.

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

#[cfg(doc)]
use snowmint_engine::Code;

use crate::error::Result;
use crate::errors;
pub(crate) use platform::Platform;
use rounds::SchedulerLoop;

pub(crate) mod files;
pub(crate) mod identity;
#[cfg(test)]
pub(crate) mod manual;
pub(crate) mod mark;
pub(crate) mod paths;
mod platform;
pub(crate) mod process;
pub(crate) mod restore;
pub(crate) mod rounds;
pub(crate) mod set_once;
pub(crate) mod threads;
pub(crate) mod uninherited;

/// The machine's clocks. Reading one costs nanoseconds and cannot fail.
pub trait Clock {
    /// Wall time in Unix milliseconds, as cheap as possible: it may lag by some milliseconds.
    fn coarse_ms(&self) -> i64;

    /// Wall time in Unix nanoseconds, precise.
    fn now_ns(&self) -> i64;

    /// Wall time in Unix milliseconds, precise.
    fn now_ms(&self) -> i64 {
        self.now_ns().div_euclid(1_000_000)
    }

    /// Milliseconds since some fixed moment, including suspended time; it cannot be set.
    fn boot_ms(&self) -> i64;
}

/// Waiting.
pub trait Sleep {
    /// Returns after `duration`, or a little later; earlier if the thread is interrupted.
    fn sleep(&self, duration: Duration);

    /// Returns true if the calling thread should stop waiting for an ID. Its call then fails as if
    /// its wait had timed out.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Random numbers.
pub trait Random {
    /// Fills `bytes` with random numbers that no copy of the process gets again.
    ///
    /// # Errors
    /// [`Code::NoResource`] if the system has none.
    fn fill(&self, bytes: &mut [u8]) -> Result<()>;

    /// A random token.
    ///
    /// # Errors
    /// The code of [`fill`](Self::fill).
    fn token(&self) -> Result<[u8; 16]> {
        let mut token = [0; 16];
        self.fill(&mut token)?;
        Ok(token)
    }
}

/// Starts schedulers.
pub trait Spawn {
    /// Runs `scheduler` on a new thread. A host without threads keeps it and calls its rounds when
    /// they are due, but never within this call, whose caller holds locks.
    ///
    /// # Errors
    /// [`Code::NoResource`] if the system has no thread left.
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()>;
}

/// Everything a source needs of its host.
#[cfg(feature = "embedding")]
pub trait Host: Clock + Sleep + Random + Spawn + Send + Sync + 'static {}

#[cfg(feature = "embedding")]
impl<T: Clock + Sleep + Random + Spawn + Send + Sync + 'static> Host for T {}

/// The operating system this process runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

#[cfg(unix)]
impl Clock for System {
    #[inline]
    fn coarse_ms(&self) -> i64 {
        #[cfg(target_os = "linux")]
        return read_ms(rustix::time::ClockId::RealtimeCoarse);
        #[cfg(not(target_os = "linux"))]
        self.now_ms()
    }

    #[inline]
    fn now_ns(&self) -> i64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
        time.tv_sec.saturating_mul(1_000_000_000).saturating_add(time.tv_nsec)
    }

    #[inline]
    fn boot_ms(&self) -> i64 {
        #[cfg(target_os = "linux")]
        return read_ms(rustix::time::ClockId::Boottime);
        #[cfg(not(target_os = "linux"))]
        read_ms(rustix::time::ClockId::Monotonic)
    }
}

#[cfg(unix)]
#[inline]
fn read_ms(clock: rustix::time::ClockId) -> i64 {
    let time = rustix::time::clock_gettime(clock);
    time.tv_sec.wrapping_mul(1000).wrapping_add(time.tv_nsec / 1_000_000)
}

#[cfg(not(unix))]
impl Clock for System {
    fn coarse_ms(&self) -> i64 {
        self.now_ms()
    }

    fn now_ns(&self) -> i64 {
        use std::time::{SystemTime, UNIX_EPOCH};
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
        }
    }

    fn boot_ms(&self) -> i64 {
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        i64::try_from(START.get_or_init(Instant::now).elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

/// The hook given to [`System::interrupt_waits_by`].
static INTERRUPT: OnceLock<fn() -> bool> = OnceLock::new();
/// The longest sleep between two checks for an interruption.
const LOOK: Duration = Duration::from_millis(50);

impl System {
    /// Registers `is_interrupted`, which a thread that waits for an ID calls at least every 50 ms.
    /// If it returns true, the thread stops waiting. Use it for languages whose signal handlers
    /// must run during a wait. The first hook stays; returns true if that is this one.
    pub fn interrupt_waits_by(is_interrupted: fn() -> bool) -> bool {
        INTERRUPT.set(is_interrupted).is_ok()
    }
}

impl Sleep for System {
    fn sleep(&self, duration: Duration) {
        if INTERRUPT.get().is_none() {
            return thread::sleep(duration);
        }
        let mut left = duration;
        while !left.is_zero() && !self.is_interrupted() {
            let piece = left.min(LOOK);
            thread::sleep(piece);
            left -= piece;
        }
    }

    fn is_interrupted(&self) -> bool {
        INTERRUPT.get().is_some_and(|is_interrupted| is_interrupted())
    }
}

impl Random for System {
    fn fill(&self, bytes: &mut [u8]) -> Result<()> {
        getrandom::fill(bytes).map_err(errors::host::random_numbers_missing)?;
        restore::differ(bytes);
        Ok(())
    }
}

impl Spawn for System {
    fn spawn(&self, name: &str, scheduler: SchedulerLoop) -> Result<()> {
        threads::start(name, || scheduler.run()).map_err(errors::host::thread_missing)
    }
}
