//! Simulated time, and the coroutines that wait in it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use generator::{Generator, Gn};
use snowmint::SchedulerLoop;

use crate::disk::Drives;
use crate::history::History;
use crate::laws::Laws;
use crate::machine::Clocks;
use crate::network::Server;
use crate::random::Random;
use crate::scenario::Scenario;
use crate::work;

/// True time at the start of each history, in Unix milliseconds.
pub const START_MS: i64 = 1_790_000_000_000;
/// The stack of a coroutine in words, enough for the runtime and a message's formatting in a debug
/// build.
const STACK_WORDS: usize = 0x8000;
/// A pause that follows another one so soon counts as the same, because a process may have read a
/// clock before both.
const AT_ONCE_US: i64 = 1_000;

/// A process: its node, and the count of earlier processes on that node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Home {
    /// The index of the node.
    pub node: usize,
    /// The count of earlier processes on the node.
    pub life: u32,
}

/// A machine that runs one process at a time.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) clocks: Clocks,
    /// The number of the present process; earlier ones are dead.
    pub(crate) life: u32,
    /// Between these moments none of its tasks takes a step.
    pub(crate) frozen_from_us: i64,
    pub(crate) frozen_until_us: i64,
    /// The task that stopped, with the whole node, while reading a clock. It may hold locks, so it
    /// goes on first.
    frozen_by: Option<TaskId>,
    /// The time that the node has stood still so far.
    pub(crate) frozen_us: i64,
    /// True while one of its schedulers is in a round.
    pub(crate) keeps: bool,
    /// The end of the last thing that went wrong for it.
    pub(crate) trouble_until_us: i64,
    /// The random numbers of its process if all are twins: the same in each life of each node.
    pub(crate) twins_random: Random,
}

impl Node {
    /// Postpones what its clocks did in or just before a pause to the end of the pause.
    pub(crate) fn see_clocks(&mut self, now_us: i64) {
        if self.frozen_until_us > now_us {
            self.clocks.stand_still(now_us, self.frozen_until_us);
        }
    }
}

impl Node {
    /// Returns true if nothing new has gone wrong since a moment.
    pub(crate) fn is_calm_since(&self, us: i64) -> bool {
        self.trouble_until_us <= us
    }
}

type TaskId = usize;
type Job = Box<dyn FnOnce() + Send>;

#[derive(Debug)]
struct Task {
    home: Option<Home>,
    /// The present entry in the queue; others are stale.
    registration: u64,
}

/// The whole state of the simulation.
pub(crate) struct State {
    /// True time since the start.
    pub(crate) now_us: i64,
    pub(crate) random: Random,
    pub(crate) scenario: &'static Scenario,
    pub(crate) setup: Arc<work::Setup>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) server: Server,
    pub(crate) drives: Drives,
    pub(crate) history: History,
    pub(crate) laws: Laws,
    /// True once the history has ended. Tasks that still run end without effect.
    pub(crate) is_over: bool,
    tasks: Vec<Task>,
    queue: BinaryHeap<Reverse<(i64, u64, TaskId)>>,
    registrations: u64,
    present: TaskId,
    jobs: Vec<(TaskId, Job)>,
    resting: Vec<(TaskId, Home, Arc<Mutex<SchedulerLoop>>)>,
    /// Sources of dead processes. Dropping one waits for the mark, which a scheduler may hold.
    pub(crate) left_behind: Vec<work::Minting>,
}

impl State {
    /// Returns true if a process still runs.
    pub(crate) fn is_alive(&self, home: Home) -> bool {
        !self.is_over && self.nodes[home.node].life == home.life
    }

    /// Returns true if the present task's process runs, or if it has none.
    fn is_present_alive(&self) -> bool {
        match self.tasks[self.present].home {
            Some(home) => self.is_alive(home),
            None => !self.is_over,
        }
    }

    fn enqueue(&mut self, at_us: i64, task: TaskId) {
        self.registrations += 1;
        self.tasks[task].registration = self.registrations;
        self.queue.push(Reverse((at_us, self.registrations, task)));
    }

    /// Starts a task at a moment.
    pub(crate) fn start(&mut self, after_us: i64, home: Option<Home>, job: Job) {
        let task = self.tasks.len();
        self.tasks.push(Task { home, registration: 0 });
        self.enqueue(self.now_us + after_us, task);
        self.jobs.push((task, job));
    }

    /// Stops a node for a while, unless it already stands still.
    pub(crate) fn freeze(&mut self, node: usize, us: i64) -> bool {
        let now_us = self.now_us;
        let node = &mut self.nodes[node];
        if node.frozen_by.is_some() || node.frozen_until_us > now_us {
            return false;
        }
        if now_us > node.frozen_until_us + AT_ONCE_US {
            node.frozen_from_us = now_us;
        }
        node.frozen_until_us = now_us + us;
        node.see_clocks(now_us);
        node.frozen_us += us;
        node.trouble_until_us = node.trouble_until_us.max(now_us + us);
        true
    }

