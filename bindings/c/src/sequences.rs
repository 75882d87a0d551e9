//! A sequence for each key.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::time::Duration;

use snowmint::{Result, Sequences, Tag};

use crate::argument::{
    Handle as _, Tagged, check_size, given, handle, keep, number, read, take_back, text, wait,
};
use crate::failure::{give_waiting, guard_silently, guard_waiting, snowmint_status};
use crate::store::snowmint_store;

/// A sequence for each of many keys. The store keeps only one maximum for each group of keys. Any
/// number of threads may call any function on one handle at once, except `snowmint_sequences_free`.
pub struct snowmint_sequences(Tagged<Sequences>);
handle!(snowmint_sequences, Sequences, b"snowseqs");

/// The options of sequences. Begin with `SNOWMINT_SEQUENCES_OPTIONS_INIT`, and set `tag` and
/// `store`. Texts and handles are only read during the call; the handle keeps the store alive.
#[repr(C)]
pub struct snowmint_sequences_options {
    /// `sizeof(snowmint_sequences_options)`.
    pub size: usize,
    /// The tag: at most 59 characters, better 40, with its namespace if it has one (`shop/chat`).
    pub tag: *const c_char,
    /// The store.
    pub store: *const snowmint_store,
    /// The number of keys that share a persisted maximum. It can never be changed for a tag.
    /// `SNOWMINT_UNSET`: 100000.
    pub keys_per_section: i64,
    /// The amount by which a maximum is raised at a time. `SNOWMINT_UNSET`: 10000.
    pub step: i64,
    /// The longest wait of a call for a number, in milliseconds; 0 never waits. `SNOWMINT_UNSET`:
    /// 5000.
    pub wait_ms: i64,
}

/// Opens sequences. `sequences` receives a handle, which you end with `snowmint_sequences_free`; an
/// error leaves it unchanged. The call may block: it calls the store.
///
/// The numbers of a key rise strictly, across threads and restarts; two keys can have the same
/// number. A restart skips up to two steps.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` if `keys_per_section` is 0, too large, or not the recorded
/// number; `SNOWMINT_INVALID_STEP`, `SNOWMINT_INVALID_TAG`; `SNOWMINT_UNSUPPORTED` for options of a
/// newer header; those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_sequences_open(
    options: Option<&snowmint_sequences_options>,
    sequences: Option<&mut MaybeUninit<*mut snowmint_sequences>>,
) -> snowmint_status {
    give_waiting(sequences, "sequences", || {
        let options = read(options, "options")?;
        check_size::<snowmint_sequences_options>(options.size, "snowmint_sequences_options")?;
        // SAFETY: as the header asks.
        Ok(keep(unsafe { open(options) }?))
    })
}

/// # Safety
/// The pointers in the options are NULL or as the header requires.
unsafe fn open(options: &snowmint_sequences_options) -> Result<Sequences> {
    // SAFETY: as the caller promises.
    let tag = Tag::of_row(unsafe { text(options.tag, "tag") }?)?;
    // SAFETY: as the caller promises.
    let store = given(unsafe { options.store.as_ref() })?;
    let mut builder = Sequences::builder(Arc::clone(store) as _, tag);
    if let Some(keys) = number(options.keys_per_section, "keys_per_section")? {
        builder = builder.keys_per_section(keys);
    }
    if let Some(step) = number(options.step, "step")? {
        builder = builder.step(step);
    }
    if let Some(wait) = wait(options.wait_ms)? {
        builder = builder.wait(wait);
    }
    builder.open()
}

/// Takes the next number of a key, waiting up to the bound of the sequences.
///
/// Errors: `SNOWMINT_WAIT_TIMEOUT`, `SNOWMINT_INVALID_KEY`, `SNOWMINT_TAG_EXHAUSTED`,
/// `SNOWMINT_RANGE_REGRESSED`, `SNOWMINT_CLOSED`; those of the store.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_sequences_next(
    sequences: Option<&snowmint_sequences>,
    key: u64,
    number: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give_waiting(number, "number", || given(sequences)?.next(key))
}

/// Takes the next number of a key, waiting up to `wait_ms` milliseconds; 0 never waits.
///
/// Errors: those of `snowmint_sequences_next`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_sequences_next_within(
    sequences: Option<&snowmint_sequences>,
    key: u64,
    wait_ms: u64,
    number: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give_waiting(number, "number", || {
        given(sequences)?.next_within(key, Duration::from_millis(wait_ms))
    })
}

/// Stops minting. The rest of the fetched ranges is lost. Closing twice is no error.
///
/// Errors: only for invalid arguments.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_sequences_close(
    sequences: Option<&snowmint_sequences>,
) -> snowmint_status {
    guard_waiting(|| {
        given(sequences)?.close();
        Ok(())
    })
}

/// Closes the sequences and frees the handle, which must not be used any more. NULL is no error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_sequences_free(sequences: *mut snowmint_sequences) {
    guard_silently(|| {
        // SAFETY: as the header asks.
        if let Some(sequences) = unsafe { take_back(sequences) } {
            sequences.value().close();
        }
    });
}
