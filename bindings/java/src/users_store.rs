//! Stores that users write in Java. Threads of schedulers call them, and threads that open and
//! close sources. The runtime checks their answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jni::errors::Error as JniError;
use jni::objects::{
    JByteArray, JClass, JLongArray, JObject, JObjectArray, JString, JThrowable, JValue,
};
use jni::sys::{jint, jlong};
use jni::{Env, jni_sig, jni_str};
use snowmint::{
    Allocation, AllocationRequest, Call, Code, Error, Lease, LeaseRequest, NumberRange,
    SegmentAdmin, Tag, TagAllocator, TagOptions, TagRow, Token, WorkerStore,
};

use crate::argument::{bytes, long_array, numbers};
use crate::callback::{Held, callbacks, with_java};
use crate::errors;
use crate::failure::{Failure, Result, Thrown};
use crate::stores::{lease, lease_numbers, request_numbers};

/// A Java object that reserves numbers or leases worker IDs.
pub(crate) struct UsersStore {
    called: Mutex<Option<Arc<Called>>>,
    /// True if the next release of a lease is the last call.
    is_ending: AtomicBool,
}

/// The object, and the `Callbacks` of the class loader that opened a source on it.
struct Called {
    object: Held,
    callbacks: Held,
}

impl UsersStore {
    pub(crate) fn new(env: &mut Env<'_>, object: &JObject<'_>) -> Result<Arc<UsersStore>> {
        let class = callbacks(env)?;
        let called = Called { object: Held::new(env, object)?, callbacks: Held::new(env, &class)? };
        let called = Mutex::new(Some(Arc::new(called)));
        Ok(Arc::new(UsersStore { called, is_ending: AtomicBool::new(false) }))
    }

    /// Releases the object when its source is closed. Java's collector takes it if nothing else has
    /// it.
    pub(crate) fn let_go(&self) {
        let called = self.called.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(called);
    }

    /// Releases the object after the next release of a lease, for a source that is about to close.
    pub(crate) fn let_go_when_released(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
    }

    fn called(&self) -> snowmint::Result<Arc<Called>> {
        let called = self.called.lock().unwrap_or_else(PoisonError::into_inner).clone();
        called.ok_or_else(errors::store_let_go)
    }

