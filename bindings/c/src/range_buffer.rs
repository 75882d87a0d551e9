//! The buffer that keeps enough ranges of numbers, with time as an argument.

use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};

use snowmint::engine::{Error as EngineError, SegmentBuffer};
use snowmint::{NumberRange, Prefetch, Result, StepSize};

use crate::argument::{Tagged, given, handle, keep, read, take_back};
use crate::errors;
use crate::failure::{give, guard, guard_silently, snowmint_status};
use crate::range::snowmint_range;

/// Ready ranges of one tag, and the decision when to request more. It reads no clock and calls
/// nobody: answer each request by `snowmint_buffer_supply` or `snowmint_buffer_failed`. Any number
/// of threads may call any function on it at once, except `snowmint_buffer_free`. A forked child
/// must not go on with its parent's buffer.
pub struct snowmint_buffer(Tagged<Mutex<SegmentBuffer>>);
handle!(snowmint_buffer, Mutex<SegmentBuffer>, b"snowbuff");

fn locked(buffer: Option<&snowmint_buffer>) -> Result<MutexGuard<'_, SegmentBuffer>> {
    // A panic leaves no half-made change, because the engine does not panic in one.
    Ok(given(buffer)?.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The rule for requesting the next range.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct snowmint_prefetch {
    /// The used share of the current range at which the next is requested if `distance` is 0, in
    /// percent, 0 to 100.
    pub used_percent: u32,
    /// The number of ranges to keep ready behind the current one; more than `SNOWMINT_MAX_DISTANCE`
    /// counts as that. 0: one range, which is requested by `used_percent`.
    pub distance: u32,
}

impl TryFrom<&snowmint_prefetch> for Prefetch {
    type Error = snowmint::Error;

    fn try_from(prefetch: &snowmint_prefetch) -> Result<Prefetch> {
        match *prefetch {
            snowmint_prefetch { distance: 0, used_percent: percent @ 0..=100 } => {
                Ok(Prefetch::DoubleBucket { used_percent: percent as u8 })
            }
            snowmint_prefetch { distance: 0, used_percent: percent } => {
                Err(errors::used_percent_too_large(percent))
            }
            snowmint_prefetch { distance, .. } => Ok(Prefetch::Chain { distance }),
        }
    }
}

/// Creates an empty buffer whose ranges have `min_step` numbers, adapted up to `max_step`. It
/// refuses every range that begins below `above`. `buffer` receives a handle, which you end with
/// `snowmint_buffer_free`.
///
/// Errors: `SNOWMINT_INVALID_STEP`; `SNOWMINT_INVALID_PARAMETER` for an invalid prefetch.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_buffer_new(
    prefetch: Option<&snowmint_prefetch>,
    min_step: u64,
    max_step: u64,
    above: u64,
    buffer: Option<&mut MaybeUninit<*mut snowmint_buffer>>,
) -> snowmint_status {
    give(buffer, "buffer", || {
        let prefetch = read(prefetch, "prefetch")?.try_into()?;
        let sizes = StepSize::adaptive(min_step, max_step)?;
        let fresh = SegmentBuffer::new(prefetch, sizes).above(above);
        Ok(keep(Mutex::new(fresh)))
    })
}

/// Frees a buffer, which must not be used any more. NULL is no error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn snowmint_buffer_free(buffer: *mut snowmint_buffer) {
    // SAFETY: as the header asks.
    guard_silently(|| drop(unsafe { take_back(buffer) }));
}

/// Asks the buffer at `now_ms` if it needs a range. `step` receives the count of numbers that the
/// range should have, or 0. There is only one request at a time, until a range is supplied or the
/// request failed.
///
/// Errors: only for invalid arguments.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_buffer_wants(
    buffer: Option<&snowmint_buffer>,
    now_ms: i64,
    step: Option<&mut MaybeUninit<u64>>,
) -> snowmint_status {
    give(step, "step", || {
        let mut buffer = locked(buffer)?;
        Ok(buffer.wants(now_ms).map_or(0, |request| request.step))
    })
}

/// Takes up to `n` numbers in one run.
///
/// Errors: `SNOWMINT_EMPTY` if there are none, or `n` is 0.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_buffer_take(
    buffer: Option<&snowmint_buffer>,
    n: u64,
    range: Option<&mut MaybeUninit<snowmint_range>>,
) -> snowmint_status {
    take(buffer, range, |buffer| buffer.take(n))
}

/// Takes the numbers up to the point where the next request is due. Once they are out of the
/// buffer, `snowmint_buffer_wants` may request a range.
///
/// Errors: `SNOWMINT_EMPTY` if there are none.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_buffer_take_until_request(
    buffer: Option<&snowmint_buffer>,
    range: Option<&mut MaybeUninit<snowmint_range>>,
) -> snowmint_status {
    take(buffer, range, SegmentBuffer::take_until_request)
}

fn take(
    buffer: Option<&snowmint_buffer>,
    range: Option<&mut MaybeUninit<snowmint_range>>,
    take: impl FnOnce(&mut SegmentBuffer) -> Option<NumberRange>,
) -> snowmint_status {
    give(range, "range", || {
        let mut buffer = locked(buffer)?;
        Ok(take(&mut buffer).ok_or(EngineError::Empty)?.into())
    })
}

/// Adds a range.
///
/// Errors: `SNOWMINT_INVALID_RANGE`; `SNOWMINT_RANGE_REGRESSED` if it does not lie above everything
/// supplied before; `SNOWMINT_COUNT_OUT_OF_RANGE` if there was no request and there is no room. The
/// range is not used. The buffer may request again unless the range was invalid.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_buffer_supply(
    buffer: Option<&snowmint_buffer>,
    range: Option<&snowmint_range>,
    now_ms: i64,
) -> snowmint_status {
    guard(|| Ok(locked(buffer)?.supply(read(range, "range")?.try_into()?, now_ms)?))
}

/// Ends a failed request, so that the buffer may request again.
///
/// Errors: only for invalid arguments.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_buffer_failed(buffer: Option<&snowmint_buffer>) -> snowmint_status {
    guard(|| {
        locked(buffer)?.failed();
        Ok(())
    })
}

/// Changes the step from the next request on.
///
/// Errors: `SNOWMINT_INVALID_STEP`.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_buffer_resize(
    buffer: Option<&snowmint_buffer>,
    min_step: u64,
    max_step: u64,
) -> snowmint_status {
    guard(|| {
        let mut buffer = locked(buffer)?;
        buffer.resize(StepSize::adaptive(min_step, max_step)?);
        Ok(())
    })
}

/// The state of a buffer.
#[repr(C)]
pub struct snowmint_buffer_state {
    /// The count of numbers that are ready.
    pub remaining: u64,
    /// The lowest number with which a further range may begin.
    pub floor: u64,
    /// The step of the last supplied range.
    pub step: u64,
}

/// Gets the state of a buffer.
///
/// Errors: only for invalid arguments.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_buffer_state_of(
    buffer: Option<&snowmint_buffer>,
    state: Option<&mut MaybeUninit<snowmint_buffer_state>>,
) -> snowmint_status {
    give(state, "state", || {
        let buffer = locked(buffer)?;
        let (remaining, floor, step) = (buffer.remaining(), buffer.floor(), buffer.step());
        Ok(snowmint_buffer_state { remaining, floor, step })
    })
}
