//! Public IDs: keys, and the public form of one type of IDs.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::public_ids::{NumberWidth, PublicIdKeys, PublicIds};

use crate::argument::{
    Tagged, any_text, given, handle, hidden_text, keep, take_back, text, text_or_none, values,
    write_text,
};
use crate::failure::{give, give_waiting, guard, guard_silently, snowmint_status};

/// Keys that make public IDs. Nothing is stored: anybody who has the keys can compute an ID from
/// its public form. Opened keys do not change, any number of threads may use them at once, and a
/// forked child has them, too. A public ID is no permission.
pub struct snowmint_public_id_keys(Tagged<PublicIdKeys>);
handle!(snowmint_public_id_keys, PublicIdKeys, b"snowkeys");

/// The public IDs of one type, in one form. It never changes: any number of threads may use it at
/// once, without a lock, and a forked child has it, too.
pub struct snowmint_public_ids(Tagged<PublicIds>);
handle!(snowmint_public_ids, PublicIds, b"snowpubl");

/// Opens the keys in a file, named by its path, or in an environment variable, named by `env:NAME`.
/// `env:` alone is `SNOWMINT_PUBLIC_ID_KEYS`. On Unix the file must belong to this user or root,
/// and nobody else may read it. `keys` receives a handle, which you end with
/// `snowmint_public_id_keys_free`; an error leaves it unchanged. No other thread may change the
/// environment during the call.
///
/// Errors: `SNOWMINT_INVALID_KEYS` for keys that are missing, malformed, weak or not unique, and
/// for keys in place of their source, which no message repeats. `SNOWMINT_KEYS_EXPOSED` for a file
/// that others may read or change. `SNOWMINT_INVALID_PARAMETER` for a wrong realm.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_id_keys_open(
    source: *const c_char,
    keys: Option<&mut MaybeUninit<*mut snowmint_public_id_keys>>,
) -> snowmint_status {
    give_waiting(keys, "keys", || {
        // SAFETY: as the header asks.
        let source = unsafe { hidden_text(source, "source") }?;
        Ok(keep(PublicIdKeys::open(source)?))
    })
}

/// Opens the keys in a document in memory, TOML or JSON, of `length` bytes. You may wipe it after
/// the call. `keys` receives a handle as with `snowmint_public_id_keys_open`.
///
/// Errors: those of `snowmint_public_id_keys_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_id_keys_from_bytes(
    document: *const u8,
    length: usize,
    keys: Option<&mut MaybeUninit<*mut snowmint_public_id_keys>>,
) -> snowmint_status {
    give(keys, "keys", || {
        // SAFETY: as the header asks.
        let document = unsafe { values(document, length, "document") }?;
        Ok(keep(PublicIdKeys::from_bytes(document)?))
    })
}

/// Creates a random key for tests, which ends with the handle. `snowmint public-ids keygen` creates
/// a file. `keys` receives a handle as with `snowmint_public_id_keys_open`.
///
/// Errors: `SNOWMINT_NO_RESOURCE`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_public_id_keys_generate(
    keys: Option<&mut MaybeUninit<*mut snowmint_public_id_keys>>,
) -> snowmint_status {
    give(keys, "keys", || Ok(keep(PublicIdKeys::generate()?)))
}

/// Wipes the keys and frees the handle, which must not be used any more. NULL is no error. A
/// `snowmint_public_ids` that was opened with them stays valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_id_keys_free(keys: *mut snowmint_public_id_keys) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(keys) }));
}

