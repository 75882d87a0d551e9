//! Node's environments (the main thread and the worker threads), and how jobs learn that their
//! environment ends.
//!
//! `worker.terminate()` and the end of a worker thread run the environment's cleanup hooks.
//! `process.exit()` on the main thread does not run them and need not, because nothing waits for
//! our threads.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use napi::Env;
use snowmint::{Listening, System};

/// The longest time that the end of a worker thread waits for its jobs, so that they release their
/// resources before `terminate()` resolves. A waiting job notices the end within 50 ms. A call of a
/// store may take longer, and ends by itself.
const MAX_END: Duration = Duration::from_secs(1);

/// An environment, with the state that its jobs share.
#[derive(Default)]
pub(crate) struct Environment {
    ended: AtomicBool,
    jobs: Mutex<usize>,
    left: Condvar,
    /// The listeners, which are removed when the environment ends.
    listening: Mutex<Vec<Listening>>,
}

thread_local! {
    /// The environment whose job this thread runs.
    static PRESENT: RefCell<Option<Arc<Environment>>> = const { RefCell::new(None) };
}

/// Returns true if this thread runs a job of an environment that has ended. Nobody waits for the
/// result then.
pub(crate) fn is_interrupted() -> bool {
    PRESENT.with_borrow(|present| present.as_ref().is_some_and(|present| present.has_ended()))
}

impl Environment {
    /// Returns the current environment.
    pub(crate) fn of(env: Env) -> napi::Result<Arc<Environment>> {
        if let Some(known) = env.get_instance_data::<Arc<Environment>>()? {
            return Ok(Arc::clone(known));
        }
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            System::interrupt_waits_by(is_interrupted);
        });
        let environment = Arc::<Environment>::default();
        env.add_env_cleanup_hook(Arc::clone(&environment), |environment| environment.end())?;
        env.set_instance_data(Arc::clone(&environment), (), |_| {})?;
        Ok(environment)
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    fn jobs(&self) -> MutexGuard<'_, usize> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers this thread as running a job, or returns `None` if the environment has ended.
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Stay> {
        let mut jobs = self.jobs();
        if self.has_ended() {
            return None;
        }
        *jobs += 1;
        PRESENT.set(Some(Arc::clone(self)));
        Some(Stay(Arc::clone(self)))
    }

    /// Keeps a listener until the environment ends.
    pub(crate) fn hold(&self, listening: Listening) {
        self.listening().push(listening);
    }

    fn listening(&self) -> MutexGuard<'_, Vec<Listening>> {
        self.listening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
        self.listening().clear();
        drop(self.left.wait_timeout_while(self.jobs(), MAX_END, |jobs| *jobs > 0));
    }
}

/// Marks a thread as running a job of an environment, until it is dropped.
pub(crate) struct Stay(Arc<Environment>);

impl Drop for Stay {
    fn drop(&mut self) {
        PRESENT.set(None);
        *self.0.jobs() -= 1;
        self.0.left.notify_all();
    }
}
