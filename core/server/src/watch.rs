//! The state that operators watch. A thread gathers it twice a second while at least one client
//! listens, once for all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde::Serialize;
use snowmint::Result;
use tokio::sync::broadcast::{Receiver, Sender};

use super::errors;
use super::state::State;

mod changes;

/// The time between two looks.
const TICK: Duration = Duration::from_millis(500);
/// The limit of listeners, below that of operators' connections, so that metrics and reloads still
/// get some.
const MAX_LISTENERS: usize = 48;
/// A listener that falls this many events behind starts over with a full state.
const MAX_BEHIND: usize = 4;

/// A service whose state operators watch.
pub(crate) trait Observed: Send + Sync + 'static {
    fn board(&self) -> &Board;

    /// Gathers the present state, without a call to any store.
    fn state(&self) -> State;

    /// Returns true once the service stops, which ends the thread.
    fn is_stopping(&self) -> bool;
}

/// The present state, and the listeners that hear of the next ones.
#[derive(Debug)]
pub(crate) struct Board {
    present: Mutex<Present>,
    events: Sender<Bytes>,
}

#[derive(Debug, Default)]
struct Present {
    state: Option<Looked>,
    /// True while a thread gathers the state.
    is_kept: bool,
}

#[derive(Clone, Debug)]
struct Looked {
    at: Instant,
    state: Arc<State>,
    /// The JSON document, made at the first request for it.
    text: Option<Bytes>,
}

impl Default for Board {
    fn default() -> Board {
        Board { present: Mutex::default(), events: Sender::new(MAX_BEHIND) }
    }
}

impl Board {
    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the document, at most a tick old. More frequent requests get the same one.
///
/// # Errors
/// [`snowmint::Code::Internal`].
pub(crate) fn document(service: &impl Observed) -> Result<Bytes> {
    let mut present = service.board().present();
    looked(&mut present, service)?.document()
}

/// Returns the first event and a receiver of the next ones. Starts the thread if none runs.
///
/// # Errors
/// [`snowmint::Code::Overloaded`] if the limit of listeners is reached;
/// [`snowmint::Code::NoResource`] without a thread.
pub(crate) fn listen(service: &Arc<impl Observed>) -> Result<(Bytes, Receiver<Bytes>)> {
    let board = service.board();
    let mut present = board.present();
    if board.events.receiver_count() >= MAX_LISTENERS {
        return Err(errors::watch::listeners_too_many(MAX_LISTENERS));
    }
    let first = event("state", &*looked(&mut present, &**service)?.state)?;
    let receiver = board.events.subscribe();
    if !present.is_kept {
        let service = Arc::clone(service);
        let thread = Builder::new().name("snowmint-watch".to_owned());
        thread.spawn(move || keep(&*service)).map_err(errors::system::thread_missing)?;
        present.is_kept = true;
    }
    Ok((first, receiver))
}

/// Returns the present state, or gathers it if it is old. While the thread runs, its last state is
/// returned, which all listeners have.
fn looked<'a>(present: &'a mut Present, service: &impl Observed) -> Result<&'a mut Looked> {
    let is_kept = present.is_kept;
    let kept = present.state.take_if(|looked| is_kept || looked.at.elapsed() < TICK);
    let looked = kept.unwrap_or_else(|| Looked::now(service));
    Ok(present.state.insert(looked))
}

impl Looked {
    fn now(service: &impl Observed) -> Looked {
        Looked { at: Instant::now(), state: Arc::new(service.state()), text: None }
    }

    fn document(&mut self) -> Result<Bytes> {
        if let Some(text) = &self.text {
            return Ok(text.clone());
        }
        let mut text = Vec::new();
        write(&mut text, &*self.state)?;
        text.push(b'\n');
        Ok(self.text.insert(text.into()).clone())
    }
}

/// Gathers the state each tick until no client listens, or the service stops.
fn keep(service: &impl Observed) {
    let board = service.board();
    loop {
        thread::sleep(TICK);
        let before = board.present().state.clone();
        let is_over = service.is_stopping();
        // Checked under the lock, so that a new listener either finds the thread running or starts
        // one.
        let mut present = board.present();
        if is_over || board.events.receiver_count() == 0 {
            *present = Present::default();
            return;
        }
        drop(present);
        let next = Looked::now(service);
        let told = before.map(|before| changes::told(&before.state, &next.state));
        present = board.present();
        match told {
            // The send fails if the last listener has gone; the next round ends the thread then.
            Some(Ok(told)) => drop(board.events.send(told)),
            Some(Err(error)) => tracing::error!("what operators look at cannot be said: {error}"),
            None => {}
        }
        present.state = Some(next);
    }
}

/// Formats an event as `EventSource` reads it.
fn event(name: &str, data: &impl Serialize) -> Result<Bytes> {
    let mut text = format!("event: {name}\ndata: ").into_bytes();
    write(&mut text, data)?;
    text.extend_from_slice(b"\n\n");
    Ok(text.into())
}

fn write(text: &mut Vec<u8>, data: &impl Serialize) -> Result<()> {
    serde_json::to_writer(text, data).map_err(errors::watch::state_unwritable)
}

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::*;
    use crate::config::{Config, Origin};
    use crate::counters::NO_NUMBER;
    use crate::phase::Phase;
    use crate::service::Service;
    use crate::setup::Setup;

    fn setup(names: &[&str]) -> Setup {
        let sources = names.iter().map(|name| ((*name).to_owned(), "uuid:".to_owned()));
        let config = Config { sources: sources.collect(), ..Config::default() };
        Setup::first(config).unwrap()
    }

    fn told(before: &State, service: &Service) -> (String, serde_json::Value) {
        let text = changes::told(before, &service.state()).unwrap();
        let text = std::str::from_utf8(&text).unwrap();
        let (name, data) = text.split_once('\n').unwrap();
        let data = data.strip_prefix("data: ").and_then(|data| data.strip_suffix("\n\n")).unwrap();
        (name.to_owned(), serde_json::from_str(data).unwrap())
    }

    #[test]
    fn an_event_has_what_has_changed_alone() {
        let service = Service::new(setup(&["a", "b"]), Origin::default());
        let before = service.state();
        let (name, data) = told(&before, &service);
        assert_eq!((name.as_str(), data.get("sources")), ("event: changes", None));
        service.setup().sources.named("b").unwrap().issued.add(0, 3, NO_NUMBER);
        let (name, data) = told(&before, &service);
        assert_eq!(name, "event: changes");
        let rows = data["sources"].as_array().unwrap();
        assert_eq!(
            (rows.len(), &rows[0]["name"], &rows[0]["now"]["issued"]),
            (1, &"b".into(), &"3".into())
        );
        assert!(rows[0].get("of").is_none() && data.get("stores").is_none());
        service.phases.set(Phase::Serving);
        assert!(service.replace(setup(&["a"])));
        let (name, data) = told(&before, &service);
        assert_eq!(name, "event: state");
        assert_eq!(data["sources"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn so_many_may_listen_and_no_more() {
        let service = Arc::new(Service::new(setup(&["a"]), Origin::default()));
        let mut all: Vec<_> = (0..MAX_LISTENERS).map(|_| listen(&service).unwrap()).collect();
        assert_eq!(listen(&service).unwrap_err().code(), Code::Overloaded);
        all.pop();
        assert!(listen(&service).is_ok());
        service.phases.set(Phase::Stopping);
    }
}
