//! Public IDs: keys, and the public form of one type of IDs.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::public_ids::{NumberWidth, PublicIdKeys, PublicIds};

use crate::argument::{
    Tagged, any_text, given, handle, hidden_text, keep, out, take_back, text, text_or_none, values,
    write_text,
};
use crate::failure::{guard, guard_silently, guard_waiting, snowmint_status};

/// Keys that IDs are made public by: nothing is stored, and whoever has the keys computes an ID from its
/// public form. They do not change once opened, any number of threads may use them at once, and a
/// `fork` carries them along. A public ID is no permission.
pub struct snowmint_public_id_keys(Tagged<PublicIdKeys>);
handle!(snowmint_public_id_keys, PublicIdKeys, b"snowkeys");

/// The public IDs of one type, in one form. It changes nothing: any number of threads may use it at once,
/// without a lock, and a `fork` carries it along.
pub struct snowmint_public_ids(Tagged<PublicIds>);
handle!(snowmint_public_ids, PublicIds, b"snowpubl");

/// Opens keys: those of a file, by its path, or of an environment variable, by `env:NAME`; `env:` alone
/// is `SNOWMINT_PUBLIC_ID_KEYS`. On Unix the file is this user's or root's, and nobody else may read it.
/// `keys` receives a handle that the caller ends with `snowmint_public_id_keys_free`; on an error it is
/// left as it is. Another thread must not change the environment meanwhile.
///
/// Errors: `SNOWMINT_INVALID_KEYS` for keys that are missing, malformed, weak or not unique, or that are
/// given in the place of their source, which no message repeats; `SNOWMINT_KEYS_EXPOSED` for a file that
/// others may read or change; `SNOWMINT_INVALID_PARAMETER` for a wrong realm.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_id_keys_open(
    source: *const c_char,
    keys: Option<&mut MaybeUninit<*mut snowmint_public_id_keys>>,
) -> snowmint_status {
    guard_waiting(|| {
        let keys = out(keys, "keys")?;
        // SAFETY: as the header asks.
        let source = unsafe { hidden_text(source, "source") }?;
        keys.write(keep(PublicIdKeys::open(source)?));
        Ok(())
    })
}

/// Reads the same document, TOML or JSON, from memory: `length` bytes, which the caller may wipe after
/// the call. `keys` is as of `snowmint_public_id_keys_open`.
///
/// Errors: as `snowmint_public_id_keys_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_id_keys_from_bytes(
    document: *const u8,
    length: usize,
    keys: Option<&mut MaybeUninit<*mut snowmint_public_id_keys>>,
) -> snowmint_status {
    guard(|| {
        let keys = out(keys, "keys")?;
        // SAFETY: as the header asks.
        let document = unsafe { values(document, length, "document") }?;
        keys.write(keep(PublicIdKeys::from_bytes(document)?));
        Ok(())
    })
}

/// Makes one new random key, which ends with the handle: for tests. `snowmint public-ids keygen` makes a
/// file. `keys` is as of `snowmint_public_id_keys_open`.
///
/// Errors: `SNOWMINT_NO_RESOURCE`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_public_id_keys_generate(
    keys: Option<&mut MaybeUninit<*mut snowmint_public_id_keys>>,
) -> snowmint_status {
    guard(|| {
        out(keys, "keys")?.write(keep(PublicIdKeys::generate()?));
        Ok(())
    })
}

/// Wipes the keys and frees the handle, which must not be used any more. NULL is no error. Public IDs
/// that were made of it stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_id_keys_free(keys: *mut snowmint_public_id_keys) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(keys) }));
}