    /// Ends a node's process, whatever it is doing. Returns false if it stands still while reading
    /// a clock: it may hold locks that later tasks wait for.
    pub(crate) fn kill(&mut self, node: usize) -> bool {
        let dying = &mut self.nodes[node];
        if dying.frozen_by.is_some() {
            return false;
        }
        dying.life += 1;
        (dying.frozen_from_us, dying.frozen_until_us) = (0, 0);
        dying.keeps = false;
        dying.twins_random = Random::default();
        true
    }

    /// Returns true if a node has another layout than the others.
    pub(crate) fn has_other_layout(&self, node: usize) -> bool {
        self.scenario.two_layouts && node + 1 == self.nodes.len()
    }

    pub(crate) fn trouble(&mut self, node: usize, until_us: i64) {
        let until = &mut self.nodes[node].trouble_until_us;
        *until = (*until).max(until_us);
    }

    pub(crate) fn trouble_for_all(&mut self, until_us: i64) {
        for node in 0..self.nodes.len() {
            self.trouble(node, until_us);
        }
    }

    /// Returns the next task, and moves time on to it.
    fn next(&mut self) -> Option<TaskId> {
        loop {
            let Reverse((at_us, registration, task)) = self.queue.pop()?;
            if self.tasks[task].registration != registration {
                continue;
            }
            if at_us > self.scenario.seconds * 1_000_000 && !self.is_over {
                self.end(task);
                continue;
            }
            if self.is_over {
                self.thaw(task);
                return Some(task);
            }
            self.now_us = self.now_us.max(at_us);
            if let Some(home) = self.tasks[task].home.filter(|home| self.is_alive(*home)) {
                let node = &mut self.nodes[home.node];
                if node.frozen_by == Some(task) {
                    node.frozen_by = None;
                } else if node.frozen_until_us >= self.now_us {
                    let thawed_us = node.frozen_until_us + 1;
                    self.enqueue(thawed_us, task);
                    continue;
                }
            }
            return Some(task);
        }
    }

    /// Lets all tasks end, first those that may hold locks.
    fn end(&mut self, next: TaskId) {
        self.is_over = true;
        let frozen: Vec<_> = self.nodes.iter().filter_map(|it| it.frozen_by).collect();
        for task in frozen.into_iter().filter(|task| *task != next).chain([next]) {
            self.enqueue(i64::MIN, task);
        }
    }

    /// Lets a task go on that stopped while reading a clock.
    fn thaw(&mut self, task: TaskId) {
        for node in self.nodes.iter_mut().filter(|node| node.frozen_by == Some(task)) {
            node.frozen_by = None;
        }
    }

    /// Wakes the schedulers that the present task notified. Those of a node that stopped while
    /// reading a clock wake later, because the reader may hold a lock of theirs.
    fn hear_bells(&mut self) {
        let mut resting = std::mem::take(&mut self.resting);
        resting.retain(|(task, home, scheduler)| {
            if self.nodes[home.node].frozen_by.is_some() {
                return true;
            }
            let is_notified =
                scheduler.lock().unwrap_or_else(PoisonError::into_inner).is_notified();
            if is_notified || !self.is_alive(*home) {
                let delay_us = self.random.below(200) as i64;
                self.enqueue(self.now_us + delay_us, *task);
                return false;
            }
            true
        });
        self.resting = resting;
    }
}

/// The handle through which all simulated parts reach each other.
#[derive(Clone)]
pub struct World(Arc<Mutex<State>>);

impl World {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if the present task should go on.
    pub(crate) fn goes_on(&self) -> bool {
        self.lock().is_present_alive()
    }

    /// Waits. Returns false if the process is dead; then its actions have no effect, and its waits
    /// take no time.
    pub(crate) fn wait_us(&self, us: i64) -> bool {
        {
            let mut state = self.lock();
            if !state.is_present_alive() {
                return false;
            }
            let (at_us, present) = (state.now_us + us.max(0), state.present);
            state.enqueue(at_us, present);
        }
        stop_here();
        self.goes_on()
    }

    /// Waits inside the runtime, where the scenario may let the process die.
    pub(crate) fn wait_in_runtime_us(&self, us: i64) -> bool {
        {
            let mut state = self.lock();
            let home = state.tasks[state.present].home.filter(|home| state.is_alive(*home));
            let crash = state.scenario.crash;
            if let Some(home) = home.filter(|_| state.random.chance(crash)) {
                work::die(self, &mut state, home.node, "crash in a call");
            }
        }
        self.wait_us(us)
    }

