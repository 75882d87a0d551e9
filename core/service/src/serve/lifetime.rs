//! From the first socket to the last lease: the service begins, serves, and stops within a bound.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use snowmint::{Code, Error, Result, on_event_aside};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use super::config::{Config, Origin};
use super::configured;
use super::listen::{self, Bound, Protocol, Socket};
use super::order::Keeper;
use super::phase::{HangUps, Phase, Signal, Signals};
use super::reload::reload;
use super::service::Service;
use super::setup::Setup;
use super::sources::Named;
use super::{event_loop, housekeeping, log, notify, sources};
use crate::exit::Done;

/// Once requests are answered, leases are given up within this: what a store that answers needs.
const LEASES_WITHIN: Duration = Duration::from_secs(2);
/// Loops end by themselves at the end of the time to stop; one that does not is left behind.
const LOOPS_WITHIN: Duration = Duration::from_secs(1);

/// Whoever looks on is told by then what is waited for.
const OPEN_WITHIN: Duration = Duration::from_secs(1);

/// Serves until a signal says stop.
///
/// # Errors
/// Of the system; of a source that cannot be opened, unless it only has to be waited for.
pub(crate) fn serve(origin: Origin) -> Done {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| no_resource("event loop", error))?;
    // Before the settings, which may take their time to come by a pipe.
    let hang_ups = within(&runtime, HangUps::take)?;
    let config = origin.read().map_err(configured)?;
    log::begin(config.log.format);
    let mut signals = within(&runtime, || Signals::take(hang_ups))?;
    let setup = Setup::first(config).map_err(configured)?;
    // Before the sources: a second service on these addresses takes no lease.
    let mut bound = bind(&setup.config).map_err(configured)?;
    let service = Arc::new(Service::new(setup, origin));
    let opening = Arc::clone(&service);
    let open = move || {
        let (setup, leases) = (opening.setup(), &opening.leases);
        // Whatever is down holds up the start once: both may be on one store.
        thread::scope(|scope| {
            let leases = thread::Builder::new().spawn_scoped(scope, || leases.open());
            let opened = sources::open(setup.sources.all());
            let leased = leases.map_err(|error| no_resource("thread", error))?.join();
            opened.and(leased.unwrap_or_else(|_| Err(unfinished())))
        })
    };
    let heard = Arc::clone(&service);
    on_event_aside(move |event| heard.hear(event)).for_good();
    // Before the stores are open: whoever asks how the service is doing is told that it starts.
    let ended = start(&service, &mut bound).map_err(|error| no_resource("thread", error))?;
    if runtime.block_on(opened(&mut signals, open))?.is_none() {
        // What is being opened is left to its lease's end.
        runtime.shutdown_background();
        return Ok(());
    }
    let keeping = housekeeping::start(&service).map_err(|error| no_resource("thread", error))?;
    let setup = service.setup();
    let kept = setup.sources.all().iter().filter_map(Named::kept);
    let turns = Keeper::start(&setup.config.ordered, kept)?;
    let is_secured = setup.certificates.is_some();
    let needs_tokens = setup.tokens.are_needed();
    drop(setup);
    service.phases.set(Phase::Serving);
    tracing::info!("snowmint {}", env!("CARGO_PKG_VERSION"));
    if !needs_tokens {
        tracing::info!("nobody needs a token: tokens.file names no file");
    }
    for Bound { protocol, address, .. } in &bound {
        let url = address.url(protocol.scheme(is_secured && address.is_securable()));
        tracing::info!("{} on {url}", protocol.listens());
    }
    notify::ready();
    runtime.block_on(until_ended(&service, &mut signals, ended, bound));
    drop((keeping, turns));
    // A source that is being opened for a configuration to come is left to its lease's end.
    runtime.shutdown_background();
    if let Err(error) = service.close(LEASES_WITHIN) {
        tracing::warn!("a lease was not given up, and ends by itself: {error}");
    }
    Ok(())
}

