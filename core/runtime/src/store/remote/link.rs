//! A socket of which every read and write ends at the deadline of its call, and which a forked
//! child leaves alone.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, ToSocketAddrs};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use socket2::{Domain, SockAddr, Socket, TcpKeepalive, Type};

use crate::host::restore::Image;

/// A server that is gone without a word is noticed, where nothing is asked, after some minutes.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// Between two tries of a local server whose queue of connections is full.
const PAUSE: Duration = Duration::from_millis(5);

/// The time up to which a call may wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// The longest there is.
    const MAX: Duration = Duration::from_secs(3600);

    pub(crate) fn after(within: Duration) -> Deadline {
        Deadline(Instant::now() + within.min(Deadline::MAX))
    }

    pub(crate) fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// A share of what is left, for one of several that may be waited for.
    pub(crate) fn share(self, of: u32) -> Deadline {
        Deadline(Instant::now() + self.left() / of.max(1))
    }

    pub(crate) fn at_most(self, within: Duration) -> Deadline {
        Deadline(self.0.min(Instant::now() + within.min(Deadline::MAX)))
    }
}

/// A connected socket. What is read or written past the deadline fails with
/// [`TimedOut`](io::ErrorKind::TimedOut).
pub(crate) struct Link {
    /// There until this is dropped.
    socket: Option<Socket>,
    deadline: Deadline,
    image: Image,
}

impl Link {
    /// Connects to a machine by its name or address.
    pub(crate) fn to_host(host: &str, port: u16, deadline: Deadline) -> io::Result<Link> {
        let addresses = resolved(host, port, deadline)?;
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        let mut left = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
        for address in addresses {
            match connected(address, deadline.share(left)) {
                Ok(socket) => return Ok(Link::new(socket, deadline)),
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
                Ok(()) => return Ok(Link::new(socket, deadline)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            if deadline.left().is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(PAUSE);
        }
    }

    fn new(socket: Socket, deadline: Deadline) -> Link {
        Link { socket: Some(socket), deadline, image: Image::present() }
    }

    fn socket(&self) -> &Socket {
        self.socket.as_ref().expect("only what drops this takes it")
    }

    /// Bounds what follows.
    pub(crate) fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    /// Whether this process, and no copy of it, opened the connection.
    pub(crate) fn is_ours(&self) -> bool {
        self.image.is_present()
    }

    /// Whether the other side has neither said anything that was not read, nor closed it.
    pub(crate) fn is_silent(&self) -> bool {
        let mut byte = [std::mem::MaybeUninit::uninit()];
        let heard = self.socket().peek(&mut byte);
        heard.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    fn wait(&self, wanted: PollFlags) -> io::Result<()> {
        loop {
            let left = self.deadline.left();
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let left = Timespec::try_from(left).ok();
            match rustix::event::poll(&mut [PollFd::new(self.socket(), wanted)], left.as_ref()) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                // Whatever else is wrong with it, the next read or write says so.
                Ok(_) | Err(_) => return Ok(()),
            }
        }
    }

    /// Does what the socket is ready for, or waits until it is.
    fn patiently(
        &self,
        wanted: PollFlags,
        mut work: impl FnMut(&Socket) -> io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            match work(self.socket()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait(wanted)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // One that never stops talking is heard no longer, either.
        if self.deadline.left().is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.patiently(PollFlags::IN, |mut socket| socket.read(buffer))
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.patiently(PollFlags::OUT, |socket| socket.send_with_flags(bytes, QUIETLY))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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

/// The addresses of a machine. The system's look-up has no deadline: a thread of its own waits.
fn resolved(host: &str, port: u16, deadline: Deadline) -> io::Result<Vec<SocketAddr>> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let (sender, answer) = mpsc::sync_channel(1);
    let host = host.to_owned();
    let look_up = move || {
        let found = (host, port).to_socket_addrs().map(Iterator::collect);
        drop(sender.send(found)); // nobody may be waiting any more
    };
    thread::Builder::new().name("snowmint names".to_owned()).spawn(look_up)?;
    let late = || io::Error::new(io::ErrorKind::TimedOut, "no answer of the name service in time");
    answer.recv_timeout(deadline.left()).unwrap_or_else(|_| Err(late()))
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

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn pair() -> (Link, std::net::TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let link = Link::to_host("127.0.0.1", port, Deadline::after(Duration::from_secs(60)));
        (link.unwrap(), listener.accept().unwrap().0)
    }

    /// Each read of a server that trickles is in time, and so is each of one that never stops; the
    /// call is not.
    #[test]
    fn a_deadline_is_of_all_reads_together() {
        for (pause, said) in [(10, 1), (0, 1 << 16)] {
            let (mut link, mut server) = pair();
            let (stop, stopped) = mpsc::channel::<()>();
            let talk = thread::spawn(move || {
                let pause = Duration::from_millis(pause);
                while stopped.recv_timeout(pause) == Err(mpsc::RecvTimeoutError::Timeout) {
                    drop(server.write(&vec![b'x'; said]));
                }
            });
            link.set_deadline(Deadline::after(Duration::from_millis(100)));
            let failed = io::copy(&mut link, &mut io::sink()).unwrap_err();
            assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
            drop(stop);
            drop(link);
            talk.join().unwrap();
        }
    }

    #[test]
    fn a_link_that_nobody_reads_is_late_to_write() {
        let (mut link, _server) = pair();
        link.set_deadline(Deadline::after(Duration::from_millis(100)));
        let failed = link.write_all(&vec![0; 64 << 20]).unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn what_was_said_unasked_and_a_good_bye_are_noticed() {
        let (link, mut server) = pair();
        assert!(link.is_silent());
        drop(server.write(b"x"));
        let mut waited = 0;
        while link.is_silent() {
            assert!(waited < 60_000);
            waited += 1;
            thread::sleep(Duration::from_millis(1));
        }
        let (link, server) = pair();
        drop(server);
        while link.is_silent() {
            assert!(waited < 60_000);
            waited += 1;
            thread::sleep(Duration::from_millis(1));
        }
    }
}
