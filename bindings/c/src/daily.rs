//! Daily numbers, built from options.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

use snowmint::{Daily, Result, Source, Tag};

use crate::argument::{check_size, given, number, read, text, text_or_none, wait};
use crate::failure::snowmint_status;
use crate::segment::prefetch;
use crate::source::{hand_over, snowmint_source};
use crate::store::snowmint_store;

/// The options of daily numbers. Begin with `SNOWMINT_DAILY_OPTIONS_INIT`, and set `tag` and
/// `store`. Texts and handles are only read during the call; the source keeps the store alive.
#[repr(C)]
pub struct snowmint_daily_options {
    /// `sizeof(snowmint_daily_options)`.
    pub size: usize,
    /// The tag: at most 55 characters with its namespace if it has one (`shop/invoice`). Each day
    /// has its own tag, `tag:yyyymmdd`, created when needed.
    pub tag: *const c_char,
    /// The store.
    pub store: *const snowmint_store,
    /// The time zone whose days count: `UTC`, `+08:00`, `Asia/Shanghai`. NULL: `UTC`.
    pub zone: *const c_char,
    /// The number of digits after the date, 1 to 10. `SNOWMINT_UNSET`: 6.
    pub digits: i64,
    /// The count of numbers in a range. `SNOWMINT_UNSET`: a thousandth of a day's numbers, at most
    /// 1000.
    pub step: i64,
    /// The percentage of a range that is used when the next range is fetched, 0 to 100.
    /// `SNOWMINT_UNSET`: 50.
    pub prefetch_percent: i64,
    /// The longest wait of a call for a number, in milliseconds; 0 never waits. `SNOWMINT_UNSET`:
    /// 5000.
    pub wait_ms: i64,
}

/// Opens a source of numbers that begin with the date: with 6 digits the 42nd number of 21 August
/// 2026 is 20260821000042. `source` receives a handle, which you end with `snowmint_source_free`;
/// an error leaves it unchanged. The call may block: it calls the store.
///
/// Numbers rise strictly, across threads, ranges and days. When a day's numbers are used up, calls
/// fail with `SNOWMINT_TAG_EXHAUSTED` until the next day. If the clock goes back over midnight, the
/// later day goes on: nothing is issued twice.
///
/// Errors: `SNOWMINT_INVALID_TIME` for an unknown zone; `SNOWMINT_INVALID_PARAMETER` for digits,
/// `SNOWMINT_INVALID_STEP` for a step out of range; `SNOWMINT_INVALID_TAG`; `SNOWMINT_UNSUPPORTED`
/// for options of a newer header; those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_open_daily(
    options: Option<&snowmint_daily_options>,
    source: Option<&mut MaybeUninit<*mut snowmint_source>>,
) -> snowmint_status {
    hand_over(source, || {
        let options = read(options, "options")?;
        check_size::<snowmint_daily_options>(options.size, "snowmint_daily_options")?;
        // SAFETY: as the header asks.
        unsafe { open(options) }.map(Source::Daily)
    })
}

/// # Safety
/// The pointers in the options are NULL or as the header requires.
unsafe fn open(options: &snowmint_daily_options) -> Result<Daily> {
    // SAFETY: as the caller promises.
    let tag = Tag::of_row(unsafe { text(options.tag, "tag") }?)?;
    // SAFETY: as the caller promises.
    let store = given(unsafe { options.store.as_ref() })?;
    let mut builder = Daily::builder(Arc::clone(store) as _, tag);
    // SAFETY: as the caller promises.
    if let Some(zone) = unsafe { text_or_none(options.zone, "zone") }? {
        builder = builder.zone(zone);
    }
    if let Some(digits) = number(options.digits, "digits")? {
        builder = builder.digits(digits);
    }
    if let Some(step) = number(options.step, "step")? {
        builder = builder.step(step);
    }
    if let Some(prefetch) = prefetch(options.prefetch_percent)? {
        builder = builder.prefetch(prefetch);
    }
    if let Some(wait) = wait(options.wait_ms)? {
        builder = builder.wait(wait);
    }
    builder.open()
}
