//! Details of a status.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::{Code, Error};

use crate::argument::out;
use crate::failure::{COUNT, ROOM, constant, guard, last_wait_ms, snowmint_status, texts};

/// Returns a sentence that explains a status; `snowmint_last_message` says more. The text is a
/// constant; do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_status_summary(status: snowmint_status) -> *const c_char {
    match (status, status.code()) {
        (snowmint_status::OK, _) => c"Nothing failed.".as_ptr(),
        (_, Some(code)) => constant(SUMMARIES, code),
        _ => c"A status that this version of the library does not know.".as_ptr(),
    }
}

/// Returns true if trying again later can succeed without anybody changing anything.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_status_is_transient(status: snowmint_status) -> bool {
    status.code().is_some_and(|code| Error::new(code, "").is_transient())
}

/// After a stall (`SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED`,
/// `SNOWMINT_GRANT_EXHAUSTED`), gets the time until the call can succeed if the clock goes on, in
/// milliseconds; 0 if time does not help.
///
/// Errors: `SNOWMINT_EMPTY` if the thread's last failure was no stall, or there was none.
/// `snowmint_last_message` still has the message of that failure.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_last_wait_ms(wait_ms: Option<&mut MaybeUninit<u64>>) -> snowmint_status {
    match (last_wait_ms(), wait_ms) {
        (Some(last), Some(wait_ms)) => {
            wait_ms.write(last);
            snowmint_status::OK
        }
        (_, Some(_)) => Code::Empty.into(),
        (_, None) => guard(|| out(None::<&mut MaybeUninit<u64>>, "wait_ms").map(|_| ())),
    }
}

static SUMMARIES: &[[u8; ROOM]; COUNT] = &texts(false);
