//! The kinds of sources, and the functions that only some of them support.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::time::Duration;

use snowmint::engine::Error as EngineError;
use snowmint::{MAX_COUNT, Source};

use crate::argument::{given, keep, read, write_text};
use crate::errors;
use crate::failure::{give, give_waiting, guard, snowmint_status};
use crate::layout::snowmint_layout;
use crate::range::snowmint_range;
use crate::source::{snowmint_source, snowmint_source_fill};

/// The kind of a source.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum snowmint_kind {
    /// IDs of time, worker ID and sequence.
    Snowflake = 1,
    /// The numbers of a tag.
    Segment = 2,
    /// Numbers that begin with the date.
    Daily = 3,
    /// UUIDs, which have 128 bits: take them with `snowmint_source_next_uuid`.
    Uuid = 4,
    /// A sequence for each of many keys: take its numbers with `snowmint_source_next_of`.
    Sequences = 5,
    /// A buffer that a thread of the library fills with IDs of one of the first three kinds. Calls
    /// do not wait while it has some, whatever the clock and the store do, and even during a full
    /// tick. It is opened by URL alone.
    ///
    /// `ring` is its size, a power of two up to 1048576. The thread refills it below `ring_refill`
    /// percent (default 30), and every `ring_every_ms` (default 1000) while IDs are taken. A
    /// snowflake is discarded once it has been ready for `ring_every_ms`. Its time can be older by
    /// that much than the time of an ID made at once, or by twice that if the clock is set back
    /// meanwhile. Daily numbers are discarded at the end of their day; a segment's numbers do not
    /// age. Discarded IDs, and IDs that are ready when the ring is closed, are gaps.
    ///
    /// The ring is empty before the first call, and when nobody has taken IDs for a while. Calls
    /// then wait up to their bound, and fail with `SNOWMINT_EMPTY`. Closing the ring closes its
    /// source.
    Ring = 6,
}

/// Gets the kind of a source.
///
/// Errors: only for invalid arguments.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_kind(
    source: Option<&snowmint_source>,
    kind: Option<&mut MaybeUninit<snowmint_kind>>,
) -> snowmint_status {
    give(kind, "kind", || {
        let known = match given(source)? {
            Source::Snowflake(_) => snowmint_kind::Snowflake,
            Source::Segment(_) => snowmint_kind::Segment,
            Source::Daily(_) => snowmint_kind::Daily,
            Source::Uuid(_) => snowmint_kind::Uuid,
            Source::Sequences(_) => snowmint_kind::Sequences,
            Source::Ring(_) => snowmint_kind::Ring,
            _ => return Err(errors::source_kind_unknown()),
        };
        Ok(known)
    })
}

/// Fills an array with 1 to `SNOWMINT_MAX_COUNT` IDs, the limits of one call in every language. Use
/// it for counts that come from outside.
///
/// Errors: those of `snowmint_source_fill`; `SNOWMINT_COUNT_OUT_OF_RANGE` for other counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_next_ids(
    source: Option<&snowmint_source>,
    ids: *mut u64,
    count: usize,
) -> snowmint_status {
    if (1..=MAX_COUNT).contains(&count) {
        // SAFETY: as the header asks.
        return unsafe { snowmint_source_fill(source, ids, count) };
    }
    guard(|| {
        given(source)?;
        let (count, max) = (count as u64, MAX_COUNT as u64);
        Err(EngineError::CountOutOfRange { count, max }.into())
    })
}

/// Takes up to `at_most` numbers of a segment in one run, for a caller that counts through them. It
/// waits up to `wait_ms` milliseconds. Numbers that the caller does not use are a gap.
///
/// Errors: those of `snowmint_source_next`; `SNOWMINT_COUNT_OUT_OF_RANGE` for 0;
/// `SNOWMINT_UNSUPPORTED` for other sources.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_next_range(
    source: Option<&snowmint_source>,
    at_most: u64,
    wait_ms: u64,
    range: Option<&mut MaybeUninit<snowmint_range>>,
) -> snowmint_status {
    give_waiting(range, "range", || {
        let source = given(source)?;
        let Source::Segment(segment) = source else {
            return Err(errors::source_without_ranges());
        };
        Ok(segment.next_range(at_most, Duration::from_millis(wait_ms))?.into())
    })
}

/// Takes the next number of a key from sequences that were opened by URL, waiting up to the
/// source's bound. For sequences that were opened with options, use `snowmint_sequences_next`.
///
/// Errors: those of `snowmint_sequences_next`; `SNOWMINT_UNSUPPORTED` for other sources.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_next_of(
    source: Option<&snowmint_source>,
    key: u64,
    number: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give_waiting(number, "number", || given(source)?.next_of(key))
}

/// Takes the next number of a key, waiting up to `wait_ms` milliseconds; 0 never waits.
///
/// Errors: those of `snowmint_source_next_of`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_next_of_within(
    source: Option<&snowmint_source>,
    key: u64,
    wait_ms: u64,
    number: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give_waiting(number, "number", || {
        given(source)?.next_of_within(key, Duration::from_millis(wait_ms))
    })
}

/// Mints the next UUID into 16 bytes, the most significant byte first. Never waits.
///
/// Errors: `SNOWMINT_UNSUPPORTED` for sources of 64-bit IDs.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_next_uuid(
    source: Option<&snowmint_source>,
    uuid: Option<&mut MaybeUninit<snowmint_uuid>>,
) -> snowmint_status {
    give_waiting(uuid, "uuid", || {
        Ok(snowmint_uuid { bytes: given(source)?.next_uuid()?.into_bytes() })
    })
}

/// A UUID in the byte order of RFC 9562.
#[repr(C)]
pub struct snowmint_uuid {
    /// The bytes, the most significant first.
    pub bytes: [u8; 16],
}

/// Writes a UUID as its 36 lower-case characters and a zero. `size` is at least
/// `SNOWMINT_UUID_SIZE`.
///
/// Errors: `SNOWMINT_INVALID_PARAMETER` if `size` is too small.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_uuid_format(
    uuid: Option<&snowmint_uuid>,
    text: *mut c_char,
    size: usize,
) -> snowmint_status {
    guard(|| {
        let uuid = read(uuid, "uuid")?;
        let written = snowmint::Uuid::from_bytes(uuid.bytes).to_string();
        // SAFETY: as the header asks.
        unsafe { write_text(&written, text, size, "text") }
    })
}

/// Gets the layout of a snowflake, or of a ring of snowflakes, as a handle of its own.
///
/// Errors: `SNOWMINT_UNSUPPORTED` for other sources.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_source_layout(
    source: Option<&snowmint_source>,
    layout: Option<&mut MaybeUninit<*mut snowmint_layout>>,
) -> snowmint_status {
    give(layout, "layout", || {
        let source = given(source)?;
        let Some(known) = source.layout() else {
            return Err(errors::source_without_layout());
        };
        Ok(keep(*known))
    })
}
