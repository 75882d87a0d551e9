//! A link whose reads and writes all end at the deadline of their call.

use std::io::{self, Read, Write};

use rustix::event::PollFlags;

use super::deadline::{Deadline, Late};
use super::link::{Link, Way};

/// A blocking view of a link. Reads and writes past the deadline fail with
/// [`TimedOut`](io::ErrorKind::TimedOut).
pub(crate) struct Blocking {
    link: Link,
    deadline: Deadline,
}

impl Blocking {
    pub(crate) fn new(link: Link, deadline: Deadline) -> Blocking {
        Blocking { link, deadline }
    }

    /// Sets the deadline of the following reads and writes.
    pub(crate) fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    /// Returns true if this process opened the connection, and is no copy of the process that did.
    pub(crate) fn is_ours(&self) -> bool {
        self.link.is_ours()
    }

    pub(crate) fn way(&self) -> Way {
        self.link.way()
    }

    /// Returns true if the other side has sent nothing unread, and has not closed the connection.
    pub(crate) fn is_silent(&self) -> bool {
        let mut byte = [std::mem::MaybeUninit::uninit()];
        let heard = self.link.socket().peek(&mut byte);
        heard.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Repeats `work`, and waits while the link is not ready for it.
    fn patiently(
        &self,
        wanted: PollFlags,
        mut work: impl FnMut(&Link) -> io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            match work(&self.link) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let waited = self.link.wait(wanted, self.deadline);
                    waited.map_err(|Late| io::ErrorKind::TimedOut)?;
                }
                done => return done,
            }
        }
    }
}

impl Read for Blocking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Checked here too, because a server that never stops sending never times out otherwise.
        if self.deadline.left().is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.patiently(PollFlags::IN, |link| link.read(buffer))
    }
}

impl Write for Blocking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.patiently(PollFlags::OUT, |link| link.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn pair() -> (Blocking, std::net::TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let deadline = Deadline::after(Duration::from_secs(60));
        let link = Link::to_host("127.0.0.1", port, deadline).unwrap();
        (Blocking::new(link, deadline), listener.accept().unwrap().0)
    }

    /// Each read from a server that trickles or never stops is in time, but the call is not.
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
    fn a_link_notices_unasked_bytes_and_its_end() {
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
