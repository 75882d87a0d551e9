//! The native methods of public IDs: keys, and the public form of one type of IDs.
//!
//! A single ID has a short and a long path. The short path (`tryEncode`, `tryDecode`) avoids the
//! guard of the crate `jni` and calls Java at most twice. It leaves failures to the long path,
//! which reports them.

use std::panic::catch_unwind;

use jni::objects::{JByteArray, JClass, JLongArray, JObjectArray, JString};
use jni::sys::{JNIEnv, JNINativeInterface__1_2, jbyteArray, jchar, jint, jlong, jsize, jstring};
use snowmint::public_ids::{NumberWidth, PublicIdForm, PublicIdKeys, PublicIds};

use crate::argument::{long_array, narrow, signed, string_array, text};
use crate::errors;
use crate::exports::natives;
use crate::failure::Result;
use crate::handle::{free, get, give};

/// The value that stands for no ID. If an ID has this value, the long path returns it.
const NONE: jlong = jlong::MIN;
/// The size of Java's array, which has room for the longest public form.
const ROOM: usize = 64;

/// Returns the form at a place of the table, which Java's constants follow.
fn form(number: jint) -> Result<PublicIdForm> {
    let form = usize::try_from(number).ok().and_then(|at| PublicIdForm::ALL.get(at));
    Ok(*form.ok_or_else(|| errors::shape_unknown("a public form"))?)
}

fn width(bits: jint) -> Result<NumberWidth> {
    Ok(NumberWidth::from_bits(narrow("bits", bits.into())?)?)
}

fn keys<'a>(handle: jlong) -> Result<&'a PublicIdKeys> {
    get(handle)
}

fn ids<'a>(handle: jlong) -> Result<&'a PublicIds> {
    get(handle)
}

/// Returns Java's table of functions.
///
/// # Safety
///
/// `env` must belong to the method that is running.
unsafe fn functions<'a>(env: *mut JNIEnv) -> &'a JNINativeInterface__1_2 {
    // SAFETY: an environment begins with the pointer to its table.
    let table = unsafe { *env };
    // SAFETY: the table lives as long as Java does.
    let table = unsafe { &*table };
    // SAFETY: every Java that loads this is newer than 1.2.
    unsafe { &table.v1_2 }
}

/// Writes the public form of an ID into an array of [`ROOM`] bytes, and returns its length, or 0 if
/// there is none.
#[unsafe(export_name = "Java_io_github_snowmint_internal_Native_tryEncode")]
extern "system" fn try_encode(
    env: *mut JNIEnv,
    _: JClass<'_>,
    handle: jlong,
    id: jlong,
    out: jbyteArray,
) -> jint {
    let length = catch_unwind(|| {
        // Borrow the text in place: moving it would cost a third of the time that making it takes.
        let public = ids(handle).ok()?.encode(id as u64);
        let public = public.as_ref().ok()?;
        let length = public.len() as jsize;
        // SAFETY: the environment is Java's, of this call.
        let java = unsafe { functions(env) };
        // SAFETY: the array belongs to Java, and its `ROOM` bytes are more than the text has.
        unsafe { (java.SetByteArrayRegion)(env, out, 0, length, public.as_ptr().cast()) };
        Some(length)
    });
    length.ok().flatten().unwrap_or(0)
}

/// Returns the ID of a public form, or [`NONE`].
#[unsafe(export_name = "Java_io_github_snowmint_internal_Native_tryDecode")]
extern "system" fn try_decode(
    env: *mut JNIEnv,
    _: JClass<'_>,
    handle: jlong,
    written: jstring,
) -> jlong {
    // SAFETY: the environment is Java's, of this call.
    let java = unsafe { functions(env) };
    // SAFETY: the text is Java's, and was checked not to be null.
    let length = unsafe { (java.GetStringLength)(env, written) };
    let mut signs: [jchar; ROOM] = [0; ROOM];
    if !(0..=ROOM as jsize).contains(&length) {
        return NONE;
    }
    // SAFETY: as above; there is room for all UTF-16 units.
    unsafe { (java.GetStringRegion)(env, written, 0, length, signs.as_mut_ptr()) };
    let id = catch_unwind(|| {
        let mut bytes = [0; ROOM];
        let bytes = &mut bytes[..length as usize];
        for (byte, &sign) in bytes.iter_mut().zip(&signs) {
            *byte = u8::try_from(sign).ok().filter(u8::is_ascii)?;
        }
        ids(handle).ok()?.decode(str::from_utf8(bytes).ok()?).ok()
    });
    id.ok().flatten().map_or(NONE, |id| id as jlong)
}

