//! The native methods of the engine's machines: time is an argument, waiting is a result.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JLongArray;
use jni::sys::jlong;
use snowmint::engine::{Grant, Lane, Pace, SegmentBuffer, Snowflake};
use snowmint::{NumberRange, Prefetch, StepSize};

use crate::argument::{long_array, narrow, numbers, signed};
use crate::errors;
use crate::exports::natives;
use crate::failure::Result;
use crate::handle::{free, get, give};
use crate::layouts::layout;
use crate::tables::start;

fn machine<'a>(handle: jlong) -> Result<MutexGuard<'a, Snowflake>> {
    Ok(get::<Mutex<Snowflake>>(handle)?.lock().unwrap_or_else(PoisonError::into_inner))
}

fn buffer<'a>(handle: jlong) -> Result<MutexGuard<'a, SegmentBuffer>> {
    Ok(get::<Mutex<SegmentBuffer>>(handle)?.lock().unwrap_or_else(PoisonError::into_inner))
}

fn lane(worker_id: jlong, rollback: jlong, floor: jlong, reserved: jlong) -> Result<Lane> {
    Ok(Lane {
        worker_id: narrow("worker ID", worker_id)?,
        rollback: narrow("rollback", rollback)?,
        grant: Grant { floor: floor as u64, reserved: reserved as u64 },
    })
}

/// Returns the step between two bounds.
pub(crate) fn step([min, max]: [jlong; 2]) -> Result<StepSize> {
    Ok(StepSize::adaptive(min as u64, max as u64)?)
}

/// Returns the prefetch of a kind and a number.
pub(crate) fn prefetch([kind, number]: [jlong; 2]) -> Result<Prefetch> {
    match (kind, number) {
        (0, 0..=100) => Ok(Prefetch::DoubleBucket { used_percent: number as u8 }),
        (0, _) => Err(errors::prefetch_percent_impossible(number).into()),
        (1, _) => match u32::try_from(number) {
            Ok(distance) => Ok(Prefetch::Chain { distance }),
            Err(_) => Err(errors::distance_impossible(number).into()),
        },
        _ => Err(errors::shape_unknown("a prefetch").into()),
    }
}

/// Returns a range's first number, the first number past it, and its stride; an empty array for
/// `None`.
fn range_array<'local>(
    env: &mut Env<'local>,
    range: Option<NumberRange>,
) -> Result<JLongArray<'local>> {
    match range {
        Some(range) => long_array(env, signed(&[range.start(), range.end(), range.stride()])),
        None => long_array(env, &[]),
    }
}

natives! {
    fn newMachine(
        env,
        on: jlong,
        worker_id: jlong,
        rollback: jlong,
        floor: jlong,
        reserved: jlong,
        max_ahead_ms: jlong,
        begins: JLongArray<'local>,
    ) -> jlong {
        let max_ahead_ms = narrow("maxAheadMs", max_ahead_ms)?;
        let start = start(numbers(env, "a sequence start", &begins)?)?;
        let lane = lane(worker_id, rollback, floor, reserved)?;
        let pace = Pace { max_ahead_ms, start };
        Ok(give(Mutex::new(Snowflake::new(*layout(on)?, lane, pace)?)))
    }

    fn freeMachine(env, handle: jlong) {
        free::<Mutex<Snowflake>>(handle)
    }

    fn machineNextId(env, handle: jlong, now_ms: jlong) -> jlong {
        Ok(machine(handle)?.next_id(now_ms)? as jlong)
    }

    /// Issues `n` IDs, or none.
    fn machineIssue(env, handle: jlong, n: jlong, now_ms: jlong) -> JLongArray<'local> {
        let n = narrow("n", n)?;
        let issued = machine(handle)?.issue(now_ms, n)?;
        let mut ids = Vec::new();
        let reserved = ids.try_reserve_exact(issued.len());
        reserved.map_err(|error| errors::no_memory_for_ids(n, error))?;
        ids.extend(issued);
        long_array(env, signed(&ids))
    }

    fn machineExtend(env, handle: jlong, reserved: jlong) {
        machine(handle)?.extend(reserved as u64);
        Ok(())
    }

    fn machineOpen(
        env, handle: jlong, worker_id: jlong, rollback: jlong, floor: jlong, reserved: jlong,
    ) {
        let lane = lane(worker_id, rollback, floor, reserved)?;
        Ok(machine(handle)?.open(lane)?)
    }

    fn machineJump(
        env, handle: jlong, worker_id: jlong, rollback: jlong, floor: jlong, reserved: jlong,
    ) {
        let lane = lane(worker_id, rollback, floor, reserved)?;
        Ok(machine(handle)?.jump(lane)?)
    }

    fn newBuffer(
        env, fetch: JLongArray<'local>, sizes: JLongArray<'local>, above: jlong,
    ) -> jlong {
        let prefetch = prefetch(numbers(env, "a prefetch", &fetch)?)?;
        let step = step(numbers(env, "a step", &sizes)?)?;
        Ok(give(Mutex::new(SegmentBuffer::new(prefetch, step).above(above as u64))))
    }

    fn freeBuffer(env, handle: jlong) {
        free::<Mutex<SegmentBuffer>>(handle)
    }

    /// Returns how many numbers to ask for now, or -1.
    fn bufferWants(env, handle: jlong, now_ms: jlong) -> jlong {
        Ok(buffer(handle)?.wants(now_ms).map_or(-1, |request| request.step as jlong))
    }

    fn bufferTake(env, handle: jlong, n: jlong) -> JLongArray<'local> {
        let taken = buffer(handle)?.take(n as u64);
        range_array(env, taken)
    }

    fn bufferTakeUntilRequest(env, handle: jlong) -> JLongArray<'local> {
        let taken = buffer(handle)?.take_until_request();
        range_array(env, taken)
    }

    fn bufferSupply(
        env, handle: jlong, start: jlong, end: jlong, stride: jlong, now_ms: jlong,
    ) {
        let range = NumberRange::new(start as u64, end as u64, stride as u64)?;
        Ok(buffer(handle)?.supply(range, now_ms)?)
    }

    fn bufferFailed(env, handle: jlong) {
        buffer(handle)?.failed();
        Ok(())
    }

    fn bufferResize(env, handle: jlong, sizes: JLongArray<'local>) {
        buffer(handle)?.resize(step(numbers(env, "a step", &sizes)?)?);
        Ok(())
    }

    /// Returns how many numbers are ready, the step, and the lowest start of a further range.
    fn bufferNumbers(env, handle: jlong) -> JLongArray<'local> {
        let facts = {
            let buffer = buffer(handle)?;
            [buffer.remaining(), buffer.step(), buffer.floor()]
        };
        long_array(env, signed(&facts))
    }

    fn checkStep(env, sizes: JLongArray<'local>) {
        step(numbers(env, "a step", &sizes)?).map(drop)
    }

    fn checkPrefetch(env, fetch: JLongArray<'local>) {
        prefetch(numbers(env, "a prefetch", &fetch)?).map(drop)
    }
}
