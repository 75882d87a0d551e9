//! Sources of any kind: opening, minting and closing. The header begins with these functions, in
//! this order.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::time::Duration;

use snowmint::engine::Error as EngineError;
use snowmint::{Attempt, Daily, Mint, Result, RingSource, Segment, Snowflake, Source};

use crate::argument::{Handle as _, Tagged, given, handle, keep, numbers, out, take_back, text};
use crate::cancellation::put_off;
use crate::failure::{give_waiting, guard, guard_silently, guard_waiting, snowmint_status};

/// A source of IDs: a snowflake, a segment, daily numbers, a ring of IDs made ahead, sequences of
/// keys or UUIDs.
///
/// Any number of threads may call any function on one source at once, except
/// `snowmint_source_free`. Minting takes no lock while reserved IDs last. A source survives a
/// `fork`: the child takes its own worker ID or ranges at its first call, or fails with
/// `SNOWMINT_FORKED` if the worker ID is fixed.
pub struct snowmint_source(Tagged<Source>);
handle!(snowmint_source, Source, b"snowsrc\0");

/// Opens a source by its URL: `snowflake:?worker_id=7`, `snowflake+sqlite:ids.db?create=true`,
/// `segment+sqlite:ids.db?tag=orders`, `daily+sqlite:ids.db?tag=orders&zone=UTC`,
/// `sequences+sqlite:ids.db?tag=chat`, `uuid:?version=7`. With `ring=1024` in the query,
/// snowflakes, segments and daily numbers are made ahead (`SNOWMINT_KIND_RING`). Parameters that
/// the source does not have are errors. No message repeats a password of the URL.
///
/// `source` receives a handle, which you end with `snowmint_source_free`; an error leaves it
/// unchanged. The call may block: it opens files and calls the store. If the store is down or
/// locked, the call tries again for up to `wait_ms`, which is also the bound of calls on the
/// source. A request that the store is already working on goes on for up to 5 s.
///
/// Errors: `SNOWMINT_INVALID_URL`, `SNOWMINT_UNKNOWN_SCHEME`, `SNOWMINT_UNKNOWN_PARAMETER`,
/// `SNOWMINT_INVALID_PARAMETER`, `SNOWMINT_UNKNOWN_LAYOUT`; those of the source, such as
/// `SNOWMINT_WORKER_IN_USE`, `SNOWMINT_WORKERS_EXHAUSTED` and `SNOWMINT_UNKNOWN_TAG`; those of the
/// store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_open(
    url: *const c_char,
    source: Option<&mut MaybeUninit<*mut snowmint_source>>,
) -> snowmint_status {
    // SAFETY: as the header asks.
    hand_over(source, || snowmint::open(unsafe { text(url, "url") }?))
}

/// Mints the next ID, waiting without spinning up to the source's bound (default 5 s).
///
/// IDs of one source rise strictly, across threads and clock steps. An error leaves `id` unchanged
/// and uses nothing up.
///
/// Errors: `SNOWMINT_CLOSED`, those of the store, and those of the kind of source:
///
/// - Snowflakes: `SNOWMINT_CLOCK_BEHIND`, `SNOWMINT_SEQUENCE_EXHAUSTED`,
///   `SNOWMINT_GRANT_EXHAUSTED`, `SNOWMINT_LEASE_UNAVAILABLE`, `SNOWMINT_STATE_MISSING`,
///   `SNOWMINT_LAYOUT_EXPIRED`, `SNOWMINT_FORKED`.
/// - Segments and daily numbers: `SNOWMINT_WAIT_TIMEOUT`, `SNOWMINT_TAG_EXHAUSTED`,
///   `SNOWMINT_RANGE_REGRESSED`.
/// - Rings: `SNOWMINT_EMPTY`, or the error that keeps their source from making more.
/// - Sequences and UUIDs: `SNOWMINT_UNSUPPORTED`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_next(
    source: Option<&snowmint_source>,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    mint(source, id, next_slowly)
}

#[cold]
#[inline(never)]
extern "C" fn next_slowly(
    source: Option<&snowmint_source>,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give_waiting(id, "id", || given(source)?.next_id())
}

