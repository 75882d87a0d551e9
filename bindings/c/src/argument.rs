//! Checks the arguments from C. NULL, a freed or wrong handle, a struct size of another version and
//! text that is not UTF-8 are errors. Also writes results to the places that C gives.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::time::Duration;

use snowmint::{Clock as _, Error, Result, System};

use crate::errors;

/// The value of a number that is not set and has its default.
const UNSET: i64 = -1;
/// The value of a time that stands for the present.
const NOW: i64 = i64::MIN;

/// Returns the time in Unix milliseconds: the present for `NOW`, otherwise `unix_ms`.
pub(crate) fn moment(unix_ms: i64) -> i64 {
    if unix_ms == NOW { System.now_ms() } else { unix_ms }
}

/// The target of a handle. The word at its beginning tells handles of different kinds apart, and a
/// live one from one that was just freed: it is read before anything else.
#[repr(C)]
pub(crate) struct Tagged<T> {
    magic: u64,
    value: T,
}

/// A handle of one kind.
pub(crate) trait Handle: Sized {
    type Value;
    const NAME: &str;
    const MAGIC: u64;

    fn of(tagged: Tagged<Self::Value>) -> Self;
    fn tagged(&self) -> &Tagged<Self::Value>;
    fn tagged_mut(&mut self) -> &mut Tagged<Self::Value>;

    #[inline]
    fn is_live(&self) -> bool {
        self.tagged().magic == Self::MAGIC
    }

    #[inline]
    fn value(&self) -> &Self::Value {
        &self.tagged().value
    }
}

/// Makes a handle of a struct around a tagged value.
macro_rules! handle {
    ($handle:ident, $value:ty, $magic:literal) => {
        impl crate::argument::Handle for $handle {
            type Value = $value;
            const NAME: &str = stringify!($handle);
            const MAGIC: u64 = u64::from_le_bytes(*$magic);

            fn of(tagged: Tagged<$value>) -> Self {
                $handle(tagged)
            }

            #[inline]
            fn tagged(&self) -> &Tagged<$value> {
                &self.0
            }

            fn tagged_mut(&mut self) -> &mut Tagged<$value> {
                &mut self.0
            }
        }
    };
}
pub(crate) use handle;

/// Returns the value of a handle. Fails for NULL, and for a handle that is not live.
#[inline]
pub(crate) fn given<H: Handle>(handle: Option<&H>) -> Result<&H::Value> {
    match handle {
        Some(handle) if handle.is_live() => Ok(handle.value()),
        _ => Err(no_handle(handle)),
    }
}

#[cold]
fn no_handle<H: Handle>(handle: Option<&H>) -> Error {
    match handle {
        None => errors::handle_null(H::NAME),
        Some(_) => errors::handle_not_live(H::NAME),
    }
}

/// Returns the value of a handle, or `None` for NULL.
pub(crate) fn given_or_none<H: Handle>(handle: Option<&H>) -> Result<Option<&H::Value>> {
    handle.map(|handle| given(Some(handle))).transpose()
}

/// Puts a value on the heap for C to keep.
pub(crate) fn keep<H: Handle>(value: H::Value) -> *mut H {
    Box::into_raw(Box::new(H::of(Tagged { magic: H::MAGIC, value })))
}

/// Takes a handle back from C. Returns `None` for NULL, and for anything but a live handle of the
/// kind.
///
/// # Safety
/// The pointer is NULL or points to a handle that nobody uses any more.
pub(crate) unsafe fn take_back<H: Handle>(handle: *mut H) -> Option<Box<H>> {
    // SAFETY: as the caller promises.
    let seen = unsafe { handle.as_mut() }?;
    if !seen.is_live() {
        return None;
    }
    // SAFETY: a reference; volatile, so that the write is visible to a later look at the freed
    // handle.
    unsafe { std::ptr::write_volatile(&mut seen.tagged_mut().magic, 0) };
    // SAFETY: `keep` made it, as its first word said, and the caller gives it up.
    Some(unsafe { Box::from_raw(handle) })
}

/// Returns the plain value that the call reads. Fails for NULL.
pub(crate) fn read<'a, T>(pointer: Option<&'a T>, name: &str) -> Result<&'a T> {
    pointer.ok_or_else(|| errors::pointer_null(name))
}

/// Returns the place of a result. Fails for NULL.
pub(crate) fn out<'a, T>(
    pointer: Option<&'a mut MaybeUninit<T>>,
    name: &str,
) -> Result<&'a mut MaybeUninit<T>> {
    pointer.ok_or_else(|| errors::pointer_null(name))
}

/// Returns a text.
///
/// # Safety
/// The pointer is NULL, or points to a text with a zero at its end that stays valid during the
/// call.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str> {
    // SAFETY: as the caller promises.
    let text = unsafe { any_text(pointer, name) }?;
    text.to_str().map_err(|error| errors::text_not_utf8(name, text, error))
}

/// Returns a text like [`text`], but no message repeats a part of it.
///
/// # Safety
/// The requirement of [`text`].
pub(crate) unsafe fn hidden_text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str> {
    // SAFETY: as the caller promises.
    let text = unsafe { any_text(pointer, name) }?;
    text.to_str().map_err(|error| errors::hidden_text_not_utf8(name, error))
}

/// Returns a text in any encoding.
///
/// # Safety
/// The requirement of [`text`].
pub(crate) unsafe fn any_text<'a>(pointer: *const c_char, name: &str) -> Result<&'a CStr> {
    if pointer.is_null() {
        return Err(errors::pointer_null(name));
    }
    // SAFETY: as the caller promises.
    Ok(unsafe { CStr::from_ptr(pointer) })
}

