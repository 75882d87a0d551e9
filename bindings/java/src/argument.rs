//! Functions that convert arguments and results. Java has no unsigned integers, and arrays are
//! copied.

use std::time::Duration;

use jni::Env;
use jni::objects::{JByteArray, JLongArray, JObject, JObjectArray, JString};
use jni::sys::jlong;
use snowmint::{Tag, Token};

use crate::errors;
use crate::failure::Result;

/// The value that stands for an absent number.
const ABSENT: jlong = jlong::MIN;

/// Returns the text of a string that was checked not to be null.
pub(crate) fn text(env: &Env<'_>, string: &JString<'_>) -> Result<String> {
    Ok(string.try_to_string(env)?)
}

/// Returns the text of a string, or `None` if it is null.
pub(crate) fn optional_text(env: &Env<'_>, string: &JString<'_>) -> Result<Option<String>> {
    if string.is_null() { Ok(None) } else { text(env, string).map(Some) }
}

/// Returns the tag of a name.
pub(crate) fn tag(env: &Env<'_>, name: &JString<'_>) -> Result<Tag> {
    Ok(Tag::of_row(&text(env, name)?)?)
}

/// Converts a number to an unsigned 32-bit integer. Fails if it does not fit.
pub(crate) fn narrow(what: &str, number: jlong) -> Result<u32> {
    u32::try_from(number).map_err(|_| errors::number_out_of_range(what, number).into())
}

/// Converts a number as [`narrow`] does, but returns `None` for -1.
pub(crate) fn optional_narrow(what: &str, number: jlong) -> Result<Option<u32>> {
    if number == -1 { Ok(None) } else { narrow(what, number).map(Some) }
}

/// Returns a number as unsigned, or `None` if it is absent.
pub(crate) fn optional(number: jlong) -> Option<u64> {
    (number != ABSENT).then_some(number as u64)
}

/// Converts milliseconds to a duration. Fails if the number is negative.
pub(crate) fn duration_ms(what: &str, number: jlong) -> Result<Duration> {
    let ms = u64::try_from(number).map_err(|_| errors::number_negative(what, number))?;
    Ok(Duration::from_millis(ms))
}

/// Converts a duration to milliseconds. A longer duration becomes the largest `jlong`.
pub(crate) fn millis(length: Duration) -> jlong {
    jlong::try_from(length.as_millis()).unwrap_or(jlong::MAX)
}

/// Reads the 16 bytes of a lease's token. Fails if the array has another length.
pub(crate) fn token(env: &Env<'_>, bytes: &JByteArray<'_>) -> Result<Token> {
    let length = bytes.len(env)?;
    let mut token = [0_i8; 16];
    if length != token.len() {
        return Err(errors::token_of_another_length(length).into());
    }
    bytes.get_region(env, 0, &mut token)?;
    Ok(token.map(|byte| byte as u8))
}

/// Creates a Java array of a token's bytes.
pub(crate) fn bytes<'local>(env: &mut Env<'local>, token: &Token) -> Result<JByteArray<'local>> {
    let array = env.new_byte_array(token.len())?;
    array.set_region(env, 0, &token.map(|byte| byte as i8))?;
    Ok(array)
}

/// Reads an array of exactly `N` numbers. Fails if it has another length.
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

/// Reads an array as [`numbers`] does, but returns `None` if it is null.
pub(crate) fn optional_numbers<const N: usize>(
    env: &Env<'_>,
    what: &str,
    array: &JLongArray<'_>,
) -> Result<Option<[jlong; N]>> {
    if array.is_null() { Ok(None) } else { numbers(env, what, array).map(Some) }
}

/// Creates a Java array of numbers.
pub(crate) fn long_array<'local>(
    env: &mut Env<'local>,
    numbers: &[jlong],
) -> Result<JLongArray<'local>> {
    let array = env.new_long_array(numbers.len())?;
    array.set_region(env, 0, numbers)?;
    Ok(array)
}

/// Returns unsigned numbers as Java's signed ones, with the same 64 bits.
pub(crate) fn signed(numbers: &[u64]) -> &[jlong] {
    // SAFETY: both have the same size and alignment, and every bit pattern is a value of both.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) }
}

/// Creates a Java array of strings.
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

/// Creates the Java form of rows: an array of texts and an array of numbers.
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
