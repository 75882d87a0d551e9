//! Pauses for tasks on any executor. One thread in each process wakes them.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::errors;
use crate::host::process::PerProcess;
use crate::host::threads;

/// A child of a fork has its own alarm, because the parent's thread does not exist there.
static ALARM: PerProcess<Alarm> = PerProcess::new();
/// The time that the thread stays alive while no task sleeps.
const IDLE: Duration = Duration::from_secs(1);

/// The sleeping tasks, and the thread that wakes them.
#[derive(Default)]
struct Alarm {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// The wakers by due time; the number tells sleepers with the same due time apart.
    sleepers: BTreeMap<Due, Waker>,
    count: u64,
    has_thread: bool,
}

type Due = (Instant, u64);

pub(crate) fn pause(lasts: Duration) -> Pause {
    Pause { until: Instant::now() + lasts, due: None }
}

/// A pause of a task. Dropping it removes its waker.
pub(crate) struct Pause {
    until: Instant,
    due: Option<(Arc<Alarm>, Due)>,
}

impl Future for Pause {
    type Output = Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        self.leave();
        if Instant::now() >= self.until {
            return Poll::Ready(Ok(()));
        }
        let alarm = ALARM.get_or_init(Alarm::default);
        match Alarm::wake_at(&alarm, self.until, context.waker().clone()) {
            Ok(due) => {
                self.due = Some((alarm, due));
                Poll::Pending
            }
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

impl Pause {
    fn leave(&mut self) {
        if let Some((alarm, due)) = self.due.take() {
            let waker = alarm.lock().sleepers.remove(&due);
            // Outside the lock: dropping the waker may end a task that has another pause.
            drop(waker);
        }
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Alarm {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_at(this: &Arc<Alarm>, until: Instant, waker: Waker) -> Result<Due> {
        let mut queue = this.lock();
        if !queue.has_thread {
            let alarm = Arc::clone(this);
            threads::start("snowmint-alarm", move || alarm.run())
                .map_err(errors::host::alarm_without_thread)?;
            queue.has_thread = true;
        }
        queue.count += 1;
        let due = (until, queue.count);
        queue.sleepers.insert(due, waker);
        this.changed.notify_one();
        Ok(due)
    }

    /// Wakes the tasks that are due, and ends once no task has slept for [`IDLE`].
    fn run(&self) {
        let mut queue = self.lock();
        loop {
            let rest = match queue.sleepers.first_key_value() {
                Some((&(until, _), _)) => until.saturating_duration_since(Instant::now()),
                None => IDLE,
            };
            if rest.is_zero() {
                if let Some((_, waker)) = queue.sleepers.pop_first() {
                    drop(queue);
                    // Without the lock, because an executor may run the task in `wake`, and it may
                    // sleep again.
                    waker.wake();
                    queue = self.lock();
                }
                continue;
            }
            let waited = self.changed.wait_timeout(queue, rest);
            let (present, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            queue = present;
            if timeout.timed_out() && queue.sleepers.is_empty() {
                queue.has_thread = false;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::task::Wake;

    use super::*;

    struct WakeSignal(mpsc::Sender<()>);

    impl Wake for WakeSignal {
        fn wake(self: Arc<Self>) {
            // The receiver may be gone.
            let _ = self.0.send(());
        }
    }

    #[test]
    fn a_sleeper_is_woken_and_one_that_gave_up_is_not() {
        let (sender, woken) = mpsc::channel();
        let waker = Waker::from(Arc::new(WakeSignal(sender)));
        let mut context = Context::from_waker(&waker);
        let (mut short, mut long) =
            (pause(Duration::from_millis(1)), pause(Duration::from_secs(3_600)));
        assert!(Pin::new(&mut long).poll(&mut context).is_pending());
        if Pin::new(&mut short).poll(&mut context).is_pending() {
            woken.recv().unwrap();
        }
        assert!(matches!(Pin::new(&mut short).poll(&mut context), Poll::Ready(Ok(()))));
        drop(long);
        let alarm = ALARM.get().unwrap();
        assert!(!alarm.lock().sleepers.values().any(|other| other.will_wake(&waker)));
    }
}