/// Returns a text, or `None` for NULL.
///
/// # Safety
/// The requirement of [`text`].
pub(crate) unsafe fn text_or_none<'a>(
    pointer: *const c_char,
    name: &str,
) -> Result<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: as the caller promises.
    unsafe { text(pointer, name) }.map(Some)
}

/// Returns `count` values that the call reads. NULL is allowed for 0 values.
///
/// # Safety
/// The pointer is NULL, or points to `count` values that stay valid during the call.
pub(crate) unsafe fn values<'a, T>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    check_array(pointer, count, name)?;
    // SAFETY: not NULL, aligned and not too large; the rest as the caller promises.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Returns room for `count` values that the call writes. NULL is allowed for 0 values.
///
/// # Safety
/// The pointer is NULL, or points to room for `count` values that nobody else uses during the call.
pub(crate) unsafe fn room<'a, T>(
    pointer: *mut T,
    count: usize,
    name: &str,
) -> Result<&'a mut [MaybeUninit<T>]> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_array(pointer, count, name)?;
    // SAFETY: not NULL, aligned and not too large; the rest as the caller promises.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast(), count) })
}

/// Returns room for `count` numbers that the runtime fills. Nobody reads the old contents, but any
/// bits are valid numbers.
///
/// # Safety
/// The requirement of [`room`].
pub(crate) unsafe fn numbers<'a>(
    pointer: *mut u64,
    count: usize,
    name: &str,
) -> Result<&'a mut [u64]> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_array(pointer, count, name)?;
    // SAFETY: not NULL, aligned and not too large; memory of C, to be written before it is read.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// Returns the largest number of values that a slice can have.
const fn most<T>() -> usize {
    isize::MAX as usize / size_of::<T>()
}

#[inline]
fn check_array<T>(pointer: *const T, count: usize, name: &str) -> Result<()> {
    if !pointer.is_null() && pointer.is_aligned() && count <= most::<T>() {
        return Ok(());
    }
    Err(no_array(pointer, count, name))
}

#[cold]
fn no_array<T>(pointer: *const T, count: usize, name: &str) -> Error {
    if pointer.is_null() {
        return errors::pointer_null(name);
    }
    if !pointer.is_aligned() {
        return errors::array_misaligned(name, align_of::<T>());
    }
    let (count, max) = (count as u64, most::<T>() as u64);
    snowmint::engine::Error::CountOutOfRange { count, max }.into()
}

/// Checks the size at the beginning of a struct that has an `_INIT`.
pub(crate) fn check_size<T>(size: usize, name: &str) -> Result<()> {
    check_size_or::<T>(size, name, errors::struct_too_small)
}

/// Checks the size at the beginning of a struct whose size the caller sets.
pub(crate) fn check_set_size<T>(size: usize, name: &str) -> Result<()> {
    check_size_or::<T>(size, name, errors::set_size_too_small)
}

fn check_size_or<T>(
    size: usize,
    name: &str,
    too_small: fn(&str, usize, usize) -> Error,
) -> Result<()> {
    let known = size_of::<T>();
    if size > known {
        return Err(errors::struct_too_large(name, size, known));
    }
    if size < known {
        return Err(too_small(name, size, known));
    }
    Ok(())
}

/// Returns a number as the wanted type, or `None` if it is unset.
pub(crate) fn number<T: TryFrom<i64>>(value: i64, name: &str) -> Result<Option<T>> {
    if value == UNSET {
        return Ok(None);
    }
    let number = T::try_from(value);
    number.map(Some).map_err(|_| errors::number_out_of_range(name, value))
}

/// Returns a wait, or `None` if it is unset.
pub(crate) fn wait(wait_ms: i64) -> Result<Option<Duration>> {
    Ok(number(wait_ms, "wait_ms")?.map(Duration::from_millis))
}

/// Writes a text and a zero into a caller's buffer.
///
/// # Safety
/// The pointer is NULL, or points to room for `size` characters that nobody else uses during the
/// call.
pub(crate) unsafe fn write_text(
    text: &str,
    pointer: *mut c_char,
    size: usize,
    name: &str,
) -> Result<()> {
    if pointer.is_null() {
        return Err(errors::pointer_null(name));
    }
    let needed = text.len() + 1;
    if size < needed {
        return Err(errors::room_too_small(name, size, needed));
    }
    // SAFETY: the room has at least this size.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), pointer.cast(), text.len()) };
    // SAFETY: within the room.
    let end = unsafe { pointer.add(text.len()) };
    // SAFETY: within the room.
    unsafe { end.write(0) };
    Ok(())
}

/// Writes as many records as there is room for, and the number of all records.
///
/// # Safety
/// `records` is NULL, or points to room for `capacity` of them that nobody else uses during the
/// call.
pub(crate) unsafe fn list<T>(
    rows: impl ExactSizeIterator<Item = T>,
    records: *mut T,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> Result<()> {
    let count = out(count, "count")?;
    // SAFETY: as the caller promises.
    let room = unsafe { room(records, capacity, "the array of records") }?;
    count.write(rows.len());
    for (place, row) in room.iter_mut().zip(rows) {
        place.write(row);
    }
    Ok(())
}

/// Returns a text in a field of fixed size, cut if it is longer than the stores allow.
pub(crate) fn fixed<const N: usize>(text: &str) -> [c_char; N] {
    let mut field = [0; N];
    for (place, byte) in field.iter_mut().take(N - 1).zip(text.bytes()) {
        *place = byte as c_char;
    }
    field
}
