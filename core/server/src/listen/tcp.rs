//! TCP sockets: one for each event loop, on one address.

use std::io;
use std::net::{SocketAddr, TcpListener};

use socket2::{Domain, Protocol as Transport, Socket, Type};

/// The length of the system's queue of connections that are not accepted yet.
const BACKLOG: i32 = 1_024;

/// Listens on an address with one socket for each event loop.
///
/// # Errors
/// The system's error. An address that another process listens on is refused, although the system
/// could share it.
pub(super) fn bind(wanted: SocketAddr, loops: usize) -> io::Result<(SocketAddr, Vec<TcpListener>)> {
    // The first socket binds exclusively and allows sharing only afterwards. If it shared from the
    // start, it could join another server's sockets, even with port 0.
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
        // `[::]` does not include `0.0.0.0`: the configuration lists each address.
        socket.set_only_v6(true)?;
    }
    // On Windows, this option would let the socket take an address from its owner.
    socket.set_reuse_address(cfg!(unix))?;
    Ok(socket)
}

fn listening(socket: Socket) -> io::Result<TcpListener> {
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// Linux spreads connections over the sockets that share an address.
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

/// Other systems would send all connections to one socket, so the loops share a single socket.
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

    /// Without address reuse, connections that the server closed would keep its address for a
    /// minute.
    #[test]
    fn an_address_can_be_taken_again_at_once() {
        let free = SocketAddr::from(([127, 0, 0, 1], 0));
        let servers: Vec<_> = (0..20).map(|_| bind(free, 1).unwrap()).collect();
        // Meanwhile the system may give a port to another process, so one success of 20 is enough.
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
