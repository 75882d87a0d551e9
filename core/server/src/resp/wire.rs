//! A connection's replies, and its waits for numbers.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use snowmint::{Error, Result};
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::mint;
use crate::errors;
use crate::service::{LoopContext, RequestContext};
use crate::stream::Stream;

/// Replies are sent at this many bytes, or when no more commands are there.
const SEND_BYTES: usize = 64 * 1024;
/// The time to wait for a client that has closed its side, because it may still read, as `nc -N`
/// does.
const LINGERS: Duration = Duration::from_secs(1);
/// The pause between checks for a closed side while unread bytes make waiting impossible.
const LOOK: Duration = Duration::from_millis(100);

/// The sending side of a connection.
pub(super) struct Wire {
    pub(super) stream: Stream,
    pub(super) output: Vec<u8>,
    /// The commands that are being carried out.
    batch: Batch,
    context: Rc<LoopContext>,
}

/// Commands that arrived together. While they get nothing, they share one wait, so that all of them
/// wait no longer than one.
#[derive(Debug, Default)]
struct Batch {
    /// The start of the present wait without success.
    since: Option<Instant>,
    /// The sources that failed, with their errors.
    failed: HashMap<String, Error>,
}

impl Batch {
    /// Returns when a command must give up that may wait this long for a source.
    fn until(&mut self, source: &str, wait: Duration) -> Instant {
        let is_first = self.since.is_none();
        let since = *self.since.get_or_insert_with(Instant::now);
        if self.failed.contains_key(source) {
            return since;
        }
        // The first wait ends by itself and says why, so its deadline here is a little later.
        let wait = if is_first { wait.saturating_add(SAYS_WHY) } else { wait };
        since.checked_add(wait).unwrap_or(since + LONGEST_WAIT)
    }

    /// Returns the error for a command whose time is up.
    fn over(&self, source: &str) -> Error {
        self.failed.get(source).cloned().unwrap_or_else(errors::resp::shared_wait_over)
    }

    /// Notes the result of a wait.
    fn note(&mut self, source: String, why: Option<&Error>) {
        match why {
            // The next wait gets its full time.
            None => self.since = None,
            Some(why) => drop(self.failed.insert(source, why.clone())),
        }
    }
}

/// The extra time that the first command of a batch gets to end its wait with a reason.
const SAYS_WHY: Duration = Duration::from_secs(1);

/// The wait that stands in for one that overflows the clock.
const LONGEST_WAIT: Duration = Duration::from_secs(86_400);

impl Wire {
    pub(super) fn new(stream: Stream, context: &Rc<LoopContext>) -> Wire {
        Wire { stream, output: Vec::new(), batch: Batch::default(), context: Rc::clone(context) }
    }

    /// Begins a batch, which shares no wait with the previous one.
    pub(super) fn begin_batch(&mut self) {
        self.batch = Batch::default();
    }

    pub(super) async fn send(&mut self) -> io::Result<()> {
        if self.output.is_empty() {
            return Ok(());
        }
        let idle = self.context.setup().config.timeouts.idle();
        let sent = async {
            self.stream.write_all(&self.output).await?;
            // TLS may still hold encrypted bytes.
            self.stream.flush().await
        };
        timeout(idle, sent).await??;
        self.output.clear();
        Ok(())
    }

    /// Sends the replies once they are many.
    pub(super) async fn send_many(&mut self) -> io::Result<()> {
        if self.output.len() < SEND_BYTES { Ok(()) } else { self.send().await }
    }

    /// Mints for a name. If that has to wait, finished replies are sent first. The wait ends with
    /// its batch, or when the client has gone.
    ///
    /// # Errors
    /// The connection's errors; the inner result is the source's.
    pub(super) async fn waited<T>(
        &mut self,
        context: &RequestContext,
        name: &[u8],
        mut minting: Pin<&mut impl Future<Output = Result<T>>>,
    ) -> io::Result<Result<T>> {
        match poll_fn(|task| Poll::Ready(minting.as_mut().poll(task))).await {
            Poll::Ready(minted) => Ok(minted),
            // Boxed, because few commands wait and every connection reserves room for its largest
            // future.
            Poll::Pending => Box::pin(self.waited_for(context, name, minting)).await,
        }
    }

    async fn waited_for<T>(
        &mut self,
        context: &RequestContext,
        name: &[u8],
        minting: Pin<&mut impl Future<Output = Result<T>>>,
    ) -> io::Result<Result<T>> {
        self.send().await?;
        let (source, wait) = mint::waits(context, name);
        let until = self.batch.until(&source, wait);
        let minted = tokio::select! {
            biased;
            minted = minting => minted,
            () = sleep_until(until) => Err(self.batch.over(&source)),
            gone = self.gone() => return gone.map(|never| match never {}),
        };
        self.batch.note(source, minted.as_ref().err());
        Ok(minted)
    }

    /// Returns a little after the peer has closed the connection.
    async fn gone(&self) -> io::Result<Infallible> {
        while !self.stream.is_closed_there().await? {
            sleep(LOOK).await;
        }
        sleep(LINGERS).await;
        Err(io::ErrorKind::ConnectionAborted.into())
    }
}

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::*;

    #[test]
    fn commands_of_a_batch_wait_together() {
        let (mut batch, wait) = (Batch::default(), Duration::from_secs(5));
        let first = batch.until("orders", wait) - SAYS_WHY;
        assert_eq!(batch.until("bills", wait), first);
        assert_eq!(batch.until("orders", 2 * wait), first + wait);
        assert!(batch.until("orders", Duration::MAX) > first);
        // A source that failed is not waited for again, even if others answer.
        batch.note("orders".to_owned(), Some(&Error::new(Code::StoreLocked, "it is locked")));
        assert!(batch.until("orders", wait) < first);
        assert_eq!(batch.over("orders").code(), Code::StoreLocked);
        assert_eq!(
            (batch.until("bills", wait), batch.over("bills").code()),
            (first, Code::WaitTimeout)
        );
        batch.note("bills".to_owned(), None);
        assert!(batch.since.is_none());
        assert!(batch.until("orders", wait) <= Instant::now());
    }
}
