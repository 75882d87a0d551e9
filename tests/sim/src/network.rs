//! The store behind a network that loses, delays and repeats messages.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use snowmint::engine::Code;
use snowmint::{
    Allocation, AllocationRequest, Call, Clock, Error, Lease, LeaseRequest, MemoryStore, Result,
    SegmentAdmin, SegmentStore, Tag, TagOptions, TagRow, Token, WorkerStore, allocate_one,
};

use crate::world::{Home, START_MS, State, World};

/// The runtime's store in memory, on a clock of its own, with a log of all requests.
pub struct Server {
    store: MemoryStore,
    clock: StoreClock,
    log: Vec<(i64, Op)>,
    /// The number of times that the store was begun anew.
    begun: u32,
    /// The store's time minus true time.
    pub(crate) offset_us: i64,
    /// The furthest that the store's clock was ahead, and behind.
    pub(crate) ahead_us: i64,
    pub(crate) behind_us: i64,
    /// True if the store's clock never stepped.
    pub(crate) is_steady: bool,
    pub(crate) down_until_us: i64,
    /// Calls under way fail when this changes.
    pub(crate) restarts: u64,
}

#[derive(Clone, Default)]
struct StoreClock(Arc<AtomicI64>);

impl Clock for StoreClock {
    fn coarse_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }

    fn now_ns(&self) -> i64 {
        self.0.load(Ordering::Relaxed).saturating_mul(1_000_000)
    }

    fn boot_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Op {
    Acquire(LeaseRequest, Token),
    Renew(Lease, Token, u32),
    Release(Lease),
    Create(Tag, TagOptions),
    Look(Tag),
    Allocate(Tag, Option<u64>),
}

/// An answer of the store.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Lease(Lease),
    Range(Tag, Allocation),
    Row(Option<TagRow>),
    Done,
}

impl Server {
    pub(crate) fn new() -> Server {
        let clock = StoreClock::default();
        Server {
            store: begun(&clock, 0),
            clock,
            log: Vec::new(),
            begun: 0,
            offset_us: 0,
            ahead_us: 0,
            behind_us: 0,
            is_steady: true,
            down_until_us: 0,
            restarts: 0,
        }
    }

    /// Carries out a request now.
    pub(crate) fn execute(&mut self, now_us: i64, op: Op) -> Result<Answer> {
        let store_ms = START_MS + (now_us + self.offset_us).div_euclid(1_000);
        let answer = self.apply(store_ms, &op);
        self.log.push((store_ms, op));
        answer
    }

    fn apply(&self, store_ms: i64, op: &Op) -> Result<Answer> {
        self.clock.0.store(store_ms, Ordering::Relaxed);
        match op {
            Op::Acquire(request, token) => {
                self.store.acquire(request, &call(*token)).map(Answer::Lease)
            }
            Op::Renew(lease, next, reserve_ms) => {
                self.store.renew(lease, *reserve_ms, &call(*next)).map(Answer::Lease)
            }
            Op::Release(lease) => {
                self.store.release(lease, &call(lease.token)).map(|()| Answer::Done)
            }
            Op::Create(tag, options) => self.store.create_tag(tag, *options).map(|()| Answer::Done),
            Op::Look(tag) => self.store.tag(tag).map(Answer::Row),
            Op::Allocate(tag, count) => {
                let allocated = allocate_one(&self.store, tag, *count);
                allocated.map(|allocation| Answer::Range(tag.clone(), allocation))
            }
        }
    }

    /// Loses everything, and begins anew as another key space.
    pub(crate) fn begin_anew(&mut self) {
        self.log.clear();
        self.begun += 1;
        self.store = begun(&self.clock, self.begun);
    }

    pub(crate) fn step(&mut self, by_us: i64) {
        (self.offset_us, self.is_steady) = (self.offset_us + by_us, false);
        self.ahead_us = self.ahead_us.max(self.offset_us);
        self.behind_us = self.behind_us.max(-self.offset_us);
    }

    /// Goes back by `requests` requests, and returns how many were forgotten.
    pub(crate) fn restore(&mut self, requests: usize) -> usize {
        // Every copy keeps the tags.
        let tags = self.log.iter().take_while(|(_, op)| matches!(op, Op::Create(..))).count();
        let kept = self.log.len().saturating_sub(requests).max(tags);
        let forgotten = self.log.len() - kept;
        self.log.truncate(kept);
        self.store = begun(&self.clock, self.begun);
        for (store_ms, op) in &self.log {
            // Requests that failed then fail again.
            drop(self.apply(*store_ms, op));
        }
        forgotten
    }
}

/// Creates an empty store of the key space with this number.
fn begun(clock: &StoreClock, number: u32) -> MemoryStore {
    let id = format!("{number:032x}").parse().expect("32 digits are a key space");
    MemoryStore::with_clock(clock.clone()).in_key_space(id)
}

