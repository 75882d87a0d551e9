//! Keeps `fork` and SQLite apart.
//!
//! SQLite remembers its file locks in memory, for each process. A child that is forked while
//! another thread is inside SQLite inherits locks that it does not have and mutexes that no thread
//! will release, for every connection that it opens. So every call into SQLite passes this gate,
//! and a fork waits, for some milliseconds, until no thread is inside. A child that bypasses the C
//! library at such a moment, by a raw `clone`, finds the gate broken.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use super::errors;
use crate::error::Result;
use crate::host::process::ForkGuard;

/// From the highest bit down: the process that last used the gate (32 bits), the broken flag (1),
/// the number of threads that are forking (15), the number of threads inside (16).
static GATE: AtomicU64 = AtomicU64::new(0);
/// True once the fork handlers are registered.
static REGISTERED: AtomicBool = AtomicBool::new(false);

const ONE_INSIDE: u64 = 1;
const INSIDE: u64 = 0xFFFF;
const FORKING: u64 = 0x7FFF << 16;
const BROKEN: u64 = 1 << 31;
const PROCESS: u64 = 0xFFFF_FFFF << 32;

const LOOK_AGAIN: Duration = Duration::from_micros(100);

/// The right to call SQLite until this is dropped.
pub(super) struct Pass(());

/// Waits for a running fork to end, then lets the caller in.
///
/// # Errors
/// [`StoreUnavailable`](crate::Code::StoreUnavailable) in a child that was forked out of a call to
/// SQLite.
pub(super) fn enter() -> Result<Pass> {
    if !REGISTERED.load(Ordering::Acquire) {
        handlers::register();
        // Set only afterwards: otherwise another thread could enter before forks wait for it.
        REGISTERED.store(true, Ordering::Release);
    }
    loop {
        let word = GATE.load(Ordering::Relaxed);
        let mine = in_this_process(word);
        if mine & BROKEN != 0 {
            return Err(errors::forked_within_call());
        }
        if mine & FORKING == 0 && mine & INSIDE < INSIDE {
            if change(word, mine + ONE_INSIDE) {
                return Ok(Pass(()));
            }
        } else {
            sleep(LOOK_AGAIN);
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        GATE.fetch_sub(ONE_INSIDE, Ordering::Release);
    }
}

/// Returns the gate's word for this process. A child drops the inherited counts, but notes the gate
/// as broken if a thread was inside.
fn in_this_process(word: u64) -> u64 {
    let generation = ForkGuard::new().generation();
    // The fork count and the process ID, folded into 32 bits; each tells a child from its parent.
    let process = (generation >> 32).wrapping_mul(0x9E37_79B1) ^ generation;
    let process = process << 32;
    match (word & PROCESS == process, word & (INSIDE | BROKEN)) {
        (true, _) => word,
        (false, 0) => process,
        (false, _) => process | BROKEN,
    }
}

fn change(from: u64, to: u64) -> bool {
    GATE.compare_exchange_weak(from, to, Ordering::Acquire, Ordering::Relaxed).is_ok()
}

#[cfg(unix)]
mod handlers {
    use super::*;

    const ONE_FORKING: u64 = 1 << 16;
    /// The limit of a fork's wait, even if a disk hangs; the child then finds the gate broken.
    const LOOKS_MAX: u32 = 50_000;

    #[expect(unsafe_code, reason = "fork handlers can only be registered with the C library")]
    pub(super) fn register() {
        unsafe extern "C" {
            fn pthread_atfork(
                prepare: Option<extern "C" fn()>,
                parent: Option<extern "C" fn()>,
                child: Option<extern "C" fn()>,
            ) -> i32;
        }
        // SAFETY: the signature is that of POSIX. The handlers are static functions that neither
        // allocate nor unwind. If the registration fails for lack of memory, the gate still detects
        // the fork. If two threads register them twice, each fork counts twice, up and down.
        unsafe {
            pthread_atfork(Some(prepare), Some(parent), None);
        }
    }

    extern "C" fn prepare() {
        loop {
            let word = GATE.load(Ordering::Relaxed);
            if change(word, in_this_process(word).wrapping_add(ONE_FORKING)) {
                break;
            }
        }
        for _ in 0..LOOKS_MAX {
            if GATE.load(Ordering::Acquire) & INSIDE == 0 {
                break;
            }
            sleep(LOOK_AGAIN);
        }
    }

    extern "C" fn parent() {
        GATE.fetch_sub(ONE_FORKING, Ordering::Release);
    }
}

#[cfg(not(unix))]
mod handlers {
    pub(super) fn register() {}
}
