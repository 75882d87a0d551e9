//! The one way out of the module for errors.
//!
//! What fails leaves its code and its message, and returns 0, or what its comment says. Where that
//! may be a result as well, JavaScript asks `failure`: 0 means that it is one.

use core::fmt::Write;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use snowmint_engine::{Code, Error};

use crate::exchange::{Output, write_output};

/// An ID that means failure, if [`failure`] says so.
pub(crate) const NO_ID: u64 = u64::MAX;

static CODE: AtomicU32 = AtomicU32::new(0);
static LENGTH: AtomicU32 = AtomicU32::new(0);
static WAIT_MS: AtomicU64 = AtomicU64::new(u64::MAX);

/// The code of the last call's error, once; else 0. The message is in the output.
#[unsafe(export_name = "failure")]
pub extern "C" fn failure() -> u32 {
    CODE.swap(0, Relaxed)
}

/// How long the message is.
#[unsafe(export_name = "failureLength")]
pub extern "C" fn failure_length() -> u32 {
    LENGTH.load(Relaxed)
}

/// After how many milliseconds the call can succeed, or -1.
#[unsafe(export_name = "failureWaitMs")]
pub extern "C" fn failure_wait_ms() -> f64 {
    match WAIT_MS.load(Relaxed) {
        u64::MAX => -1.0,
        wait_ms => wait_ms as f64,
    }
}

/// Says that an error was left for JavaScript.
pub(crate) struct Failed(());

impl Failed {
    #[cold]
    pub(crate) fn new(code: Code, message: impl FnOnce(&mut Output)) -> Failed {
        let length = write_output(message);
        CODE.store(code.number(), Relaxed);
        LENGTH.store(length as u32, Relaxed);
        WAIT_MS.store(u64::MAX, Relaxed);
        Failed(())
    }

    /// A name that is none of those known.
    #[cold]
    pub(crate) fn unknown<'a>(
        code: Code,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Failed {
        Failed::new(code, |output| {
            output.text("no ").text(what).text(" is called ").quoted(name).text("; there are ");
            for (at, known) in known.enumerate() {
                output.text(if at > 0 { ", " } else { "" }).text(known);
            }
        })
    }
}

impl From<Error> for Failed {
    #[cold]
    fn from(error: Error) -> Failed {
        let failed = Failed::new(error.code(), |output| {
            // Writing there does not fail.
            let _ = write!(output, "{error}");
        });
        if let Error::Stall(stall) = error {
            WAIT_MS.store(stall.wait_ms, Relaxed);
        }
        failed
    }
}

/// What becomes of a call that may fail.
pub(crate) trait OrFailed<T> {
    /// The result, or that value, with the error left for JavaScript.
    fn or_failed(self, value: T) -> T;
    /// Whether it succeeded; if not, with the error left.
    fn succeeded(self) -> bool;
}

impl<T, E: Into<Failed>> OrFailed<T> for Result<T, E> {
    fn or_failed(self, value: T) -> T {
        self.unwrap_or_else(|error| {
            let Failed(()) = error.into();
            value
        })
    }

    fn succeeded(self) -> bool {
        self.map(drop).map_err(Into::<Failed>::into).is_ok()
    }
}
