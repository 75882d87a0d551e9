//! The one place where a call waits for its connection.
//!
//! The calling thread polls the driver's futures, and waits in `poll(2)` in between. There is no
//! async runtime, because its threads and pollers would not survive a fork.

use std::future::Future;
use std::io;
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use rustix::event::PollFlags;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::store::remote::deadline::{Deadline, Late};
use crate::store::remote::link::{Link, Way};

/// A link that the driver's half and the waiting half share.
pub(super) struct Polled {
    link: Link,
    /// True if a write did not fit, so that the next wait is also for room.
    is_full: AtomicBool,
}

impl Polled {
    pub(super) fn new(link: Link) -> Polled {
        Polled { link, is_full: AtomicBool::new(false) }
    }

    /// Returns true if this process opened the connection; false in a copy of the process.
    pub(super) fn is_ours(&self) -> bool {
        self.link.is_ours()
    }

    pub(super) fn way(&self) -> Way {
        self.link.way()
    }

    fn wait(&self, deadline: Deadline) -> Result<(), Late> {
        let mut wanted = PollFlags::IN;
        if self.is_full.swap(false, Ordering::Relaxed) {
            wanted |= PollFlags::OUT;
        }
        self.link.wait(wanted, deadline)
    }

    /// Polls `step` until it is ready, and waits in between.
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

    /// Like [`run`](Self::run), for a future.
    pub(super) fn block_on<F: Future>(
        &self,
        deadline: Deadline,
        work: F,
    ) -> Result<F::Output, Late> {
        let mut work = std::pin::pin!(work);
        self.run(deadline, |context| work.as_mut().poll(context))
    }
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The driver's half of a link. It registers no waker: the thread that polls waits for the link.
pub(super) struct Socket(pub(super) Arc<Polled>);

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.0.link.read(buffer.initialize_unfilled()) {
            Ok(length) => {
                buffer.advance(length);
                Poll::Ready(Ok(()))
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.0.link.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.0.is_full.store(true, Ordering::Relaxed);
                Poll::Pending
            }
            done => Poll::Ready(done),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.link.socket().shutdown(Shutdown::Write))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn work_that_is_always_ready_to_go_on_ends_with_the_deadline() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let long = Deadline::after(Duration::from_secs(10));
        let link = Polled::new(Link::to_host("127.0.0.1", port, long).unwrap());
        let ended = link.run(Deadline::after(Duration::from_millis(20)), |context| {
            assert!(!long.left().is_zero(), "it goes on for ever");
            context.waker().wake_by_ref();
            Poll::<()>::Pending
        });
        assert!(matches!(ended, Err(Late)));
    }
}
