//! Public IDs: keys, and the public form of one type of IDs.
//!
//! Like a source, a codec is an index into a table of its thread, and lives as long as the
//! [`PublicGuard`] beside it. The keys themselves are an external value.

use std::panic::catch_unwind;
use std::ptr;
use std::rc::Rc;

use napi::bindgen_prelude::{
    BigInt, BigUint64Array, External, JsObjectValue, Object, Uint8ArraySlice,
};
use napi::{Env, sys};
use napi_derive::napi;
use snowmint::public_ids::{NumberWidth, PublicIdKeys, PublicIds};

use crate::arrays::Numbers;
use crate::calls::{arguments, bigint, bigint_value, function, integer, text, text_value};
use crate::errors;
use crate::failure::guarded;
use crate::places::Places;

/// More bytes than the longest public form has. The long path refuses longer texts.
const ROOM: usize = 96;

thread_local! {
    static TABLE: Places<Rc<PublicIds>> = const { Places::new() };
}

/// Keeps the entry of an index until it is dropped.
pub(crate) struct PublicGuard(u32);

impl Drop for PublicGuard {
    fn drop(&mut self) {
        drop(TABLE.try_with(|table| table.take(self.0)));
    }
}

/// The public IDs of one type.
#[napi(object, object_from_js = false)]
pub struct OpenedPublicIds {
    /// The index.
    pub handle: u32,
    /// Keeps the index.
    #[napi(ts_type = "object")]
    pub guard: External<PublicGuard>,
}

/// Opens the keys in a file, or in an environment variable if `source` is `env:NAME`.
#[napi]
pub fn open_public_id_keys(env: Env, source: String) -> napi::Result<External<PublicIdKeys>> {
    guarded(env, || Ok(External::new(PublicIdKeys::open(&source)?)))
}

/// Reads keys from a document.
#[napi]
pub fn read_public_id_keys(
    env: Env,
    document: Uint8ArraySlice<'_>,
) -> napi::Result<External<PublicIdKeys>> {
    guarded(env, || Ok(External::new(PublicIdKeys::from_bytes(&document)?)))
}

/// Generates new keys: one key of random bits.
#[napi]
pub fn generate_public_id_keys(env: Env) -> napi::Result<External<PublicIdKeys>> {
    guarded(env, || Ok(External::new(PublicIdKeys::generate()?)))
}

/// Returns the document of keys.
#[napi]
pub fn public_id_keys_toml(keys: &External<PublicIdKeys>) -> String {
    keys.to_toml().to_string()
}

/// The properties of keys.
#[napi(object, object_from_js = false)]
pub struct PublicIdKeysFacts {
    /// The realm, or an empty text.
    pub realm: String,
    /// The symbols of all keys.
    pub symbols: Vec<String>,
    /// The symbol of the key that makes new public IDs.
    pub current: String,
    /// The symbol of the key for numbers, if known.
    pub numbers: Option<String>,
}

/// Returns the properties of keys.
#[napi]
pub fn public_id_keys_facts(keys: &External<PublicIdKeys>) -> PublicIdKeysFacts {
    PublicIdKeysFacts {
        realm: keys.realm().to_owned(),
        symbols: keys.symbols().map(String::from).collect(),
        current: keys.current().into(),
        numbers: keys.numbers().map(String::from),
    }
}

/// Creates the public IDs of one type in a form.
#[napi]
pub fn public_ids(
    env: Env,
    keys: &External<PublicIdKeys>,
    kind: String,
    form: String,
) -> napi::Result<OpenedPublicIds> {
    guarded(env, || {
        let ids = Rc::new(keys.public_ids(&kind, form.parse()?)?);
        let handle = TABLE.with(|table| table.put(ids));
        Ok(OpenedPublicIds { handle, guard: External::new(PublicGuard(handle)) })
    })
}

/// Returns a copy of the pointer at an index. Making JavaScript values may run the garbage
/// collector, which changes the table.
#[inline]
fn found(handle: u32) -> Option<Rc<PublicIds>> {
    TABLE.with(|table| table.with(handle, Rc::clone))
}

fn ids(handle: u32) -> snowmint::Result<Rc<PublicIds>> {
    found(handle).ok_or_else(errors::keys_of_another_thread)
}

