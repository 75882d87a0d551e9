//! The TLS handshake of an accepted TCP connection, if TLS is configured.

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

/// The first byte of a TLS handshake.
const HANDSHAKE: u8 = 22;

/// Returns true if a connection needs a handshake.
pub(crate) fn is_due(stream: &Stream, context: &LoopContext) -> bool {
    matches!(stream, Stream::Tcp(_)) && context.setup().certificates.is_some()
}

/// Performs the handshake if one is needed. Returns `None` if it fails or takes too long.
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
    // Boxed, so that the memory is free again after the handshake.
    let shaking = Box::pin(shake(stream, protocol, &acceptor));
    let Some(secured) = within(context, shaking).await else {
        context.count(|counters| counters.add(&counters.handshakes_failed, 1));
        return None;
    };
    secured.map(|stream| Stream::Tls(Box::new(stream)))
}

/// Performs the handshake; returns `None` for a client that only checked the port. A client without
/// TLS gets an answer in its own protocol, because it would not understand a TLS alert.
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
            // Unread bytes would make the system reset the connection and discard the answer.
            let _ = stream.try_read(&mut [0; 1_024]);
            refusal::refuse(&Stream::Tcp(stream), protocol, Why::Plaintext);
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}

/// Runs a future within the handshake timeout, and only briefly once the service stops.
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
