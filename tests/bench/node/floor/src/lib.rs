//! The native floors: a free function that takes nothing, does nothing and returns a 64-bit integer,
//! and one that takes a handle and a 64-bit integer and returns a text as long as a token.

use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use napi::bindgen_prelude::Unknown;
use napi::{Env, sys};
use napi_derive::napi;

static LAST: AtomicU64 = AtomicU64::new(1 << 60);
const TOKEN: &str = "order_104jcedamc8k6qwr3s4yva38vqq";

/// The next number of a counter.
#[napi(ts_return_type = "bigint")]
pub fn floor() -> u64 {
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// A function `(handle, id)` that reads both and returns always the same text, written against
/// Node's C API by hand, as that of the package.
#[napi]
pub fn text_floor(env: &Env) -> napi::Result<Unknown<'_>> {
    let mut value = ptr::null_mut();
    // SAFETY: the environment is the caller's, and `value` is written before it is read.
    let status = unsafe {
        let (name, callback) = (c"text".as_ptr(), Some(token as _));
        sys::napi_create_function(env.raw(), name, 4, callback, ptr::null_mut(), &mut value)
    };
    assert_eq!(status, sys::Status::napi_ok);
    // SAFETY: Node has just made the value, in this environment.
    Ok(unsafe { Unknown::from_raw_unchecked(env.raw(), value) })
}

/// # Safety
/// To be called by Node alone.
unsafe extern "C" fn token(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    let (mut count, mut values) = (2, [ptr::null_mut(); 2]);
    let (mut handle, mut id, mut is_whole, mut text) = (0, 0, false, ptr::null_mut());
    // SAFETY: all are Node's, of this call, and it writes what they point to.
    unsafe {
        let none = ptr::null_mut();
        sys::napi_get_cb_info(env, info, &mut count, values.as_mut_ptr(), none, ptr::null_mut());
        sys::napi_get_value_uint32(env, values[0], &mut handle);
        sys::napi_get_value_bigint_uint64(env, values[1], &mut id, &mut is_whole);
        sys::napi_create_string_latin1(env, TOKEN.as_ptr().cast(), 33, &mut text);
    }
    text
}
