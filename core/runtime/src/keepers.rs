//! The threads beside a store that call it, so that minting never does.
//!
//! Keepers belong to a store and not to its sources: a pool of as many threads as the store has
//! connections looks after all of them, from one queue ordered by time.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::allocations::{Allocations, Floors};
use crate::error::Result;
use crate::host::keeper::{Keeper, Rounds};
use crate::host::process::PerProcess;
use crate::host::{Clock, Platform, Spawn};
use crate::panics::caught;

mod line;

use line::Line;
pub(crate) use line::Opening;

/// A rest for when only a ring can bring work.
pub(crate) const NOTHING_DUE: Duration = Duration::from_secs(3600);
/// A store's connections in one process, and so its threads.
const THREADS_MAX: usize = 1;
/// A source whose round ended in a panic has the next one after this.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// Something that a keeper looks after.
pub(crate) trait Kept: Send + Sync + 'static {
    /// Does what is due, and says how long nothing will be.
    fn keep(self: Arc<Self>) -> Duration;
}

/// Whether nobody has it any more but the keeper that is with it.
pub(crate) fn is_forsaken<S>(kept: &Arc<S>) -> bool {
    Arc::strong_count(kept) == 1
}

/// A store's keepers in this process.
pub(crate) struct Pool {
    /// What its sources want of it.
    pub(crate) allocations: Allocations,
    queue: Mutex<Queue>,
    rung: Condvar,
    /// Those that are being opened, and do not have a keeper yet.
    line: Line,
    name: &'static str,
    host: Platform,
}

/// What there is of a store in this process. It holds the store's place in memory: as long as it is
/// known, no other store can have its address, by which it is found.
struct Known {
    store: Box<dyn Place>,
    pool: Weak<Pool>,
    floors: Arc<Floors>,
}

trait Place: Send + Sync {
    /// Whether anybody still has what is there.
    fn is_there(&self) -> bool;
}

impl<S: Send + Sync + ?Sized> Place for Weak<S> {
    fn is_there(&self) -> bool {
        self.strong_count() > 0
    }
}

#[derive(Default)]
struct Queue {
    /// Who is due when, in boot time, first come first served: those that no thread is with.
    due: BTreeMap<Turn, u64>,
    entries: HashMap<u64, Entry>,
    errands: VecDeque<Errand>,
    /// Of turns and numbers.
    count: u64,
    threads: usize,
    is_rung: bool,
}

struct Entry {
    kept: Weak<dyn Kept>,
    /// `None` while a thread is with it.
    turn: Option<Turn>,
    /// Rung for while a thread is with it.
    again: bool,
}

/// When in boot time, and the how manieth.
type Turn = (i64, u64);

/// Something to be done once, whoever is still there.
type Errand = Box<dyn FnOnce() + Send>;

impl Pool {
    /// The keepers of a store.
    pub(crate) fn of<S>(store: &Arc<S>, name: &'static str, host: &Platform) -> Arc<Pool>
    where
        S: Send + Sync + ?Sized + 'static,
    {
        static KNOWN: PerProcess<Mutex<HashMap<usize, Known>>> = PerProcess::new();
        let known = KNOWN.get_or_init(Mutex::default);
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, known| known.store.is_there());
        let known = known.entry(Arc::as_ptr(store).addr()).or_insert_with(|| Known {
            store: Box::new(Arc::downgrade(store)),
            pool: Weak::new(),
            floors: Floors::of(store),
        });
        known.pool.upgrade().unwrap_or_else(|| {
            let pool = Pool::new(Arc::clone(&known.floors), name, host);
            known.pool = Arc::downgrade(&pool);
            pool
        })
    }

    fn new(floors: Arc<Floors>, name: &'static str, host: &Platform) -> Arc<Pool> {
        Arc::new(Pool {
            allocations: Allocations::above(floors),
            queue: Mutex::default(),
            rung: Condvar::new(),
            line: Line::default(),
            name,
            host: host.clone(),
        })
    }

    /// Looks after `kept` from now on, until the ticket is dropped.
    ///
    /// # Errors
    /// [`Code::NoResource`](crate::Code::NoResource) if no thread can be had and none is there.
    pub(crate) fn enter(self: &Arc<Self>, kept: Weak<dyn Kept>) -> Result<Ticket> {
        let mut queue = self.queue();
        self.staff(&mut queue)?;
        let number = queue.next();
        queue.entries.insert(number, Entry { kept, turn: None, again: false });
        queue.line_up(number, self.host.boot_ms());
        self.wake(&mut queue);
        Ok(Ticket { pool: Arc::clone(self), number })
    }

    /// How many they look after, and how many are to come at once.
    pub(crate) fn sources(&self) -> usize {
        self.queue().entries.len().saturating_add(self.line.length())
    }

