//! Minting.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use jni::Env;
use jni::objects::{JClass, JLongArray};
use jni::sys::{jint, jlong};
use snowmint::engine::Error as EngineError;
use snowmint::{
    Attempt, Code, Daily, Error, MAX_COUNT, NumberRange, Result as RuntimeResult, Segment,
    Sequences, Snowflake, UuidSource,
};

use crate::argument::{duration_ms, long_array, signed};
use crate::exports::natives;
use crate::failure::{Failure, Result};
use crate::handle::{free, get, give};
use crate::users_store::UsersStore;

/// In place of an ID that cannot be had at once. No tag has this number; should a snowflake be it,
/// it is skipped.
const NONE: jlong = jlong::MIN;
/// How often a caller looks at what a keeper is fetching.
const LOOK: Duration = Duration::from_millis(1);
/// How many IDs are copied to Java at a time.
const CHUNK: usize = 2_048;

/// What mints.
pub(crate) enum Kind {
    Snowflake(Snowflake),
    Segment(Segment),
    Daily(Daily),
    Sequences(Sequences),
    Uuid(UuidSource),
}

/// A source in Java's hands.
pub(crate) struct Opened {
    kind: Kind,
    /// The store in Java that it calls, if it has one: let go when the source is closed.
    store: Option<Arc<UsersStore>>,
}

