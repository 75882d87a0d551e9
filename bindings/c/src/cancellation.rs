//! Guards against `pthread_cancel`, which ends a thread by unwinding it from within a system call.
//! Frames of Rust cannot be unwound that way: the process would abort.

use std::ffi::c_int;

/// Runs work that may call the system. A cancellation that comes meanwhile stays pending: the
/// thread ends at its next cancellation point afterwards.
pub(crate) fn put_off<T>(work: impl FnOnce() -> T) -> T {
    let _off = Off(disable());
    work()
}

/// Runs a function of the caller in any thread. In the caller's threads cancellation is already put
/// off. The library's threads must never be cancelled, whatever that function does.
pub(crate) fn forbid<T>(work: impl FnOnce() -> T) -> T {
    disable();
    let returned = work();
    disable();
    returned
}

/// Keeps the thread from being cancelled until dropped, and holds the state to restore.
struct Off(c_int);

impl Drop for Off {
    fn drop(&mut self) {
        set_state(self.0);
    }
}

fn disable() -> c_int {
    set_state(DISABLED)
}

#[cfg(target_vendor = "apple")]
const DISABLED: c_int = 0;
#[cfg(not(target_vendor = "apple"))]
const DISABLED: c_int = 1;

/// Sets the state of this thread, and returns the one before.
#[cfg(all(unix, not(target_os = "android")))]
fn set_state(state: c_int) -> c_int {
    // The crate libc declares it on few systems only.
    unsafe extern "C" {
        fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int;
    }
    let mut before = state;
    // SAFETY: it writes to the place that it is given.
    unsafe { pthread_setcancelstate(state, &raw mut before) };
    before
}

/// Returns the state as it is: no thread can be cancelled on these systems.
#[cfg(not(all(unix, not(target_os = "android"))))]
fn set_state(state: c_int) -> c_int {
    state
}
