//! Sources, and how they mint.
//!
//! A source is an index into a table of its thread, because a number costs less to read than an
//! external value. The entry lives as long as the [`Guard`] that JavaScript holds beside the index.
//! So the garbage collector, or the end of a worker thread, frees sources.

use std::time::Duration;

use napi::Env;
use napi::bindgen_prelude::{BigInt, BigUint64Array, External};
use napi_derive::napi;
use snowmint::{Code, Layout, Mint, Segment, Sequences, Source, UuidSource};

use crate::arrays::Numbers;
use crate::errors;
use crate::failure::guarded;
use crate::places::Places;
use crate::stats::StatsFacts;
use crate::tasks::{Promised, promise};

/// A source twice: as the event loop may use it, and as a thread may that can wait.
struct Entry {
    at_once: Source,
    patient: Source,
}

/// As long as opening one may take.
const WAKES_WITHIN: Duration = Duration::from_secs(1);

thread_local! {
    static TABLE: Places<Entry> = const { Places::new() };
}

/// Keeps the entry of an index.
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
    /// `snowflake`, `segment`, `daily`, `sequences`, `uuid` or `ring`.
    pub kind: String,
    /// How long a call may wait.
    pub wait_ms: f64,
    /// Of snowflakes, and of rings of them.
    #[napi(ts_type = "object")]
    pub layout: Option<External<Layout>>,
    /// Of segments, daily numbers and sequences.
    pub tag: Option<String>,
    /// Of UUIDs.
    pub version: Option<u32>,
    /// Sequences, which have calls of their own.
    #[napi(ts_type = "object")]
    pub sequences: Option<External<Sequences>>,
}

/// Puts a source into the table of this thread.
pub(crate) fn opened(source: Source) -> Opened {
    let (kind, tag, version) = match &source {
        Source::Snowflake(_) => ("snowflake", None, None),
        Source::Segment(segment) => ("segment", Some(segment.tag().to_string()), None),
        Source::Daily(daily) => ("daily", Some(daily.tag().to_string()), None),
        Source::Sequences(sequences) => ("sequences", Some(sequences.tag().to_string()), None),
        Source::Uuid(uuids) => ("uuid", None, Some(version_of(*uuids))),
        Source::Ring(_) => ("ring", None, None),
        _ => ("unknown", None, None),
    };
    let sequences = match &source {
        Source::Sequences(sequences) => Some(External::new(sequences.clone())),
        _ => None,
    };
    let layout = source.layout().copied().map(External::new);
    let wait_ms = source.wait().as_millis() as f64;
    let entry = Entry { at_once: source.with_wait(Duration::ZERO), patient: source };
    let handle = TABLE.with(|table| table.put(entry));
    let (kind, guard) = (kind.to_owned(), External::new(Guard(handle)));
    Opened { handle, guard, kind, wait_ms, layout, tag, version, sequences }
}

fn version_of(uuids: UuidSource) -> u32 {
    uuids.version().number().into()
}

/// Runs on the entry of an index.
#[inline]
fn with<T>(handle: u32, run: impl FnOnce(&Entry) -> T) -> Option<T> {
    TABLE.with(|table| table.with(handle, run))
}

/// The source that never waits.
fn at_once(handle: u32) -> snowmint::Result<Source> {
    with(handle, |entry| entry.at_once.clone()).ok_or_else(errors::source_of_another_thread)
}

/// The source for calls that may wait so long.
fn patient(handle: u32, wait_ms: f64) -> snowmint::Result<Source> {
    let wait = Duration::from_millis(wait_ms as u64);
    let source = with(handle, |entry| entry.patient.with_wait(wait));
    source.ok_or_else(errors::source_of_another_thread)
}

/// The next ID if it is there at once.
pub(crate) fn try_next_id(handle: u32) -> Option<u64> {
    with(handle, |entry| entry.at_once.try_next_id()).flatten()
}

/// Mints at once. Only a fixed worker ID that nobody used for seconds is waited for, as long as its
/// file takes: it is not renewed meanwhile, and each first call after that would fail.
fn minted<T>(
    handle: u32,
    mut mint: impl FnMut(&Source) -> snowmint::Result<T>,
) -> snowmint::Result<T> {
    let source = at_once(handle)?;
    match mint(&source) {
        Err(error) if error.code() == Code::GrantExhausted && is_at_rest(&source) => {
            mint(&source.with_wait(WAKES_WITHIN))
        }
        done => done,
    }
}