impl Opened {
    pub(crate) fn give(kind: Kind, store: Option<Arc<UsersStore>>) -> jlong {
        give(Opened { kind, store })
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Closes, waiting for the store up to the bound if there is one.
    fn close(&self, within: Option<Duration>) -> RuntimeResult<()> {
        let mut is_leased = false;
        let closed = match &self.kind {
            Kind::Snowflake(flake) => {
                is_leased = flake.stats().worker_id.is_some();
                if let Some(store) = &self.store {
                    store.let_go_when_released();
                }
                within.map_or_else(|| flake.close(), |wait| flake.close_within(wait))
            }
            Kind::Segment(segment) => {
                segment.close();
                Ok(())
            }
            Kind::Daily(daily) => {
                daily.close();
                Ok(())
            }
            Kind::Sequences(sequences) => {
                sequences.close();
                Ok(())
            }
            Kind::Uuid(_) => Ok(()),
        };
        match &self.store {
            // A keeper has yet to give the worker ID back.
            Some(_) if is_leased => {}
            Some(store) => store.let_go(),
            None => {}
        }
        closed
    }
}

/// The next ID if it can be had at once. Numbers in and out and no look at Java's environment: a
/// tenth of what the other way of calling costs.
#[unsafe(export_name = "Java_io_github_snowmint_internal_Native_tryId")]
extern "system" fn try_id(_: *mut std::ffi::c_void, _: JClass<'_>, handle: jlong) -> jlong {
    let minted = catch_unwind(AssertUnwindSafe(|| match &get::<Opened>(handle).ok()?.kind {
        Kind::Snowflake(flake) => flake.try_next_id(),
        Kind::Segment(segment) => segment.try_next_id(),
        Kind::Daily(daily) => daily.try_next_id(),
        Kind::Sequences(_) | Kind::Uuid(_) => None,
    }));
    minted.ok().flatten().map_or(NONE, |id| id as jlong)
}

/// What a call without waiting came to, of a source whose errors say all there is to know.
fn poll<T>(asked: RuntimeResult<T>) -> RuntimeResult<Attempt<T>> {
    match asked {
        Err(why) if why.is_transient() => Ok(Attempt::Later { pause: LOOK, why }),
        asked => asked.map(Attempt::Done),
    }
}

/// The answer in Java: -1 with the values in `out`, or how long to pause.
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

/// How many nanoseconds to pause, which are not above those left; 0 where the clock does not tell,
/// since a keeper has to come with something.
fn pause_ns(pause: Duration, why: Error, left_ns: jlong) -> Result<jlong> {
    let pause_ns = jlong::try_from(pause.as_nanos()).unwrap_or(jlong::MAX).max(1);
    if pause_ns > left_ns {
        return Err(why.into());
    }
    Ok(if why.wait_ms().is_some() { pause_ns } else { 0 })
}

/// A range of all numbers at hand, whatever the number wanted, which only says how many to fetch if
/// there are none.
fn at_hand(segment: &Segment, wanted: u64) -> RuntimeResult<NumberRange> {
    if let Some(range) = segment.try_next_range(u64::MAX) {
        return Ok(range);
    }
    let first = segment.next_range(wanted, Duration::ZERO)?;
    match segment.try_next_range(u64::MAX) {
        Some(rest) if rest.start() == first.end() && rest.stride() == first.stride() => {
            Ok(NumberRange::new(first.start(), rest.end(), first.stride())?)
        }
        // What another thread put in place in between is left out: a gap.
        _ => Ok(first),
    }
}

fn opened<'a>(handle: jlong) -> Result<&'a Opened> {
    get(handle)
}

fn unsupported() -> Failure {
    Error::new(Code::Unsupported, "this source has no such call").into()
}

natives! {
    fn pollId(env, handle: jlong, out: JLongArray<'local>, left_ns: jlong) -> jlong {
        let polled = match &opened(handle)?.kind {
            Kind::Snowflake(flake) => flake.poll_id()?,
            Kind::Segment(segment) => poll(segment.next_id_within(Duration::ZERO))?,
            Kind::Daily(daily) => poll(daily.next_id_within(Duration::ZERO))?,
            Kind::Sequences(_) | Kind::Uuid(_) => return Err(unsupported()),
        };
        answer(env, polled, |id| [id], &out, left_ns)
    }

    /// Fills what can be had at once from `from` on: how many that are, or up to 0 the pause.
    fn pollFill(
        env, handle: jlong, array: JLongArray<'local>, from: jint, past: jint, left_ns: jlong,
    ) -> jlong {
        let Kind::Snowflake(flake) = &opened(handle)?.kind else {
            return Err(unsupported());
        };
        let mut chunk = [0; CHUNK];
        let mut at = from;
        while at < past {
            let room = usize::try_from(past - at).unwrap_or(0).min(CHUNK);
            match flake.poll_block(&mut chunk[..room])? {
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

    /// All numbers at hand that lie together: the first, how many, and their distance. If there are
    /// none, so many are wanted.
    fn pollRange(
        env, handle: jlong, wanted: jlong, out: JLongArray<'local>, left_ns: jlong,
    ) -> jlong {
        let Kind::Segment(segment) = &opened(handle)?.kind else {
            return Err(unsupported());
        };
        let wanted = u64::try_from(wanted).unwrap_or(1).max(1);
        let values = |range: NumberRange| [range.start(), range.count(), range.stride()];
        answer(env, poll(at_hand(segment, wanted))?, values, &out, left_ns)
    }

    fn pollKey(env, handle: jlong, key: jlong, out: JLongArray<'local>, left_ns: jlong) -> jlong {
        let Kind::Sequences(sequences) = &opened(handle)?.kind else {
            return Err(unsupported());
        };
        let polled = poll(sequences.next_within(key as u64, Duration::ZERO))?;
        answer(env, polled, |number| [number], &out, left_ns)
    }

    fn dailyIds(env, handle: jlong, count: jint) -> JLongArray<'local> {
        let Kind::Daily(daily) = &opened(handle)?.kind else {
            return Err(unsupported());
        };
        let ids = daily.next_ids(usize::try_from(count).unwrap_or(0))?;
        long_array(env, signed(&ids))
    }

    fn dailyFill(env, handle: jlong, array: JLongArray<'local>) {
        let Kind::Daily(daily) = &opened(handle)?.kind else {
            return Err(unsupported());
        };
        let mut ids = vec![0; array.len(env)?];
        daily.fill(&mut ids)?;
        Ok(array.set_region(env, 0, signed(&ids))?)
    }

    fn checkCount(env, count: jlong) {
        match usize::try_from(count) {
            Ok(1..=MAX_COUNT) => Ok(()),
            _ => {
                let (count, max) = (u64::try_from(count).unwrap_or(0), MAX_COUNT as u64);
                Err(EngineError::CountOutOfRange { count, max }.into())
            }
        }
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
        let Kind::Uuid(uuids) = &opened(handle)?.kind else {
            return Err(unsupported());
        };
        let (high, low) = uuids.next_uuid()?.as_u64_pair();
        Ok(out.set_region(env, 0, signed(&[high, low]))?)
    }

    fn uuidVersion(env, handle: jlong) -> jint {
        match &opened(handle)?.kind {
            Kind::Uuid(uuids) => Ok(uuids.version().number().into()),
            _ => Err(unsupported()),
        }
    }
}
