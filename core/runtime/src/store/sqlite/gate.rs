//! Keeps `fork` and SQLite apart.
//!
//! SQLite remembers its file locks per process, in memory. A child forked while another thread is
//! inside SQLite inherits locks that it does not have and mutexes that nobody will release, for
//! any connection it opens. So every call into SQLite passes this gate, and a fork waits, for some
//! milliseconds, until nobody is inside. A child made behind the C library's back, by a raw
//! `clone`, at such a moment finds the gate broken.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use snowmint_engine::Code;

use crate::error::{Error, Result};
use crate::host::process::ForkGuard;

/// The process that last used the gate (32 bits), whether it is broken (1), threads that are
/// forking (15), threads inside (16).
static GATE: AtomicU64 = AtomicU64::new(0);
/// Whether forks know of the gate.
static REGISTERED: AtomicBool = AtomicBool::new(false);

const ONE_INSIDE: u64 = 1;
const INSIDE: u64 = 0xFFFF;
const FORKING: u64 = 0x7FFF << 16;
const BROKEN: u64 = 1 << 31;
const PROCESS: u64 = 0xFFFF_FFFF << 32;

const LOOK_AGAIN: Duration = Duration::from_micros(100);

/// The right to call SQLite, until dropped.
pub(super) struct Pass(());

/// Waits for a fork that is going on, then lets the caller in.
///
/// # Errors
/// [`Code::StoreUnavailable`] in a child that was forked out of a call to SQLite.
pub(super) fn enter() -> Result<Pass> {
    if !REGISTERED.load(Ordering::Acquire) {
        handlers::register();
        // Not before: a thread that came meanwhile would be inside a fork that does not wait.
        REGISTERED.store(true, Ordering::Release);
    }
    loop {
        let word = GATE.load(Ordering::Relaxed);
        let mine = in_this_process(word);
        if mine & BROKEN != 0 {
            let message = "this process was forked while its parent was in a call to SQLite: \
                           start it anew, or fork through the C library";
            return Err(Error::new(Code::StoreUnavailable, message));
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

/// The gate as this process has to see it: what a child inherits counts for nothing, except that
/// somebody was inside.
fn in_this_process(word: u64) -> u64 {
    let generation = ForkGuard::new().generation();
    // Count and process ID, each of which tells child from parent, folded into 32 bits.
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
    /// A fork waits no longer, even if a disk hangs: its child then finds the gate broken.
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
        // allocate nor unwind. Should it fail, for want of memory, the gate still finds out.
        // Registered twice, by two threads, they count each fork twice, there and back.
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
