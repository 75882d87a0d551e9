//! The tags of a store.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::{Error, Incarnation, Tag, TagChange, TagOptions, TagRow, Vouch};

use crate::argument::{fixed, given, list, number, text};
use crate::errors;
use crate::failure::{give_waiting, guard_waiting, snowmint_status};
use crate::store::snowmint_store;

/// A tag of a store.
#[repr(C)]
pub struct snowmint_tag {
    /// The tag's name.
    pub name: [c_char; 65],
    /// The first number that nobody has reserved yet.
    pub next: u64,
    /// The count of numbers in a range, unless the client asks for more.
    pub step: u64,
    /// The distance between two numbers.
    pub stride: u64,
    /// The largest number that may be issued.
    pub max: u64,
    /// The time when a range was last taken or the row changed, in Unix milliseconds of the store's
    /// clock.
    pub updated_ms: i64,
}

fn record(row: &TagRow) -> snowmint_tag {
    snowmint_tag {
        name: fixed(row.tag.as_str()),
        next: row.next,
        step: row.step,
        stride: row.stride,
        max: row.max,
        updated_ms: row.updated_ms,
    }
}

/// Creates a tag. Its first number is `start`, its ranges have `step` numbers at a distance of
/// `stride`, and no number is above `max`, for example the largest value of a column.
/// `SNOWMINT_UNSET` stands for 1, 1000, 1 and the largest number of all. A tag may have a
/// namespace: `shop/orders`.
///
/// Errors: `SNOWMINT_TAG_EXISTS`, `SNOWMINT_INVALID_TAG`, `SNOWMINT_INVALID_STEP`,
/// `SNOWMINT_INVALID_RANGE`; those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_create_tag(
    store: Option<&snowmint_store>,
    tag: *const c_char,
    start: i64,
    step: i64,
    stride: i64,
    max: i64,
) -> snowmint_status {
    guard_waiting(|| {
        let store = given(store)?;
        // SAFETY: as the header asks.
        let tag = Tag::of_row(unsafe { text(tag, "tag") }?)?;
        store.create_tag(&tag, options(start, step, stride, max)?)
    })
}

/// Creates a tag like `snowmint_store_create_tag`, unless it exists. An existing tag is left as it
/// is, with its own options.
///
/// Errors: `SNOWMINT_INVALID_TAG`, `SNOWMINT_INVALID_STEP`, `SNOWMINT_INVALID_RANGE`; those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_ensure_tag(
    store: Option<&snowmint_store>,
    tag: *const c_char,
    start: i64,
    step: i64,
    stride: i64,
    max: i64,
) -> snowmint_status {
    guard_waiting(|| {
        let store = given(store)?;
        // SAFETY: as the header asks.
        let tag = Tag::of_row(unsafe { text(tag, "tag") }?)?;
        store.ensure_tag(&tag, options(start, step, stride, max)?).map(drop)
    })
}

fn options(start: i64, step: i64, stride: i64, max: i64) -> Result<TagOptions, Error> {
    let usual = TagOptions::default();
    Ok(usual
        .start(number(start, "start")?.unwrap_or(usual.start))
        .step(number(step, "step")?.unwrap_or(usual.step))
        .stride(number(stride, "stride")?.unwrap_or(usual.stride))
        .max(number(max, "max")?.unwrap_or(usual.max)))
}

/// Raises the next number of a tag, or sets its step or its largest number. `SNOWMINT_UNSET` leaves
/// a value as it is. `row` receives the changed tag; it may be NULL.
///
/// Errors: `SNOWMINT_UNKNOWN_TAG`, `SNOWMINT_INVALID_STEP`, and those of the store.
/// `SNOWMINT_RANGE_REGRESSED` for a next number below the present one. `SNOWMINT_INVALID_RANGE` for
/// a next number above the largest number, or for a largest number below the numbers that were
/// given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_change_tag(
    store: Option<&snowmint_store>,
    tag: *const c_char,
    next: i64,
    step: i64,
    max: i64,
    row: Option<&mut MaybeUninit<snowmint_tag>>,
) -> snowmint_status {
    guard_waiting(|| {
        let store = given(store)?;
        // SAFETY: as the header asks.
        let tag = Tag::of_row(unsafe { text(tag, "tag") }?)?;
        let change = TagChange::default()
            .next(number(next, "next")?)
            .step(number(step, "step")?)
            .max(number(max, "max")?);
        let changed = store.change_tag(&tag, change)?;
        if let Some(row) = row {
            row.write(record(&changed));
        }
        Ok(())
    })
}

/// Lets a server that took another's place go on with the data that it has. You confirm that these
/// data are all that was given. `server` is the server as its refusals name it; any other server
/// refuses. First, each tag whose ranges may be lost is raised by `raise_by_steps` steps. A step
/// counts as the tag's last range if that was longer.
///
/// If tags may be lost, set `new_from`: tags created from now on begin there or above. A lower
/// value than the present one changes nothing, and 0 ends it. Reset it to 0 once each lost tag is
/// there again or is gone for good. `SNOWMINT_UNSET` leaves the present value. `count` receives the
/// number of raised tags; it may be NULL.
///
/// Errors: `SNOWMINT_INCARNATION_CHANGED` from another server; `SNOWMINT_INVALID_PARAMETER`,
/// `SNOWMINT_INVALID_RANGE`; `SNOWMINT_UNSUPPORTED` from other stores; those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_vouch(
    store: Option<&snowmint_store>,
    server: *const c_char,
    raise_by_steps: u64,
    new_from: i64,
    count: Option<&mut MaybeUninit<usize>>,
) -> snowmint_status {
    guard_waiting(|| {
        // SAFETY: as the header asks.
        let server = Incarnation::from(unsafe { text(server, "server") }?);
        let vouch = Vouch::new(raise_by_steps).server(server);
        let rows = given(store)?.vouch(&vouch.new_from(number(new_from, "new_from")?))?;
        if let Some(count) = count {
            count.write(rows.len());
        }
        Ok(())
    })
}

/// Looks up a tag.
///
/// Errors: `SNOWMINT_UNKNOWN_TAG`, `SNOWMINT_INVALID_TAG`; those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_tag(
    store: Option<&snowmint_store>,
    tag: *const c_char,
    row: Option<&mut MaybeUninit<snowmint_tag>>,
) -> snowmint_status {
    give_waiting(row, "row", || {
        // SAFETY: as the header asks.
        let tag = Tag::of_row(unsafe { text(tag, "tag") }?)?;
        let found = given(store)?.tag(&tag)?;
        found.as_ref().map(record).ok_or_else(|| errors::tag_missing(&tag))
    })
}

/// Lists tags by name. `count` receives the number of all tags. The first of them, at most
/// `capacity`, are written to `tags`, which may be NULL if `capacity` is 0.
///
/// Errors: those of the store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_store_tags(
    store: Option<&snowmint_store>,
    tags: *mut snowmint_tag,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> snowmint_status {
    guard_waiting(|| {
        let store = given(store)?;
        // SAFETY: as the header asks.
        unsafe { list(store.tags()?.iter().map(record), tags, capacity, count) }
    })
}