    /// Makes the whole node stand still while it reads a clock.
    pub(crate) fn stand_still(&self, home: Home, us: i64) {
        let stops = {
            let mut state = self.lock();
            let stops = state.is_alive(home) && state.freeze(home.node, us);
            if stops {
                let (now_us, present) = (state.now_us, state.present);
                state.nodes[home.node].frozen_by = Some(present);
                state.laws.stood_still(home, now_us, us);
                state.history.fault(now_us, "pause", format_args!("n{}, {us} us", home.node));
            }
            stops
        };
        if stops {
            self.wait_us(us);
        }
    }

    /// Delays the present thread, which must hold no lock.
    pub(crate) fn delay_thread(&self, home: Home, us: i64) {
        {
            let mut state = self.lock();
            let now_us = state.now_us;
            state.nodes[home.node].frozen_us += us;
            state.history.fault(now_us, "thread delay", format_args!("n{}, {us} us", home.node));
        }
        self.wait_us(us);
    }

    /// Runs a scheduler's rounds while its process lives.
    pub(crate) fn keep(&self, home: Home, scheduler: SchedulerLoop) {
        let scheduler = Arc::new(Mutex::new(scheduler));
        while self.goes_on() {
            self.lock().nodes[home.node].keeps = true;
            let mut kept = scheduler.lock().unwrap_or_else(PoisonError::into_inner);
            let round = catch_unwind(AssertUnwindSafe(|| kept.round()));
            drop(kept);
            // A scheduler that panics ends, as its thread would.
            let Ok(Some(pause)) = round else { break };
            {
                let mut state = self.lock();
                if !state.is_alive(home) {
                    break;
                }
                state.nodes[home.node].keeps = false;
                let present = state.present;
                state.resting.push((present, home, Arc::clone(&scheduler)));
            }
            self.wait_us(micros(pause));
            let mut state = self.lock();
            let present = state.present;
            state.resting.retain(|(task, ..)| *task != present);
        }
    }
}

/// Yields to the simulator until it resumes this coroutine.
#[expect(deprecated, reason = "the newer form needs a handle, which the runtime cannot pass on")]
fn stop_here() {
    generator::yield_with(());
}

/// Converts to simulated microseconds, at most a day.
pub(crate) fn micros(duration: Duration) -> i64 {
    duration.as_micros().min(86_400_000_000) as i64
}

/// Runs the history of a seed, with its text if `is_told`.
pub fn run(scenario: &'static Scenario, seed: u64, is_told: bool) -> History {
    let mut random = Random::new(seed ^ hash_of(scenario.name));
    let nodes = (0..scenario.nodes)
        .map(|_| Node { clocks: Clocks::of(&mut random, scenario), ..Node::default() })
        .collect();
    let setup = work::Setup::of(&mut random, scenario);
    let world = World(Arc::new(Mutex::new(State {
        now_us: 0,
        random,
        scenario,
        nodes,
        server: Server::new(),
        drives: Drives::default(),
        history: History::new(is_told),
        laws: Laws::new(scenario, &setup),
        setup: Arc::new(setup),
        is_over: false,
        tasks: Vec::new(),
        queue: BinaryHeap::new(),
        registrations: 0,
        present: 0,
        jobs: Vec::new(),
        resting: Vec::new(),
        left_behind: Vec::new(),
    })));
    work::begin(&world);
    turn(&world);
    let left_behind = std::mem::take(&mut world.lock().left_behind);
    drop(left_behind);
    // Jobs that never ran hold the world, and the world holds them.
    let unborn = std::mem::take(&mut world.lock().jobs);
    drop(unborn);
    let mut state = world.lock();
    let State { history, laws, .. } = &mut *state;
    laws.close(history);
    std::mem::replace(history, History::new(false))
}

/// Runs tasks until none is left.
fn turn(world: &World) {
    let mut coroutines: Vec<Option<Generator<'static, (), ()>>> = Vec::new();
    loop {
        let mut state = world.lock();
        for (task, job) in state.jobs.drain(..) {
            coroutines.resize_with(task + 1, || None);
            coroutines[task] = Some(Gn::<()>::new_opt(STACK_WORDS, job));
        }
        let Some(task) = state.next() else { break };
        state.present = task;
        drop(state);
        let Some(coroutine) = &mut coroutines[task] else { continue };
        coroutine.resume();
        if coroutine.is_done() {
            coroutines[task] = None;
        }
        world.lock().hear_bells();
    }
}

/// FNV-1a, so that scenarios do not share the streams of their seeds.
fn hash_of(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
