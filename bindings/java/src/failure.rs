//! The guard around every native method, which turns errors into exceptions.

use std::any::Any;
use std::error::Error as StdError;
use std::fmt;

use jni::errors::{Error as JniError, ErrorPolicy};
use jni::objects::{JObject, JThrowable, JValue};
use jni::{Env, EnvUnowned, jni_sig, jni_str};
use snowmint::Error;

use crate::callback::{Held, callbacks};
use crate::errors;

/// The reason why a native method failed.
pub(crate) enum Failure {
    /// An error of the runtime.
    Runtime(Error),
    /// An error of Java itself. Usually an exception is already pending.
    Java(JniError),
}

/// The result of a native method.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Runtime(error)
    }
}

impl From<snowmint::engine::Error> for Failure {
    fn from(error: snowmint::engine::Error) -> Failure {
        Failure::Runtime(error.into())
    }
}

impl From<snowmint::public_ids::Error> for Failure {
    fn from(error: snowmint::public_ids::Error) -> Failure {
        Failure::Runtime(error.into())
    }
}

impl From<JniError> for Failure {
    fn from(error: JniError) -> Failure {
        Failure::Java(error)
    }
}

/// A Java exception that caused an error.
pub(crate) struct Thrown(pub(crate) Held);

impl fmt::Debug for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Thrown")
    }
}

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an exception in Java")
    }
}

impl StdError for Thrown {}

/// Runs the body of a native method, and throws its failure in Java.
pub(crate) fn guard<'local, T: Default>(
    env: &mut EnvUnowned<'local>,
    body: impl FnOnce(&mut Env<'local>) -> Result<T>,
) -> T {
    env.with_env(body).resolve::<Throw>()
}

/// The policy that throws every failure as a `SnowmintException`.
struct Throw;

impl<T: Default> ErrorPolicy<T, Failure> for Throw {
    type Captures<'env: 'native, 'native> = ();

    fn on_error<'env: 'native, 'native>(
        env: &mut Env<'env>,
        (): &mut (),
        failure: Failure,
    ) -> jni::errors::Result<T> {
        match failure {
            Failure::Runtime(error) => throw(env, &error)?,
            Failure::Java(error) => throw(env, &errors::defect(&error.to_string()))?,
        }
        Ok(T::default())
    }

    fn on_panic<'env: 'native, 'native>(
        env: &mut Env<'env>,
        (): &mut (),
        payload: Box<dyn Any + Send + 'static>,
    ) -> jni::errors::Result<T> {
        let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(message), _) => message,
            (None, Some(message)) => message.as_str(),
            (None, None) => "a panic",
        };
        throw(env, &errors::defect(message))?;
        Ok(T::default())
    }
}

/// Throws the error in Java, unless an exception is already pending.
fn throw(env: &mut Env<'_>, error: &Error) -> jni::errors::Result<()> {
    if env.exception_check() {
        return Ok(());
    }
    let message = env.new_string(error.to_string())?;
    let wait_ms = error.wait_ms().map_or(-1, |wait_ms| i64::try_from(wait_ms).unwrap_or(i64::MAX));
    let none = JObject::null();
    let cause: &JObject<'_> = thrown(error).and_then(|thrown| thrown.0.object()).unwrap_or(&none);
    let class = callbacks(env)?;
    let exception = env
        .call_static_method(
            class,
            jni_str!("exception"),
            jni_sig!("(ILjava/lang/String;JLjava/lang/Throwable;)Ljava/lang/RuntimeException;"),
            &[
                JValue::Int(error.code().number() as i32),
                JValue::Object(&message),
                JValue::Long(wait_ms),
                JValue::Object(cause),
            ],
        )?
        .l()?;
    let exception = env.cast_local::<JThrowable<'_>>(exception)?;
    match env.throw(exception) {
        // The exception is pending, as intended.
        Err(JniError::JavaException) | Ok(()) => Ok(()),
        Err(other) => Err(other),
    }
}

/// Returns the exception at the bottom of an error's causes, if there is one.
fn thrown(error: &Error) -> Option<&Thrown> {
    let mut cause = error.source();
    while let Some(present) = cause {
        if let Some(thrown) = present.downcast_ref::<Thrown>() {
            return Some(thrown);
        }
        cause = present.source();
    }
    None
}
