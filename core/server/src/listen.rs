//! The sockets that the service listens on: one for each event loop, at each address.

use std::io;
use std::net::TcpListener;
#[cfg(unix)]
use std::os::unix::net::UnixListener;

use super::address::Address;

mod tcp;
#[cfg(unix)]
mod unix;

/// The protocol of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Http,
    Resp,
    /// HTTP for operators.
    Admin,
}

impl Protocol {
    /// Returns the URL scheme, with or without TLS.
    pub(crate) const fn scheme(self, is_secured: bool) -> &'static str {
        match (self, is_secured) {
            (Protocol::Http | Protocol::Admin, false) => "http",
            (Protocol::Http | Protocol::Admin, true) => "https",
            (Protocol::Resp, false) => "redis",
            (Protocol::Resp, true) => "rediss",
        }
    }

    /// Returns the setting that lists the protocol's addresses.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Protocol::Http => "http.listen",
            Protocol::Resp => "resp.listen",
            Protocol::Admin => "admin.listen",
        }
    }

    /// Returns the log's words for an address.
    pub(crate) const fn listens(self) -> &'static str {
        match self {
            Protocol::Http | Protocol::Resp => "listening",
            Protocol::Admin => "for operators",
        }
    }
}

/// A socket that one event loop accepts from.
#[derive(Debug)]
pub(crate) enum Socket {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(UnixListener),
}

/// An address that the service listens on.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) protocol: Protocol,
    pub(crate) address: Address,
    /// One socket for each event loop.
    pub(crate) sockets: Vec<Socket>,
    /// Removes the socket's path when dropped.
    #[cfg(unix)]
    _held: Option<unix::Held>,
}

/// Listens at an address, with one socket for each event loop.
///
/// # Errors
/// The system's error, for example if another process already listens.
pub(crate) fn bind(protocol: Protocol, wanted: &Address, loops: usize) -> io::Result<Bound> {
    match wanted {
        Address::Tcp(wanted) => {
            let (address, sockets) = tcp::bind(*wanted, loops)?;
            Ok(Bound {
                protocol,
                address: Address::Tcp(address),
                sockets: sockets.into_iter().map(Socket::Tcp).collect(),
                #[cfg(unix)]
                _held: None,
            })
        }
        #[cfg(unix)]
        Address::Unix(path) => {
            let (held, sockets) = unix::bind(path, loops)?;
            let sockets = sockets.into_iter().map(Socket::Unix).collect();
            Ok(Bound { protocol, address: wanted.clone(), sockets, _held: Some(held) })
        }
        #[cfg(not(unix))]
        Address::Unix(_) => Err(io::ErrorKind::Unsupported.into()),
    }
}
