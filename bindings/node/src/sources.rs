//! Sources, and how they mint.
//!
//! A source is an index into a table of its thread, because a number costs less to read than an
//! external value. The entry lives as long as the [`Guard`] that JavaScript holds beside the index.
//! So the garbage collector, or the end of a worker thread, frees sources.

use std::time::Duration;

use napi::Env;
use napi::bindgen_prelude::{BigInt, BigUint64Array, External};
use napi_derive::napi;
use snowmint::{Code, Layout, LazySource, Mint, Segment, Source, UuidSource};

use crate::arrays::Numbers;
use crate::errors;
use crate::failure::guarded;
use crate::places::Places;
use crate::stats::StatsFacts;
use crate::tasks::{Promised, promise};

/// The longest time for waking a source, the same as for opening it.
const WAKES_WITHIN: Duration = Duration::from_secs(1);

thread_local! {
    static TABLE: Places<LazySource> = const { Places::new() };
}

/// Keeps the entry of an index until it is dropped.
pub(crate) struct Guard(u32);

impl Drop for Guard {
    fn drop(&mut self) {
        // Dropped outside the table's borrow, because this may call a store.
        drop(TABLE.try_with(|table| table.take(self.0)));
    }
}

/// An opened source.
#[napi(object, object_from_js = false)]
pub struct Opened {
    /// The index.
    pub handle: u32,
    /// Keeps the index.
    #[napi(ts_type = "object")]
    pub guard: External<Guard>,
    /// The kind: `snowflake`, `segment`, `daily`, `sequences`, `uuid` or `ring`.
    pub kind: String,
    /// The longest wait of a call in milliseconds.
    pub wait_ms: f64,
    /// The layout, for snowflakes and rings of them.
    #[napi(ts_type = "object")]
    pub layout: Option<External<Layout>>,
    /// The tag, for segments, daily numbers and sequences.
    pub tag: Option<String>,
    /// The version, for UUIDs.
    pub version: Option<u32>,
    /// The sequences, which have their own calls.
    #[napi(ts_type = "object")]
    pub sequences: Option<External<LazySource>>,
}

/// Puts an open source into the table of this thread.
pub(crate) fn opened(source: Source) -> Opened {
    put(source.into())
}

/// Puts a source into the table of this thread.
pub(crate) fn put(source: LazySource) -> Opened {
    let (kind, tag) = (source.kind().to_owned(), source.tag().map(ToString::to_string));
    let version = match source.try_get() {
        Some(Source::Uuid(uuids)) => Some(version_of(*uuids)),
        _ => None,
    };
    let sequences = (kind == "sequences").then(|| External::new(source.clone()));
    let layout = source.layout().copied().map(External::new);
    let wait_ms = source.wait().as_millis() as f64;
    let handle = TABLE.with(|table| table.put(source));
    let guard = External::new(Guard(handle));
    Opened { handle, guard, kind, wait_ms, layout, tag, version, sequences }
}

fn version_of(uuids: UuidSource) -> u32 {
    uuids.version().number().into()
}

/// Calls `run` with the source of an index.
#[inline]
fn with<T>(handle: u32, run: impl FnOnce(&LazySource) -> T) -> Option<T> {
    TABLE.with(|table| table.with(handle, run))
}

/// Returns the form of the source that never waits.
fn at_once(handle: u32) -> snowmint::Result<LazySource> {
    patient(handle, 0.0)
}

/// Returns the source for calls that may wait so many milliseconds.
fn patient(handle: u32, wait_ms: f64) -> snowmint::Result<LazySource> {
    let wait = Duration::from_millis(wait_ms as u64);
    with(handle, |source| source.with_wait(wait)).ok_or_else(errors::source_of_another_thread)
}

/// Returns the next ID if one is ready.
pub(crate) fn try_next_id(handle: u32) -> Option<u64> {
    with(handle, Mint::try_next_id).flatten()
}

/// Mints without waiting, except for a fixed worker ID that was idle for seconds. Such a worker ID
/// is not renewed while idle, so each first call would fail. The call waits until its file is
/// written.
fn minted<T>(
    handle: u32,
    mut mint: impl FnMut(&LazySource) -> snowmint::Result<T>,
) -> snowmint::Result<T> {
    let source = at_once(handle)?;
    match mint(&source) {
        Err(error) if error.code() == Code::GrantExhausted && is_at_rest(&source) => {
            mint(&source.with_wait(WAKES_WITHIN))
        }
        done => done,
    }
}

/// Returns true if the source has a fixed worker ID and nothing prevents writing its file.
fn is_at_rest(source: &LazySource) -> bool {
    let stats = source.stats();
    let is_fixed = stats.worker_id.is_some() && stats.reserve_ms.is_none();
    is_fixed && stats.last_failure.is_none_or(|failure| failure.is_over)
}

/// Returns the next ID, or fails if none is ready.
#[napi(ts_return_type = "bigint")]
pub fn next_id_now(env: Env, handle: u32) -> napi::Result<u64> {
    guarded(env, || minted(handle, Mint::next_id))
}

