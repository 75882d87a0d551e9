//! Sockets of TCP: one for each event loop, on one address.

use std::io;
use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Protocol as Transport, Socket, Type};

/// Connections that the system completes before they are accepted.
const BACKLOG: i32 = 1_024;

/// Listens on an address with as many sockets as there are event loops.
///
/// # Errors
/// Of the system; an address that another process listens on is refused, although the system would
/// let the two share its connections.
pub(super) fn bind(wanted: SocketAddr, loops: usize) -> io::Result<(SocketAddr, Vec<TcpListener>)> {
    // The first one has the address alone when it takes it, and shares it from then on: one that
    // shared it before would join the sockets of another server, even by port 0.
    let first = socket(wanted)?;
    first.bind(&wanted.into())?;
    share(&first)?;
    let first = listening(first)?;
    let address = first.local_addr()?;
    let others = (1..loops).map(|_| another(&first, address)).collect::<io::Result<Vec<_>>>()?;
    Ok((address, [first].into_iter().chain(others).collect()))
}

fn socket(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Transport::TCP))?;
    if address.is_ipv6() {
        // [::] is not 0.0.0.0 as well: each address stands in the configuration.
        socket.set_only_v6(true)?;
    }
    // On Windows this would take an address away from its owner.
    socket.set_reuse_address(cfg!(unix))?;
    Ok(socket)
}

fn listening(socket: Socket) -> io::Result<TcpListener> {
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// The system spreads the connections of an address over the sockets that share it.
#[cfg(target_os = "linux")]
fn share(socket: &Socket) -> io::Result<()> {
    socket.set_reuse_port(true)
}

#[cfg(target_os = "linux")]
fn another(_first: &TcpListener, address: SocketAddr) -> io::Result<TcpListener> {
    let socket = socket(address)?;
    share(&socket)?;
    socket.bind(&address.into())?;
    listening(socket)
}

/// Elsewhere they would all go to one: the loops take turns at a single socket.
#[cfg(not(target_os = "linux"))]
fn share(_socket: &Socket) -> io::Result<()> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn another(first: &TcpListener, _address: SocketAddr) -> io::Result<TcpListener> {
    first.try_clone()
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn each_loop_has_a_socket_and_nobody_else_the_address() {
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        let (address, sockets) = bind(free, 3).unwrap();
        assert_ne!(address.port(), 0);
        assert_eq!(sockets.len(), 3);
        for socket in &sockets {
            assert_eq!(socket.local_addr().unwrap(), address);
        }
        let again = bind(address, 1).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AddrInUse);
        let others: Vec<_> = (0..100).map(|_| bind(free, 2).unwrap()).collect();
        assert!(others.iter().all(|(other, _)| *other != address));
    }

    /// Connections that the server closed would keep its address for a minute.
    #[test]
    fn an_address_can_be_taken_again_at_once() {
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        let servers: Vec<_> = (0..20).map(|_| bind(free, 1).unwrap()).collect();
        // The system may give the port of one to another process meanwhile.
        let again = servers.into_iter().any(|(address, sockets)| {
            let client = TcpStream::connect(address).unwrap();
            sockets[0].set_nonblocking(false).unwrap();
            drop(sockets[0].accept().unwrap());
            drop((sockets, client));
            bind(address, 1).is_ok()
        });
        assert!(again);
    }
}
