//! The one way out of the addon for errors and panics.

use std::any::Any;
use std::error::Error as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::Env;
use napi::bindgen_prelude::{FnArgs, Function, FunctionRef, Unknown};
use napi_derive::napi;
use snowmint::{Code, Error};

/// Code, message, wait in milliseconds, cause.
type Facts = FnArgs<(u32, String, Option<f64>, Option<String>)>;

/// What an environment (the main thread, or a worker) has of its own.
struct Realm {
    make_error: FunctionRef<Facts, Unknown<'static>>,
}

/// Gives the function that makes an error of the package's class. Called once, at load.
#[napi]
pub fn raise_by(env: Env, make_error: Function<'_, Facts, Unknown<'static>>) -> napi::Result<()> {
    let realm = Realm { make_error: make_error.create_ref()? };
    env.set_instance_data(realm, (), |_| {})
}

/// Runs what may fail or panic, and turns both into an error of the package.
pub(crate) fn guarded<T>(env: Env, work: impl FnOnce() -> snowmint::Result<T>) -> napi::Result<T> {
    caught(work).map_err(|error| raised(env, &error))
}

/// A panic as the error it is.
pub(crate) fn caught<T>(work: impl FnOnce() -> snowmint::Result<T>) -> snowmint::Result<T> {
    // Whatever the work holds is dropped or behind a lock that shrugs at poison.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(defect(&*panic)))
}

fn defect(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    Error::new(Code::Internal, format!("a defect in snowmint, please report it: {text}"))
}

/// The error as JavaScript throws it.
pub(crate) fn raised(env: Env, error: &Error) -> napi::Error {
    made(env, error).unwrap_or_else(|failure| failure)
}

fn made(env: Env, error: &Error) -> napi::Result<napi::Error> {
    let Some(realm) = env.get_instance_data::<Realm>()? else {
        return Ok(napi::Error::from_reason(error.to_string()));
    };
    let wait_ms = error.wait_ms().map(|wait_ms| wait_ms as f64);
    let cause = error.source().map(ToString::to_string);
    let facts = (error.code().number(), error.to_string(), wait_ms, cause);
    let value = realm.make_error.borrow_back(&env)?.call(facts.into())?;
    Ok(napi::Error::from_unknown_without_coercion(value))
}
