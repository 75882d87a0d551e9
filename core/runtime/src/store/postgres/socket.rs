//! A socket that never blocks, and the one place where a call waits for it.
//!
//! The driver's futures are polled by the thread that calls, which waits in `poll(2)` between. There
//! is no runtime of its own: its threads and pollers would not live through a fork.

use std::io::{self, Read};
use std::net::{Shutdown, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};
use std::{future::Future, thread};

use rustix::event::{PollFd, PollFlags, Timespec};
use socket2::{Domain, SockAddr, TcpKeepalive, Type};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::look_ups::resolved;
use crate::host::restore::Image;

/// A server that is gone without a word is noticed, where nothing is asked, after some minutes.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// Between two tries of a local server whose queue of connections is full.
const PAUSE: Duration = Duration::from_millis(5);

/// The time up to which a call may wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Instant);

/// The deadline has passed.
#[derive(Debug)]
pub(super) struct Late;

impl Deadline {
    /// The longest there is.
    const MAX: Duration = Duration::from_secs(3600);

    pub(super) fn after(within: Duration) -> Deadline {
        Deadline(Instant::now() + within.min(Deadline::MAX))
    }

    pub(super) fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// A share of what is left, for one of several that may be waited for.
    pub(super) fn share(self, of: u32) -> Deadline {
        Deadline(Instant::now() + self.left() / of.max(1))
    }

    pub(super) fn at_most(self, within: Duration) -> Deadline {
        Deadline(self.0.min(Instant::now() + within.min(Deadline::MAX)))
    }
}

/// A connected socket, which the driver's half and the waiting half share.
pub(super) struct Link {
    /// There until this is dropped.
    socket: Option<socket2::Socket>,
    /// Something to be written did not fit.
    is_full: AtomicBool,
    image: Image,
}

impl Link {
    /// Connects to a machine by its name or address.
    pub(super) fn to_host(host: &str, port: u16, deadline: Deadline) -> io::Result<Link> {
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
    pub(super) fn to_path(path: &Path, deadline: Deadline) -> io::Result<Link> {
        let socket = socket2::Socket::new(Domain::UNIX, Type::STREAM, None)?;
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

    fn new(socket: socket2::Socket) -> Link {
        let socket = Some(socket);
        Link { socket, is_full: AtomicBool::new(false), image: Image::present() }
    }

    fn socket(&self) -> &socket2::Socket {
        self.socket.as_ref().expect("only what drops this takes it")
    }

    /// Whether this process, and no copy of it, opened the connection.
    pub(super) fn is_ours(&self) -> bool {
        self.image.is_present()
    }

    /// Waits until there is something to read, or room for what is to be written.
    fn wait(&self, deadline: Deadline) -> Result<(), Late> {
        let mut wanted = PollFlags::IN;
        if self.is_full.swap(false, Ordering::Relaxed) {
            wanted |= PollFlags::OUT;
        }
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

    /// Polls `step`, and waits between, until it is ready.
    ///
    /// # Errors
    /// If the deadline passes before.
    pub(super) fn run<T>(
        &self,
        deadline: Deadline,
        mut step: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Result<T, Late> {
        let woken = Arc::new(Woken(AtomicBool::new(false)));
        let waker = Waker::from(Arc::clone(&woken));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(done) = step(&mut context) {
                return Ok(done);
            }
            if !woken.0.swap(false, Ordering::Relaxed) {
                self.wait(deadline)?;
            } else if deadline.left().is_zero() {
                return Err(Late);
            }
        }
    }

    /// The same for a future.
    pub(super) fn block_on<F: Future>(
        &self,
        deadline: Deadline,
        work: F,
    ) -> Result<F::Output, Late> {
        let mut work = std::pin::pin!(work);
        self.run(deadline, |context| work.as_mut().poll(context))
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

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The driver's half of a link. It registers nowhere: whoever polls waits for the link.
pub(super) struct Socket(pub(super) Arc<Link>);

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            match self.0.socket().read(buffer.initialize_unfilled()) {
                Ok(length) => {
                    buffer.advance(length);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Poll::Pending,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            match self.0.socket().send_with_flags(bytes, QUIETLY) {
                Ok(length) => return Poll::Ready(Ok(length)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.0.is_full.store(true, Ordering::Relaxed);
                    return Poll::Pending;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.socket().shutdown(Shutdown::Write))
    }
}

/// A link that is broken is an error, not a signal that would end the process.
#[cfg(all(unix, not(target_vendor = "apple")))]
const QUIETLY: i32 = libc::MSG_NOSIGNAL;
/// Where it is an option of the socket, which has it, or there is no such signal.
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
const QUIETLY: i32 = 0;

fn connected(address: SocketAddr, deadline: Deadline) -> io::Result<socket2::Socket> {
    let socket = socket2::Socket::new(Domain::for_address(address), Type::STREAM, None)?;
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
    use super::*;

    #[test]
    fn work_that_is_always_ready_to_go_on_ends_with_the_deadline() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let long = Deadline::after(Duration::from_secs(10));
        let link = Link::to_host("127.0.0.1", port, long).unwrap();
        let ended = link.run(Deadline::after(Duration::from_millis(20)), |context| {
            assert!(!long.left().is_zero(), "it goes on for ever");
            context.waker().wake_by_ref();
            Poll::<()>::Pending
        });
        assert!(matches!(ended, Err(Late)));
    }
}
