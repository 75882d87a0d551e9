//! IDs and times as text.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::{Result, TextForm, Timestamp};

use crate::argument::{fixed, text, text_or_none, write_text};
use crate::errors;
use crate::failure::{give, guard, snowmint_status};

/// A text form of IDs.
#[repr(C)]
pub struct snowmint_text_form {
    /// The name: `dec`, `hex`, `base32`, `base32-check`, `z-base32`, `base36`, `base58`,
    /// `base58-flickr`, `base62`.
    pub name: [c_char; 32],
    /// The symbols of the digits, beginning with the symbol of 0.
    pub alphabet: [c_char; 72],
    /// The number of symbols if all texts of the form have the same number, else 0.
    pub width: u32,
    /// True if texts in byte order are IDs in numeric order.
    pub sortable: bool,
}

fn named(name: &str) -> Result<TextForm> {
    TextForm::from_name(name).ok_or_else(|| errors::text_form_unknown(name))
}

/// Writes an ID in a text form and a zero. `size` is at least `SNOWMINT_TEXT_SIZE`, or the length
/// that the form needs plus 1.
///
/// Errors: `SNOWMINT_UNKNOWN_TEXT_FORM`; `SNOWMINT_INVALID_PARAMETER` if `size` is too small.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_format(
    id: u64,
    form: *const c_char,
    buffer: *mut c_char,
    size: usize,
) -> snowmint_status {
    guard(|| {
        // SAFETY: as the header asks.
        let written = named(unsafe { text(form, "form") }?)?.format(id);
        // SAFETY: as the header asks.
        unsafe { write_text(written.as_str(), buffer, size, "buffer") }
    })
}

/// Reads an ID that `snowmint_format` wrote. Also reads spellings that can mean only one ID: padded
/// with zeros or in the other case. If `form` is NULL, the form that `snowmint_detect` gives
/// applies.
///
/// Errors: `SNOWMINT_TEXT_LENGTH`, `SNOWMINT_INVALID_TEXT`, `SNOWMINT_TEXT_OVERFLOW`,
/// `SNOWMINT_TEXT_CHECK`; `SNOWMINT_UNKNOWN_TEXT_FORM`, also if no form is detected.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_parse(
    written: *const c_char,
    form: *const c_char,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give(id, "id", || {
        // SAFETY: as the header asks.
        let written = unsafe { text(written, "text") }?;
        // SAFETY: as the header asks.
        let form = unsafe { text_or_none(form, "form") }?.map(named).transpose()?;
        snowmint::names::id(written, form)
    })
}

fn detected(written: &str) -> Result<TextForm> {
    snowmint::detect(written).ok_or_else(|| errors::text_form_not_detected(written))
}

/// Guesses the form that a bare text most likely has. It never guesses z-base-32, base 36 and base
/// 58, nor base 62 if base 58 writes the same text.
///
/// Errors: `SNOWMINT_UNKNOWN_TEXT_FORM` if it can guess none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_detect(
    written: *const c_char,
    form: Option<&mut MaybeUninit<snowmint_text_form>>,
) -> snowmint_status {
    give(form, "form", || {
        // SAFETY: as the header asks.
        Ok(record(detected(unsafe { text(written, "text") }?)?))
    })
}

/// Returns the number of text forms.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_text_form_count() -> usize {
    TextForm::ALL.len()
}

/// Gets the text form at an index from 0 on.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` past the last index.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_text_form_at(
    index: usize,
    form: Option<&mut MaybeUninit<snowmint_text_form>>,
) -> snowmint_status {
    give(form, "form", || {
        let form = TextForm::ALL.get(index);
        let form = form.ok_or_else(|| errors::text_form_missing(index))?;
        Ok(record(*form))
    })
}

fn record(form: TextForm) -> snowmint_text_form {
    snowmint_text_form {
        name: fixed(form.name()),
        alphabet: fixed(form.alphabet()),
        width: form.width().unwrap_or(0),
        sortable: form.is_sortable(),
    }
}

/// Writes a time in Unix milliseconds as RFC 3339 (`2022-06-28T16:07:40.105Z`) and a zero. `size`
/// is at least `SNOWMINT_TIMESTAMP_SIZE`.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` if `size` is too small.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_timestamp(
    unix_ms: i64,
    buffer: *mut c_char,
    size: usize,
) -> snowmint_status {
    guard(|| {
        let written = Timestamp(unix_ms).to_string();
        // SAFETY: as the header asks.
        unsafe { write_text(&written, buffer, size, "buffer") }
    })
}
