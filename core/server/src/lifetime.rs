//! The life of the service: it begins, serves, and stops within a bound.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use snowmint::{Result, on_event_aside};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use super::config::{Config, Origin};
use super::listen::{self, Bound, Protocol, Socket};
use super::phase::{HangUps, Phase, Signal, Signals};
use super::service::Service;
use super::setup::Setup;
use super::sources::NamedSource;
use super::turns::TurnThreads;
use super::{errors, event_loop, housekeeping, log, notify, sources};

/// The time to release leases after the last request, as a store that answers needs.
const LEASES_WITHIN: Duration = Duration::from_secs(2);
/// The time that loops get beyond the stop timeout. A loop that takes longer is abandoned.
const LOOPS_WITHIN: Duration = Duration::from_secs(1);

/// After this long the log says that a store is waited for.
const OPEN_WITHIN: Duration = Duration::from_secs(1);

/// Serves until a signal says stop.
///
/// # Errors
/// Those of the settings; of the system; of a source that cannot be opened, unless waiting may mend it.
pub fn serve(origin: Origin) -> Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(errors::system::event_loop_missing)?;
    // Taken before the settings are read, which may take long from a pipe.
    let hang_ups = within(&runtime, HangUps::take)?;
    let config = origin.read()?;
    log::begin(config.log.format);
    let mut signals = within(&runtime, || Signals::take(hang_ups))?;
    let setup = Setup::first(config)?;
    // Bound before the sources are opened, so that a second service on these addresses takes no
    // lease.
    let mut bound = bind(&setup.config)?;
    let service = Arc::new(Service::new(setup, origin));
    let opening = Arc::clone(&service);
    let open = move || {
        let (setup, leases) = (opening.setup(), &opening.leases);
        // In parallel, so that a store that is down delays the start once: both may be on the same
        // store.
        thread::scope(|scope| {
            let leases = thread::Builder::new().spawn_scoped(scope, || leases.open());
            let opened = sources::open(setup.sources.all());
            let leased = leases.map_err(errors::system::thread_missing)?.join();
            opened.and(leased.unwrap_or_else(|_| Err(errors::lifetime::opening_unfinished())))
        })
    };
    let heard = Arc::clone(&service);
    on_event_aside(move |event| heard.hear(event)).for_good();
    // The loops start before the stores are open, so that health checks learn that the service
    // starts.
    let ended = start(&service, &mut bound).map_err(errors::system::thread_missing)?;
    if runtime.block_on(opened(&mut signals, open))?.is_none() {
        // Leases of sources that are being opened expire.
        runtime.shutdown_background();
        return Ok(());
    }
    let keeping = housekeeping::start(&service).map_err(errors::system::thread_missing)?;
    let setup = service.setup();
    let kept = setup.sources.all().iter().filter_map(NamedSource::ordered_source);
    let turns = TurnThreads::start(&setup.config.ordered, kept)?;
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
    // The lease of a source that a reload is opening expires.
    runtime.shutdown_background();
    if let Err(error) = service.close(LEASES_WITHIN) {
        tracing::warn!("a lease was not given up, and ends by itself: {error}");
    }
    Ok(())
}

/// Waits until the stores are opened. Returns `None` if a signal says stop.
async fn opened(
    signals: &mut Signals,
    open: impl FnOnce() -> Result<()> + Send + 'static,
) -> Result<Option<()>> {
    let (mut opening, mut is_told) = (spawn_blocking(open), false);
    loop {
        tokio::select! {
            done = &mut opening => return done.unwrap_or_else(|error| {
                Err(errors::lifetime::opening_unfinished().caused_by(error))
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

/// Calls `take` inside the runtime, as signal handlers need.
fn within<T>(runtime: &Runtime, take: impl FnOnce() -> io::Result<T>) -> Result<T> {
    let _entered = runtime.enter();
    take().map_err(errors::system::signals_missing)
}

fn bind(config: &Config) -> Result<Vec<Bound>> {
    let bound = config.listening().map(|(protocol, address)| {
        listen::bind(protocol, address, config.loops())
            .map_err(|error| errors::lifetime::address_unusable(protocol.key(), address, error))
    });
    bound.collect()
}

/// Starts the loops, each with a socket of each address. The returned channel closes when all loops
/// have ended.
fn start(service: &Arc<Service>, bound: &mut [Bound]) -> io::Result<Receiver<()>> {
    let (running, ended) = channel(1);
    for index in 0..service.setup().config.loops() {
        let sockets = bound.iter_mut().map(|one| Some((one.protocol, one.sockets.pop()?)));
        let own: Vec<(Protocol, Socket)> = sockets.flatten().collect();
        event_loop::start(service, index, own, running.clone())?;
    }
    Ok(ended)
}

/// Waits for a signal, turns readiness off, and stops the loops. A second signal stops at once.
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
                    // The reload logs its own result.
                    drop(spawn_blocking(move || super::reload::reload(&service)));
                }
            },
            // A loop ends by itself only if it failed.
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
    // Socket paths are removed before the loops close their sockets, because the next server may
    // create the paths then.
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
