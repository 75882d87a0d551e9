//! Stores that are written in JavaScript.
//!
//! A scheduler thread asks through a function that Node calls on its own thread, and waits for the
//! answer. The function gets a [`Reply`] and may answer at any time, for example after its own
//! promises. Nothing here keeps a process alive. A question ends with an error if no answer comes
//! within the call's timeout, or if none can come: the environment has ended, or the reply was
//! dropped.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use napi::Env;
use napi::Status;
use napi::bindgen_prelude::{BigInt, External, FnArgs, Function, Unknown, i64n};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;
use snowmint::{
    Allocation, AllocationRequest, Call, Error, Lease, LeaseRequest, NumberRange, SegmentAdmin,
    TagAllocator, TagOptions, Token, WorkerAdmin, WorkerStore,
};

use crate::environments::is_interrupted;
use crate::errors;
use crate::failure::guarded;
use crate::stores::{Closable, Segments, Workers};

/// The interval at which a waiting scheduler checks that its environment still exists.
const LOOK: Duration = Duration::from_millis(100);

/// A question to JavaScript.
#[napi(object, object_from_js = false)]
pub struct Question {
    /// The method: `allocate`, `acquire`, `renew` or `release`.
    pub method: String,
    /// The tag, or the realm.
    pub name: String,
    /// The count of numbers to reserve, for `allocate`.
    pub count: Option<u32>,
    /// The worker ID, or for `acquire` the largest allowed one.
    pub worker_id: Option<u32>,
    /// The number of times that the worker ID was acquired.
    pub epoch: Option<BigInt>,
    /// The name of the holder.
    pub owner: Option<String>,
    /// The lease's token, in hexadecimal digits.
    pub token: Option<String>,
    /// The token that replaces it, for `renew`.
    pub next_token: Option<String>,
    /// The time to reserve in milliseconds.
    pub reserve_ms: Option<u32>,
    /// The largest distance in milliseconds by which the floor may be ahead of the clock.
    pub max_ahead_ms: Option<u32>,
    /// The worker ID that must not be taken.
    pub avoid: Option<u32>,
    /// The first Unix millisecond that may be used.
    pub floor_ms: Option<i64n>,
    /// The first Unix millisecond that may not be used.
    pub reserved_ms: Option<i64n>,
}

impl Question {
    fn new(method: &str, name: &str) -> Question {
        Question {
            method: method.to_owned(),
            name: name.to_owned(),
            count: None,
            worker_id: None,
            epoch: None,
            owner: None,
            token: None,
            next_token: None,
            reserve_ms: None,
            max_ahead_ms: None,
            avoid: None,
            floor_ms: None,
            reserved_ms: None,
        }
    }

    fn of_lease(method: &str, lease: &Lease) -> Question {
        Question {
            worker_id: Some(lease.worker_id),
            epoch: Some(lease.epoch.into()),
            owner: Some(lease.owner.clone()),
            token: Some(hex(lease.token)),
            floor_ms: Some(i64n(lease.floor_ms)),
            reserved_ms: Some(i64n(lease.reserved_ms)),
            ..Question::new(method, &lease.realm)
        }
    }
}

fn hex(token: Token) -> String {
    token.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An answer from JavaScript.
enum Answer {
    Range(NumberRange),
    Lease(LeaseAnswer),
    Done,
}

/// A granted or renewed lease.
#[napi(object, object_to_js = false)]
pub struct LeaseAnswer {
    /// The worker ID.
    pub worker_id: u32,
    /// The number of times that the worker ID was acquired.
    pub epoch: BigInt,
    /// The first Unix millisecond that may be used.
    pub floor_ms: BigInt,
    /// The first Unix millisecond that may not be used.
    pub reserved_ms: BigInt,
    /// The store's clock in Unix milliseconds.
    pub now_ms: BigInt,
}

/// The place where an answer goes. It takes one answer. Dropping it unanswered is an error.
pub struct Reply(Option<SyncSender<snowmint::Result<Answer>>>);

impl Reply {
    fn send(&mut self, answer: snowmint::Result<Answer>) {
        if let Some(sender) = self.0.take() {
            // The receiver may be gone, because nobody waits for `release`.
            drop(sender.send(answer));
        }
    }
}

/// Answers `allocate`.
#[napi]
pub fn answer_range(reply: &mut External<Reply>, start: BigInt, end: BigInt, stride: BigInt) {
    let range = NumberRange::new(start.get_u64().1, end.get_u64().1, stride.get_u64().1);
    reply.send(range.map(Answer::Range).map_err(Error::from));
}

/// Answers `acquire` and `renew`.
#[napi]
pub fn answer_lease(reply: &mut External<Reply>, lease: LeaseAnswer) {
    reply.send(Ok(Answer::Lease(lease)));
}

/// Answers `release`.
#[napi]
pub fn answer_done(reply: &mut External<Reply>) {
    reply.send(Ok(Answer::Done));
}

/// Answers with an error and its cause.
#[napi]
pub fn answer_error(
    reply: &mut External<Reply>,
    code: u32,
    message: String,
    cause: Option<String>,
) {
    let error = errors::store_failed(code, message);
    reply.send(Err(match cause {
        Some(cause) => error.caused_by(Cause(cause)),
        None => error,
    }));
}

/// A value that JavaScript threw, as text.
#[derive(Debug)]
struct Cause(String);

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Cause {}

type QuestionArgs = FnArgs<(Question, External<Reply>)>;
type Ask =
    ThreadsafeFunction<(Question, Reply), Unknown<'static>, QuestionArgs, Status, false, true>;

/// The connection to JavaScript.
struct Line {
    ask: Ask,
    home: ThreadId,
}

impl Line {
    fn new(ask: &Function<'_, QuestionArgs, Unknown<'static>>) -> napi::Result<Line> {
        let ask = ask
            .build_threadsafe_function::<(Question, Reply)>()
            .weak::<true>()
            .build_callback(|call| {
                let (question, reply) = call.value;
                Ok((question, External::new(reply)).into())
            })?;
        Ok(Line { ask, home: thread::current().id() })
    }

    fn ask(&self, question: Question, call: &Call) -> snowmint::Result<Answer> {
        let deadline = Instant::now() + call.within;
        let (sender, receiver) = sync_channel(1);
        let is_home = thread::current().id() == self.home;
        if is_home && question.method != "release" {
            return Err(errors::store_of_waiting_thread());
        }
        let mode = ThreadsafeFunctionCallMode::NonBlocking;
        if self.ask.call((question, Reply(Some(sender))), mode) != Status::Ok {
            return Err(errors::question_dropped());
        }
        if is_home {
            // The call need not succeed: a lease that is not released expires.
            return Ok(Answer::Done);
        }
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) if !self.ask.aborted() && !is_interrupted() => {
                    if Instant::now() >= deadline {
                        return Err(errors::answer_late(call.within));
                    }
                }
                Err(_) => return Err(errors::question_dropped()),
            }
        }
    }
}

