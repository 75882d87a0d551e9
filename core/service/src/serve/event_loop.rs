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
use super::service::{Admitted, LoopContext, Service};
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
    let context = LoopContext::new(Arc::clone(service), index);
    let thread = move || {
        if let Err(error) = run(context, sockets) {
            tracing::error!("an event loop cannot begin: {error}");
        }
        drop(running);
    };
    Builder::new().name(format!("snowmint-loop-{index}")).spawn(thread).map(drop)
}

fn run(context: LoopContext, sockets: Vec<(Protocol, Socket)>) -> io::Result<()> {
    let mut builder = RuntimeBuilder::new_current_thread();
    let runtime = builder.enable_io().enable_time().max_blocking_threads(STORE_THREADS).build()?;
    let context = Rc::new(context);
    // What is left of it at its end, connections that outlasted the stop, ends with the set.
    let done = LocalSet::new().block_on(&runtime, async {
        let mut accepting = JoinSet::new();
        for (protocol, socket) in sockets {
            let listener = Listener::new(socket)?;
            accepting.spawn_local(accept(listener, protocol, Rc::clone(&context)));
        }
        while accepting.join_next().await.is_some() {}
        Ok(())
    });
    // A call of a store that goes on has nobody left to tell.
    runtime.shutdown_background();
    done
}

/// Accepts connections until the service stops, and then waits for their ends.
async fn accept(listener: Listener, protocol: Protocol, context: Rc<LoopContext>) {
    let mut connections = JoinSet::new();
    let phases = &context.service.phases;
    let stopping = phases.stopping();
    tokio::pin!(stopping);
    loop {
        tokio::select! {
            biased;
            () = &mut stopping => break,
            Some(_) = connections.join_next() => {}
            accepted = poll_fn(|context| listener.poll_accept(context)) => match accepted {
                Ok(stream) => welcome(&mut connections, stream, protocol, &context),
                Err(error) if is_of_connection(&error) => {}
                Err(_) => sleep(ACCEPT_AGAIN).await,
            },
        }
    }
    // Those that the system has completed already would be broken off with the socket.
    while let Some(stream) = accept_ready(&listener).await {
        welcome(&mut connections, stream, protocol, &context);
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    let _ = timeout(context.setup().config.timeouts.stop(), ended).await;
    context.service.break_off(connections.len());
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
fn welcome(
    connections: &mut JoinSet<()>,
    stream: Stream,
    protocol: Protocol,
    context: &Rc<LoopContext>,
) {
    let Some(admitted) = context.service.admit(protocol) else {
        context.count(|counters| counters.add(&counters.refused, 1));
        // Who speaks TLS would not understand it.
        if !handshake::is_due(&stream, context) {
            refusal::refuse(&stream, protocol, Why::Full);
        }
        return;
    };
    context.count(|counters| counters.add(&counters.connections, 1));
    connections.spawn_local(carry(stream, protocol, Rc::clone(context), admitted));
}

/// Carries a connection to its end, in the place that it has until then.
async fn carry(stream: Stream, protocol: Protocol, context: Rc<LoopContext>, _place: Admitted) {
    if let Some(stream) = handshake::secure(stream, protocol, &context).await {
        match protocol {
            Protocol::Http | Protocol::Admin => http::serve(stream, protocol, context).await,
            Protocol::Resp => resp::serve(stream, context).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_takes_little_room() {
        fn room<F>(_: fn(Stream, Protocol, Rc<LoopContext>, Admitted) -> F) -> usize {
            size_of::<F>()
        }
        // What is large and rare, as a handshake, has its place elsewhere while it lasts.
        assert!(room(carry) <= 3_072, "{}", room(carry));
    }
}
