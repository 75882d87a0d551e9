//! Work off the event loop, as promises.

use napi::Env;
use napi::bindgen_prelude::{AsyncTask, Task, ToNapiValue, TypeName};

use crate::failure::{caught, raised};

type Job<T> = Box<dyn FnOnce() -> snowmint::Result<T> + Send>;

/// Work for libuv's pool, whose result is shown on JavaScript's thread.
pub(crate) struct Work<T, J> {
    job: Option<Job<T>>,
    show: fn(T) -> J,
}

/// A promise of what `job` gives.
pub(crate) fn promise<T: Send + 'static, J: ToNapiValue + TypeName + 'static>(
    show: fn(T) -> J,
    job: impl FnOnce() -> snowmint::Result<T> + Send + 'static,
) -> AsyncTask<Work<T, J>> {
    AsyncTask::new(Work { job: Some(Box::new(job)), show })
}

impl<T: Send + 'static, J: ToNapiValue + TypeName + 'static> Task for Work<T, J> {
    /// An error of ours is an output: it becomes JavaScript's where there is an environment.
    type Output = Option<snowmint::Result<T>>;
    type JsValue = J;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        Ok(self.job.take().map(caught))
    }

    fn resolve(&mut self, env: Env, output: Self::Output) -> napi::Result<J> {
        match output {
            Some(Ok(value)) => Ok((self.show)(value)),
            Some(Err(error)) => Err(raised(env, &error)),
            None => Err(napi::Error::from_reason("the task ran twice")),
        }
    }
}
