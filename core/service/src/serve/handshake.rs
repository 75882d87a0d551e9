//! From an accepted connection to one that speaks: over TCP by TLS, where it is configured.

use std::future::Future;
use std::io;

use tokio::net::TcpStream;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::listen::Protocol;
use super::patience::STOP_SILENCE;
use super::refusal::{self, Why};
use super::service::LoopContext;
use super::stream::Stream;

/// The first byte of whoever speaks TLS.
const HANDSHAKE: u8 = 22;

/// Whether a connection that was accepted has to be secured.
pub(crate) fn is_due(stream: &Stream, context: &LoopContext) -> bool {
    matches!(stream, Stream::Tcp(_)) && context.setup().certificates.is_some()
}

/// Secures a connection where it has to be; `None` where that fails, or is not done in time.
pub(crate) async fn secure(
    stream: Stream,
    protocol: Protocol,
    context: &LoopContext,
) -> Option<Stream> {
    let Stream::Tcp(stream) = stream else { return Some(stream) };
    let config =
        context.setup().certificates.as_ref().map(|certificates| certificates.of(protocol));
    let Some(config) = config else { return Some(Stream::Tcp(stream)) };
    let acceptor = TlsAcceptor::from(config);
    // On the heap, which has it back afterwards: the connection has room for it to its end.
    let shaking = Box::pin(shake(stream, protocol, &acceptor));
    let Some(secured) = within(context, shaking).await else {
        context.count(|counters| counters.add(&counters.handshakes_failed, 1));
        return None;
    };
    secured.map(|stream| Stream::Tls(Box::new(stream)))
}

/// The handshake; `None` for who only looked whether somebody is there. Who speaks something else
/// is told so in its own words: an alert of TLS says nothing to it.
async fn shake(
    stream: TcpStream,
    protocol: Protocol,
    acceptor: &TlsAcceptor,
) -> io::Result<Option<TlsStream<TcpStream>>> {
    let mut first = [0];
    match stream.peek(&mut first).await {
        Ok(1) if first == [HANDSHAKE] => acceptor.accept(stream).await.map(Some),
        Ok(0) | Err(_) => Ok(None),
        Ok(_) => {
            // What is left unread would have the system take the words back.
            let _ = stream.try_read(&mut [0; 1_024]);
            refusal::refuse(&Stream::Tcp(stream), protocol, Why::Plaintext);
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}

/// What is done within the time for a handshake, and soon once the service stops.
async fn within<T>(context: &LoopContext, done: impl Future<Output = io::Result<T>>) -> Option<T> {
    let service = &context.service;
    let stopped = async {
        service.phases.stopping().await;
        sleep(STOP_SILENCE).await;
    };
    tokio::select! {
        done = done => done.ok(),
        () = sleep(service.setup().config.timeouts.handshake()) => None,
        () = stopped => None,
    }
}
