//! From the first socket to the last lease: the service begins, serves, and stops within a bound.

use std::io;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::Builder as ThreadBuilder;
use std::time::Duration;

use anstream::eprintln;
use snowmint::{Code, Error, Result};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{sleep, timeout};

use super::config::Config;
use super::event_loop;
use super::listen::{self, Bound, Protocol, Socket};
use super::phase::{Phase, Signals};
use super::service::Service;
use super::warn;
use crate::exit::{Done, Failure};

/// Once requests are answered, leases are given up within this: what a store that answers needs.
const LEASES_WITHIN: Duration = Duration::from_secs(2);
/// Loops end by themselves at the end of the time to stop; one that does not is left behind.
const LOOPS_WITHIN: Duration = Duration::from_secs(1);

/// Serves until a signal says stop.
///
/// # Errors
/// Of the system; of a source that cannot be opened, unless it only has to be waited for.
pub(crate) fn serve(config: Config) -> Done {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| no_resource("an event loop", error))?;
    let mut signals = signals(&runtime)?;
    // Before the sources: a second service on these addresses takes no lease.
    let mut bound = bind(&config).map_err(Failure::Configured)?;
    let service = Arc::new(Service::new(config));
    service.sources.open()?;
    service.leases.open()?;
    let ended = start(&service, &mut bound).map_err(|error| no_resource("a thread", error))?;
    for Bound { protocol, address, .. } in &bound {
        eprintln!("snowmint: info: listening on {}", address.url(protocol.scheme()));
    }
    let opening = keep_opening(&service);
    runtime.block_on(until_ended(&service, &mut signals, ended, bound));
    drop(opening);
    if let Err(error) = service.sources.close(LEASES_WITHIN) {
        warn(&format!("a lease was not given up, and ends by itself: {error}"));
    }
    Ok(())
}

fn no_resource(what: &str, error: io::Error) -> Error {
    Error::new(Code::NoResource, format!("the system gives no {what}")).caused_by(error)
}

fn signals(runtime: &Runtime) -> Result<Signals> {
    let _entered = runtime.enter();
    Signals::take().map_err(|error| no_resource("signals", error))
}

fn loops(config: &Config) -> usize {
    usize::try_from(config.event_loops).unwrap_or(1)
}

fn bind(config: &Config) -> Result<Vec<Bound>> {
    let http = config.http.listen.iter().map(|address| (Protocol::Http, address));
    let resp = config.resp.listen.iter().map(|address| (Protocol::Resp, address));
    let bound = http.chain(resp).map(|(protocol, address)| {
        listen::bind(protocol, address, loops(config)).map_err(|error| {
            let message = format!("{address} cannot be listened on: set another one");
            Error::new(Code::InvalidParameter, message).caused_by(error)
        })
    });
    bound.collect()
}

/// Starts the loops, each with a socket of each address; what it gives ends when they all have.
fn start(service: &Arc<Service>, bound: &mut [Bound]) -> io::Result<Receiver<()>> {
    let (running, ended) = channel(1);
    for index in 0..loops(&service.config) {
        let sockets = bound.iter_mut().map(|one| Some((one.protocol, one.sockets.pop()?)));
        let own: Vec<(Protocol, Socket)> = sockets.flatten().collect();
        event_loop::start(service, index, own, running.clone())?;
    }
    Ok(ended)
}

/// Asks again for sources whose stores could not be reached, until what it gives is dropped.
fn keep_opening(service: &Arc<Service>) -> mpsc::Sender<()> {
    let (opening, over) = mpsc::channel::<()>();
    let of_thread = Arc::clone(service);
    let keep = move || {
        let is_over = |pause| over.recv_timeout(pause) != Err(mpsc::RecvTimeoutError::Timeout);
        of_thread.sources.keep_opening(is_over);
    };
    if let Err(error) = ThreadBuilder::new().name("snowmint-open".to_owned()).spawn(keep) {
        warn(&format!("sources that are not open stay so: no thread for it: {error}"));
    }
    opening
}

/// Waits for a signal, lets readiness fall, and stops the loops; a second signal stops at once.
async fn until_ended(
    service: &Service,
    signals: &mut Signals,
    mut ended: Receiver<()>,
    bound: Vec<Bound>,
) {
    let timeouts = &service.config.timeouts;
    tokio::select! {
        signal = signals.next() => eprintln!("snowmint: info: {signal}: stopping"),
        // No loop ends by itself unless it failed.
        _ = ended.recv() => return warn("every event loop has failed"),
    }
    service.phases.set(Phase::Draining);
    tokio::select! {
        () = sleep(timeouts.drain()) => {}
        _ = signals.next() => {}
    }
    // Paths go before the sockets that loops close now: the next server may have them then.
    drop(bound);
    service.phases.set(Phase::Stopping);
    tokio::select! {
        _ = timeout(timeouts.stop() + LOOPS_WITHIN, ended.recv()) => {}
        signal = signals.next() => warn(&format!("{signal} again: requests are broken off")),
    }
    match service.broken_off() {
        0 => {}
        count => warn(&format!(
            "{count} connections were broken off: raise timeouts.stop_ms, of {} now",
            timeouts.stop_ms
        )),
    }
}
