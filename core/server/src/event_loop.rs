//! One event loop: a thread that accepts connections and serves them to their end.

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

/// The pause after an accept fails because the system is out of file descriptors or memory.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);

/// The threads of a loop that may block on the store of leases.
const STORE_THREADS: usize = 2;

/// Starts a loop, which ends with the service and then drops `running`.
///
/// # Errors
/// The system's error.
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
    // Connections that outlasted the stop end when the set is dropped.
    let done = LocalSet::new().block_on(&runtime, async {
        let mut accepting = JoinSet::new();
        for (protocol, socket) in sockets {
            let listener = Listener::new(socket)?;
            accepting.spawn_local(accept(listener, protocol, Rc::clone(&context)));
        }
        while accepting.join_next().await.is_some() {}
        Ok(())
    });
    // A store call that still runs has no request left to answer.
    runtime.shutdown_background();
    done
}

/// Accepts connections until the service stops, and then waits for them to end.
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
    // Connections in the accept queue would be reset when the socket closes, so they are served
    // first.
    while let Some(stream) = accept_ready(&listener).await {
        welcome(&mut connections, stream, protocol, &context);
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    let _ = timeout(context.setup().config.timeouts.stop(), ended).await;
    context.service.break_off(connections.len());
}

/// Returns a connection from the accept queue, if there is one.
async fn accept_ready(listener: &Listener) -> Option<Stream> {
    poll_fn(|context| match listener.poll_accept(context) {
        Poll::Ready(Ok(stream)) => Poll::Ready(Some(stream)),
        _ => Poll::Ready(None),
    })
    .await
}

/// Returns true if a connection ended before it was accepted.
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves a connection, or refuses it if there are too many.
fn welcome(
    connections: &mut JoinSet<()>,
    stream: Stream,
    protocol: Protocol,
    context: &Rc<LoopContext>,
) {
    let Some(admitted) = context.service.admit(protocol) else {
        context.count(|counters| counters.add(&counters.refused, 1));
        // A client that speaks TLS would not understand a plain refusal.
        if !handshake::is_due(&stream, context) {
            refusal::refuse(&stream, protocol, Why::Full);
        }
        return;
    };
    context.count(|counters| counters.add(&counters.connections, 1));
    connections.spawn_local(carry(stream, protocol, Rc::clone(context), admitted));
}

/// Serves a connection to its end. `_place` counts it until then.
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
        // Large and rare futures, such as a handshake, are boxed while they last.
        assert!(room(carry) <= 3_072, "{}", room(carry));
    }
}