    /// Calls the object, through the method of `Callbacks` that `what` names.
    fn call<T>(
        &self,
        what: &str,
        call: impl FnOnce(&mut Env<'_>, &JClass<'_>, JValue<'_>) -> Result<T>,
    ) -> snowmint::Result<T> {
        let called = self.called()?;
        let object = called.object.object().ok_or_else(errors::store_let_go)?;
        let callbacks = called.callbacks.object().ok_or_else(errors::store_let_go)?;
        let answer = with_java(|env| {
            let class = env.new_local_ref(callbacks)?;
            let class = env.cast_local::<JClass<'_>>(class)?;
            call(env, &class, JValue::Object(object)).map_err(|failure| match failure {
                Failure::Java(JniError::JavaException) => thrown(env, &class, what).into(),
                failure => failure,
            })
        });
        answer.map_err(|failure| failed(failure, what))
    }
}

/// Returns the error of a call to a store.
pub(crate) fn failed(failure: Failure, what: &str) -> Error {
    match failure {
        Failure::Runtime(error) => error,
        Failure::Java(error) => errors::store_not_called(what, error),
    }
}

/// Returns the error of an exception that the store threw. A `SnowmintException` keeps its code.
/// Any other exception becomes the cause of the error of a store that cannot be reached.
pub(crate) fn thrown(env: &mut Env<'_>, class: &JClass<'_>, what: &str) -> Error {
    let Some(exception) = env.exception_occurred() else {
        return errors::store_failed(what);
    };
    env.exception_clear();
    let Ok((code, description)) = described(env, class, &exception) else {
        // Leave out the cause: an exception that cannot be described would break the printing of
        // any error that has it.
        env.exception_clear();
        return errors::store_exception_indescribable(what);
    };
    let error = errors::store_exception(what, code, &description);
    match Held::new(env, &exception) {
        Ok(exception) => error.caused_by(Thrown(exception)),
        Err(_) => error,
    }
}

fn described(
    env: &mut Env<'_>,
    class: &JClass<'_>,
    exception: &JThrowable<'_>,
) -> jni::errors::Result<(Option<Code>, String)> {
    let arguments = [JValue::Object(exception)];
    let code = env
        .call_static_method(class, jni_str!("codeOf"), jni_sig!((JThrowable) -> jint), &arguments)?
        .i()?;
    let description = env
        .call_static_method(
            class,
            jni_str!("describe"),
            jni_sig!((JThrowable) -> JString),
            &arguments,
        )?
        .l()?;
    let description = env.cast_local::<JString<'_>>(description)?.try_to_string(env)?;
    Ok((u32::try_from(code).ok().and_then(Code::from_number), description))
}

/// Builds a lease from the texts, the token and the numbers that a method returned.
fn answered(env: &mut Env<'_>, answer: JObject<'_>) -> Result<Lease> {
    let parts = env.cast_local::<JObjectArray<'_>>(answer)?;
    let realm = parts.get_element(env, 0)?;
    let realm = env.cast_local::<JString<'_>>(realm)?;
    let owner = parts.get_element(env, 1)?;
    let owner = env.cast_local::<JString<'_>>(owner)?;
    let token = parts.get_element(env, 2)?;
    let token = env.cast_local::<JByteArray<'_>>(token)?;
    let fields = parts.get_element(env, 3)?;
    let fields = env.cast_local::<JLongArray<'_>>(fields)?;
    lease(env, &realm, &owner, &token, &fields).map_err(|failure| match failure {
        Failure::Runtime(error) => errors::lease_invalid(error).into(),
        failure => failure,
    })
}

impl TagAllocator for UsersStore {
    fn reserve(&self, request: &AllocationRequest, _: &Call) -> snowmint::Result<Allocation> {
        let AllocationRequest { tag, count, .. } = request;
        // -1 asks for the tag's step. A count is far below the limit of a `long`.
        let count = count.map_or(-1, |count| jlong::try_from(count).unwrap_or(jlong::MAX));
        self.call("allocate", |env, class, store| {
            let tag = env.new_string(tag.as_str())?;
            let taken = env
                .call_static_method(
                    class,
                    jni_str!("allocate"),
                    jni_sig!((JObject, JString, jlong) -> jlong[]),
                    &[store, JValue::Object(&tag), JValue::Long(count)],
                )?
                .l()?;
            let taken = env.cast_local::<JLongArray<'_>>(taken)?;
            let [start, end, stride, step] = numbers(env, "an allocation", &taken)?;
            let range = NumberRange::new(start as u64, end as u64, stride as u64)?;
            Ok(Allocation::new(range, step as u64))
        })
    }

    fn row(&self, tag: &Tag) -> snowmint::Result<Option<TagRow>> {
        self.call("tag", |env, class, store| {
            let name = env.new_string(tag.as_str())?;
            let row = env
                .call_static_method(
                    class,
                    jni_str!("tag"),
                    jni_sig!((JObject, JString) -> jlong[]),
                    &[store, JValue::Object(&name)],
                )?
                .l()?;
            if row.is_null() {
                return Ok(None);
            }
            let row = env.cast_local::<JLongArray<'_>>(row)?;
            let [next, step, stride, updated_ms, max] = numbers(env, "a tag's row", &row)?;
            let options =
                TagOptions::default().start(next as u64).step(step as u64).stride(stride as u64);
            let options = options.max(max as u64);
            let mut row = TagRow::new(tag, options);
            row.updated_ms = updated_ms;
            Ok(Some(row))
        })
    }
}

impl SegmentAdmin for UsersStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> snowmint::Result<()> {
        self.call("createTag", |env, class, store| {
            let tag = env.new_string(tag.as_str())?;
            env.call_static_method(
                class,
                jni_str!("createTag"),
                jni_sig!((JObject, JString, jlong, jlong, jlong, jlong) -> void),
                &[
                    store,
                    JValue::Object(&tag),
                    JValue::Long(options.start as jlong),
                    JValue::Long(options.step as jlong),
                    JValue::Long(options.stride as jlong),
                    JValue::Long(options.max as jlong),
                ],
            )?;
            Ok(())
        })
    }
}

