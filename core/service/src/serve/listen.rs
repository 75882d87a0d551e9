//! The sockets that the service listens with: one for each event loop, on one address.

use std::io;
use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Protocol as Transport, Socket, Type};

/// Connections that the system completes before they are accepted.
const BACKLOG: i32 = 1_024;

/// What is spoken on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Http,
    Resp,
}

impl Protocol {
    /// As in URLs.
    pub(crate) const fn scheme(self) -> &'static str {
        match self {
            Protocol::Http => "http",
            Protocol::Resp => "redis",
        }
    }
}

/// An address that is listened on.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) protocol: Protocol,
    pub(crate) address: SocketAddr,
    /// One for each event loop.
    pub(crate) sockets: Vec<TcpListener>,
}

/// Listens on an address with as many sockets as there are event loops.
///
/// # Errors
/// Of the system; an address that another process listens on is refused, although the system would
/// let the two share its connections.
pub(crate) fn bind(protocol: Protocol, wanted: SocketAddr, loops: usize) -> io::Result<Bound> {
    // Alone first: sockets that share an address join those of another server, even by port 0.
    let alone = socket(wanted, false)?;
    let address = alone.local_addr()?;
    let sockets = if SHARES_ADDRESSES {
        drop(alone);
        (0..loops).map(|_| socket(address, true)).collect::<io::Result<_>>()?
    } else {
        (0..loops).map(|_| alone.try_clone()).collect::<io::Result<_>>()?
    };
    Ok(Bound { protocol, address, sockets })
}

/// Whether the system spreads the connections of an address over sockets: elsewhere they all go to
/// one, and the loops take turns at a single one.
const SHARES_ADDRESSES: bool = cfg!(target_os = "linux");

fn socket(address: SocketAddr, shared: bool) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Transport::TCP))?;
    if address.is_ipv6() {
        // [::] is not 0.0.0.0 as well: each address stands in the configuration.
        socket.set_only_v6(true)?;
    }
    // On Windows this would take an address away from its owner.
    socket.set_reuse_address(cfg!(unix))?;
    #[cfg(target_os = "linux")]
    socket.set_reuse_port(shared)?;
    #[cfg(not(target_os = "linux"))]
    let _ = shared;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_loop_has_a_socket_and_nobody_else_the_address() {
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        let bound = bind(Protocol::Http, free, 3).unwrap();
        assert_ne!(bound.address.port(), 0);
        assert_eq!(bound.sockets.len(), 3);
        for socket in &bound.sockets {
            assert_eq!(socket.local_addr().unwrap(), bound.address);
        }
        let again = bind(Protocol::Http, bound.address, 1).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AddrInUse);
        let address = bound.address;
        drop(bound);
        bind(Protocol::Http, address, 1).unwrap();
    }
}
