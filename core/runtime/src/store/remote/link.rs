//! A socket that never blocks, and that a forked child does not touch.

use std::io::{self, Read};
use std::net::{Shutdown, SocketAddr};
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use socket2::{Domain, SockAddr, Socket, TcpKeepalive, Type};

use super::deadline::{Deadline, Late};
use super::errors;
use super::look_ups::resolved;
use crate::host::restore::Image;

/// The idle time before keepalive probes, so that a vanished server is noticed within minutes.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// The pause between attempts at a local server whose connection queue is full.
const PAUSE: Duration = Duration::from_millis(5);

/// Describes a connection that failed, with advice if it was never made.
pub(crate) fn said(error: &io::Error) -> String {
    use io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable, NotFound};
    match error.kind() {
        ConnectionRefused | HostUnreachable | NetworkUnreachable | NotFound => {
            errors::unreachable(error)
        }
        _ => error.to_string(),
    }
}

pub(crate) struct Link {
    /// `Some` until this is dropped.
    socket: Option<Socket>,
    image: Image,
}

/// The local port and the reach of a connection.
pub(crate) struct Way {
    /// The port on this machine; `None` for a Unix socket.
    pub(crate) port: Option<u16>,
    /// True if the connection stays on this machine.
    pub(crate) is_local: bool,
}

impl Link {
    /// Connects to a host by its name or address.
    pub(crate) fn to_host(host: &str, port: u16, deadline: Deadline) -> io::Result<Link> {
        let addresses = resolved(host, port, deadline)?;
        let mut failure = errors::name_without_address();
        let mut left = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
        for address in addresses {
            match connected(address, deadline.share(left)) {
                Ok(socket) => return Ok(Link::new(socket)),
                Err(error) => failure = error,
            }
            left = left.saturating_sub(1);
        }
        Err(failure)
    }

    /// Connects to a server on this machine by the path of its socket.
    pub(crate) fn to_path(path: &Path, deadline: Deadline) -> io::Result<Link> {
        let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        let address = SockAddr::unix(path)?;
        loop {
            match socket.connect(&address) {
                Ok(()) => return Ok(Link::new(socket)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            if deadline.left().is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(PAUSE);
        }
    }

    fn new(socket: Socket) -> Link {
        Link { socket: Some(socket), image: Image::present() }
    }

    pub(crate) fn socket(&self) -> &Socket {
        self.socket.as_ref().expect("only what drops this takes it")
    }

    pub(crate) fn way(&self) -> Way {
        let port =
            self.socket().local_addr().ok().and_then(|it| it.as_socket()).map(|it| it.port());
        // The peer of a Unix socket has no address of the network.
        let is_local = self.socket().peer_addr().is_ok_and(|peer| {
            peer.as_socket().is_none_or(|it| it.ip().to_canonical().is_loopback())
        });
        Way { port, is_local }
    }

    /// Returns true if this process opened the connection, and is no copy of the process that did.
    pub(crate) fn is_ours(&self) -> bool {
        self.image.is_present()
    }

    /// Reads what is there, or returns [`WouldBlock`](io::ErrorKind::WouldBlock) if nothing is.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        uninterrupted(|| self.socket().read(buffer))
    }

    /// Writes what fits, or returns [`WouldBlock`](io::ErrorKind::WouldBlock) if nothing does.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        uninterrupted(|| self.socket().send_with_flags(bytes, QUIETLY))
    }

    /// Waits until the link can be read or written, as requested.
    pub(crate) fn wait(&self, wanted: PollFlags, deadline: Deadline) -> Result<(), Late> {
        loop {
            let left = deadline.left();
            if left.is_zero() {
                return Err(Late);
            }
            let left = Timespec::try_from(left).ok();
            match rustix::event::poll(&mut [PollFd::new(self.socket(), wanted)], left.as_ref()) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                // The next read or write reports any other error.
                Ok(_) | Err(_) => return Ok(()),
            }
        }
    }
}

impl Drop for Link {
    /// Shuts the connection down, also for a forked child that has a copy: otherwise the server
    /// would keep waiting. A connection that another image of this process opened is left alone,
    /// because the parent or the twin still uses it.
    fn drop(&mut self) {
        let socket = self.socket.take();
        if self.is_ours() {
            drop(socket.map(|socket| socket.shutdown(Shutdown::Both)));
        } else {
            std::mem::forget(socket);
        }
    }
}

/// Makes a broken connection an error instead of a signal that would end the process.
#[cfg(all(unix, not(target_vendor = "apple")))]
const QUIETLY: i32 = libc::MSG_NOSIGNAL;
/// Here the flag is an option of the socket, or the signal does not exist.
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
const QUIETLY: i32 = 0;

fn uninterrupted(mut work: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match work() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

fn connected(address: SocketAddr, deadline: Deadline) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    // The socket refuses a timeout of 0.
    let timeout = deadline.left().max(Duration::from_millis(1));
    socket.connect_timeout(&address.into(), timeout)?;
    socket.set_nonblocking(true)?;
    socket.set_tcp_nodelay(true)?;
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE))?;
    Ok(socket)
}