/// Gives what IDs of one type look like from outside. `type_name` is 1 to 32 small letters, digits and
/// underscores, the first a letter, the last no underscore: another type reads none of them. `form` is
/// `token` (NULL is the same), `base64url`, `uuid`, or `number64`, `number63` or `number53`, which is not
/// checked: each number is read as some ID. Keys are derived here, so keep what is given. `ids` receives a
/// handle that the caller ends with `snowmint_public_ids_free`; on an error it is left as it is.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER`, `SNOWMINT_UNKNOWN_TEXT_FORM`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_ids_open(
    keys: Option<&snowmint_public_id_keys>,
    type_name: *const c_char,
    form: *const c_char,
    ids: Option<&mut MaybeUninit<*mut snowmint_public_ids>>,
) -> snowmint_status {
    guard(|| {
        let (keys, ids) = (given(keys)?, out(ids, "ids")?);
        // SAFETY: as the header asks.
        let type_name = unsafe { text(type_name, "type_name") }?;
        // SAFETY: as the header asks.
        let form = unsafe { text_or_none(form, "form") }?;
        let form = form.map_or(Ok(Default::default()), str::parse)?;
        ids.write(keep(keys.public_ids(type_name, form)?));
        Ok(())
    })
}

/// Wipes the derived keys and frees the handle, which must not be used any more. NULL is no error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_ids_free(ids: *mut snowmint_public_ids) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(ids) }));
}

/// Writes the public form of an ID and a zero: `size` is at least `SNOWMINT_PUBLIC_ID_SIZE`, or the length
/// that the type and form need and 1. An ID has one form, the same each time, as long as the current key
/// stays.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` where `size` is too small, and for an ID with more bits than a
/// number's form; `SNOWMINT_INVALID_KEYS` for a number where several keys could be meant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_ids_encode(
    ids: Option<&snowmint_public_ids>,
    id: u64,
    buffer: *mut c_char,
    size: usize,
) -> snowmint_status {
    guard(|| {
        // Matched where it is made: moving the text costs a third of the time it takes to make it.
        match &given(ids)?.encode(id) {
            // SAFETY: as the header asks.
            Ok(public) => unsafe { write_text(public, buffer, size, "buffer") },
            Err(refused) => Err(refused.clone().into()),
        }
    })
}

/// Reads an ID from its public form. `id` is left as it is on an error.
///
/// Errors: `SNOWMINT_NOT_FOUND` where no ID has it, and it is not told why; of what anybody can see in the
/// text `SNOWMINT_WRONG_TYPE`, `SNOWMINT_TEXT_LENGTH`, `SNOWMINT_INVALID_TEXT`,
/// `SNOWMINT_TEXT_NOT_CANONICAL`, one of which a text that is not UTF-8 has as well; of numbers
/// `SNOWMINT_TEXT_OVERFLOW`, and `SNOWMINT_INVALID_KEYS` where several keys could be meant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_ids_decode(
    ids: Option<&snowmint_public_ids>,
    public_id: *const c_char,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    guard(|| {
        let (ids, id) = (given(ids)?, out(id, "id")?);
        // SAFETY: as the header asks.
        let public = unsafe { any_text(public_id, "public_id") }?;
        let read = match public.to_str() {
            Ok(public) => ids.decode(public),
            // Invalid UTF-8 is no public ID, and is refused as one.
            Err(_) => ids.decode(&public.to_string_lossy()),
        };
        id.write(read?);
        Ok(())
    })
}

/// Gives an ID as a number of 64, 63 or 53 bits, whatever the form.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER`; `SNOWMINT_INVALID_KEYS` where several keys could be meant.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_public_ids_encode_number(
    ids: Option<&snowmint_public_ids>,
    id: u64,
    bits: u32,
    number: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    guard(|| {
        let (ids, number) = (given(ids)?, out(number, "number")?);
        number.write(ids.codec().encode_number(id, NumberWidth::from_bits(bits)?)?);
        Ok(())
    })
}

/// Gives the ID of such a number. Each number has one: a made-up number is not told from others.
///
/// Errors: as `snowmint_public_ids_encode_number`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_public_ids_decode_number(
    ids: Option<&snowmint_public_ids>,
    number: u64,
    bits: u32,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    guard(|| {
        let (ids, id) = (given(ids)?, out(id, "id")?);
        id.write(ids.codec().decode_number(number, NumberWidth::from_bits(bits)?)?);
        Ok(())
    })
}
