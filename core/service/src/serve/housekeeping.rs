//! What nobody asks for: sources whose stores were away are opened, those that went are closed, and
//! stores are looked at of which no client would find out in time that they are down.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use super::service::Service;
use super::sources;

/// A store that could not be reached is asked again after this.
const ROUND: Duration = Duration::from_secs(1);
/// A store that is needed and not used is looked at after this.
const LOOK: Duration = Duration::from_secs(5);
/// Requests that were under way when a source went are given so long.
const LINGERS: Duration = Duration::from_secs(2);

/// Keeps house on threads of its own, until what it gives is dropped.
///
/// # Errors
/// Where the system gives no thread.
pub(crate) fn start(service: &Arc<Service>) -> std::io::Result<[Sender<()>; 2]> {
    let (kept, looked) = (Arc::clone(service), Arc::clone(service));
    let mut looks = 0_usize;
    let look = move || {
        looks = looks.wrapping_add(1);
        looked.setup().sources.look_at_stores(looks);
    };
    // Opening may wait for a store, looking does not.
    Ok([every(ROUND, "snowmint-keep", move || round(&kept))?, every(LOOK, "snowmint-look", look)?])
}

/// Does it again and again, until what it gives is dropped.
fn every(
    pause: Duration,
    name: &str,
    mut work: impl FnMut() + Send + 'static,
) -> std::io::Result<Sender<()>> {
    let (keeping, over) = mpsc::channel::<()>();
    let keep = move || {
        while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            work();
        }
    };
    Builder::new().name(name.to_owned()).spawn(keep)?;
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
