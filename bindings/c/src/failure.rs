//! The only way out of the library for errors and panics.

use std::any::Any;
use std::cell::RefCell;
use std::error::Error as _;
use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use snowmint::{Code, Error, Result, escaped};

use crate::argument::out;
use crate::cancellation::put_off;
use crate::errors;

/// `SNOWMINT_OK`, or a number of the engine's table of codes. The header lists them.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct snowmint_status(u32);

impl snowmint_status {
    /// Nothing failed.
    pub const OK: snowmint_status = snowmint_status(0);

    pub(crate) fn code(self) -> Option<Code> {
        Code::from_number(self.0)
    }
}

impl From<Code> for snowmint_status {
    fn from(code: Code) -> snowmint_status {
        snowmint_status(code.number())
    }
}

/// The last failure of a thread.
struct Failure {
    message: CString,
    wait_ms: Option<u64>,
}

thread_local! {
    static LAST: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Runs work that may fail or panic.
pub(crate) fn guard(work: impl FnOnce() -> Result<()>) -> snowmint_status {
    // Everything that the work holds is either dropped or behind a lock that ignores poison.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => snowmint_status::OK,
        Ok(Err(error)) => failed(&error),
        Err(panic) => {
            let status = failed(&defect(&*panic));
            // Its destructor could panic again.
            std::mem::forget(panic);
            status
        }
    }
}

/// Runs work like [`guard`] that may also wait, or call the system or functions of the caller.
pub(crate) fn guard_waiting(work: impl FnOnce() -> Result<()>) -> snowmint_status {
    put_off(|| guard(work))
}

/// Runs work like [`guard`], and writes what it returns to a place of the caller. Without a place
/// it does not run.
pub(crate) fn give<T>(
    place: Option<&mut MaybeUninit<T>>,
    name: &str,
    work: impl FnOnce() -> Result<T>,
) -> snowmint_status {
    guard(|| {
        out(place, name)?.write(work()?);
        Ok(())
    })
}

/// Runs work like [`give`] that may also wait, or call the system or functions of the caller.
pub(crate) fn give_waiting<T>(
    place: Option<&mut MaybeUninit<T>>,
    name: &str,
    work: impl FnOnce() -> Result<T>,
) -> snowmint_status {
    put_off(|| give(place, name, work))
}

/// Runs work like [`guard_waiting`] that has nothing to return. The message of a failure can be
/// read afterwards.
pub(crate) fn guard_silently(work: impl FnOnce()) {
    guard_waiting(|| {
        work();
        Ok(())
    });
}

fn defect(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    errors::defect(text.unwrap_or("a panic"))
}

/// Remembers an error for this thread, and returns its status.
#[cold]
fn failed(error: &Error) -> snowmint_status {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        // Skips causes that only repeat the end of the previous one.
        if !words.rsplit(": ").next().is_some_and(|last| text.contains(last)) {
            text = format!("{text}: {words}");
        }
        cause = error.source();
    }
    let message = CString::new(escaped(&text).into_owned()).unwrap_or_default();
    let failure = Failure { message, wait_ms: error.wait_ms() };
    // A thread that is ending cannot store the error.
    let _ = LAST.try_with(|last| last.replace(Some(failure)));
    error.code().into()
}

/// Returns the wait of the thread's last failure, in milliseconds, if it was a stall.
pub(crate) fn last_wait_ms() -> Option<u64> {
    LAST.try_with(|last| last.borrow().as_ref().and_then(|last| last.wait_ms)).ok().flatten()
}

/// Returns the message of the last call on this thread that did not return `SNOWMINT_OK`. It says
/// what was wrong and what would be right, in English, UTF-8. It is empty before the first failure.
/// A call that succeeds leaves it unchanged, and so does `snowmint_last_wait_ms` if it returns
/// `SNOWMINT_EMPTY`.
///
/// The text belongs to the library. It is valid until the thread's next call that fails, or the
/// thread's end.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_last_message() -> *const c_char {
    let message = LAST.try_with(|last| {
        last.borrow().as_ref().map_or(c"".as_ptr(), |failure| failure.message.as_ptr())
    });
    message.unwrap_or(c"".as_ptr())
}

/// Returns the stable name of a status, the same in every language, for example `ok` or
/// `clock_behind`. It is `unknown` for a number that this library does not know. The text is a
/// constant; do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_status_name(status: snowmint_status) -> *const c_char {
    match (status, status.code()) {
        (snowmint_status::OK, _) => c"ok".as_ptr(),
        (_, Some(code)) => constant(NAMES, code),
        _ => c"unknown".as_ptr(),
    }
}

pub(crate) const COUNT: usize = Code::ALL.len();
/// The room for the longest summary and its zero.
pub(crate) const ROOM: usize = 96;
static NAMES: &[[u8; ROOM]; COUNT] = &texts(true);

/// Returns the table's texts with the zero at the end that C needs.
pub(crate) const fn texts(names: bool) -> [[u8; ROOM]; COUNT] {
    let mut texts = [[0; ROOM]; COUNT];
    let mut index = 0;
    while index < COUNT {
        let code = Code::ALL[index];
        let text = if names { code.name() } else { code.summary() }.as_bytes();
        assert!(text.len() < ROOM);
        let mut at = 0;
        while at < text.len() {
            texts[index][at] = text[at];
            at += 1;
        }
        index += 1;
    }
    texts
}

pub(crate) fn constant(texts: &'static [[u8; ROOM]; COUNT], code: Code) -> *const c_char {
    let index = Code::ALL.iter().position(|known| *known == code);
    let text = index.and_then(|index| texts.get(index));
    let text = text.and_then(|text| CStr::from_bytes_until_nul(text).ok());
    text.unwrap_or_default().as_ptr()
}
