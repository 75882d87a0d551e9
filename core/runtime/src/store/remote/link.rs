//! A socket that never blocks, and that a forked child leaves alone.

use std::io::{self, Read};
use std::net::{Shutdown, SocketAddr};
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use socket2::{Domain, SockAddr, Socket, TcpKeepalive, Type};

use super::deadline::{Deadline, Late};
use super::look_ups::resolved;
use crate::host::restore::Image;

/// A server that is gone without a word is noticed, where nothing is asked, after some minutes.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// Between two tries of a local server whose queue of connections is full.
const PAUSE: Duration = Duration::from_millis(5);

/// What is said of a connection that was not made, or broke: with what to do where it was not made.
#[cfg(any(feature = "etcd", feature = "redis", feature = "service", feature = "zookeeper"))]
pub(crate) fn said(error: &io::Error) -> String {
    use io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable, NotFound};
    match error.kind() {
        ConnectionRefused | HostUnreachable | NetworkUnreachable | NotFound => {
            format!("it cannot be reached: check host, port and network ({error})")
        }
        _ => error.to_string(),
    }
}

/// A connected socket.
pub(crate) struct Link {
    /// There until this is dropped.
    socket: Option<Socket>,
    image: Image,
}

/// Where a connection goes, and by which port of this machine.
pub(crate) struct Way {
    /// None of a Unix socket.
    pub(crate) port: Option<u16>,
    /// Whether it stays on this machine.
    pub(crate) is_local: bool,
}

impl Link {
    /// Connects to a machine by its name or address.
    pub(crate) fn to_host(host: &str, port: u16, deadline: Deadline) -> io::Result<Link> {
        let addresses = resolved(host, port, deadline)?;
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
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

    /// Connects to a server of this machine by its socket's path.
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
        let peer = self.socket().peer_addr().ok().and_then(|it| it.as_socket());
        Way { port, is_local: peer.is_none_or(|it| it.ip().to_canonical().is_loopback()) }
    }

    /// Whether this process, and no copy of it, opened the connection.
    pub(crate) fn is_ours(&self) -> bool {
        self.image.is_present()
    }

    /// Reads what is there; [`WouldBlock`](io::ErrorKind::WouldBlock) if nothing is.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        uninterrupted(|| self.socket().read(buffer))
    }

    /// Writes what fits; [`WouldBlock`](io::ErrorKind::WouldBlock) if nothing does.
    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        uninterrupted(|| self.socket().send_with_flags(bytes, QUIETLY))
    }

    /// Waits until there is something to read, or room to write, whichever is wanted.
    pub(crate) fn wait(&self, wanted: PollFlags, deadline: Deadline) -> Result<(), Late> {
        loop {
            let left = deadline.left();
            if left.is_zero() {
                return Err(Late);
            }
            let left = Timespec::try_from(left).ok();
            match rustix::event::poll(&mut [PollFd::new(self.socket(), wanted)], left.as_ref()) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                // Whatever else is wrong with it, the next read or write says so.
                Ok(_) | Err(_) => return Ok(()),
            }
        }
    }
}

impl Drop for Link {
    /// Closes it for all who have a copy: a forked child may have one, and the server would go on
    /// waiting. What another image of this process opened is left alone: its parent or its twin
    /// goes on with it.
    fn drop(&mut self) {
        let socket = self.socket.take();
        if self.is_ours() {
            drop(socket.map(|socket| socket.shutdown(Shutdown::Both)));
        } else {
            std::mem::forget(socket);
        }
    }
}

/// A link that is broken is an error, not a signal that would end the process.
#[cfg(all(unix, not(target_vendor = "apple")))]
const QUIETLY: i32 = libc::MSG_NOSIGNAL;
/// Where it is an option of the socket, which has it, or there is no such signal.
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
    // A timeout of 0 is refused.
    let timeout = deadline.left().max(Duration::from_millis(1));
    socket.connect_timeout(&address.into(), timeout)?;
    socket.set_nonblocking(true)?;
    socket.set_tcp_nodelay(true)?;
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE))?;
    Ok(socket)
}
