//! The statistics of sources.

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
    /// How many of its numbers are left.
    pub left: u64,
    /// How many it had.
    pub size: u64,
}

/// What a source is doing, at one moment. Begin with `SNOWMINT_STATS_INIT`, which sets its size. What
/// does not apply to a source has its `has_` at false, and is 0.
#[repr(C)]
pub struct snowmint_stats {
    /// `sizeof(snowmint_stats)`.
    pub size: usize,
    /// `snowflake`, `segment`, `daily`, `sequences` or `uuid`; of a ring that of its source.
    pub kind: [c_char; 16],
    /// How long this process has had the worker ID, milliseconds.
    pub lease_age_ms: u64,
    /// How much time is reserved ahead of the clock, milliseconds: without the store, IDs can be
    /// minted for as long. 0 or less when it is used up.
    pub reserved_ms: i64,
    /// What is added to the wall clock, milliseconds: how far it is off from the store's clock, or a
    /// step of it that is not followed.
    pub clock_offset_ms: i64,
    /// How far the last ID's time is ahead of the clock, milliseconds.
    pub borrowed_ms: u64,
    /// How often the clock went back and was counted in the layout's rollback bits.
    pub rollbacks: u64,
    /// The numbers at hand, the range in use first; before it what is ready in a ring.
    pub buckets: [snowmint_bucket; 17],
    /// How many of `buckets` there are.
    pub bucket_count: usize,
    /// How many numbers the next range will have.
    pub step: u64,
    /// Numbers a second between the last two ranges, or since the last one if that is longer; none
    /// before there were two.
    pub rate: f64,
    /// How long what is at hand lasts at that rate, or what is reserved, milliseconds.
    pub runway_ms: u64,
    /// When the store last failed, Unix milliseconds of this machine's clock.
    pub failure_unix_ms: i64,
    /// What the store's last failure said, cut where it is longer.
    pub failure_message: [c_char; 512],
    /// Why the store last failed; `SNOWMINT_OK` if it never did.
    pub failure_status: snowmint_status,
    /// The worker ID that IDs are minted under.
    pub worker_id: u32,
    /// Whether it was closed.
    pub is_closed: bool,
    /// Whether `worker_id` is one.
    pub has_worker_id: bool,
    /// Whether `lease_age_ms` is known.
    pub has_lease_age_ms: bool,
    /// Whether `reserved_ms` is known.
    pub has_reserved_ms: bool,
    /// Whether `clock_offset_ms` is known.
    pub has_clock_offset_ms: bool,
    /// Whether `borrowed_ms` is known.
    pub has_borrowed_ms: bool,
    /// Whether `step` is known.
    pub has_step: bool,
    /// Whether `rate` is known.
    pub has_rate: bool,
    /// Whether `runway_ms` is known.
    pub has_runway_ms: bool,
    /// Whether the store ever failed.
    pub has_failure: bool,
    /// Whether it has answered since.
    pub failure_is_over: bool,
    /// Whether `reserve_ms` is known.
    pub has_reserve_ms: bool,
    /// How much time the lease's last renewal reserved, milliseconds; none of a fixed worker ID. The
    /// next renewal is due once a third of it is used.
    pub reserve_ms: u32,
}

// The range in use, and the most ranges that are kept behind it.
const _: () = assert!(size_of::<[snowmint_bucket; 17]>() / 16 == MAX_DISTANCE as usize + 1);

/// Tells what a source is doing. Asking changes nothing, calls no store and waits for none.
///
/// Errors: `SNOWMINT_UNSUPPORTED` for a struct of a newer header, `SNOWMINT_INVALID_PARAMETER` for
/// one without its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_source_stats(
    source: Option<&snowmint_source>,
    stats: Option<&mut MaybeUninit<snowmint_stats>>,
) -> snowmint_status {
    // SAFETY: as the header asks.
    guard(|| unsafe { fill(stats, || Ok(given(source)?.stats())) })
}

/// Tells what sequences are doing; of single sections nothing is told.
///
/// Errors: as `snowmint_source_stats`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_sequences_stats(
    sequences: Option<&snowmint_sequences>,
    stats: Option<&mut MaybeUninit<snowmint_stats>>,
) -> snowmint_status {
    // SAFETY: as the header asks.
    guard(|| unsafe { fill(stats, || Ok(given(sequences)?.stats())) })
}

/// # Safety
/// The size is set.
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
    }
}

/// The message in its field, cut between characters.
fn message<const N: usize>(failure: &Failure) -> [c_char; N] {
    let Failure { message, .. } = failure;
    let end = (0..N).rev().find(|end| message.is_char_boundary(*end));
    fixed(&message[..end.unwrap_or(0)])
}
