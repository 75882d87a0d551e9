//! Calls a store from a background thread, so that minting never waits for the store.
//!
//! A scheduler belongs to a store, not to a source: its thread looks after all sources of the
//! store, from one queue ordered by time.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::allocations::{Allocations, Floors};
use crate::error::Result;
use crate::host::rounds::{Rounds, SchedulerLoop};
use crate::host::{Clock, Platform, Spawn};
use crate::panics::caught;

mod admission;

use admission::AdmissionQueue;
pub(crate) use admission::Permit;

/// The rest while only a notification can bring work.
pub(crate) const NOTHING_DUE: Duration = Duration::from_secs(3600);
/// Linux shows only 15 bytes of a thread's name.
const THREAD_NAME: &str = "snowmint-store";
/// The pause of a source after a round that panicked.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// Something that a scheduler looks after.
pub(crate) trait Scheduled: Send + Sync + 'static {
    /// Does the work that is due, and returns the time until more is due.
    fn run_due(self: Arc<Self>) -> Duration;
}

/// Returns true if only the scheduler, which upgraded its weak reference, still holds the source.
pub(crate) fn is_forsaken<S>(kept: &Arc<S>) -> bool {
    Arc::strong_count(kept) == 1
}

/// A store's scheduler in this process.
pub(crate) struct Scheduler {
    /// The range requests of its sources.
    pub(crate) allocations: Allocations,
    queue: Mutex<Queue>,
    notified: Condvar,
    /// The sources that are being opened and not registered yet.
    admission: AdmissionQueue,
    host: Platform,
}

#[derive(Default)]
struct Queue {
    /// The sources that the thread is not with, in the order in which they are due.
    due: BTreeMap<Turn, u64>,
    entries: HashMap<u64, Entry>,
    tasks: VecDeque<Task>,
    /// The last number given to an entry or a turn.
    count: u64,
    has_thread: bool,
    is_notified: bool,
}

struct Entry {
    source: Weak<dyn Scheduled>,
    /// `None` while the thread runs the source's round.
    turn: Option<Turn>,
    /// True if the source was notified during its round, and needs another at once.
    again: bool,
}

/// A boot time in milliseconds, and a number that keeps turns of the same time in order.
type Turn = (i64, u64);

/// Work to be done once, even if its source is gone by then.
type Task = Box<dyn FnOnce() + Send>;

impl Scheduler {
    pub(crate) fn new(floors: Arc<Floors>, host: &Platform) -> Arc<Scheduler> {
        Arc::new(Scheduler {
            allocations: Allocations::above(floors),
            queue: Mutex::default(),
            notified: Condvar::new(),
            admission: AdmissionQueue::default(),
            host: host.clone(),
        })
    }

    /// Looks after `source` until the registration is dropped.
    ///
    /// # Errors
    /// [`Code::NoResource`](crate::Code::NoResource) if the thread cannot be started.
    pub(crate) fn register(self: &Arc<Self>, source: Weak<dyn Scheduled>) -> Result<Registration> {
        let mut queue = self.queue();
        self.ensure_thread(&mut queue)?;
        let number = queue.next();
        queue.entries.insert(number, Entry { source, turn: None, again: false });
        queue.schedule(number, self.host.boot_ms());
        self.wake(&mut queue);
        Ok(Registration { scheduler: Arc::clone(self), number })
    }

    /// Returns the number of sources, including those that are being opened.
    pub(crate) fn sources(&self) -> usize {
        self.queue().entries.len().saturating_add(self.admission.length())
    }

