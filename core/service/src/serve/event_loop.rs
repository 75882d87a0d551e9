//! One event loop: a thread that accepts connections and carries them to their end.

use std::future::poll_fn;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::thread::Builder;
use std::time::Duration;

use tokio::runtime::Builder as RuntimeBuilder;
use tokio::sync::mpsc::Sender;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{sleep, timeout};

use super::listen::{Protocol, Socket};
use super::refusal::Why;
use super::service::{Admitted, Desk, Service};
use super::stream::{Listener, Stream};
use super::{handshake, http, refusal, resp};

/// The system is out of file descriptors or memory: connections wait, and some will end.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);

/// Threads of a loop that wait for the store of leases.
const STORE_THREADS: usize = 2;

/// Starts a loop, which ends with the service; `running` is dropped then.
///
/// # Errors
/// Of the system.
pub(crate) fn start(
    service: &Arc<Service>,
    index: usize,
    sockets: Vec<(Protocol, Socket)>,
    running: Sender<()>,
) -> io::Result<()> {
    let desk = Desk::new(Arc::clone(service), index);
    let thread = move || {
        if let Err(error) = run(desk, sockets) {
            tracing::error!("an event loop cannot begin: {error}");
        }
        drop(running);
    };
    Builder::new().name(format!("snowmint-loop-{index}")).spawn(thread).map(drop)
}

fn run(desk: Desk, sockets: Vec<(Protocol, Socket)>) -> io::Result<()> {
    let mut builder = RuntimeBuilder::new_current_thread();
    let runtime = builder.enable_io().enable_time().max_blocking_threads(STORE_THREADS).build()?;
    let desk = Rc::new(desk);
    // What is left of it at its end, connections that outlasted the stop, ends with the set.
    let done = LocalSet::new().block_on(&runtime, async {
        let mut accepting = JoinSet::new();
        for (protocol, socket) in sockets {
            let listener = Listener::new(socket)?;
            accepting.spawn_local(accept(listener, protocol, Rc::clone(&desk)));
        }
        while accepting.join_next().await.is_some() {}
        Ok(())
    });
    // A call of a store that goes on has nobody left to tell.
    runtime.shutdown_background();
    done
}

/// Accepts connections until the service stops, and then waits for their ends.
async fn accept(listener: Listener, protocol: Protocol, desk: Rc<Desk>) {
    let mut connections = JoinSet::new();
    let phases = &desk.service.phases;
    let stopping = phases.stopping();
    tokio::pin!(stopping);
    loop {
        tokio::select! {
            biased;
            () = &mut stopping => break,
            Some(_) = connections.join_next() => {}
            accepted = poll_fn(|context| listener.poll_accept(context)) => match accepted {
                Ok(stream) => welcome(&mut connections, stream, protocol, &desk),
                Err(error) if is_of_connection(&error) => {}
                Err(_) => sleep(ACCEPT_AGAIN).await,
            },
        }
    }
    // Those that the system has completed already would be broken off with the socket.
    while let Some(stream) = accept_ready(&listener).await {
        welcome(&mut connections, stream, protocol, &desk);
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    let _ = timeout(desk.setup().config.timeouts.stop(), ended).await;
    desk.service.break_off(connections.len());
}

/// A connection that waits to be accepted, if there is one.
async fn accept_ready(listener: &Listener) -> Option<Stream> {
    poll_fn(|context| match listener.poll_accept(context) {
        Poll::Ready(Ok(stream)) => Poll::Ready(Some(stream)),
        _ => Poll::Ready(None),
    })
    .await
}

/// Errors of a connection that ended before it was accepted.
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Carries a connection, or refuses it where there are too many.
fn welcome(connections: &mut JoinSet<()>, stream: Stream, protocol: Protocol, desk: &Rc<Desk>) {
    let Some(admitted) = desk.service.admit(protocol) else {
        desk.count(|counters| counters.add(&counters.refused, 1));
        // Who speaks TLS would not understand it.
        if !handshake::is_due(&stream, desk) {
            refusal::refuse(&stream, protocol, Why::Full);
        }
        return;
    };
    desk.count(|counters| counters.add(&counters.connections, 1));
    connections.spawn_local(carry(stream, protocol, Rc::clone(desk), admitted));
}

/// Carries a connection to its end, in the place that it has until then.
async fn carry(stream: Stream, protocol: Protocol, desk: Rc<Desk>, _place: Admitted) {
    if let Some(stream) = handshake::secure(stream, protocol, &desk).await {
        match protocol {
            Protocol::Http | Protocol::Admin => http::serve(stream, protocol, desk).await,
            Protocol::Resp => resp::serve(stream, desk).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_takes_little_room() {
        fn room<F>(_: fn(Stream, Protocol, Rc<Desk>, Admitted) -> F) -> usize {
            size_of::<F>()
        }
        // What is large and rare, as a handshake, has its place elsewhere while it lasts.
        assert!(room(carry) <= 3_072, "{}", room(carry));
    }
}