/// A lease or a request for a lease, in the parts that `Callbacks` takes.
struct Parts<'local> {
    realm: JString<'local>,
    owner: JString<'local>,
    token: JByteArray<'local>,
    fields: JLongArray<'local>,
}

impl<'local> Parts<'local> {
    fn of_request(
        env: &mut Env<'local>,
        request: &LeaseRequest,
        token: &Token,
    ) -> Result<Parts<'local>> {
        let LeaseRequest { realm, owner, .. } = request;
        Parts::new(env, realm, owner, token, &request_numbers(request))
    }

    fn of_lease(env: &mut Env<'local>, lease: &Lease) -> Result<Parts<'local>> {
        let Lease { realm, owner, token, .. } = lease;
        Parts::new(env, realm, owner, token, &lease_numbers(lease))
    }

    fn new(
        env: &mut Env<'local>,
        realm: &str,
        owner: &str,
        token: &Token,
        fields: &[jlong],
    ) -> Result<Parts<'local>> {
        Ok(Parts {
            realm: env.new_string(realm)?,
            owner: env.new_string(owner)?,
            token: bytes(env, token)?,
            fields: long_array(env, fields)?,
        })
    }

    fn values(&self) -> [JValue<'_>; 4] {
        let Parts { realm, owner, token, fields } = self;
        [realm.into(), owner.into(), token.into(), fields.into()]
    }
}

impl WorkerStore for UsersStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> snowmint::Result<Lease> {
        self.call("acquire", |env, class, store| {
            let parts = Parts::of_request(env, request, &call.attempt)?;
            let [realm, owner, token, fields] = parts.values();
            let answer = env.call_static_method(
                class,
                jni_str!("acquire"),
                jni_sig!((JObject, JString, JString, jbyte[], jlong[]) -> JObject[]),
                &[store, realm, owner, token, fields],
            )?;
            answered(env, answer.l()?)
        })
    }

    fn renew(&self, held: &Lease, reserve_ms: u32, call: &Call) -> snowmint::Result<Lease> {
        self.call("renew", |env, class, store| {
            let parts = Parts::of_lease(env, held)?;
            let [realm, owner, token, fields] = parts.values();
            let next = bytes(env, &call.attempt)?;
            // The runtime asks for at most an hour, which fits.
            let reserve_ms = JValue::Int(reserve_ms as jint);
            let answer = env.call_static_method(
                class,
                jni_str!("renew"),
                jni_sig!((JObject, JString, JString, jbyte[], jlong[], jbyte[], jint) -> JObject[]),
                &[store, realm, owner, token, fields, JValue::from(&next), reserve_ms],
            )?;
            answered(env, answer.l()?)
        })
    }

    fn release(&self, held: &Lease, _: &Call) -> snowmint::Result<()> {
        let released = self.call("release", |env, class, store| {
            let parts = Parts::of_lease(env, held)?;
            let [realm, owner, token, fields] = parts.values();
            env.call_static_method(
                class,
                jni_str!("release"),
                jni_sig!((JObject, JString, JString, jbyte[], jlong[]) -> void),
                &[store, realm, owner, token, fields],
            )?;
            Ok(())
        });
        if self.is_ending.load(Ordering::SeqCst) {
            self.let_go();
        }
        released
    }
}
