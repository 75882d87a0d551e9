//! The state of sources.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use snowmint::engine::MAX_DISTANCE;
use snowmint::{Bucket, Code, Failure, Mint, Result, Stats};

use crate::argument::{check_size, fixed, given, out};
use crate::failure::{guard, snowmint_status};
use crate::sequences::snowmint_sequences;
use crate::source::snowmint_source;

/// A range at hand.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_bucket {
    /// The count of its numbers that are left.
    pub left: u64,
    /// The count of numbers that it had.
    pub size: u64,
}

/// The state of a source at one moment. Begin with `SNOWMINT_STATS_INIT`, which sets its size. A
/// value that does not apply to a source is 0, and its `has_` field is false.
#[repr(C)]
pub struct snowmint_stats {
    /// `sizeof(snowmint_stats)`.
    pub size: usize,
    /// `snowflake`, `segment`, `daily`, `sequences` or `uuid`; for a ring, the kind of its source.
    pub kind: [c_char; 16],
    /// The time that this process has had the worker ID, in milliseconds.
    pub lease_age_ms: u64,
    /// The time reserved ahead of the clock, in milliseconds: IDs can be minted that long without
    /// the store. It is 0 or less when that time is used up.
    pub reserved_ms: i64,
    /// The milliseconds added to the wall clock: its distance from the store's clock, or a step of
    /// it that is not followed.
    pub clock_offset_ms: i64,
    /// The lead of the last ID's time over the clock, in milliseconds.
    pub borrowed_ms: u64,
    /// The number of times that the clock went back and was counted in the layout's rollback bits.
    pub rollbacks: u64,
    /// The ranges at hand, beginning with the range in use. For a ring, its ready IDs come first.
    pub buckets: [snowmint_bucket; 17],
    /// The number of `buckets` in use.
    pub bucket_count: usize,
    /// The count of numbers that the next range will have.
    pub step: u64,
    /// Numbers used per second between the last two ranges, or since the last one if that is
    /// longer. It is not known before there were two.
    pub rate: f64,
    /// The time that the numbers at hand last at that rate, or the reserved time, in milliseconds.
    pub runway_ms: u64,
    /// The time of the store's last failure, in Unix milliseconds of this machine's clock.
    pub failure_unix_ms: i64,
    /// The message of the store's last failure, cut if it is longer.
    pub failure_message: [c_char; 512],
    /// The status of the store's last failure; `SNOWMINT_OK` if it never failed.
    pub failure_status: snowmint_status,
    /// The worker ID that IDs are minted under.
    pub worker_id: u32,
    /// True if the source was closed.
    pub is_closed: bool,
    /// True if `worker_id` is known.
    pub has_worker_id: bool,
    /// True if `lease_age_ms` is known.
    pub has_lease_age_ms: bool,
    /// True if `reserved_ms` is known.
    pub has_reserved_ms: bool,
    /// True if `clock_offset_ms` is known.
    pub has_clock_offset_ms: bool,
    /// True if `borrowed_ms` is known.
    pub has_borrowed_ms: bool,
    /// True if `step` is known.
    pub has_step: bool,
    /// True if `rate` is known.
    pub has_rate: bool,
    /// True if `runway_ms` is known.
    pub has_runway_ms: bool,
    /// True if the store ever failed.
    pub has_failure: bool,
    /// True if the store has answered since.
    pub failure_is_over: bool,
    /// True if `reserve_ms` is known.
    pub has_reserve_ms: bool,
    /// The time that the lease's last renewal reserved, in milliseconds; not known for a fixed
    /// worker ID. The next renewal is due once a third of it is used.
    pub reserve_ms: u32,
    /// The tag's next number after the last range that this process reserved. Other processes may
    /// have reserved higher ones since. It is not known before there was a range.
    pub tag_next: u64,
    /// The tag of `tag_next`, with its date if its numbers are of a day.
    pub tag_next_tag: [c_char; 65],
    /// True if `tag_next` is known.
    pub has_tag_next: bool,
}

// Room for the range in use, and for the largest number of ranges kept behind it.
const _: () = assert!(size_of::<[snowmint_bucket; 17]>() / 16 == MAX_DISTANCE as usize + 1);

