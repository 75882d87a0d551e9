//! The only way out of the addon for errors and panics.

use std::any::Any;
use std::error::Error as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::bindgen_prelude::JsObjectValue;
use napi::{Env, JsValue};
use napi_derive::napi;
use snowmint::Error;

use crate::errors;

/// The facts from which JavaScript makes an error of its own class. Several copies of the package
/// can share one addon, and each has its own class. So each copy makes the errors of its calls.
#[napi(object, object_from_js = false)]
pub struct Facts {
    /// The code's frozen number.
    pub number: u32,
    /// The error message.
    pub message: String,
    /// The wait in milliseconds, for stalls only.
    pub wait_ms: Option<f64>,
    /// The message of the error's cause.
    pub cause: Option<String>,
}

impl Facts {
    fn of(error: &Error) -> Facts {
        Facts {
            number: error.code().number(),
            message: error.to_string(),
            wait_ms: error.wait_ms().map(|wait_ms| wait_ms as f64),
            cause: error.source().map(ToString::to_string),
        }
    }
}

/// Runs `work` and turns an error or panic into an error of the package.
pub(crate) fn guarded<T>(env: Env, work: impl FnOnce() -> snowmint::Result<T>) -> napi::Result<T> {
    caught(work).map_err(|error| raised(env, &error))
}

/// Runs `work` and turns a panic into an error.
pub(crate) fn caught<T>(work: impl FnOnce() -> snowmint::Result<T>) -> snowmint::Result<T> {
    // Everything that the work holds is either dropped or behind a lock that ignores poison.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(defect(&*panic)))
}

fn defect(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    errors::defect(text.unwrap_or("a panic"))
}

/// Returns the JavaScript error that the addon throws, with the facts in its property `snowmint`.
pub(crate) fn raised(env: Env, error: &Error) -> napi::Error {
    made(env, Facts::of(error)).unwrap_or_else(|failure| failure)
}

fn made(env: Env, facts: Facts) -> napi::Result<napi::Error> {
    let mut thrown = env.create_error(napi::Error::from_reason(facts.message.clone()))?;
    thrown.set_named_property("snowmint", facts)?;
    Ok(napi::Error::from_unknown_without_coercion(thrown.to_unknown()))
}
