//! A connection of any kind.

use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};
use tokio_rustls::server::TlsStream;

use super::listen::Socket;

/// A listening socket on one event loop.
#[derive(Debug)]
pub(crate) enum Listener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(UnixListener),
}

impl Listener {
    /// Must be called within the loop's runtime.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn new(socket: Socket) -> io::Result<Listener> {
        match socket {
            Socket::Tcp(socket) => TcpListener::from_std(socket).map(Listener::Tcp),
            #[cfg(unix)]
            Socket::Unix(socket) => UnixListener::from_std(socket).map(Listener::Unix),
        }
    }

    pub(crate) fn poll_accept(&self, context: &mut Context<'_>) -> Poll<io::Result<Stream>> {
        match self {
            Listener::Tcp(listener) => listener.poll_accept(context).map_ok(|(stream, _)| {
                // Each answer is written whole, so waiting for more bytes gains nothing.
                let _ = stream.set_nodelay(true);
                Stream::Tcp(stream)
            }),
            #[cfg(unix)]
            Listener::Unix(listener) => {
                listener.poll_accept(context).map_ok(|(stream, _)| Stream::Unix(stream))
            }
        }
    }
}

/// A TCP connection, with or without TLS, or one over a Unix socket.
#[derive(Debug)]
pub(crate) enum Stream {
    Tcp(TcpStream),
    /// Boxed, because it is ten times as large as the others.
    Tls(Box<TlsStream<TcpStream>>),
    #[cfg(unix)]
    Unix(UnixStream),
}

/// The same expression for each kind of stream.
macro_rules! of_each {
    ($stream:expr, $inner:ident => $done:expr) => {
        match $stream {
            Stream::Tcp($inner) => $done,
            Stream::Tls($inner) => $done,
            #[cfg(unix)]
            Stream::Unix($inner) => $done,
        }
    };
}

impl Stream {
    /// Returns the peer's address; `None` over a Unix socket, or after the connection has ended.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        match self {
            Stream::Tcp(stream) => stream.peer_addr().ok().map(|address| address.ip()),
            Stream::Tls(stream) => stream.get_ref().0.peer_addr().ok().map(|address| address.ip()),
            #[cfg(unix)]
            Stream::Unix(_) => None,
        }
    }

    /// Waits until the stream becomes readable, and returns true if the peer has closed its side.
    /// Returns at once while there are unread bytes.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) async fn is_closed_there(&self) -> io::Result<bool> {
        let ready = match self {
            Stream::Tcp(stream) => stream.ready(Interest::READABLE).await,
            Stream::Tls(stream) => stream.get_ref().0.ready(Interest::READABLE).await,
            #[cfg(unix)]
            Stream::Unix(stream) => stream.ready(Interest::READABLE).await,
        };
        Ok(ready?.is_read_closed())
    }

    /// Writes as much as fits without waiting. Only for streams without TLS.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => stream.try_write(bytes),
            Stream::Tls(_) => Err(io::ErrorKind::Unsupported.into()),
            #[cfg(unix)]
            Stream::Unix(stream) => stream.try_write(bytes),
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        of_each!(self.get_mut(), stream => Pin::new(stream).poll_read(context, buffer))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        of_each!(self.get_mut(), stream => Pin::new(stream).poll_write(context, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        of_each!(self.get_mut(), stream => Pin::new(stream).poll_write_vectored(context, parts))
    }

    fn is_write_vectored(&self) -> bool {
        of_each!(self, stream => stream.is_write_vectored())
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        of_each!(self.get_mut(), stream => Pin::new(stream).poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        of_each!(self.get_mut(), stream => Pin::new(stream).poll_shutdown(context))
    }
}