/// Gets the state of a source. The call changes nothing, and neither calls a store nor waits for
/// one.
///
/// Errors: `SNOWMINT_UNSUPPORTED` for a struct of a newer header, `SNOWMINT_INVALID_PARAMETER` for
/// a struct without its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_stats(
    source: Option<&snowmint_source>,
    stats: Option<&mut MaybeUninit<snowmint_stats>>,
) -> snowmint_status {
    // SAFETY: as the header asks.
    guard(|| unsafe { fill(stats, || Ok(given(source)?.stats())) })
}

/// Gets the state of sequences as a whole, not of their sections.
///
/// Errors: those of `snowmint_source_stats`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_sequences_stats(
    sequences: Option<&snowmint_sequences>,
    stats: Option<&mut MaybeUninit<snowmint_stats>>,
) -> snowmint_status {
    // SAFETY: as the header asks.
    guard(|| unsafe { fill(stats, || Ok(given(sequences)?.stats())) })
}

/// # Safety
/// The struct's size is set.
unsafe fn fill(
    place: Option<&mut MaybeUninit<snowmint_stats>>,
    stats: impl FnOnce() -> Result<Stats>,
) -> Result<()> {
    let stats = stats()?;
    let place = out(place, "stats")?;
    // SAFETY: within the struct.
    let size = unsafe { &raw const (*place.as_ptr()).size };
    // SAFETY: as the caller promises.
    let size = unsafe { size.read() };
    check_size::<snowmint_stats>(size, "snowmint_stats")?;
    place.write(record(&stats));
    Ok(())
}

fn record(stats: &Stats) -> snowmint_stats {
    let failure = stats.last_failure.as_ref();
    let tag_next = stats.tag_next.as_ref();
    let mut buckets = [snowmint_bucket { left: 0, size: 0 }; 17];
    for (place, Bucket { left, size, .. }) in buckets.iter_mut().zip(&stats.buckets) {
        *place = snowmint_bucket { left: *left, size: *size };
    }
    snowmint_stats {
        size: size_of::<snowmint_stats>(),
        kind: fixed(stats.kind),
        lease_age_ms: stats.lease_age_ms.unwrap_or(0),
        reserved_ms: stats.reserved_ms.unwrap_or(0),
        clock_offset_ms: stats.clock_offset_ms.unwrap_or(0),
        borrowed_ms: stats.borrowed_ms.unwrap_or(0),
        rollbacks: stats.rollbacks,
        bucket_count: stats.buckets.len().min(buckets.len()),
        buckets,
        step: stats.step.unwrap_or(0),
        rate: stats.rate.unwrap_or(0.0),
        runway_ms: stats.runway_ms.unwrap_or(0),
        failure_unix_ms: failure.map_or(0, |failure| failure.unix_ms),
        failure_message: failure.map_or([0; 512], message),
        failure_status: failure.map_or(snowmint_status::OK, |failure| Code::into(failure.code)),
        worker_id: stats.worker_id.unwrap_or(0),
        is_closed: stats.is_closed,
        has_worker_id: stats.worker_id.is_some(),
        has_lease_age_ms: stats.lease_age_ms.is_some(),
        has_reserved_ms: stats.reserved_ms.is_some(),
        has_clock_offset_ms: stats.clock_offset_ms.is_some(),
        has_borrowed_ms: stats.borrowed_ms.is_some(),
        has_step: stats.step.is_some(),
        has_rate: stats.rate.is_some(),
        has_runway_ms: stats.runway_ms.is_some(),
        has_failure: failure.is_some(),
        failure_is_over: failure.is_some_and(|failure| failure.is_over),
        has_reserve_ms: stats.reserve_ms.is_some(),
        reserve_ms: stats.reserve_ms.unwrap_or(0),
        tag_next: tag_next.map_or(0, |tag_next| tag_next.next),
        tag_next_tag: tag_next.map_or([0; 65], |tag_next| fixed(tag_next.tag.as_str())),
        has_tag_next: tag_next.is_some(),
    }
}

/// Returns the message in its field, cut between characters.
fn message<const N: usize>(failure: &Failure) -> [c_char; N] {
    let Failure { message, .. } = failure;
    let end = (0..N).rev().find(|end| message.is_char_boundary(*end));
    fixed(&message[..end.unwrap_or(0)])
}
