//! Work off the event loop, as promises.
//!
//! It runs on threads of its own, never on libuv's. `process.exit()` joins libuv's threads, and a
//! worker thread that ends waits for its work there first. A call that waits for a store would keep
//! both from ending, and would take threads from file systems and name lookups.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use napi::bindgen_prelude::ToNapiValue;
use napi::{Env, JsValue, sys};

use crate::environments::Environment;
use crate::errors;
use crate::failure::{caught, raised};

/// The most jobs that run at once in a process. Further jobs wait for their turn.
const MAX_THREADS: usize = 128;

type Job<T> = Box<dyn FnOnce() -> snowmint::Result<T> + Send>;

/// Work whose result is converted on JavaScript's thread. Handing it to JavaScript starts the work
/// and gives a promise.
pub struct Promised<T, J> {
    job: Job<T>,
    show: fn(T) -> J,
}

/// Creates a promise of the result of `job`.
pub(crate) fn promise<T: Send + 'static, J: ToNapiValue + 'static>(
    show: fn(T) -> J,
    job: impl FnOnce() -> snowmint::Result<T> + Send + 'static,
) -> Promised<T, J> {
    Promised { job: Box::new(job), show }
}

impl<T: Send + 'static, J: ToNapiValue + 'static> ToNapiValue for Promised<T, J> {
    unsafe fn to_napi_value(env: sys::napi_env, work: Self) -> napi::Result<sys::napi_value> {
        let env = Env::from_raw(env);
        let environment = Environment::of(env)?;
        let (settled, promise) = env.create_deferred()?;
        let Promised { job, show } = work;
        run(Box::new(move |started| {
            // Kept until all values of the job are dropped.
            let Some(_stay) = environment.enter() else { return };
            let result = started.and_then(|()| caught(job));
            settled.resolve(move |env| result.map(show).map_err(|error| raised(env, &error)));
        }));
        Ok(promise.raw())
    }
}

/// A function that runs a job. Its argument is an error if no thread could be started.
type Start = Box<dyn FnOnce(snowmint::Result<()>) + Send>;

/// The waiting jobs and the number of threads. A thread ends when no job waits.
struct Pool {
    waiting: VecDeque<Start>,
    threads: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { waiting: VecDeque::new(), threads: 0 });

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run(job: Start) {
    let mut pool = pool();
    pool.waiting.push_back(job);
    if pool.threads == MAX_THREADS {
        return;
    }
    match thread::Builder::new().name("snowmint job".to_owned()).spawn(serve) {
        Ok(_detached) => pool.threads += 1,
        // A running thread takes the job.
        Err(_) if pool.threads > 0 => {}
        Err(error) => {
            let refused = pool.waiting.pop_back();
            drop(pool);
            let error = errors::thread_not_started(error);
            refused.into_iter().for_each(|job| job(Err(error.clone())));
        }
    }
}

fn serve() {
    while let Some(job) = next() {
        // Jobs catch their own panics. This guard keeps the count of threads correct whatever else
        // fails.
        drop(catch_unwind(AssertUnwindSafe(|| job(Ok(())))));
    }
}

fn next() -> Option<Start> {
    let mut pool = pool();
    let job = pool.waiting.pop_front();
    if job.is_none() {
        pool.threads -= 1;
    }
    job
}
