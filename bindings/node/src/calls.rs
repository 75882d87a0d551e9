//! Functions written by hand against Node's C API.
//!
//! The code that `#[napi]` generates to read an argument takes three times as long as minting and
//! returning an ID. These functions read their arguments with one call. On any failure they return
//! `undefined`, and the long path reports the reason.

use std::ffi::CStr;
use std::ptr;

use napi::bindgen_prelude::Unknown;
use napi::{Env, sys};

pub(crate) type Callback =
    unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> sys::napi_value;

/// Creates a JavaScript function.
pub(crate) fn function<'env>(
    env: &'env Env,
    name: &CStr,
    callback: Callback,
) -> napi::Result<Unknown<'env>> {
    let (mut value, length) = (ptr::null_mut(), name.count_bytes() as isize);
    // SAFETY: the environment is the caller's, the name is static and `length` bytes long, and
    // `value` is written before it is read.
    let status = unsafe {
        let (name, callback) = (name.as_ptr(), Some(callback));
        sys::napi_create_function(env.raw(), name, length, callback, ptr::null_mut(), &mut value)
    };
    if status != sys::Status::napi_ok {
        return Err(napi::Error::from_status(napi::Status::from(status)));
    }
    // SAFETY: Node has just made the value, in this environment.
    Ok(unsafe { Unknown::from_raw_unchecked(env.raw(), value) })
}

/// Returns the first arguments of a call. Missing arguments are `undefined`.
///
/// # Safety
/// `env` and `info` are those that Node gave to the callback that is running.
#[inline]
pub(crate) unsafe fn arguments<const N: usize>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> Option<[sys::napi_value; N]> {
    let (mut count, mut values) = (N, [ptr::null_mut(); N]);
    let (this, data) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: `values` has room for `count` values, and Node fills it up with `undefined`.
    let status =
        unsafe { sys::napi_get_cb_info(env, info, &mut count, values.as_mut_ptr(), this, data) };
    (status == sys::Status::napi_ok).then_some(values)
}

/// Returns an argument as an integer, or `None` if it is no number.
///
/// # Safety
/// `value` is one of [`arguments`], in the same call.
#[inline]
pub(crate) unsafe fn integer(env: sys::napi_env, value: sys::napi_value) -> Option<u32> {
    let mut number = 0;
    // SAFETY: both are Node's, of this call; a value of another type is refused.
    let status = unsafe { sys::napi_get_value_uint32(env, value, &mut number) };
    (status == sys::Status::napi_ok).then_some(number)
}

/// Returns an argument as an unsigned bigint, or `None` if it is no bigint, is negative or has more
/// than 64 bits.
///
/// # Safety
/// The same conditions as for [`integer`].
#[inline]
pub(crate) unsafe fn bigint(env: sys::napi_env, value: sys::napi_value) -> Option<u64> {
    let (mut number, mut is_whole) = (0, false);
    // SAFETY: both are Node's, of this call; a value of another type is refused.
    let status =
        unsafe { sys::napi_get_value_bigint_uint64(env, value, &mut number, &mut is_whole) };
    (status == sys::Status::napi_ok && is_whole).then_some(number)
}

/// Reads an argument as text into `room`. Returns `None` if it is no text, or if the text does not
/// fit with a byte to spare.
///
/// # Safety
/// The same conditions as for [`integer`].
#[inline]
pub(crate) unsafe fn text(
    env: sys::napi_env,
    value: sys::napi_value,
    room: &mut [u8],
) -> Option<&str> {
    let mut length = 0;
    let (start, size) = (room.as_mut_ptr().cast(), room.len());
    // SAFETY: both are Node's, of this call, and it writes no more than `size` bytes.
    let status = unsafe { sys::napi_get_value_string_utf8(env, value, start, size, &mut length) };
    // A longer text is cut and leaves less than four bytes: the zero and part of a UTF-8 symbol.
    let fits = status == sys::Status::napi_ok && length + 4 < size;
    if fits { std::str::from_utf8(&room[..length]).ok() } else { None }
}

/// Returns an ID as a JavaScript value.
///
/// # Safety
/// `env` is that of the callback that is running.
#[inline]
pub(crate) unsafe fn bigint_value(env: sys::napi_env, id: u64) -> sys::napi_value {
    let mut value = ptr::null_mut();
    // SAFETY: the environment is Node's; a failure leaves the null that means `undefined`.
    unsafe { sys::napi_create_bigint_uint64(env, id, &mut value) };
    value
}

/// Returns an ASCII text as a JavaScript value.
///
/// # Safety
/// The same conditions as for [`bigint_value`]. Bytes outside of ASCII would become other letters.
#[inline]
pub(crate) unsafe fn text_value(env: sys::napi_env, text: &[u8]) -> sys::napi_value {
    let mut value = ptr::null_mut();
    let (start, length) = (text.as_ptr().cast(), text.len() as isize);
    // SAFETY: the environment is Node's, the text is ASCII and `length` bytes long, and Node
    // copies it; a failure leaves the null that means `undefined`.
    unsafe { sys::napi_create_string_latin1(env, start, length, &mut value) };
    value
}
