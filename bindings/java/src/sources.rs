//! The native methods that mint.

use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

use jni::Env;
use jni::objects::{JClass, JLongArray};
use jni::sys::{jint, jlong};
use snowmint::{
    Attempt, Code, Error, LazySource, MAX_COUNT, Mint, NumberRange, Result as RuntimeResult,
    Segment, Source,
};

use crate::argument::{duration_ms, long_array, signed};
use crate::errors;
use crate::exports::natives;
use crate::failure::Result;
use crate::handle::{free, get, give};
use crate::users_store::UsersStore;

/// The value that stands for no ID. No tag has this number, and a snowflake with this value is
/// skipped.
const NONE: jlong = jlong::MIN;
/// The number of IDs that are copied to Java at a time.
const CHUNK: usize = 2_048;

/// A source that Java holds.
pub(crate) struct Opened {
    source: LazySource,
    /// The store in Java that the source calls, if it has one. It is released when the source
    /// closes.
    store: Option<Arc<UsersStore>>,
}

impl Opened {
    pub(crate) fn give(source: LazySource, store: Option<Arc<UsersStore>>) -> jlong {
        give(Opened { source, store })
    }

    pub(crate) fn source(&self) -> &LazySource {
        &self.source
    }

    /// Closes the source. If there is a bound, waits for the store up to it.
    fn close(&self, within: Option<Duration>) -> RuntimeResult<()> {
        let mut is_leased = false;
        if let Some(Source::Snowflake(flake)) = self.source.try_get() {
            is_leased = flake.stats().worker_id.is_some();
            if let Some(store) = &self.store {
                store.let_go_when_released();
            }
        }
        let closed =
            within.map_or_else(|| self.source.close(), |wait| self.source.close_within(wait));
        match &self.store {
            // A scheduler still has to release the worker ID.
            Some(_) if is_leased => {}
            Some(store) => store.let_go(),
            None => {}
        }
        closed
    }
}

/// Returns the next ID if it is available at once, or [`NONE`]. Only numbers pass, and Java's
/// environment is not read: this costs a tenth of the other way of calling.
#[unsafe(export_name = "Java_io_github_snowmint_internal_Native_tryId")]
extern "system" fn try_id(_: *mut std::ffi::c_void, _: JClass<'_>, handle: jlong) -> jlong {
    let minted = catch_unwind(|| get::<Opened>(handle).ok()?.source.try_next_id());
    minted.ok().flatten().map_or(NONE, |id| id as jlong)
}

/// Returns Java's answer: -1 with the values in `out`, or how long to pause.
fn answer<T, const N: usize>(
    env: &Env<'_>,
    polled: Attempt<T>,
    values: impl FnOnce(T) -> [u64; N],
    out: &JLongArray<'_>,
    left_ns: jlong,
) -> Result<jlong> {
    match polled {
        Attempt::Done(value) => {
            out.set_region(env, 0, signed(&values(value)))?;
            Ok(-1)
        }
        Attempt::Later { pause, why } => pause_ns(pause, why, left_ns),
    }
}

/// Returns how many nanoseconds to pause, and fails if they exceed those left. Returns 0 if the
/// clock does not tell, because a scheduler has to deliver something. An interrupted thread has -1
/// left.
fn pause_ns(pause: Duration, why: Error, left_ns: jlong) -> Result<jlong> {
    let pause_ns = jlong::try_from(pause.as_nanos()).unwrap_or(jlong::MAX).max(1);
    if pause_ns > left_ns {
        let is_broken_off = left_ns < 0 && why.code() == Code::WaitTimeout;
        return Err(if is_broken_off { errors::wait_interrupted() } else { why }.into());
    }
    Ok(if why.ends_by_clock() { pause_ns } else { 0 })
}

/// Takes all numbers at hand as one range. `wanted` only says how many to fetch if there are none.
fn at_hand(segment: &Segment, wanted: u64) -> RuntimeResult<Attempt<NumberRange>> {
    if let Some(range) = segment.try_next_range(u64::MAX) {
        return Ok(Attempt::Done(range));
    }
    let first = match segment.poll_range(wanted)? {
        Attempt::Done(first) => first,
        later @ Attempt::Later { .. } => return Ok(later),
    };
    // This is not `end()`, which is just past the last number, whatever the stride.
    let past = first.start().saturating_add(first.count().saturating_mul(first.stride()));
    Ok(Attempt::Done(match segment.try_next_range(u64::MAX) {
        Some(rest) if rest.start() == past && rest.stride() == first.stride() => {
            NumberRange::new(first.start(), rest.end(), first.stride())?
        }
        // Another thread reserved a range meanwhile. It is left out and becomes a gap.
        _ => first,
    }))
}

