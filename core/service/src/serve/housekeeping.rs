//! What nobody asks for: sources whose stores were away are opened, those that went are closed, how
//! fast they are used is noted, and stores are asked whether they answer before a client needs them.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use super::service::Service;
use super::sources;

/// A store that could not be reached is asked again after this.
const ROUND: Duration = Duration::from_secs(1);
/// Each so manieth round stores are looked at.
const ROUNDS_TO_LOOK: usize = 5;
/// The store of leases is asked as often.
const LOOK: Duration = Duration::from_secs(5);
const _: () = assert!(LOOK.as_secs() == ROUND.as_secs() * ROUNDS_TO_LOOK as u64);
/// Requests that were under way when a source went are given so long.
const LINGERS: Duration = Duration::from_secs(2);

/// Keeps house on threads of its own, until what it gives is dropped.
///
/// # Errors
/// Where the system gives no thread.
pub(crate) fn start(service: &Arc<Service>) -> std::io::Result<[Sender<()>; 3]> {
    let (kept, looked) = (Arc::clone(service), Arc::clone(service));
    let leases = Arc::clone(&service.leases);
    let mut rounds = 0_usize;
    let look = move || {
        rounds = rounds.wrapping_add(1);
        let setup = looked.setup();
        setup.sources.note_uses();
        if rounds.is_multiple_of(ROUNDS_TO_LOOK) {
            setup.sources.look_at_stores(rounds / ROUNDS_TO_LOOK);
        }
    };
    // Opening may wait for a store, and so may asking one for leases; looking does not.
    Ok([
        every("snowmint-keep", ROUND, move || round(&kept))?,
        every("snowmint-look", ROUND, look)?,
        every("snowmint-leases", LOOK, move || leases.look())?,
    ])
}

/// Does it again and again, until what it gives is dropped.
fn every(
    name: &str,
    pause: Duration,
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
