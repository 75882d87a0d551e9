//! The native methods of stores, and checks for stores written in Java.

use std::sync::Arc;
use std::time::Duration;

use jni::Env;
use jni::objects::{JByteArray, JLongArray, JObjectArray, JString};
use jni::sys::{jboolean, jint, jlong};
use snowmint::{
    Call, Incarnation, Lease, LeaseRequest, SqliteStore, Store, TagChange, TagOptions, TagRow,
    Token, Vouch, allocate_one,
};

use crate::argument::{
    long_array, narrow, numbers, optional, rows, signed, string_array, tag, text, token,
};
use crate::exports::natives;
use crate::failure::Result;
use crate::handle::{free, get, give};

/// Returns the store of a handle.
pub(crate) fn store<'a>(handle: jlong) -> Result<&'a Arc<dyn Store>> {
    get(handle)
}

fn tag_numbers(row: &TagRow) -> [jlong; 5] {
    let TagRow { next, step, stride, max, .. } = *row;
    [next as jlong, step as jlong, stride as jlong, row.updated_ms, max as jlong]
}

/// Returns the names and numbers of tags.
fn tag_rows<'local>(env: &mut Env<'local>, tags: &[TagRow]) -> Result<JObjectArray<'local>> {
    let names: Vec<_> = tags.iter().map(|row| row.tag.as_str()).collect();
    let numbers: Vec<_> = tags.iter().flat_map(tag_numbers).collect();
    rows(env, &names, &numbers)
}

/// Returns the numbers of a lease.
pub(crate) fn lease_numbers(lease: &Lease) -> [jlong; 5] {
    let epoch = lease.epoch as jlong;
    [lease.worker_id.into(), epoch, lease.floor_ms, lease.reserved_ms, lease.now_ms]
}

/// Builds a lease from its parts.
pub(crate) fn lease(
    env: &Env<'_>,
    realm: &JString<'_>,
    owner: &JString<'_>,
    bytes: &JByteArray<'_>,
    fields: &JLongArray<'_>,
) -> Result<Lease> {
    let [worker_id, epoch, floor_ms, reserved_ms, now_ms] = numbers(env, "a lease", fields)?;
    let worker_id = narrow("worker ID", worker_id)?;
    let (realm, owner) = (text(env, realm)?, text(env, owner)?);
    let mut lease = Lease::new(&realm, worker_id, &owner, token(env, bytes)?);
    lease.epoch = epoch as u64;
    lease.floor_ms = floor_ms;
    lease.reserved_ms = reserved_ms;
    lease.now_ms = now_ms;
    Ok(lease)
}

/// Returns the numbers of a request, with -1 if it avoids no worker ID.
pub(crate) fn request_numbers(request: &LeaseRequest) -> [jlong; 4] {
    let avoid = request.avoid.map_or(-1, jlong::from);
    [request.max_worker_id.into(), request.reserve_ms.into(), request.max_ahead_ms.into(), avoid]
}

fn request(
    env: &Env<'_>,
    realm: &JString<'_>,
    owner: &JString<'_>,
    fields: &JLongArray<'_>,
) -> Result<LeaseRequest> {
    let [max_worker_id, reserve_ms, max_ahead_ms, avoid] = numbers(env, "a request", fields)?;
    let mut request = LeaseRequest::new(&text(env, realm)?, &text(env, owner)?);
    request.max_worker_id = narrow("largest worker ID", max_worker_id)?;
    request.reserve_ms = narrow("reserveMs", reserve_ms)?;
    request.max_ahead_ms = narrow("maxAheadMs", max_ahead_ms)?;
    request.avoid = if avoid < 0 { None } else { Some(narrow("worker ID", avoid)?) };
    Ok(request)
}

/// Returns a call for Java, which waits for as long as the store does.
fn attempt(token: Token) -> Call {
    Call::new(Duration::MAX, token)
}

fn options(env: &Env<'_>, fields: &JLongArray<'_>) -> Result<TagOptions> {
    let [start, step, stride, max] = numbers(env, "a tag", fields)?.map(|number| number as u64);
    Ok(TagOptions::default().start(start).step(step).stride(stride).max(max))
}

fn change(env: &Env<'_>, fields: &JLongArray<'_>) -> Result<TagChange> {
    let [next, step, max] = numbers(env, "a change", fields)?.map(optional);
    Ok(TagChange::default().next(next).step(step).max(max))
}

fn vouch(raise_by_steps: jlong, new_from: jlong) -> Vouch {
    Vouch::new(raise_by_steps as u64).new_from(optional(new_from))
}