/// The fate of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Arrives,
    RequestLost,
    AnswerLost,
    Late,
}

/// A process's connection to the store.
#[derive(Clone)]
pub struct Network {
    world: World,
    home: Home,
    /// The tag that it asks for.
    tag: usize,
}

impl Network {
    /// Creates the connection of a process.
    pub(crate) fn new(world: World, home: Home, tag: usize) -> Network {
        Network { world, home, tag }
    }

    fn call(&self, op: Op) -> Result<Answer> {
        let asked_us = self.ask(&op);
        let (fate, [out_us, back_us, patience_us]) = self.draw();
        self.world.wait_in_runtime_us(out_us);
        self.may_panic();
        let arrived = self.arrive(fate, op);
        let (answer, restarts) = match arrived {
            Ok(answered) => answered,
            Err(error) => {
                let wait_us = if fate == Fate::Arrives { back_us } else { patience_us };
                self.world.wait_in_runtime_us(wait_us);
                return Err(error);
            }
        };
        self.world.wait_in_runtime_us(back_us);
        let mut state = self.world.lock();
        if !state.is_alive(self.home) {
            return Err(unknown());
        }
        if state.server.restarts != restarts {
            return Err(unknown());
        }
        if let Ok(answer) = &answer {
            let node = &state.nodes[self.home.node];
            // A pause just before may have begun after the runtime looked at its clock.
            let is_sure = node.frozen_until_us < asked_us - 10;
            let since_us = if is_sure { asked_us } else { node.frozen_from_us.min(asked_us) };
            let (now_us, round_trip_us) = (state.now_us, state.now_us - since_us);
            state.laws.acknowledged(self.home, now_us, answer, self.tag, round_trip_us);
        }
        answer
    }

    /// Notes a question and its time. A dead process is not checked, because none of its waits
    /// takes time.
    fn ask(&self, op: &Op) -> i64 {
        let mut state = self.world.lock();
        let is_alive = state.is_alive(self.home);
        let State { laws, history, now_us, .. } = &mut *state;
        if is_alive && matches!(op, Op::Renew(..)) {
            laws.check_rest(history, *now_us, self.home);
        }
        *now_us
    }

    /// May let the store of a live process panic. Unwinds directly, so that the panic hook prints
    /// nothing.
    fn may_panic(&self) {
        let mut state = self.world.lock();
        let State { random, scenario, .. } = &mut *state;
        if random.chance(scenario.panic) && state.is_alive(self.home) {
            let (now_us, name) = (state.now_us, Name(self.home));
            state.trouble(self.home.node, now_us + 500_000);
            state.history.fault(now_us, "store panics", format_args!("{name}"));
            drop(state);
            std::panic::resume_unwind(Box::new("the store panics"));
        }
    }

    /// Draws the fate of a call, its latencies, and how long the caller waits for an answer.
    fn draw(&self) -> (Fate, [i64; 3]) {
        let mut state = self.world.lock();
        let State { random, scenario, .. } = &mut *state;
        let fate = if random.chance(scenario.late) {
            Fate::Late
        } else if random.chance(scenario.loss) {
            Fate::RequestLost
        } else if random.chance(scenario.loss) {
            Fate::AnswerLost
        } else {
            Fate::Arrives
        };
        let slowest_us = random.pick(&[2_000, 5_000, 20_000, 130_000]);
        let [least_ms, most_ms] = scenario.distance_ms;
        let mut latencies = [(); 2].map(|()| {
            random.between(100, slowest_us) + random.between(least_ms * 1_000, most_ms * 1_000)
        });
        if random.chance(scenario.hang) {
            latencies[random.below(2) as usize] += random.between(300_000, 8_000_000);
        }
        let patience_us = random.between(100_000, 2_000_000);
        (fate, [latencies[0], latencies[1], patience_us])
    }

    /// Carries out a request at the store. Returns the answer, and the store's restarts so far.
    fn arrive(&self, fate: Fate, op: Op) -> Result<(Result<Answer>, u64)> {
        let mut state = self.world.lock();
        if !state.is_alive(self.home) {
            return Err(unknown());
        }
        let (now_us, home) = (state.now_us, self.home);
        let name = Name(home);
        if now_us < state.server.down_until_us {
            let down_until_us = state.server.down_until_us;
            state.trouble(home.node, down_until_us);
            return Err(Error::new(Code::StoreUnavailable, "the store is down"));
        }
        if fate != Fate::Arrives {
            state.trouble(home.node, now_us + 2_000_000);
            let what = match fate {
                Fate::RequestLost => "request lost",
                Fate::AnswerLost => "answer lost",
                Fate::Late | Fate::Arrives => "request late",
            };
            state.history.fault(now_us, what, format_args!("{name} {op}"));
        }
        match fate {
            Fate::RequestLost => return Err(unknown()),
            Fate::Late => {
                self.deliver_later(&mut state, op);
                return Err(unknown());
            }
            Fate::AnswerLost | Fate::Arrives => {}
        }
        if matches!(op, Op::Renew(..)) && repeats(&mut state) {
            self.deliver_later(&mut state, op.clone());
            state.history.fault(now_us, "renewal repeated", format_args!("{name} {op}"));
        }
        let answer = serve(&mut state, name, &op);
        if fate == Fate::AnswerLost { Err(unknown()) } else { Ok((answer, state.server.restarts)) }
    }