    /// Queues a source that is being opened. Its caller waits for at most `wait` without progress.
    pub(crate) fn admit(&self, wait: Duration) -> Permit<'_> {
        Permit::new(self, wait)
    }

    /// Notes that the store answered a source's request.
    pub(crate) fn note_answer(&self) {
        self.admission.note_answer();
    }

    /// Returns true if a source has been due for more than `by_ms`.
    fn is_behind(&self, by_ms: i64) -> bool {
        let late_ms = self.host.boot_ms().saturating_sub(by_ms);
        let mut queue = self.queue();
        let is_behind =
            queue.due.first_key_value().is_some_and(|(&(due_ms, _), _)| due_ms < late_ms);
        if is_behind && !queue.is_notified {
            // A thread that slept through a suspend of the machine oversleeps unless it is
            // notified.
            self.wake(&mut queue);
        }
        is_behind
    }

    /// Runs `task` once on the scheduler's thread.
    ///
    /// # Errors
    /// As [`register`](Self::register).
    pub(crate) fn send(self: &Arc<Self>, task: Task) -> Result<()> {
        let mut queue = self.queue();
        self.ensure_thread(&mut queue)?;
        queue.tasks.push_back(task);
        self.wake(&mut queue);
        Ok(())
    }

    /// Starts the thread unless it runs. There is one, because each would occupy a connection of the
    /// store.
    fn ensure_thread(self: &Arc<Self>, queue: &mut Queue) -> Result<()> {
        if !queue.has_thread {
            self.host.spawn(THREAD_NAME, SchedulerLoop::new(Arc::<Scheduler>::clone(self)))?;
            queue.has_thread = true;
        }
        Ok(())
    }

    /// Schedules a source again after its round, or removes it if `pause` is `None`.
    fn put_back(&self, number: u64, pause: Option<Duration>) {
        let mut queue = self.queue();
        let Some(pause) = pause else {
            queue.entries.remove(&number);
            return;
        };
        let pause_ms = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
        let now_ms = self.host.boot_ms();
        let Some(entry) = queue.entries.get_mut(&number) else { return };
        let again = std::mem::take(&mut entry.again);
        queue.schedule(number, if again { now_ms } else { now_ms.saturating_add(pause_ms) });
    }

    fn wake(&self, queue: &mut Queue) {
        queue.is_notified = true;
        self.notified.notify_one();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rounds for Scheduler {
    fn round(&self) -> Option<Duration> {
        let mut queue = self.queue();
        // Cleared before the round, so that a notification during the round is not lost.
        queue.is_notified = false;
        if let Some(task) = queue.tasks.pop_front() {
            drop(queue);
            // A task that panics is not repeated: a lease that it should have released expires.
            caught(task).ok();
            self.allocations.reports.deliver();
            return Some(Duration::ZERO);
        }
        let Some((&(due_ms, _), &number)) = queue.due.first_key_value() else {
            if queue.entries.is_empty() {
                queue.has_thread = false;
                return None;
            }
            return Some(NOTHING_DUE);
        };
        let early_ms = due_ms.saturating_sub(self.host.boot_ms());
        if early_ms > 0 {
            return Some(Duration::from_millis(early_ms.unsigned_abs()));
        }
        queue.due.pop_first();
        let due = queue.entries.get_mut(&number).and_then(|entry| {
            entry.turn = None;
            entry.source.upgrade()
        });
        drop(queue);
        let pause = due.map(|entry| caught(|| entry.run_due()).unwrap_or(AFTER_PANIC));
        self.put_back(number, pause);
        self.allocations.reports.deliver();
        Some(Duration::ZERO)
    }

    fn rest(&self, at_most: Duration) {
        let queue = self.queue();
        let rested = self.notified.wait_timeout_while(queue, at_most, |queue| !queue.is_notified);
        drop(rested.unwrap_or_else(PoisonError::into_inner));
    }

    fn is_notified(&self) -> bool {
        self.queue().is_notified
    }
}

impl Queue {
    fn next(&mut self) -> u64 {
        self.count = self.count.wrapping_add(1);
        self.count
    }

    /// Gives an entry a turn, in place of any turn it had.
    fn schedule(&mut self, number: u64, due_ms: i64) {
        let turn = (due_ms, self.next());
        let Some(entry) = self.entries.get_mut(&number) else { return };
        if let Some(before) = entry.turn.replace(turn) {
            self.due.remove(&before);
        }
        self.due.insert(turn, number);
    }
}

impl fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scheduler").finish_non_exhaustive()
    }
}

/// A source's place in the queue of a scheduler, until dropped.
pub(crate) struct Registration {
    scheduler: Arc<Scheduler>,
    number: u64,
}

impl Registration {
    pub(crate) fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Makes the source due now.
    pub(crate) fn notify(&self) {
        let mut queue = self.scheduler.queue();
        let now_ms = self.scheduler.host.boot_ms();
        let Some(entry) = queue.entries.get_mut(&self.number) else { return };
        match entry.turn {
            // A thread that slept through a suspend of the machine oversleeps unless it is
            // notified.
            Some((due_ms, _)) if due_ms <= now_ms => {
                if queue.is_notified {
                    return;
                }
            }
            Some(_) => queue.schedule(self.number, now_ms),
            None => entry.again = true,
        }
        self.scheduler.wake(&mut queue);
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut queue = self.scheduler.queue();
        if let Some(Entry { turn: Some(turn), .. }) = queue.entries.remove(&self.number) {
            queue.due.remove(&turn);
        }
        if queue.entries.is_empty() {
            // The thread wakes up, finds no sources, and ends.
            self.scheduler.wake(&mut queue);
        }
    }
}
