//! Arguments and results: Java has no unsigned integers, and arrays are copied.

use jni::Env;
use jni::objects::{JLongArray, JObject, JObjectArray, JString, JByteArray};
use jni::sys::jlong;
use snowmint::{Code, Error, Tag, Token};

use crate::failure::Result;

/// Text that was checked not to be null.
pub(crate) fn text(env: &Env<'_>, string: &JString<'_>) -> Result<String> {
    Ok(string.try_to_string(env)?)
}

/// Text that may be null.
pub(crate) fn optional_text(env: &Env<'_>, string: &JString<'_>) -> Result<Option<String>> {
    if string.is_null() { Ok(None) } else { text(env, string).map(Some) }
}

/// A tag's name.
pub(crate) fn tag(env: &Env<'_>, name: &JString<'_>) -> Result<Tag> {
    Ok(Tag::new(&text(env, name)?)?)
}

/// A number that must fit an unsigned 32-bit integer.
pub(crate) fn narrow(what: &str, number: jlong) -> Result<u32> {
    Ok(u32::try_from(number).map_err(|_| {
        let message = format!("{what} {number} is not possible: use 0 to {}", u32::MAX);
        Error::new(Code::InvalidParameter, message)
    })?)
}

/// A number in whose place -1 means that none is given.
pub(crate) fn optional(number: jlong) -> Option<u64> {
    (number != -1).then_some(number as u64)
}

/// A length of time.
pub(crate) fn duration_ms(what: &str, number: jlong) -> Result<std::time::Duration> {
    let ms = u64::try_from(number).map_err(|_| {
        Error::new(Code::InvalidParameter, format!("{what} {number} is not possible: use 0 or more"))
    })?;
    Ok(std::time::Duration::from_millis(ms))
}

/// 16 bytes that name one state of a lease.
pub(crate) fn token(env: &Env<'_>, bytes: &JByteArray<'_>) -> Result<Token> {
    let length = bytes.len(env)?;
    let mut token = [0_i8; 16];
    if length != token.len() {
        let message = format!("a token of {length} bytes: it has 16");
        return Err(Error::new(Code::InvalidParameter, message).into());
    }
    bytes.get_region(env, 0, &mut token)?;
    Ok(token.map(|byte| byte as u8))
}

/// A token as bytes of Java.
pub(crate) fn bytes<'local>(env: &mut Env<'local>, token: &Token) -> Result<JByteArray<'local>> {
    let array = env.new_byte_array(token.len())?;
    array.set_region(env, 0, &token.map(|byte| byte as i8))?;
    Ok(array)
}

/// The numbers of an array.
pub(crate) fn numbers(env: &Env<'_>, array: &JLongArray<'_>) -> Result<Vec<jlong>> {
    let mut numbers = vec![0; array.len(env)?];
    array.get_region(env, 0, &mut numbers)?;
    Ok(numbers)
}

/// A new array of numbers.
pub(crate) fn long_array<'local>(
    env: &mut Env<'local>,
    numbers: &[jlong],
) -> Result<JLongArray<'local>> {
    let array = env.new_long_array(numbers.len())?;
    array.set_region(env, 0, numbers)?;
    Ok(array)
}

/// IDs as Java has them: the same 64 bits.
pub(crate) fn signed(ids: &[u64]) -> &[jlong] {
    // SAFETY: both have the same size and alignment, and every bit pattern is a value of both.
    unsafe { std::slice::from_raw_parts(ids.as_ptr().cast(), ids.len()) }
}

/// A new array of texts.
pub(crate) fn string_array<'local>(
    env: &mut Env<'local>,
    texts: &[&str],
) -> Result<JObjectArray<'local, JString<'local>>> {
    let none = JString::null();
    let array = JObjectArray::<JString<'_>>::new(env, texts.len(), &none)?;
    for (at, text) in texts.iter().enumerate() {
        let text = env.new_string(text)?;
        array.set_element(env, at, &text)?;
        env.delete_local_ref(text);
    }
    Ok(array)
}

/// Rows: an array of texts and one of numbers.
pub(crate) fn rows<'local>(
    env: &mut Env<'local>,
    texts: &[&str],
    numbers: &[jlong],
) -> Result<JObjectArray<'local>> {
    let texts = string_array(env, texts)?;
    let numbers = long_array(env, numbers)?;
    let rows = JObjectArray::<JObject<'_>>::new(env, 2, JObject::null())?;
    rows.set_element(env, 0, AsRef::<JObject<'_>>::as_ref(&texts))?;
    rows.set_element(env, 1, AsRef::<JObject<'_>>::as_ref(&numbers))?;
    Ok(rows)
}
