//! Delivers events on JavaScript's thread.
//!
//! A scheduler hands an event to Node and goes on: nothing waits for JavaScript, and nothing here
//! keeps a process alive. Each environment that listens receives each event, until it ends.

use napi::bindgen_prelude::{FnArgs, Function, Unknown};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Status};
use napi_derive::napi;
use snowmint::{Code, Event, on_event};

use crate::environments::Environment;

/// The most events that wait for an environment whose thread is busy. Further events are lost.
const MAX_WAITING: usize = 256;

/// An event, in JavaScript's form.
#[napi(object, object_from_js = false)]
pub struct EventRow {
    /// The kind's name.
    pub name: String,
    /// `warning` or `info`.
    pub severity: String,
    /// The kind of the source.
    pub source: String,
    /// The source's tag.
    pub tag: Option<String>,
    /// The source's worker ID.
    pub worker_id: Option<u32>,
    /// The failure's code.
    pub code: Option<String>,
    /// A description of what happened and what to do.
    pub message: String,
    /// The time of the event in Unix milliseconds.
    pub unix_ms: f64,
}

type ListenerArgs = FnArgs<(EventRow,)>;
type Tell =
    ThreadsafeFunction<EventRow, Unknown<'static>, ListenerArgs, Status, false, true, MAX_WAITING>;

/// Calls `tell` with each event from now on.
#[napi]
pub fn listen(env: Env, tell: Function<'_, ListenerArgs, Unknown<'static>>) -> napi::Result<()> {
    let tell: Tell = tell
        .build_threadsafe_function::<EventRow>()
        .weak::<true>()
        .max_queue_size::<MAX_WAITING>()
        .build_callback(|call| Ok((call.value,).into()))?;
    let environment = Environment::of(env)?;
    environment.hold(on_event(move |event| {
        // An environment that is ending, or that does not keep up, misses the event.
        let _ = tell.call(row(event), ThreadsafeFunctionCallMode::NonBlocking);
    }));
    Ok(())
}

fn row(event: &Event) -> EventRow {
    EventRow {
        name: event.kind.name().to_owned(),
        severity: event.kind.severity().name().to_owned(),
        source: event.source.to_owned(),
        tag: event.tag.clone(),
        worker_id: event.worker_id,
        code: event.code.map(Code::name).map(str::to_owned),
        message: event.message.clone(),
        unix_ms: event.unix_ms as f64,
    }
}