/// Mints the next ID, waiting up to `wait_ms` milliseconds; 0 never waits.
///
/// Errors: those of `snowmint_source_next`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_next_within(
    source: Option<&snowmint_source>,
    wait_ms: u64,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give_waiting(id, "id", || given(source)?.next_id_within(Duration::from_millis(wait_ms)))
}

/// Mints the next ID if one is ready. It calls no store and never waits, as event loops need it.
/// While reserved IDs last it takes no lock. `SNOWMINT_EMPTY` does not say why;
/// `snowmint_source_next_within` with 0 says more. The library fetches IDs meanwhile, so ask again
/// soon. If a fixed worker ID was not used for a minute, no ID is ready: ask again after a moment.
///
/// Errors: `SNOWMINT_EMPTY`. Asking again does not help after `SNOWMINT_CLOSED`, `SNOWMINT_FORKED`,
/// `SNOWMINT_STATE_MISSING`, and `SNOWMINT_UNSUPPORTED` for sequences and UUIDs. It does not help
/// after `SNOWMINT_RANGE_REGRESSED` and `SNOWMINT_TAG_EXHAUSTED` unless the tag is raised.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_try_next(
    source: Option<&snowmint_source>,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    mint(source, id, ask_once)
}

#[cold]
#[inline(never)]
extern "C" fn ask_once(
    source: Option<&snowmint_source>,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    guard_waiting(|| {
        let source = given(source)?;
        let id = out(id, "id")?;
        match source.poll_id() {
            Ok(Attempt::Done(next)) => {
                id.write(next);
                Ok(())
            }
            Err(error) if error.ends_source() => Err(error),
            Ok(Attempt::Later { .. }) | Err(_) => Err(EngineError::Empty.into()),
        }
    })
}

/// The function that answers a call if no ID is ready.
type Otherwise = extern "C" fn(
    source: Option<&snowmint_source>,
    id: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status;

/// The fast path of the functions that mint one ID.
#[inline(always)]
fn mint(
    source: Option<&snowmint_source>,
    id: Option<&mut MaybeUninit<u64>>,
    otherwise: Otherwise,
) -> snowmint_status {
    let (Some(handle), Some(place)) = (source, id) else {
        return otherwise(source, None);
    };
    if !handle.is_live() {
        return otherwise(source, Some(place));
    }
    // A chain of tests, because a jump through a table takes longer.
    let source = handle.value();
    if let Source::Snowflake(flake) = source {
        return at_once(flake, place, handle, otherwise);
    }
    if let Source::Segment(segment) = source {
        return at_once(segment, place, handle, otherwise);
    }
    if let Source::Daily(daily) = source {
        return at_once(daily, place, handle, otherwise);
    }
    if let Source::Ring(ring) = source {
        return at_once(ring, place, handle, otherwise);
    }
    otherwise(Some(handle), Some(place))
}

/// Writes the next ID, or calls `otherwise` if none is ready. There is a function for each kind,
/// from which nothing unwinds, so that it is jumped to instead of called. Only this function calls
/// the source's method, which makes the source's code part of it.
#[inline(never)]
extern "C" fn at_once<S: AtOnce>(
    source: &S,
    id: &mut MaybeUninit<u64>,
    handle: &snowmint_source,
    otherwise: Otherwise,
) -> snowmint_status {
    match source.try_next() {
        Some(next) => {
            id.write(next);
            snowmint_status::OK
        }
        None => otherwise(Some(handle), Some(id)),
    }
}

/// A source that mints 64-bit IDs.
trait AtOnce {
    fn try_next(&self) -> Option<u64>;
}

impl AtOnce for Snowflake {
    #[inline(always)]
    fn try_next(&self) -> Option<u64> {
        self.try_next_id()
    }
}

impl AtOnce for Segment {
    #[inline(always)]
    fn try_next(&self) -> Option<u64> {
        self.try_next_id()
    }
}

impl AtOnce for Daily {
    #[inline(always)]
    fn try_next(&self) -> Option<u64> {
        self.try_next_id()
    }
}

impl AtOnce for RingSource {
    #[inline(always)]
    fn try_next(&self) -> Option<u64> {
        self.try_next_id()
    }
}

/// Fills an array with `count` rising IDs, which is the fastest way to get many. Each block of them
/// waits up to the source's bound. A count of 0 does nothing, and `ids` may then be NULL.
///
/// Errors: those of `snowmint_source_next`; `SNOWMINT_COUNT_OUT_OF_RANGE` for more numbers than a
/// day has, and for more snowflakes than can ever be ready at once if the source does not wait.
/// After an error the IDs in `ids` are given up, and are a gap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_fill(
    source: Option<&snowmint_source>,
    ids: *mut u64,
    count: usize,
) -> snowmint_status {
    guard(|| {
        let source = given(source)?;
        // SAFETY: as the header asks.
        let ids = unsafe { numbers(ids, count, "ids") }?;
        source.check_at_once(ids.len() as u64, source.wait())?;
        let filled = fill_at_once(source, ids)?;
        match ids.get_mut(filled..) {
            Some(rest) if !rest.is_empty() => put_off(|| source.fill(rest)),
            _ => Ok(()),
        }
    })
}