fn opened<'a>(handle: jlong) -> Result<&'a Opened> {
    get(handle)
}

fn source<'a>(handle: jlong) -> Result<&'a LazySource> {
    Ok(opened(handle)?.source())
}

natives! {
    fn pollId(env, handle: jlong, out: JLongArray<'local>, left_ns: jlong) -> jlong {
        let polled = source(handle)?.poll_id()?;
        answer(env, polled, |id| [id], &out, left_ns)
    }

    /// Fills an array from `from` on with the IDs that are available at once. Returns how many, or
    /// the negative pause if there are none.
    fn pollFill(
        env, handle: jlong, array: JLongArray<'local>, from: jint, past: jint, left_ns: jlong,
    ) -> jlong {
        let source = source(handle)?;
        let mut chunk = [0; CHUNK];
        let mut at = from;
        while at < past {
            let room = usize::try_from(past - at).unwrap_or(0).min(CHUNK);
            match source.poll_block(&mut chunk[..room])? {
                Attempt::Done(count) => {
                    array.set_region(env, at, signed(&chunk[..count]))?;
                    at += count as jint;
                }
                Attempt::Later { pause, why } if at == from => {
                    return Ok(-pause_ns(pause, why, left_ns)?);
                }
                Attempt::Later { .. } => break,
            }
        }
        Ok(jlong::from(at - from))
    }

    /// Takes all numbers at hand that lie together: the first, how many, and their distance. If
    /// there are none, asks for `wanted` numbers.
    fn pollRange(
        env, handle: jlong, wanted: jlong, out: JLongArray<'local>, left_ns: jlong,
    ) -> jlong {
        let wanted = u64::try_from(wanted).unwrap_or(1).max(1);
        let polled = match source(handle)?.poll()? {
            Attempt::Done(Source::Segment(segment)) => at_hand(segment, wanted)?,
            Attempt::Done(_) => return Err(errors::call_unsupported().into()),
            Attempt::Later { pause, why } => Attempt::Later { pause, why },
        };
        let values = |range: NumberRange| [range.start(), range.count(), range.stride()];
        answer(env, polled, values, &out, left_ns)
    }

    fn pollKey(env, handle: jlong, key: jlong, out: JLongArray<'local>, left_ns: jlong) -> jlong {
        let polled = source(handle)?.poll_of(key as u64)?;
        answer(env, polled, |number| [number], &out, left_ns)
    }

    /// Opens a source that is not open yet. Returns -1 once it is open, or how long to pause.
    fn pollOpen(env, handle: jlong, left_ns: jlong) -> jlong {
        match source(handle)?.poll()? {
            Attempt::Done(_) => Ok(-1),
            Attempt::Later { pause, why } => pause_ns(pause, why, left_ns),
        }
    }

    fn dailyIds(env, handle: jlong, count: jint) -> JLongArray<'local> {
        let ids = source(handle)?.next_ids(usize::try_from(count).unwrap_or(0))?;
        long_array(env, signed(&ids))
    }

    fn dailyFill(env, handle: jlong, array: JLongArray<'local>) {
        let mut ids = vec![0; array.len(env)?];
        source(handle)?.fill(&mut ids)?;
        Ok(array.set_region(env, 0, signed(&ids))?)
    }

    fn checkCount(env, count: jlong) {
        match usize::try_from(count) {
            Ok(1..=MAX_COUNT) => Ok(()),
            _ => Err(errors::count_out_of_range(count).into()),
        }
    }

    fn checkAtOnce(env, handle: jlong, count: jint) {
        Ok(source(handle)?.check_at_once(u64::try_from(count).unwrap_or(0), Duration::ZERO)?)
    }

    fn closeSource(env, handle: jlong) {
        Ok(opened(handle)?.close(None)?)
    }

    fn closeSourceWithin(env, handle: jlong, wait_ms: jlong) {
        Ok(opened(handle)?.close(Some(duration_ms("wait", wait_ms)?))?)
    }

    fn onRestore(env) {
        snowmint::on_restore();
        Ok(())
    }

    fn freeSource(env, handle: jlong) {
        free::<Opened>(handle)
    }

    fn nextUuid(env, handle: jlong, out: JLongArray<'local>) {
        let (high, low) = source(handle)?.get()?.next_uuid()?.as_u64_pair();
        Ok(out.set_region(env, 0, signed(&[high, low]))?)
    }

    fn uuidVersion(env, handle: jlong) -> jint {
        match source(handle)?.get()? {
            Source::Uuid(uuids) => Ok(uuids.version().number().into()),
            _ => Err(errors::call_unsupported().into()),
        }
    }
}
