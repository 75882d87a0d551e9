//! A connection's replies on their way, and what is waited for before there are more.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use snowmint::{Code, Error, Result};
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::mint;
use crate::serve::service::LoopContext;
use crate::serve::stream::Stream;

/// Replies are sent once there are so many bytes of them, or no more commands.
const SEND_BYTES: usize = 64 * 1024;
/// A client who has closed his side may still read, as `nc -N` does: he is waited with for so long.
const LINGERS: Duration = Duration::from_secs(1);
/// Whether he has, is looked at so often while bytes of his lie unread.
const LOOK: Duration = Duration::from_millis(100);

/// Where the replies of a connection go.
pub(super) struct Wire {
    pub(super) stream: Stream,
    pub(super) output: Vec<u8>,
    /// The commands that are at it.
    batch: Batch,
    context: Rc<LoopContext>,
}

/// Commands that came together: while nothing comes of it they wait together, as long as one of them.
#[derive(Debug, Default)]
struct Batch {
    /// Since when one or the other has waited in vain.
    since: Option<Instant>,
    /// The sources that failed, and how.
    failed: HashMap<String, Error>,
}

impl Batch {
    /// When the time of a command is up that may wait so long for a source.
    fn until(&mut self, source: &str, wait: Duration) -> Instant {
        let is_first = self.since.is_none();
        let since = *self.since.get_or_insert_with(Instant::now);
        if self.failed.contains_key(source) {
            return since;
        }
        // What it waits for ends its time itself, and says why.
        let wait = if is_first { wait.saturating_add(SAYS_WHY) } else { wait };
        since.checked_add(wait).unwrap_or(since + LONGEST_WAIT)
    }

    /// What a command is told whose time is up.
    fn over(&self, source: &str) -> Error {
        self.failed.get(source).cloned().unwrap_or_else(|| {
            let message = "the time to wait is over, which commands that came together share";
            Error::new(Code::WaitTimeout, message)
        })
    }

    /// Notes what came of a wait.
    fn note(&mut self, source: String, why: Option<&Error>) {
        match why {
            // What waits next has a time of its own.
            None => self.since = None,
            Some(why) => drop(self.failed.insert(source, why.clone())),
        }
    }
}

/// How much later than its time the first command of a batch is ended that does not end itself.
const SAYS_WHY: Duration = Duration::from_secs(1);

/// Of waits that are too long to be reckoned with.
const LONGEST_WAIT: Duration = Duration::from_secs(86_400);

impl Wire {
    pub(super) fn new(stream: Stream, context: &Rc<LoopContext>) -> Wire {
        Wire { stream, output: Vec::new(), batch: Batch::default(), context: Rc::clone(context) }
    }

    /// Other commands came, which did not wait with those before.
    pub(super) fn begin_batch(&mut self) {
        self.batch = Batch::default();
    }

    /// Sends all replies that there are.
    pub(super) async fn send(&mut self) -> io::Result<()> {
        if self.output.is_empty() {
            return Ok(());
        }
        let idle = self.context.setup().config.timeouts.idle();
        let sent = async {
            self.stream.write_all(&self.output).await?;
            // What is encrypted may wait there for room.
            self.stream.flush().await
        };
        timeout(idle, sent).await??;
        self.output.clear();
        Ok(())
    }

    /// The same once they are many.
    pub(super) async fn send_many(&mut self) -> io::Result<()> {
        if self.output.len() < SEND_BYTES { Ok(()) } else { self.send().await }
    }

    /// What minting of a name comes to. If it has to wait, what is answered already is sent first, and
    /// it waits no longer than its batch may, nor for a client who has gone.
    ///
    /// # Errors
    /// Of the connection; within, of the source.
    pub(super) async fn waited<T>(
        &mut self,
        name: &[u8],
        mut minting: Pin<&mut impl Future<Output = Result<T>>>,
    ) -> io::Result<Result<T>> {
        match poll_fn(|context| Poll::Ready(minting.as_mut().poll(context))).await {
            Poll::Ready(minted) => Ok(minted),
            // On the heap: every connection has room for what it may wait for, and few wait.
            Poll::Pending => Box::pin(self.waited_for(name, minting)).await,
        }
    }

    async fn waited_for<T>(
        &mut self,
        name: &[u8],
        minting: Pin<&mut impl Future<Output = Result<T>>>,
    ) -> io::Result<Result<T>> {
        self.send().await?;
        let (source, wait) = mint::waits(&self.context, name);
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

    /// Ends once the other side has closed the connection, a little later.
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
    use super::*;

    #[test]
    fn commands_of_a_batch_wait_together() {
        let (mut batch, wait) = (Batch::default(), Duration::from_secs(5));
        let first = batch.until("orders", wait) - SAYS_WHY;
        assert_eq!(batch.until("bills", wait), first);
        assert_eq!(batch.until("orders", 2 * wait), first + wait);
        assert!(batch.until("orders", Duration::MAX) > first);
        // What fails is not waited for again, though others answer.
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
