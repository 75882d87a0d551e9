//! The threads beside a store that call it, so that minting never does.
//!
//! A scheduler belongs to a store and not to its sources: as many threads as the store has connections
//! look after all of them, from one queue ordered by time.

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

/// A rest for when only a notice can bring work.
pub(crate) const NOTHING_DUE: Duration = Duration::from_secs(3600);
/// A store's connections in one process, and so its threads.
const THREADS_MAX: usize = 1;
/// Linux shows 15 bytes of it.
const THREAD_NAME: &str = "snowmint-store";
/// A source whose round ended in a panic has the next one after this.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// Something that a scheduler looks after.
pub(crate) trait Scheduled: Send + Sync + 'static {
    /// Does what is due, and says how long nothing will be.
    fn run_due(self: Arc<Self>) -> Duration;
}

/// Whether nobody has it any more but the scheduler that is with it.
pub(crate) fn is_forsaken<S>(kept: &Arc<S>) -> bool {
    Arc::strong_count(kept) == 1
}

/// A store's scheduler in this process.
pub(crate) struct Scheduler {
    /// What its sources want of it.
    pub(crate) allocations: Allocations,
    queue: Mutex<Queue>,
    notified: Condvar,
    /// Those that are being opened, and do not have a scheduler yet.
    admission: AdmissionQueue,
    host: Platform,
}

#[derive(Default)]
struct Queue {
    /// Who is due when, in boot time, first come first served: those that no thread is with.
    due: BTreeMap<Turn, u64>,
    entries: HashMap<u64, Entry>,
    tasks: VecDeque<Task>,
    /// Of turns and numbers.
    count: u64,
    threads: usize,
    is_notified: bool,
}

struct Entry {
    source: Weak<dyn Scheduled>,
    /// `None` while a thread is with it.
    turn: Option<Turn>,
    /// Notified while a thread is with it.
    again: bool,
}

/// When in boot time, and the how manieth.
type Turn = (i64, u64);

/// Something to be done once, whoever is still there.
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

    /// Looks after `source` from now on, until the registration is dropped.
    ///
    /// # Errors
    /// [`Code::NoResource`](crate::Code::NoResource) if no thread can be had and none is there.
    pub(crate) fn register(self: &Arc<Self>, source: Weak<dyn Scheduled>) -> Result<Registration> {
        let mut queue = self.queue();
        self.ensure_thread(&mut queue)?;
        let number = queue.next();
        queue.entries.insert(number, Entry { source, turn: None, again: false });
        queue.schedule(number, self.host.boot_ms());
        self.wake(&mut queue);
        Ok(Registration { scheduler: Arc::clone(self), number })
    }

    /// How many they look after, and how many are to come at once.
    pub(crate) fn sources(&self) -> usize {
        self.queue().entries.len().saturating_add(self.admission.length())
    }

    /// Has a source that is to be opened stand in line, for as long as its caller waits at least.
    pub(crate) fn admit(&self, wait: Duration) -> Permit<'_> {
        Permit::new(self, wait)
    }

    /// Notes that the store gave a source what it was asked for.
    pub(crate) fn note_answer(&self) {
        self.admission.note_answer();
    }

    /// Whether a source has been due for longer than that.
    fn is_behind(&self, by_ms: i64) -> bool {
        let late_ms = self.host.boot_ms().saturating_sub(by_ms);
        let mut queue = self.queue();
        let is_behind =
            queue.due.first_key_value().is_some_and(|(&(due_ms, _), _)| due_ms < late_ms);
        if is_behind && !queue.is_notified {
            // A thread that sleeps through a suspend of the machine sleeps on.
            self.wake(&mut queue);
        }
        is_behind
    }

    /// Has something done once by a scheduler.
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

    /// Starts a thread where there may be one more than there are. One is enough to go on.
    fn ensure_thread(self: &Arc<Self>, queue: &mut Queue) -> Result<()> {
        let wanted = THREADS_MAX.min(queue.entries.len().saturating_add(1));
        if queue.threads >= wanted {
            return Ok(());
        }
        match self.host.spawn(THREAD_NAME, SchedulerLoop::new(Arc::<Scheduler>::clone(self))) {
            Ok(()) => queue.threads = queue.threads.saturating_add(1),
            Err(error) if queue.threads == 0 => return Err(error),
            Err(_) => {}
        }
        Ok(())
    }

    /// After its round; without a pause it is gone.
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
        // Before the round: what it does not see any more notifies again.
        queue.is_notified = false;
        if let Some(task) = queue.tasks.pop_front() {
            drop(queue);
            // What it leaves undone, leases do by themselves.
            caught(task).ok();
            self.allocations.reports.deliver();
            return Some(Duration::ZERO);
        }
        let Some((&(due_ms, _), &number)) = queue.due.first_key_value() else {
            if queue.entries.is_empty() {
                queue.threads = queue.threads.saturating_sub(1);
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

    /// Gives an entry its turn, in place of the one it had.
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

/// A place in a store's queue.
pub(crate) struct Registration {
    scheduler: Arc<Scheduler>,
    number: u64,
}

impl Registration {
    pub(crate) fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    /// Has a round done at once.
    pub(crate) fn notify(&self) {
        let mut queue = self.scheduler.queue();
        let now_ms = self.scheduler.host.boot_ms();
        let Some(entry) = queue.entries.get_mut(&self.number) else { return };
        match entry.turn {
            // A thread that sleeps through a suspend of the machine sleeps on: it has to be notified.
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
            // The threads have nothing left to do, and end.
            queue.is_notified = true;
            self.scheduler.notified.notify_all();
        }
    }
}