    /// Has a source that is to be opened stand in line, for as long as its caller waits at least.
    pub(crate) fn opening(&self, wait: Duration) -> Opening<'_> {
        Opening::of(self, wait)
    }

    /// Notes that the store gave a source what it was asked for.
    pub(crate) fn note_answer(&self) {
        self.line.note_answer();
    }

    /// Whether a source has been due for longer than that.
    fn is_behind(&self, by_ms: i64) -> bool {
        let late_ms = self.host.boot_ms().saturating_sub(by_ms);
        let mut queue = self.queue();
        let is_behind =
            queue.due.first_key_value().is_some_and(|(&(due_ms, _), _)| due_ms < late_ms);
        if is_behind && !queue.is_rung {
            // A thread that sleeps through a suspend of the machine sleeps on.
            self.wake(&mut queue);
        }
        is_behind
    }

    /// Has something done once by a keeper.
    ///
    /// # Errors
    /// As [`enter`](Self::enter).
    pub(crate) fn send(self: &Arc<Self>, errand: Errand) -> Result<()> {
        let mut queue = self.queue();
        self.staff(&mut queue)?;
        queue.errands.push_back(errand);
        self.wake(&mut queue);
        Ok(())
    }

    /// Starts a thread where there may be one more than there are. One is enough to go on.
    fn staff(self: &Arc<Self>, queue: &mut Queue) -> Result<()> {
        let wanted = THREADS_MAX.min(queue.entries.len().saturating_add(1));
        if queue.threads >= wanted {
            return Ok(());
        }
        match self.host.spawn(self.name, Keeper::of(Arc::<Pool>::clone(self))) {
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
        queue.line_up(number, if again { now_ms } else { now_ms.saturating_add(pause_ms) });
    }

    fn wake(&self, queue: &mut Queue) {
        queue.is_rung = true;
        self.rung.notify_one();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rounds for Pool {
    fn round(&self) -> Option<Duration> {
        let mut queue = self.queue();
        // Before the round: what it does not see any more rings again.
        queue.is_rung = false;
        if let Some(errand) = queue.errands.pop_front() {
            drop(queue);
            // What it leaves undone, leases do by themselves.
            caught(errand).ok();
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
        let kept = queue.entries.get_mut(&number).and_then(|entry| {
            entry.turn = None;
            entry.kept.upgrade()
        });
        drop(queue);
        let pause = kept.map(|kept| caught(|| kept.keep()).unwrap_or(AFTER_PANIC));
        self.put_back(number, pause);
        self.allocations.reports.deliver();
        Some(Duration::ZERO)
    }

    fn rest(&self, at_most: Duration) {
        let queue = self.queue();
        let rested = self.rung.wait_timeout_while(queue, at_most, |queue| !queue.is_rung);
        drop(rested.unwrap_or_else(PoisonError::into_inner));
    }

    fn is_rung(&self) -> bool {
        self.queue().is_rung
    }
}

impl Queue {
    fn next(&mut self) -> u64 {
        self.count = self.count.wrapping_add(1);
        self.count
    }

    /// Gives an entry its turn, in place of the one it had.
    fn line_up(&mut self, number: u64, due_ms: i64) {
        let turn = (due_ms, self.next());
        let Some(entry) = self.entries.get_mut(&number) else { return };
        if let Some(before) = entry.turn.replace(turn) {
            self.due.remove(&before);
        }
        self.due.insert(turn, number);
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A place in a store's queue.
pub(crate) struct Ticket {
    pool: Arc<Pool>,
    number: u64,
}

impl Ticket {
    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Has a round done at once.
    pub(crate) fn ring(&self) {
        let mut queue = self.pool.queue();
        let now_ms = self.pool.host.boot_ms();
        let Some(entry) = queue.entries.get_mut(&self.number) else { return };
        match entry.turn {
            // A thread that sleeps through a suspend of the machine sleeps on: it has to be rung.
            Some((due_ms, _)) if due_ms <= now_ms => {
                if queue.is_rung {
                    return;
                }
            }
            Some(_) => queue.line_up(self.number, now_ms),
            None => entry.again = true,
        }
        self.pool.wake(&mut queue);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut queue = self.pool.queue();
        if let Some(Entry { turn: Some(turn), .. }) = queue.entries.remove(&self.number) {
            queue.due.remove(&turn);
        }
        if queue.entries.is_empty() {
            // The threads have nothing left to do, and end.
            queue.is_rung = true;
            self.pool.rung.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Tag;

    #[test]
    fn what_is_known_of_a_store_outlives_its_keepers() {
        let (store, orders) = (Arc::new(()), Tag::new("orders").unwrap());
        let floor = |store| {
            let pool = Pool::of(store, "test", &Platform::System);
            pool.allocations.floor(&orders)
        };
        Pool::of(&store, "test", &Platform::System).allocations.raise_floor(&orders, 100);
        assert_eq!(floor(&store), 100, "its keepers are gone");
        assert_eq!(floor(&Arc::new(())), 0, "another store");
    }
}
