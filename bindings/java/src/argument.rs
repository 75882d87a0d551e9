//! Arguments and results: Java has no unsigned integers, and arrays are copied.

use std::time::Duration;

use jni::Env;
use jni::objects::{JByteArray, JLongArray, JObject, JObjectArray, JString};
use jni::sys::jlong;
use snowmint::{Tag, Token};

use crate::errors;
use crate::failure::Result;

/// In place of a number that is not given.
const ABSENT: jlong = jlong::MIN;

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
    Ok(Tag::of_row(&text(env, name)?)?)
}

/// A number that must fit an unsigned 32-bit integer.
pub(crate) fn narrow(what: &str, number: jlong) -> Result<u32> {
    u32::try_from(number).map_err(|_| errors::number_out_of_range(what, number).into())
}

/// The same, in whose place -1 means that none is given.
pub(crate) fn optional_narrow(what: &str, number: jlong) -> Result<Option<u32>> {
    if number == -1 { Ok(None) } else { narrow(what, number).map(Some) }
}

/// A number without a sign, if one is given.
pub(crate) fn optional(number: jlong) -> Option<u64> {
    (number != ABSENT).then_some(number as u64)
}

/// A length of time.
pub(crate) fn duration_ms(what: &str, number: jlong) -> Result<Duration> {
    let ms = u64::try_from(number).map_err(|_| errors::number_negative(what, number))?;
    Ok(Duration::from_millis(ms))
}

/// Milliseconds; those of a longer time count as the longest.
pub(crate) fn millis(length: Duration) -> jlong {
    jlong::try_from(length.as_millis()).unwrap_or(jlong::MAX)
}

/// 16 bytes that name one state of a lease.
pub(crate) fn token(env: &Env<'_>, bytes: &JByteArray<'_>) -> Result<Token> {
    let length = bytes.len(env)?;
    let mut token = [0_i8; 16];
    if length != token.len() {
        return Err(errors::token_of_another_length(length).into());
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

/// The numbers of an array, which are so many.
pub(crate) fn numbers<const N: usize>(
    env: &Env<'_>,
    what: &str,
    array: &JLongArray<'_>,
) -> Result<[jlong; N]> {
    let mut numbers = [0; N];
    if array.len(env)? != N {
        return Err(errors::shape_unknown(what).into());
    }
    array.get_region(env, 0, &mut numbers)?;
    Ok(numbers)
}

/// The same, if there is an array.
pub(crate) fn optional_numbers<const N: usize>(
    env: &Env<'_>,
    what: &str,
    array: &JLongArray<'_>,
) -> Result<Option<[jlong; N]>> {
    if array.is_null() { Ok(None) } else { numbers(env, what, array).map(Some) }
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

/// Numbers without a sign as Java has them: the same 64 bits.
pub(crate) fn signed(numbers: &[u64]) -> &[jlong] {
    // SAFETY: both have the same size and alignment, and every bit pattern is a value of both.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) }
}

/// A new array of texts.
pub(crate) fn string_array<'local>(
    env: &mut Env<'local>,
    texts: &[impl AsRef<str>],
) -> Result<JObjectArray<'local, JString<'local>>> {
    let array = JObjectArray::<JString<'_>>::new(env, texts.len(), JString::null())?;
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
    texts: &[impl AsRef<str>],
    numbers: &[jlong],
) -> Result<JObjectArray<'local>> {
    let texts = string_array(env, texts)?;
    let numbers = long_array(env, numbers)?;
    let rows = JObjectArray::<JObject<'_>>::new(env, 2, JObject::null())?;
    rows.set_element(env, 0, AsRef::<JObject<'_>>::as_ref(&texts))?;
    rows.set_element(env, 1, AsRef::<JObject<'_>>::as_ref(&numbers))?;
    Ok(rows)
}