/// Whether it has a fixed worker ID, and nothing that keeps its file from being written.
fn is_at_rest(source: &Source) -> bool {
    let stats = source.stats();
    let is_fixed = stats.worker_id.is_some() && stats.reserve_ms.is_none();
    is_fixed && stats.last_failure.is_none_or(|failure| failure.is_over)
}

/// The next ID, or why there is none at once.
#[napi(ts_return_type = "bigint")]
pub fn next_id_now(env: Env, handle: u32) -> napi::Result<u64> {
    guarded(env, || minted(handle, Source::next_id))
}

/// So many IDs, or why there are none at once.
#[napi]
pub fn next_ids_now(env: Env, handle: u32, count: u32) -> napi::Result<BigUint64Array> {
    guarded(env, || Ok(BigUint64Array::new(minted(handle, |it| it.next_ids(count as usize))?)))
}

/// Fills an array, or says why there are no IDs at once.
#[napi]
pub fn fill_now(env: Env, handle: u32, ids: Numbers) -> napi::Result<()> {
    guarded(env, || ids.fill(|ids| minted(handle, |it| it.fill(ids))))
}

/// Takes numbers that lie together into an array, and says how many; 0 if there are none at once.
#[napi]
pub fn try_numbers(env: Env, handle: u32, numbers: Numbers) -> napi::Result<u32> {
    let taken = |numbers: &mut [u64]| {
        let range = with(handle, |entry| match &entry.at_once {
            Source::Segment(segment) => segment.try_next_range(numbers.len() as u64),
            _ => None,
        });
        Ok(range.flatten().map_or(0, |range| range.numbers().fill(numbers)))
    };
    guarded(env, || Ok(numbers.fill_start(taken)? as u32))
}

/// The same, or why there are none at once.
#[napi]
pub fn numbers_now(env: Env, handle: u32, numbers: Numbers) -> napi::Result<u32> {
    guarded(env, || match at_once(handle)? {
        Source::Segment(segment) => {
            Ok(numbers.fill_start(|numbers| first_and_following(&segment, numbers))? as u32)
        }
        _ => Err(errors::source_without_ranges()),
    })
}

/// One number, waited for, and what is there at once behind it: to wait for more would have larger
/// ranges fetched than the tag's step.
fn first_and_following(segment: &Segment, numbers: &mut [u64]) -> snowmint::Result<usize> {
    let Some((first, rest)) = numbers.split_first_mut() else { return Ok(0) };
    *first = segment.next_id()?;
    let following = segment.try_next_range(rest.len() as u64);
    Ok(1 + following.map_or(0, |range| range.numbers().fill(rest)))
}

/// The next ID, waiting up to so many milliseconds.
#[napi]
pub fn next_id_later(env: Env, handle: u32, wait_ms: f64) -> napi::Result<Promised<u64, BigInt>> {
    let source = guarded(env, || patient(handle, wait_ms))?;
    Ok(promise(BigInt::from, move || source.next_id()))
}

/// So many IDs, waiting.
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

/// Up to so many numbers that lie together, waiting.
#[napi]
pub fn numbers_later(
    env: Env,
    handle: u32,
    at_most: u32,
    wait_ms: f64,
) -> napi::Result<Promised<Vec<u64>, BigUint64Array>> {
    let source = guarded(env, || patient(handle, wait_ms))?;
    Ok(promise(BigUint64Array::new, move || match &source {
        Source::Segment(segment) => {
            let mut numbers = vec![0; (at_most as usize).min(snowmint::MAX_COUNT)];
            let filled = first_and_following(segment, &mut numbers)?;
            numbers.truncate(filled);
            Ok(numbers)
        }
        _ => Err(errors::source_without_ranges()),
    }))
}

/// The next UUID.
#[napi]
pub fn next_uuid(env: Env, handle: u32) -> napi::Result<String> {
    guarded(env, || Ok(at_once(handle)?.next_uuid()?.to_string()))
}

/// What a source is doing.
#[napi]
pub fn stats(env: Env, handle: u32) -> napi::Result<StatsFacts> {
    guarded(env, || Ok(at_once(handle)?.stats().into()))
}

/// Closes a source. The store is told by a scheduler.
#[napi]
pub fn close(env: Env, handle: u32) -> napi::Result<()> {
    guarded(env, || at_once(handle)?.close())
}

/// Closes a source off the event loop, and waits so many milliseconds until the store knows.
#[napi]
pub fn close_later(env: Env, handle: u32, wait_ms: f64) -> napi::Result<Promised<(), ()>> {
    let source = guarded(env, || at_once(handle))?;
    let wait = Duration::from_millis(wait_ms as u64);
    Ok(promise(|()| (), move || source.close_within(wait)))
}