natives! {
    fn openStore(env, url: JString<'local>) -> jlong {
        Ok(give(snowmint::open_store(&text(env, &url)?)?))
    }

    fn openSqlite(env, path: JString<'local>, create: jboolean) -> jlong {
        let builder = SqliteStore::builder().create(create);
        let store: Arc<dyn Store> = Arc::new(builder.open(text(env, &path)?)?);
        Ok(give(store))
    }

    /// Returns the place, the state, the key space or nothing, the report, and each statement.
    fn migrate(
        env, url: JString<'local>, is_dry: jboolean,
    ) -> JObjectArray<'local, JString<'local>> {
        let url = text(env, &url)?;
        let done = if is_dry { snowmint::migration(&url)? } else { snowmint::migrate(&url)? };
        let (state, report) = (done.state(is_dry).to_owned(), done.report(is_dry));
        let key_space = done.key_space.map_or(String::new(), |id| id.to_string());
        let mut texts = vec![done.place, state, key_space, report];
        texts.extend(done.statements);
        string_array(env, &texts)
    }

    fn freeStore(env, handle: jlong) {
        free::<Arc<dyn Store>>(handle)
    }

    fn storeCreateTag(env, handle: jlong, name: JString<'local>, fields: JLongArray<'local>) {
        let (tag, options) = (tag(env, &name)?, options(env, &fields)?);
        Ok(store(handle)?.create_tag(&tag, options)?)
    }

    fn storeChangeTag(
        env, handle: jlong, name: JString<'local>, fields: JLongArray<'local>,
    ) -> JLongArray<'local> {
        let (tag, change) = (tag(env, &name)?, change(env, &fields)?);
        let row = store(handle)?.change_tag(&tag, change)?;
        long_array(env, &tag_numbers(&row))
    }

    fn storeVouch(
        env,
        handle: jlong,
        server: JString<'local>,
        raise_by_steps: jlong,
        new_from: jlong
    ) -> JObjectArray<'local> {
        let server = Incarnation::from(text(env, &server)?);
        let tags = store(handle)?.vouch(&vouch(raise_by_steps, new_from).server(server))?;
        tag_rows(env, &tags)
    }

    /// Returns the numbers of a tag's row, or nothing if there is none.
    fn storeTag(env, handle: jlong, name: JString<'local>) -> JLongArray<'local> {
        let row = store(handle)?.tag(&tag(env, &name)?)?;
        let numbers = row.as_ref().map(tag_numbers);
        long_array(env, numbers.as_ref().map_or(&[], |numbers| numbers))
    }

    fn storeTags(env, handle: jlong) -> JObjectArray<'local> {
        let tags = store(handle)?.tags()?;
        tag_rows(env, &tags)
    }

    fn storeAllocate(
        env, handle: jlong, name: JString<'local>, count: jlong,
    ) -> JLongArray<'local> {
        let taken = allocate_one(&**store(handle)?, &tag(env, &name)?, optional(count))?;
        let range = taken.range;
        long_array(env, signed(&[range.start(), range.end(), range.stride(), taken.step]))
    }

    /// Returns the realm and owner of each worker ID, and its numbers.
    fn storeWorkers(env, handle: jlong) -> JObjectArray<'local> {
        let workers = store(handle)?.workers()?;
        let texts: Vec<_> = workers.iter().flat_map(|row| [&row.realm, &row.owner]).collect();
        let numbers: Vec<_> = workers
            .iter()
            .flat_map(|row| {
                let (id, epoch) = (row.worker_id.into(), row.epoch as jlong);
                [id, epoch, row.reserved_ms, row.expires_ms, row.held.into()]
            })
            .collect();
        rows(env, &texts, &numbers)
    }

    fn storeEvict(env, handle: jlong, realm: JString<'local>, worker_id: jlong) -> jboolean {
        let worker_id = narrow("worker ID", worker_id)?;
        Ok(store(handle)?.evict(&text(env, &realm)?, worker_id)?)
    }

    fn storeAcquire(
        env,
        handle: jlong,
        realm: JString<'local>,
        owner: JString<'local>,
        bytes: JByteArray<'local>,
        fields: JLongArray<'local>,
    ) -> JLongArray<'local> {
        let request = request(env, &realm, &owner, &fields)?;
        let lease = store(handle)?.acquire(&request, &attempt(token(env, &bytes)?))?;
        long_array(env, &lease_numbers(&lease))
    }

    fn storeRenew(
        env,
        handle: jlong,
        realm: JString<'local>,
        owner: JString<'local>,
        bytes: JByteArray<'local>,
        fields: JLongArray<'local>,
        next: JByteArray<'local>,
        reserve_ms: jint,
    ) -> JLongArray<'local> {
        let held = lease(env, &realm, &owner, &bytes, &fields)?;
        let reserve_ms = narrow("reserveMs", reserve_ms.into())?;
        let lease = store(handle)?.renew(&held, reserve_ms, &attempt(token(env, &next)?))?;
        long_array(env, &lease_numbers(&lease))
    }

    fn storeRelease(
        env,
        handle: jlong,
        realm: JString<'local>,
        owner: JString<'local>,
        bytes: JByteArray<'local>,
        fields: JLongArray<'local>,
    ) {
        let held = lease(env, &realm, &owner, &bytes, &fields)?;
        Ok(store(handle)?.release(&held, &attempt(held.token))?)
    }
}
