//! Background work: opens sources whose stores were down, closes sources that a reload removed,
//! notes how fast sources are used, and checks that stores answer before a client needs them.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use super::service::Service;
use super::sources;

/// The pause before a store that could not be reached is tried again.
const ROUND: Duration = Duration::from_secs(1);
/// Stores are checked in each round of this number.
const ROUNDS_TO_LOOK: usize = 5;
/// The time between two checks of the store of leases.
const LOOK: Duration = Duration::from_secs(5);
const _: () = assert!(LOOK.as_secs() == ROUND.as_secs() * ROUNDS_TO_LOOK as u64);
/// The time that requests under way get after a reload has removed their source.
const LINGERS: Duration = Duration::from_secs(2);

/// Starts the background threads, which end when the senders are dropped.
///
/// # Errors
/// Fails if the system gives no thread.
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
    // Separate threads: opening a source or checking the leases' store may block; the checks of
    // sources do not.
    Ok([
        every("snowmint-keep", ROUND, move || round(&kept))?,
        every("snowmint-look", ROUND, look)?,
        every("snowmint-leases", LOOK, move || leases.look())?,
    ])
}

/// Repeats `work` until the returned sender is dropped.
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
        // Readiness reports a failure; the other sources are served already.
        let _ = sources::open(setup.sources.all());
    }
    let mut retired = service.retired.lock().unwrap_or_else(PoisonError::into_inner);
    for (_, gone) in retired.extract_if(.., |(since, _)| since.elapsed() >= LINGERS) {
        sources::give_up(&gone);
    }
}