/// Returns the public form of an ID.
#[napi]
pub fn encode_public(env: Env, handle: u32, id: BigInt) -> napi::Result<String> {
    guarded(env, || Ok(ids(handle)?.encode(id.get_u64().1)?.into()))
}

/// Returns the ID of a public form.
#[napi(ts_return_type = "bigint")]
pub fn decode_public(env: Env, handle: u32, text: String) -> napi::Result<u64> {
    guarded(env, || Ok(ids(handle)?.decode(&text)?))
}

/// Returns the public forms of many IDs.
#[napi]
pub fn encode_publics(env: Env, handle: u32, numbers: Numbers) -> napi::Result<Vec<String>> {
    guarded(env, || {
        let texts = ids(handle)?.encode_many(numbers.read().iter().copied())?;
        Ok(texts.into_iter().map(String::from).collect())
    })
}

/// Returns the IDs of many public forms.
#[napi]
pub fn decode_publics(env: Env, handle: u32, texts: Vec<String>) -> napi::Result<BigUint64Array> {
    guarded(env, || Ok(BigUint64Array::new(ids(handle)?.decode_many(&texts)?)))
}

/// Returns an ID as a number of so many bits.
#[napi(ts_return_type = "bigint")]
pub fn encode_number(env: Env, handle: u32, id: BigInt, bits: u32) -> napi::Result<u64> {
    let id = id.get_u64().1;
    guarded(env, || Ok(ids(handle)?.codec().encode_number(id, NumberWidth::from_bits(bits)?)?))
}

/// Returns the ID of a number that [`encode_number`] returned.
#[napi(ts_return_type = "bigint")]
pub fn decode_number(env: Env, handle: u32, number: BigInt, bits: u32) -> napi::Result<u64> {
    let number = number.get_u64().1;
    guarded(env, || {
        Ok(ids(handle)?.codec().decode_number(number, NumberWidth::from_bits(bits)?)?)
    })
}

/// Returns an object with `tryEncode(handle, id)`, which gives a text, and `tryDecode(handle,
/// text)`, which gives a bigint. Both return `undefined` if the long path has an error to report.
#[napi]
pub fn publishing(env: &Env) -> napi::Result<Object<'_>> {
    let mut functions = Object::new(env)?;
    functions.set_named_property("tryEncode", function(env, c"tryEncode", try_encode)?)?;
    functions.set_named_property("tryDecode", function(env, c"tryDecode", try_decode)?)?;
    Ok(functions)
}

/// # Safety
/// Only Node may call it.
unsafe extern "C" fn try_encode(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: both are Node's, of this call.
    let Some([handle, id]) = (unsafe { arguments(env, info) }) else { return ptr::null_mut() };
    // SAFETY: an argument of this call.
    let Some(handle) = (unsafe { integer(env, handle) }) else { return ptr::null_mut() };
    // SAFETY: an argument of this call.
    let Some(id) = (unsafe { bigint(env, id) }) else { return ptr::null_mut() };
    // A panic must not unwind into Node. The long path meets the same panic and reports it.
    let value = catch_unwind(|| {
        // Borrowed in the closure: moving the text costs a third of the time it takes to make it.
        let public = found(handle)?.encode(id);
        let public = public.as_ref().ok()?;
        // SAFETY: the environment is Node's, of this call, and public forms are ASCII.
        Some(unsafe { text_value(env, public.as_bytes()) })
    });
    value.ok().flatten().unwrap_or(ptr::null_mut())
}

/// # Safety
/// Only Node may call it.
unsafe extern "C" fn try_decode(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: both are Node's, of this call.
    let Some([handle, public]) = (unsafe { arguments(env, info) }) else { return ptr::null_mut() };
    // SAFETY: an argument of this call.
    let Some(handle) = (unsafe { integer(env, handle) }) else { return ptr::null_mut() };
    let mut room = [0; ROOM];
    // SAFETY: an argument of this call.
    let Some(public) = (unsafe { text(env, public, &mut room) }) else { return ptr::null_mut() };
    // A panic must not unwind into Node here either.
    let id = catch_unwind(|| found(handle)?.decode(public).ok());
    let Ok(Some(id)) = id else { return ptr::null_mut() };
    // SAFETY: the environment is Node's, of this call.
    unsafe { bigint_value(env, id) }
}
