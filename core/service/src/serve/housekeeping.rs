//! What nobody asks for: sources whose stores were away are opened, those that went are closed.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use super::service::Service;
use super::sources;

/// A store that could not be reached is asked again after this.
const ROUND: Duration = Duration::from_secs(1);
/// Requests that were under way when a source went are given so long.
const LINGERS: Duration = Duration::from_secs(2);

/// Keeps house on a thread of its own, until what it gives is dropped.
///
/// # Errors
/// Where the system gives no thread.
pub(crate) fn start(service: &Arc<Service>) -> std::io::Result<Sender<()>> {
    let (keeping, over) = mpsc::channel::<()>();
    let service = Arc::clone(service);
    let keep = move || {
        while over.recv_timeout(ROUND) == Err(RecvTimeoutError::Timeout) {
            round(&service);
        }
    };
    Builder::new().name("snowmint-keep".to_owned()).spawn(keep)?;
    Ok(keeping)
}

fn round(service: &Service) {
    let setup = service.setup();
    if setup.sources.all().iter().any(|named| !named.is_open()) {
        // What fails is told by readiness: the others are served already.
        let _ = sources::open(setup.sources.all());
    }
    let mut retired = service.retired.lock().unwrap_or_else(PoisonError::into_inner);
    for (_, gone) in retired.extract_if(.., |(since, _)| since.elapsed() >= LINGERS) {
        sources::give_up(&gone);
    }
}