    /// Delivers a request at a later moment, whichever process lives then.
    fn deliver_later(&self, state: &mut State, op: Op) {
        let longest_us = state.random.pick(&[50_000, 3_000_000, 9_000_000]);
        let after_us = state.random.between(1_000, longest_us);
        let (world, name) = (self.world.clone(), Name(self.home));
        let deliver = move || {
            let mut state = world.lock();
            if !state.is_over && state.now_us >= state.server.down_until_us {
                drop(serve(&mut state, name, &op));
            }
        };
        state.start(after_us, None, Box::new(deliver));
    }
}

fn repeats(state: &mut State) -> bool {
    let chance = state.scenario.repeat;
    state.random.chance(chance)
}

fn serve(state: &mut State, name: Name, op: &Op) -> Result<Answer> {
    let now_us = state.now_us;
    let asked = op.to_string();
    let answer = state.server.execute(now_us, op.clone());
    let State { laws, history, .. } = state;
    if let (Op::Renew(lease, next, _), Ok(_)) = (op, &answer) {
        laws.check_token(history, now_us, lease, next);
    }
    match &answer {
        Ok(answer) => {
            history.note(now_us, format_args!("{name} {asked}: {answer}"));
            laws.granted(history, now_us, answer);
        }
        Err(error) => {
            history.note(now_us, format_args!("{name} {asked}: {:?}", error.code()));
        }
    }
    answer
}

fn unknown() -> Error {
    Error::new(Code::OutcomeUnknown, "no answer came")
}

/// The error for an answer of the wrong kind, which would be a bug of the simulator.
fn mixed_up() -> Error {
    Error::new(Code::StoreUnavailable, "an answer to another question")
}

impl WorkerStore for Network {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        lease_of(self.call(Op::Acquire(request.clone(), call.attempt))?)
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        lease_of(self.call(Op::Renew(lease.clone(), call.attempt, reserve_ms))?)
    }

    fn release(&self, lease: &Lease, _: &Call) -> Result<()> {
        self.call(Op::Release(lease.clone())).map(drop)
    }
}

fn lease_of(answer: Answer) -> Result<Lease> {
    if let Answer::Lease(lease) = answer { Ok(lease) } else { Err(mixed_up()) }
}

impl SegmentStore for Network {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        _: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        // Each tag is a request of its own.
        requests
            .iter()
            .map(|AllocationRequest { tag, count, .. }| {
                match self.call(Op::Allocate(tag.clone(), *count))? {
                    Answer::Range(_, allocation) => Ok(Ok(allocation)),
                    _ => Err(mixed_up()),
                }
            })
            .collect()
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        let answer = self.call(Op::Look(tag.clone()))?;
        if let Answer::Row(row) = answer { Ok(row) } else { Err(mixed_up()) }
    }
}

/// Builds a call of the server's own store, which takes no time.
fn call(attempt: Token) -> Call {
    Call::new(Duration::ZERO, attempt)
}

/// A process in the text of a history: `n2.5` is the sixth of the third node.
#[derive(Clone, Copy)]
pub(crate) struct Name(pub(crate) Home);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}.{}", self.0.node, self.0.life)
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Acquire(request, _) => write!(f, "acquire, avoiding {:?}", request.avoid),
            Op::Renew(lease, ..) => write!(f, "renew w{} e{}", lease.worker_id, lease.epoch),
            Op::Release(lease) => write!(f, "release w{} e{}", lease.worker_id, lease.epoch),
            Op::Create(tag, _) => write!(f, "create {tag}"),
            Op::Look(tag) => write!(f, "look at {tag}"),
            Op::Allocate(tag, count) => write!(f, "allocate {count:?} of {tag}"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Lease(lease) => {
                let [floor_ms, reserved_ms, now_ms] =
                    [lease.floor_ms, lease.reserved_ms, lease.now_ms].map(|ms| ms - START_MS);
                let (worker_id, epoch) = (lease.worker_id, lease.epoch);
                write!(f, "w{worker_id} e{epoch} [{floor_ms}, {reserved_ms}) at {now_ms} ms")
            }
            Answer::Range(_, Allocation { range, .. }) => {
                write!(f, "[{}, {}) by {}", range.start(), range.end(), range.stride())
            }
            Answer::Row(row) => write!(f, "{:?}", row.as_ref().map(|row| row.next)),
            Answer::Done => f.write_str("done"),
        }
    }
}
