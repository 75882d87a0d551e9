//! The two functions that mint one ID, written against Node's C API.
//!
//! What `#[napi]` generates to read an argument takes three times as long as minting and returning
//! an ID. These read theirs with one call, answer `undefined` to whatever they cannot do, and leave
//! it to the long way to say why.

use std::panic::catch_unwind;
use std::ptr;

use napi::bindgen_prelude::{JsObjectValue, Object, Unknown};
use napi::{Env, sys};
use napi_derive::napi;
use snowmint::TextForm;

use crate::sources;

/// An object with `tryNextId(handle)`, a bigint, and `tryNextText(handle, form)`, where a form is
/// an index of the table of forms. Both are `undefined` if there is no ID at once.
#[napi]
pub fn minting(env: &Env) -> napi::Result<Object<'_>> {
    let mut functions = Object::new(env)?;
    functions.set_named_property("tryNextId", function(env, c"tryNextId", try_next_id)?)?;
    functions.set_named_property("tryNextText", function(env, c"tryNextText", try_next_text)?)?;
    Ok(functions)
}

type Callback = unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> sys::napi_value;

fn function<'env>(
    env: &'env Env,
    name: &std::ffi::CStr,
    callback: Callback,
) -> napi::Result<Unknown<'env>> {
    let (mut value, length) = (ptr::null_mut(), name.count_bytes() as isize);
    // SAFETY: the environment is the caller's, the name lives for ever and is `length` long, and
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

/// # Safety
/// To be called by Node alone.
unsafe extern "C" fn try_next_id(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: both are Node's, of this call.
    let [handle] = unsafe { arguments(env, info) };
    let Some(id) = minted(handle) else { return ptr::null_mut() };
    let mut value = ptr::null_mut();
    // SAFETY: the environment is Node's; a failure leaves the null that means `undefined`.
    unsafe { sys::napi_create_bigint_uint64(env, id, &mut value) };
    value
}

/// # Safety
/// To be called by Node alone.
unsafe extern "C" fn try_next_text(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: both are Node's, of this call.
    let [handle, form] = unsafe { arguments(env, info) };
    let form = form.and_then(|form| TextForm::ALL.get(form as usize));
    let (Some(form), mut value) = (form, ptr::null_mut()) else { return ptr::null_mut() };
    let Some(id) = minted(handle) else { return ptr::null_mut() };
    let text = form.format(id);
    let (start, length) = (text.as_bytes().as_ptr().cast(), text.as_bytes().len() as isize);
    // SAFETY: the environment is Node's, the text is ASCII and `length` bytes long, and Node
    // copies it; a failure leaves the null that means `undefined`.
    unsafe { sys::napi_create_string_latin1(env, start, length, &mut value) };
    value
}

fn minted(handle: Option<u32>) -> Option<u64> {
    let handle = handle?;
    // A panic must not unwind into Node; the long way meets it again and reports it.
    catch_unwind(|| sources::try_next_id(handle)).ok().flatten()
}

/// The first arguments of a call as integers; nothing for what is no number.
///
/// # Safety
/// `env` and `info` are those that Node gave to the callback that is running.
#[inline]
unsafe fn arguments<const N: usize>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> [Option<u32>; N] {
    let (mut count, mut values) = (N, [ptr::null_mut(); N]);
    let (this, data) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: `values` has room for `count` values, and Node fills it up with `undefined`.
    let status =
        unsafe { sys::napi_get_cb_info(env, info, &mut count, values.as_mut_ptr(), this, data) };
    values.map(|value| {
        let mut number = 0;
        // SAFETY: Node wrote the value, or it is null, which Node refuses.
        let read = unsafe { sys::napi_get_value_uint32(env, value, &mut number) };
        (status == sys::Status::napi_ok && read == sys::Status::napi_ok).then_some(number)
    })
}
