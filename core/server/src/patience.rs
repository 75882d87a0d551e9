//! Time limits of a connection: for silence, a request, an unread answer, and its whole life.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::config::Timeouts;

/// The time that a new, silent connection gets when the service stops: its request may be on its
/// way.
pub(super) const STOP_SILENCE: Duration = Duration::from_millis(250);

/// The state of a connection, and the time at which it began.
#[derive(Debug)]
pub(crate) struct Patience {
    at: Cell<At>,
    since: Cell<Instant>,
    retires: Instant,
    ends_silence: Cell<Option<Instant>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// No byte of the next request has come. The last answer may still be on its way out.
    Idle,
    /// A request has begun to arrive.
    Receiving,
    /// The request is being answered, within timeouts of its own.
    Answering,
}

/// The fate of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It goes on; check again at this time.
    Look(Instant),
    /// It ends after its present request.
    Retire,
    /// It ends now.
    End,
}

impl Patience {
    /// Creates the state of a new connection. `spread`, from 0 to 255, keeps connections that came
    /// together from retiring together.
    pub(crate) fn new(now: Instant, timeouts: &Timeouts, spread: u8) -> Patience {
        let age = timeouts.connection_age();
        Patience {
            at: Cell::new(At::Idle),
            since: Cell::new(now),
            retires: now + age - age / 10 * u32::from(spread) / 255,
            ends_silence: Cell::new(None),
        }
    }

    pub(crate) fn received(&self) {
        if self.at.get() == At::Idle {
            self.begin(At::Receiving);
        }
    }

    /// Notes that a request is complete.
    pub(crate) fn answering(&self) {
        self.begin(At::Answering);
    }

    pub(crate) fn answered(&self) {
        self.begin(At::Idle);
    }

    /// Notes that the peer has taken bytes.
    pub(crate) fn sent(&self) {
        if self.at.get() == At::Idle {
            self.since.set(Instant::now());
        }
    }

    fn begin(&self, at: At) {
        self.at.set(at);
        self.since.set(Instant::now());
    }

    pub(crate) fn stop(&self, now: Instant) {
        self.ends_silence.set(Some(now + STOP_SILENCE));
    }

    /// Decides about the connection; `retired` is true once it was told to retire.
    pub(crate) fn verdict(&self, now: Instant, timeouts: &Timeouts, retired: bool) -> Verdict {
        let since = self.since.get();
        let ends = match (self.at.get(), self.ends_silence.get()) {
            (At::Idle, Some(end)) => Some(end.min(since + timeouts.idle())),
            (At::Idle, None) => Some(since + timeouts.idle()),
            (At::Receiving, _) => Some(since + timeouts.request()),
            (At::Answering, _) => None,
        };
        let looks = now + timeouts.request();
        match ends {
            Some(end) if end <= now => Verdict::End,
            _ if !retired && self.retires <= now => Verdict::Retire,
            Some(end) if retired => Verdict::Look(end),
            Some(end) => Verdict::Look(end.min(self.retires).min(looks)),
            None => Verdict::Look(looks),
        }
    }
}

/// A stream that reports its reads and writes.
pub(crate) struct Watched<S> {
    stream: S,
    patience: Rc<Patience>,
}

impl<S> Watched<S> {
    pub(crate) fn new(stream: S, patience: Rc<Patience>) -> Watched<S> {
        Watched { stream, patience }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.patience.received();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.patience.sent();
        }
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        if written.is_ready() {
            self.patience.sent();
        }
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeouts() -> Timeouts {
        Timeouts { request_ms: 1_000, idle_ms: 5_000, ..Timeouts::default() }
    }

    fn after(begin: Instant, ms: u64) -> Instant {
        begin + Duration::from_millis(ms)
    }

    #[test]
    fn silence_and_slow_requests_end_and_answers_are_waited_for() {
        let timeouts = timeouts();
        let begin = Instant::now();
        let patience = Patience::new(begin, &timeouts, 0);
        assert_eq!(patience.verdict(after(begin, 5_000), &timeouts, false), Verdict::End);
        assert_ne!(patience.verdict(after(begin, 4_999), &timeouts, false), Verdict::End);
        patience.received();
        assert_eq!(patience.verdict(after(Instant::now(), 1_000), &timeouts, false), Verdict::End);
        assert_ne!(patience.verdict(after(begin, 999), &timeouts, false), Verdict::End);
        patience.answering();
        let late = after(Instant::now(), 600_000);
        assert!(matches!(patience.verdict(late, &timeouts, false), Verdict::Look(_)));
        patience.answered();
        assert_eq!(patience.verdict(late, &timeouts, false), Verdict::End);
    }

    #[test]
    fn a_connection_retires_once_at_its_age() {
        let timeouts = Timeouts { connection_age_ms: 10_000, idle_ms: 60_000, ..timeouts() };
        let begin = Instant::now();
        for (spread, age_ms) in [(0, 10_000), (255, 9_000)] {
            let patience = Patience::new(begin, &timeouts, spread);
            let before = patience.verdict(after(begin, age_ms - 1), &timeouts, false);
            assert_eq!(before, Verdict::Look(after(begin, age_ms)), "{spread}");
            let at = after(begin, age_ms);
            assert_eq!(patience.verdict(at, &timeouts, false), Verdict::Retire, "{spread}");
            let then = Verdict::Look(after(begin, 60_000));
            assert_eq!(patience.verdict(at, &timeouts, true), then, "{spread}");
        }
    }

    #[test]
    fn when_the_service_stops_silence_is_short() {
        let timeouts = timeouts();
        let begin = Instant::now();
        let patience = Patience::new(begin, &timeouts, 0);
        patience.stop(begin);
        let end = begin + STOP_SILENCE;
        assert_eq!(patience.verdict(begin, &timeouts, true), Verdict::Look(end));
        assert_eq!(patience.verdict(end, &timeouts, true), Verdict::End);
    }
}