/// Fills the beginning of an array with the IDs that are ready, and returns their number.
fn fill_at_once(source: &Source, ids: &mut [u64]) -> Result<usize> {
    Ok(match source {
        _ if ids.is_empty() => 0,
        Source::Snowflake(_) | Source::Ring(_) => match source.poll_block(ids)? {
            Attempt::Done(filled) => filled,
            Attempt::Later { .. } => 0,
        },
        Source::Segment(segment) => {
            let at_once = segment.try_next_range(ids.len() as u64);
            at_once.map_or(0, |range| range.numbers().fill(ids))
        }
        _ => 0,
    })
}

/// Stops minting and gives up what is reserved; calls that mint then fail with `SNOWMINT_CLOSED`.
/// Closing twice is no error. The handle stays valid until `snowmint_source_free`. Other threads
/// may mint during the call. It does not wait for the store: a thread of the library gives a leased
/// worker ID back, which the store then lists as resting, not as held. Given back or not, another
/// process takes it once its reserved time is over, after two seconds to a minute.
///
/// Errors: those of a fixed worker ID's state file. The source is closed nevertheless.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_close(source: Option<&snowmint_source>) -> snowmint_status {
    guard_waiting(|| given(source)?.close())
}

/// Closes a source, waiting up to `wait_ms` milliseconds until the store has a leased worker ID
/// back.
///
/// Errors: those of `snowmint_source_close`; `SNOWMINT_WAIT_TIMEOUT`; those of the store. The
/// source is closed nevertheless, and its lease ends by itself.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_close_within(
    source: Option<&snowmint_source>,
    wait_ms: u64,
) -> snowmint_status {
    guard_waiting(|| given(source)?.close_within(Duration::from_millis(wait_ms)))
}

/// Closes a source if that was not done, and frees the handle, which must not be used any more, not
/// even by a call that is still running in another thread. NULL is no error. Call
/// `snowmint_source_close` first to get its errors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_free(source: *mut snowmint_source) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(source) }));
}

/// Opens a source and hands it to C.
pub(crate) fn hand_over(
    source: Option<&mut MaybeUninit<*mut snowmint_source>>,
    open: impl FnOnce() -> Result<Source>,
) -> snowmint_status {
    hand_over_of(source, || Ok(()), |()| open())
}

/// Opens a source like [`hand_over`], after the library took over something of the caller by `own`.
/// It then releases that even if a later step fails.
pub(crate) fn hand_over_of<T>(
    source: Option<&mut MaybeUninit<*mut snowmint_source>>,
    own: impl FnOnce() -> Result<T>,
    open: impl FnOnce(T) -> Result<Source>,
) -> snowmint_status {
    guard_waiting(|| {
        let owned = own()?;
        out(source, "source")?.write(keep(open(owned)?));
        Ok(())
    })
}
