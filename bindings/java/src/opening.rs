//! The native methods that open sources, by URL or by parts.

use std::sync::Arc;

use jni::Env;
use jni::objects::{JLongArray, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use snowmint::{
    Daily, Mint, Segment, SegmentAdmin, Sequences, Snowflake, Source, UuidSource, UuidVersion,
    WorkerId, WorkerStore, names,
};

use crate::argument::{
    duration_ms, millis, optional, optional_narrow, optional_numbers, optional_text, tag, text,
};
use crate::errors;
use crate::exports::natives;
use crate::failure::Result;
use crate::layouts::{intern, layout};
use crate::machines::{prefetch, step};
use crate::sources::Opened;
use crate::stores::store;
use crate::tables::{policy, start};
use crate::users_store::UsersStore;

type Users = Option<Arc<UsersStore>>;

/// Returns the store that reserves numbers: a store of the library's own, or an object of Java.
fn segment_store(
    env: &mut Env<'_>,
    handle: jlong,
    object: &JObject<'_>,
) -> Result<(Arc<dyn SegmentAdmin>, Users)> {
    if handle == 0 {
        let users = UsersStore::new(env, object)?;
        return Ok((Arc::clone(&users) as Arc<dyn SegmentAdmin>, Some(users)));
    }
    Ok((Arc::clone(store(handle)?) as Arc<dyn SegmentAdmin>, None))
}

/// Returns the store that leases worker IDs, if there is one.
fn worker_store(
    env: &mut Env<'_>,
    handle: jlong,
    object: &JObject<'_>,
) -> Result<(Option<Arc<dyn WorkerStore>>, Users)> {
    if handle != 0 {
        return Ok((Some(Arc::clone(store(handle)?) as Arc<dyn WorkerStore>), None));
    }
    if object.is_null() {
        return Ok((None, None));
    }
    let users = UsersStore::new(env, object)?;
    Ok((Some(Arc::clone(&users) as Arc<dyn WorkerStore>), Some(users)))
}

natives! {
    /// Opens a source of a kind, or of any; if it is lazy, its first use opens it. Writes its kind,
    /// its wait and the layout of snowflakes to `out`.
    fn openUrl(
        env,
        kind: JString<'local>,
        url: JString<'local>,
        lazy: jboolean,
        out: JLongArray<'local>,
    ) -> jlong {
        let (kind, url) = (optional_text(env, &kind)?, text(env, &url)?);
        let source = match (kind, lazy) {
            (Some(kind), true) => snowmint::lazy_as(&kind, &url)?,
            (None, true) => snowmint::lazy(&url)?,
            (Some(kind), false) => snowmint::open_as(&kind, &url)?.into(),
            (None, false) => snowmint::open(&url)?.into(),
        };
        let wait_ms = millis(source.wait());
        let on = source.layout().copied().map_or(0, intern);
        let number = match source.kind() {
            "snowflake" => 0,
            "segment" => 1,
            "daily" => 2,
            "uuid" => 3,
            "sequences" => 4,
            "ring" => 5,
            _ => return Err(errors::source_kind_unknown().into()),
        };
        out.set_region(env, 0, &[number, wait_ms, on])?;
        Ok(Opened::give(source, None))
    }

    fn openSnowflake(
        env,
        worker: JString<'local>,
        handle: jlong,
        object: JObject<'local>,
        on: jlong,
        policy_numbers: JLongArray<'local>,
        start_text: JString<'local>,
        start_numbers: JLongArray<'local>,
        reserve_ms: jlong,
        state: JString<'local>,
        wait_ms: jlong,
    ) -> jlong {
        let wait = duration_ms("wait", wait_ms)?;
        let mut builder = Snowflake::builder().layout(*layout(on)?).wait(wait);
        if let Some(worker) = optional_text(env, &worker)? {
            builder = builder.worker_id(worker.parse::<WorkerId>()?);
        }
        if let Some(numbers) = optional_numbers(env, "a policy", &policy_numbers)? {
            builder = builder.policy(policy(numbers)?);
        }
        if let Some(written) = optional_text(env, &start_text)? {
            builder = builder.sequence_start(names::sequence_start(&written)?);
        }
        if let Some(numbers) = optional_numbers(env, "a sequence start", &start_numbers)? {
            builder = builder.sequence_start(start(numbers)?);
        }
        if let Some(reserve_ms) = optional_narrow("reserveMs", reserve_ms)? {
            builder = builder.reserve_ms(reserve_ms);
        }
        if let Some(directory) = optional_text(env, &state)? {
            builder = builder.state_directory(directory);
        }
        let (store, users) = worker_store(env, handle, &object)?;
        if let Some(store) = store {
            builder = builder.lease_from(store);
        }
        Ok(Opened::give(Source::Snowflake(builder.open()?).into(), users))
    }

    fn openSegment(
        env,
        handle: jlong,
        object: JObject<'local>,
        name: JString<'local>,
        step_numbers: JLongArray<'local>,
        runway_ms: jlong,
        prefetch_numbers: JLongArray<'local>,
        wait_ms: jlong,
    ) -> jlong {
        let tag = tag(env, &name)?;
        let (store, users) = segment_store(env, handle, &object)?;
        let mut builder = Segment::builder(store, tag).wait(duration_ms("wait", wait_ms)?);
        if let Some(numbers) = optional_numbers(env, "a step", &step_numbers)? {
            builder = builder.step(step(numbers)?);
        }
        if runway_ms != -1 {
            builder = builder.runway(duration_ms("runwayMs", runway_ms)?);
        }
        if let Some(numbers) = optional_numbers(env, "a prefetch", &prefetch_numbers)? {
            builder = builder.prefetch(prefetch(numbers)?);
        }
        Ok(Opened::give(Source::Segment(builder.open()?).into(), users))
    }

    fn openDaily(
        env,
        handle: jlong,
        object: JObject<'local>,
        name: JString<'local>,
        zone: JString<'local>,
        digits: jlong,
        step_size: jlong,
        prefetch_numbers: JLongArray<'local>,
        wait_ms: jlong,
    ) -> jlong {
        let tag = tag(env, &name)?;
        let (store, users) = segment_store(env, handle, &object)?;
        let mut builder = Daily::builder(store, tag).wait(duration_ms("wait", wait_ms)?);
        if let Some(zone) = optional_text(env, &zone)? {
            builder = builder.zone(&zone);
        }
        if let Some(digits) = optional_narrow("digits", digits)? {
            builder = builder.digits(digits);
        }
        if let Some(step) = optional(step_size) {
            builder = builder.step(step);
        }
        if let Some(numbers) = optional_numbers(env, "a prefetch", &prefetch_numbers)? {
            builder = builder.prefetch(prefetch(numbers)?);
        }
        Ok(Opened::give(Source::Daily(builder.open()?).into(), users))
    }

    fn openSequences(
        env,
        handle: jlong,
        object: JObject<'local>,
        name: JString<'local>,
        keys_per_section: jlong,
        step_size: jlong,
        wait_ms: jlong,
    ) -> jlong {
        let tag = tag(env, &name)?;
        let (store, users) = segment_store(env, handle, &object)?;
        let mut builder = Sequences::builder(store, tag).wait(duration_ms("wait", wait_ms)?);
        if let Some(keys) = optional(keys_per_section) {
            builder = builder.keys_per_section(keys);
        }
        if let Some(step) = optional(step_size) {
            builder = builder.step(step);
        }
        Ok(Opened::give(Source::Sequences(builder.open()?).into(), users))
    }

    fn openUuid(env, version: jint) -> jlong {
        let version = match version {
            4 => UuidVersion::V4,
            7 => UuidVersion::V7,
            _ => return Err(errors::uuid_version_impossible(version).into()),
        };
        Ok(Opened::give(Source::Uuid(UuidSource::new(version)).into(), None))
    }
}
