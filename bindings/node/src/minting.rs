//! The two functions that mint one ID, written by hand: see `calls`.

use std::panic::catch_unwind;
use std::ptr;

use napi::bindgen_prelude::{JsObjectValue, Object};
use napi::{Env, sys};
use napi_derive::napi;
use snowmint::TextForm;

use crate::calls::{arguments, bigint_value, function, integer, text_value};
use crate::sources;

/// Returns an object with `tryNextId(handle)`, which gives a bigint, and `tryNextText(handle,
/// form)`. A form is an index into the table of forms. Both return `undefined` if no ID is ready.
#[napi]
pub fn minting(env: &Env) -> napi::Result<Object<'_>> {
    let mut functions = Object::new(env)?;
    functions.set_named_property("tryNextId", function(env, c"tryNextId", try_next_id)?)?;
    functions.set_named_property("tryNextText", function(env, c"tryNextText", try_next_text)?)?;
    Ok(functions)
}

/// # Safety
/// Only Node may call it.
unsafe extern "C" fn try_next_id(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: both are Node's, of this call.
    let Some([handle]) = (unsafe { arguments(env, info) }) else { return ptr::null_mut() };
    // SAFETY: an argument of this call.
    let Some(id) = minted(unsafe { integer(env, handle) }) else { return ptr::null_mut() };
    // SAFETY: the environment is Node's, of this call.
    unsafe { bigint_value(env, id) }
}

/// # Safety
/// Only Node may call it.
unsafe extern "C" fn try_next_text(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: both are Node's, of this call.
    let Some([handle, form]) = (unsafe { arguments(env, info) }) else { return ptr::null_mut() };
    // SAFETY: an argument of this call.
    let form = unsafe { integer(env, form) };
    let form = form.and_then(|form| TextForm::ALL.get(form as usize));
    let Some(form) = form else { return ptr::null_mut() };
    // SAFETY: an argument of this call.
    let Some(id) = minted(unsafe { integer(env, handle) }) else { return ptr::null_mut() };
    // SAFETY: the environment is Node's, of this call, and texts of all forms are ASCII.
    unsafe { text_value(env, form.format(id).as_str().as_bytes()) }
}

fn minted(handle: Option<u32>) -> Option<u64> {
    let handle = handle?;
    // A panic must not unwind into Node. The long path meets the same panic and reports it.
    catch_unwind(|| sources::try_next_id(handle)).ok().flatten()
}