/// A store that gets its numbers from a function.
struct Allocator {
    line: Line,
    step: u64,
}

/// Creates a store that gets its ranges from a function.
#[napi]
pub fn allocator(
    env: Env,
    ask: Function<'_, QuestionArgs, Unknown<'static>>,
    step: BigInt,
) -> napi::Result<External<Closable<Segments>>> {
    let line = Line::new(&ask)?;
    let step = step.get_u64().1;
    guarded(env, || {
        TagOptions::default().step(step).check()?;
        let store: Segments = Arc::new(Allocator { line, step });
        Ok(External::new(Closable::new(store)))
    })
}

impl TagAllocator for Allocator {
    fn reserve(&self, request: &AllocationRequest, call: &Call) -> snowmint::Result<Allocation> {
        let count = request.count.unwrap_or(self.step);
        // The count is at most 2^30.
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let tag = request.tag.as_str();
        let question = Question { count: Some(count), ..Question::new("allocate", tag) };
        match self.line.ask(question, call)? {
            Answer::Range(range) => Ok(Allocation::new(range, self.step)),
            _ => Err(errors::answer_of_another_kind("allocate")),
        }
    }

    fn step(&self) -> u64 {
        self.step
    }
}

impl SegmentAdmin for Allocator {}

/// A store that gets its worker IDs from an object.
struct JsWorkerStore(Line);

/// Creates a store that leases worker IDs through an object's methods.
#[napi]
pub fn worker_store(
    ask: Function<'_, QuestionArgs, Unknown<'static>>,
) -> napi::Result<External<Closable<Workers>>> {
    let store: Workers = Arc::new(JsWorkerStore(Line::new(&ask)?));
    Ok(External::new(Closable::new(store)))
}

impl WorkerAdmin for JsWorkerStore {}

impl WorkerStore for JsWorkerStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> snowmint::Result<Lease> {
        request.check()?;
        let question = Question {
            worker_id: Some(request.max_worker_id),
            owner: Some(request.owner.clone()),
            token: Some(hex(call.attempt)),
            reserve_ms: Some(request.reserve_ms),
            max_ahead_ms: Some(request.max_ahead_ms),
            avoid: request.avoid,
            ..Question::new("acquire", &request.realm)
        };
        match self.0.ask(question, call)? {
            Answer::Lease(answer) => {
                Ok(lease(&request.realm, &request.owner, call.attempt, &answer))
            }
            _ => Err(errors::answer_of_another_kind("acquire")),
        }
    }

    fn renew(&self, held: &Lease, reserve_ms: u32, call: &Call) -> snowmint::Result<Lease> {
        let question = Question {
            next_token: Some(hex(call.attempt)),
            reserve_ms: Some(reserve_ms),
            ..Question::of_lease("renew", held)
        };
        match self.0.ask(question, call)? {
            Answer::Lease(answer) => Ok(lease(&held.realm, &held.owner, call.attempt, &answer)),
            _ => Err(errors::answer_of_another_kind("renew")),
        }
    }

    fn release(&self, lease: &Lease, call: &Call) -> snowmint::Result<()> {
        self.0.ask(Question::of_lease("release", lease), call).map(drop)
    }
}

fn lease(realm: &str, owner: &str, token: Token, answer: &LeaseAnswer) -> Lease {
    let mut lease = Lease::new(realm, answer.worker_id, owner, token);
    lease.epoch = answer.epoch.get_u64().1;
    lease.floor_ms = answer.floor_ms.get_i64().0;
    lease.reserved_ms = answer.reserved_ms.get_i64().0;
    lease.now_ms = answer.now_ms.get_i64().0;
    lease
}