natives! {
    fn openPublicIdKeys(env, source: JString<'local>) -> jlong {
        Ok(give(PublicIdKeys::open(&text(env, &source)?)?))
    }

    fn readPublicIdKeys(env, document: JByteArray<'local>) -> jlong {
        let mut document = env.convert_byte_array(document)?;
        let keys = PublicIdKeys::from_bytes(&document);
        document.fill(0);
        // Read the document once more, so that the compiler does not drop the erasure.
        std::hint::black_box(&document);
        Ok(give(keys?))
    }

    fn generatePublicIdKeys(env) -> jlong {
        Ok(give(PublicIdKeys::generate()?))
    }

    fn freePublicIdKeys(env, handle: jlong) {
        free::<PublicIdKeys>(handle)
    }

    fn publicIdKeysToml(env, handle: jlong) -> JString<'local> {
        Ok(env.new_string(keys(handle)?.to_toml().as_str())?)
    }

    /// Returns the realm, the symbols of all keys and of the current key, and the symbol of the key
    /// for numbers or an empty text.
    fn publicIdKeysFacts(env, handle: jlong) -> JObjectArray<'local, JString<'local>> {
        let keys = keys(handle)?;
        let numbers = keys.numbers().map(String::from).unwrap_or_default();
        let texts =
            [keys.realm().to_owned(), keys.symbols().collect(), keys.current().into(), numbers];
        string_array(env, &texts)
    }

    fn publicIdFormNames(env) -> JObjectArray<'local, JString<'local>> {
        let names: Vec<_> = PublicIdForm::ALL.iter().map(|form| form.name()).collect();
        string_array(env, &names)
    }

    fn publicIds(env, handle: jlong, kind: JString<'local>, number: jint) -> jlong {
        Ok(give(keys(handle)?.public_ids(&text(env, &kind)?, form(number)?)?))
    }

    fn freePublicIds(env, handle: jlong) {
        free::<PublicIds>(handle)
    }

    fn encodePublic(env, handle: jlong, id: jlong) -> JString<'local> {
        Ok(env.new_string(ids(handle)?.encode(id as u64)?.as_str())?)
    }

    fn decodePublic(env, handle: jlong, written: JString<'local>) -> jlong {
        Ok(ids(handle)?.decode(&text(env, &written)?)? as jlong)
    }

    fn encodePublics(
        env, handle: jlong, numbers: JLongArray<'local>,
    ) -> JObjectArray<'local, JString<'local>> {
        let mut wide = vec![0; numbers.len(env)?];
        numbers.get_region(env, 0, &mut wide)?;
        let texts = ids(handle)?.encode_many(wide.iter().map(|&id| id as u64))?;
        string_array(env, &texts)
    }

    fn decodePublics(
        env, handle: jlong, written: JObjectArray<'local, JString<'local>>,
    ) -> JLongArray<'local> {
        let mut texts = Vec::with_capacity(written.len(env)?);
        for at in 0..written.len(env)? {
            let one = written.get_element(env, at)?;
            texts.push(text(env, &one)?);
            env.delete_local_ref(one);
        }
        long_array(env, signed(&ids(handle)?.decode_many(&texts)?))
    }

    fn encodeUuid(env, handle: jlong, id: jlong, out: JLongArray<'local>) {
        let uuid = u128::from_be_bytes(ids(handle)?.codec().encode_uuid(id as u64));
        Ok(out.set_region(env, 0, signed(&[(uuid >> 64) as u64, uuid as u64]))?)
    }

    fn decodeUuid(env, handle: jlong, high: jlong, low: jlong) -> jlong {
        let uuid = u128::from(high as u64) << 64 | u128::from(low as u64);
        Ok(ids(handle)?.codec().decode_uuid(uuid.to_be_bytes())? as jlong)
    }

    fn encodeNumber(env, handle: jlong, id: jlong, bits: jint) -> jlong {
        Ok(ids(handle)?.codec().encode_number(id as u64, width(bits)?)? as jlong)
    }

    fn decodeNumber(env, handle: jlong, number: jlong, bits: jint) -> jlong {
        Ok(ids(handle)?.codec().decode_number(number as u64, width(bits)?)? as jlong)
    }
}