/// Opens the public IDs of one type. `type_name` has 1 to 32 small letters, digits and underscores;
/// the first is a letter, and the last is no underscore. Another type cannot read these public IDs.
/// `form` is `token` (also for NULL), `base64url`, `uuid`, `number64`, `number63` or `number53`.
/// The last three are not checked: each number is read as some ID. The call derives keys, so keep
/// the handle. `ids` receives a handle, which you end with `snowmint_public_ids_free`; an error
/// leaves it unchanged.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER`, `SNOWMINT_UNKNOWN_TEXT_FORM`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_ids_open(
    keys: Option<&snowmint_public_id_keys>,
    type_name: *const c_char,
    form: *const c_char,
    ids: Option<&mut MaybeUninit<*mut snowmint_public_ids>>,
) -> snowmint_status {
    give(ids, "ids", || {
        let keys = given(keys)?;
        // SAFETY: as the header asks.
        let type_name = unsafe { text(type_name, "type_name") }?;
        // SAFETY: as the header asks.
        let form = unsafe { text_or_none(form, "form") }?;
        let form = form.map_or(Ok(Default::default()), str::parse)?;
        Ok(keep(keys.public_ids(type_name, form)?))
    })
}

/// Wipes the derived keys and frees the handle, which must not be used any more. NULL is no error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_ids_free(ids: *mut snowmint_public_ids) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(ids) }));
}

/// Writes the public form of an ID and a zero. `size` is at least `SNOWMINT_PUBLIC_ID_SIZE`, or the
/// length that the type and form need plus 1. An ID always has the same form while the current key
/// stays.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` if `size` is too small, and for an ID with more bits than a
/// number's form; `SNOWMINT_INVALID_KEYS` for a number if several keys could be meant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_ids_encode(
    ids: Option<&snowmint_public_ids>,
    id: u64,
    buffer: *mut c_char,
    size: usize,
) -> snowmint_status {
    guard(|| {
        // Matches the result in place: moving the text costs a third of the time it takes to make
        // it.
        match &given(ids)?.encode(id) {
            // SAFETY: as the header asks.
            Ok(public) => unsafe { write_text(public, buffer, size, "buffer") },
            Err(refused) => Err(refused.clone().into()),
        }
    })
}

/// Reads an ID from its public form. An error leaves `id` unchanged.
///
/// Errors: `SNOWMINT_NOT_FOUND` if no ID has this form, without a reason. For faults that anybody
/// can see in the text, such as wrong UTF-8: `SNOWMINT_WRONG_TYPE`, `SNOWMINT_TEXT_LENGTH`,
/// `SNOWMINT_INVALID_TEXT`, `SNOWMINT_TEXT_NOT_CANONICAL`. For numbers: `SNOWMINT_TEXT_OVERFLOW`,
/// and `SNOWMINT_INVALID_KEYS` if several keys could be meant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_public_ids_decode(
    ids: Option<&snowmint_public_ids>,
    public_id: *const c_char,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give(id, "id", || {
        let ids = given(ids)?;
        // SAFETY: as the header asks.
        let public = unsafe { any_text(public_id, "public_id") }?;
        let read = match public.to_str() {
            Ok(public) => ids.decode(public),
            // Invalid UTF-8 is no public ID, and is refused like other wrong text.
            Err(_) => ids.decode(&public.to_string_lossy()),
        };
        Ok(read?)
    })
}

/// Encodes an ID as a number of 64, 63 or 53 bits, whatever the form.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER`; `SNOWMINT_INVALID_KEYS` if several keys could be meant.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_public_ids_encode_number(
    ids: Option<&snowmint_public_ids>,
    id: u64,
    bits: u32,
    number: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give(number, "number", || {
        Ok(given(ids)?.codec().encode_number(id, NumberWidth::from_bits(bits)?)?)
    })
}

/// Decodes a number of `snowmint_public_ids_encode_number`. Each number has an ID: a made-up number
/// looks like any other.
///
/// Errors: those of `snowmint_public_ids_encode_number`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_public_ids_decode_number(
    ids: Option<&snowmint_public_ids>,
    number: u64,
    bits: u32,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give(id, "id", || {
        Ok(given(ids)?.codec().decode_number(number, NumberWidth::from_bits(bits)?)?)
    })
}