/// Waits until stores are opened, or a signal says stop: `None`.
async fn opened(
    signals: &mut Signals,
    open: impl FnOnce() -> Result<()> + Send + 'static,
) -> Result<Option<()>> {
    let (mut opening, mut is_told) = (spawn_blocking(open), false);
    loop {
        tokio::select! {
            done = &mut opening => return done.unwrap_or_else(|error| {
                Err(unfinished().caused_by(error))
            }).map(Some),
            name = signals.stop() => {
                tracing::info!("{name}: stopping before the stores are open");
                return Ok(None);
            }
            () = sleep(OPEN_WITHIN), if !is_told => {
                tracing::info!("not every store has answered yet: each is waited for some seconds");
                is_told = true;
            }
        }
    }
}

fn unfinished() -> Error {
    Error::new(Code::Internal, "opening did not come to its end")
}

fn no_resource(what: &str, error: io::Error) -> Error {
    Error::new(Code::NoResource, format!("the system gives no {what}")).caused_by(error)
}

/// What is told of signals, by a runtime.
fn within<T>(runtime: &Runtime, take: impl FnOnce() -> io::Result<T>) -> Result<T> {
    let _entered = runtime.enter();
    take().map_err(|error| no_resource("signals", error))
}

fn bind(config: &Config) -> Result<Vec<Bound>> {
    let bound = config.listening().map(|(protocol, address)| {
        listen::bind(protocol, address, config.loops()).map_err(|error| {
            let key = protocol.key();
            let cure = match error.kind() {
                io::ErrorKind::NotFound => "make its directory first",
                _ => "set another one",
            };
            let message = format!("{key}: {address} cannot be listened on: {cure}");
            Error::new(Code::InvalidParameter, message).caused_by(error)
        })
    });
    bound.collect()
}

/// Starts the loops, each with a socket of each address; what it gives ends when they all have.
fn start(service: &Arc<Service>, bound: &mut [Bound]) -> io::Result<Receiver<()>> {
    let (running, ended) = channel(1);
    for index in 0..service.setup().config.loops() {
        let sockets = bound.iter_mut().map(|one| Some((one.protocol, one.sockets.pop()?)));
        let own: Vec<(Protocol, Socket)> = sockets.flatten().collect();
        event_loop::start(service, index, own, running.clone())?;
    }
    Ok(ended)
}

/// Waits for a signal, lets readiness fall, and stops the loops; a second signal stops at once.
async fn until_ended(
    service: &Arc<Service>,
    signals: &mut Signals,
    mut ended: Receiver<()>,
    bound: Vec<Bound>,
) {
    loop {
        tokio::select! {
            signal = signals.next() => match signal {
                Signal::Stop(name) => break tracing::info!("{name}: stopping"),
                #[cfg(unix)]
                Signal::Reload => {
                    let service = Arc::clone(service);
                    // It tells the log how it ended.
                    drop(spawn_blocking(move || reload(&service)));
                }
            },
            // No loop ends by itself unless it failed.
            _ = ended.recv() => return tracing::error!("every event loop has failed"),
        }
    }
    notify::stopping();
    service.phases.set(Phase::Draining);
    let timeouts = service.setup().config.timeouts.clone();
    tokio::select! {
        () = sleep(timeouts.drain()) => {}
        _ = signals.stop() => {}
    }
    // Paths go before the sockets that loops close now: the next server may have them then.
    drop(bound);
    service.phases.set(Phase::Stopping);
    tokio::select! {
        _ = timeout(timeouts.stop() + LOOPS_WITHIN, ended.recv()) => {}
        name = signals.stop() => tracing::warn!("{name} again: requests are broken off"),
    }
    match service.broken_off() {
        0 => {}
        count => tracing::warn!(
            "{count} connections were broken off: raise timeouts.stop_ms, of {} now",
            timeouts.stop_ms
        ),
    }
}