/// Returns so many IDs, or fails if they are not ready.
#[napi]
pub fn next_ids_now(env: Env, handle: u32, count: u32) -> napi::Result<BigUint64Array> {
    guarded(env, || Ok(BigUint64Array::new(minted(handle, |it| it.next_ids(count as usize))?)))
}

/// Fills an array, or fails if the IDs are not ready.
#[napi]
pub fn fill_now(env: Env, handle: u32, ids: Numbers) -> napi::Result<()> {
    guarded(env, || ids.fill(|ids| minted(handle, |it| it.fill(ids))))
}

/// Takes consecutive numbers into an array and returns their count, which is 0 if none are ready.
#[napi]
pub fn try_numbers(env: Env, handle: u32, numbers: Numbers) -> napi::Result<u32> {
    let taken = |numbers: &mut [u64]| {
        let range = with(handle, |source| match source.try_get() {
            Some(Source::Segment(segment)) => segment.try_next_range(numbers.len() as u64),
            _ => None,
        });
        Ok(range.flatten().map_or(0, |range| range.numbers().fill(numbers)))
    };
    guarded(env, || Ok(numbers.fill_start(taken)? as u32))
}

/// Does the same, but fails if no numbers are ready.
#[napi]
pub fn numbers_now(env: Env, handle: u32, numbers: Numbers) -> napi::Result<u32> {
    guarded(env, || {
        let segment = segment(&at_once(handle)?)?;
        Ok(numbers.fill_start(|numbers| first_and_following(&segment, numbers))? as u32)
    })
}

/// Returns the segment of a source, with the source's wait, and opens it if needed.
fn segment(source: &LazySource) -> snowmint::Result<Segment> {
    match source.get()? {
        Source::Segment(segment) => Ok(segment.with_wait(source.wait())),
        _ => Err(errors::source_without_ranges()),
    }
}

/// Waits for one number, then takes the numbers behind it that are ready. Waiting for more would
/// fetch larger ranges than the tag's step.
fn first_and_following(segment: &Segment, numbers: &mut [u64]) -> snowmint::Result<usize> {
    let Some((first, rest)) = numbers.split_first_mut() else { return Ok(0) };
    *first = segment.next_id()?;
    let following = segment.try_next_range(rest.len() as u64);
    Ok(1 + following.map_or(0, |range| range.numbers().fill(rest)))
}

/// Returns the next ID, waiting up to so many milliseconds.
#[napi]
pub fn next_id_later(env: Env, handle: u32, wait_ms: f64) -> napi::Result<Promised<u64, BigInt>> {
    let source = guarded(env, || patient(handle, wait_ms))?;
    Ok(promise(BigInt::from, move || source.next_id()))
}

/// Returns so many IDs, waiting if needed.
#[napi]
pub fn next_ids_later(
    env: Env,
    handle: u32,
    count: u32,
    wait_ms: f64,
) -> napi::Result<Promised<Vec<u64>, BigUint64Array>> {
    let source = guarded(env, || patient(handle, wait_ms))?;
    Ok(promise(BigUint64Array::new, move || source.next_ids(count as usize)))
}

/// Returns up to so many consecutive numbers, waiting if needed.
#[napi]
pub fn numbers_later(
    env: Env,
    handle: u32,
    at_most: u32,
    wait_ms: f64,
) -> napi::Result<Promised<Vec<u64>, BigUint64Array>> {
    let source = guarded(env, || patient(handle, wait_ms))?;
    Ok(promise(BigUint64Array::new, move || {
        let segment = segment(&source)?;
        let mut numbers = vec![0; (at_most as usize).min(snowmint::MAX_COUNT)];
        let filled = first_and_following(&segment, &mut numbers)?;
        numbers.truncate(filled);
        Ok(numbers)
    }))
}

/// Returns the next UUID.
#[napi]
pub fn next_uuid(env: Env, handle: u32) -> napi::Result<String> {
    guarded(env, || Ok(at_once(handle)?.get()?.next_uuid()?.to_string()))
}

/// Opens a source off the event loop if it is not open, waiting up to so many milliseconds.
#[napi]
pub fn open_late(env: Env, handle: u32, wait_ms: f64) -> napi::Result<Promised<(), ()>> {
    let source = guarded(env, || patient(handle, wait_ms))?;
    Ok(promise(|()| (), move || source.get().map(drop)))
}

/// Returns the statistics of a source.
#[napi]
pub fn stats(env: Env, handle: u32) -> napi::Result<StatsFacts> {
    guarded(env, || Ok(at_once(handle)?.stats().into()))
}

/// Closes a source. A scheduler informs the store.
#[napi]
pub fn close(env: Env, handle: u32) -> napi::Result<()> {
    guarded(env, || at_once(handle)?.close())
}

/// Closes a source off the event loop, and waits up to so many milliseconds until the store knows.
#[napi]
pub fn close_later(env: Env, handle: u32, wait_ms: f64) -> napi::Result<Promised<(), ()>> {
    let source = guarded(env, || at_once(handle))?;
    let wait = Duration::from_millis(wait_ms as u64);
    Ok(promise(|()| (), move || source.close_within(wait)))
}
