//! RESP 2 and 3, the protocol of Redis: one connection, from its first command to its end.

use std::future::{Future, poll_fn};
use std::io;
use std::mem::take;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWrite};
use tokio::task::yield_now;
use tokio::time::sleep_until;

use self::parse::{Arguments, Fault, parse};
use self::session::Session;
use self::wire::Wire;
use super::quotas::Client;
use super::service::LoopContext;
use super::stream::Stream;

mod command;
mod info;
mod keys;
mod login;
mod mint;
mod parse;
mod queue;
mod reply;
mod session;
mod wire;

/// The bytes of one read.
const READ_BYTES: usize = 16 * 1024;

/// Answers the commands of a connection until either side ends it.
pub(crate) async fn serve(stream: Stream, context: Rc<LoopContext>) {
    let client = Client::new(stream.address());
    let mut connection = Connection::new(stream, context, client);
    // The peer has gone, or has been told its error, and the log gains nothing from it.
    let _ = connection.run().await;
    connection.say_good_bye().await;
}

struct Connection {
    wire: Wire,
    context: Rc<LoopContext>,
    session: Session,
    /// Bytes that were read but not carried out yet: the beginning of a command.
    input: Vec<u8>,
    /// The time since which such a beginning waits.
    partial_since: Option<Instant>,
}

impl Connection {
    fn new(stream: Stream, context: Rc<LoopContext>, client: Client) -> Connection {
        Connection {
            wire: Wire::new(stream, &context),
            session: Session::new(&context, client),
            input: Vec::new(),
            partial_since: None,
            context,
        }
    }

    async fn run(&mut self) -> io::Result<()> {
        let context = Rc::clone(&self.context);
        let (stopping, look) = (context.service.phases.stopping(), sleep_until(self.ends().into()));
        tokio::pin!(stopping, look);
        let mut read_at = Instant::now();
        loop {
            let read = tokio::select! {
                // Input comes before the timeout: the connection may have been busy with sending
                // replies.
                biased;
                // Commands that have arrived are still answered.
                () = &mut stopping => return self.round_of_what_came().await,
                read = poll_fn(|context| self.poll_read(context)) => read?,
                () = &mut look => {
                    let ends = self.ends_after(read_at);
                    if ends <= Instant::now() {
                        return Ok(());
                    }
                    look.as_mut().reset(ends.into());
                    continue;
                }
            };
            read_at = Instant::now();
            if !self.round(read).await? {
                return Ok(());
            }
            if self.partial_since.is_some() {
                look.as_mut().reset(self.ends_after(read_at).into());
            }
        }
    }

    fn ends(&self) -> Instant {
        self.ends_after(Instant::now())
    }

    /// Returns when the connection ends if nothing more comes.
    fn ends_after(&self, read_at: Instant) -> Instant {
        let setup = self.context.setup();
        match self.partial_since {
            Some(since) => since + setup.config.timeouts.request(),
            None => read_at + setup.config.resp.idle(),
        }
    }

    /// Reads input. A connection that waits for more holds no buffer, unless a command has begun.
    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if self.input.is_empty() {
            self.input = self.context.lend();
        }
        self.input.reserve(READ_BYTES);
        let read = pin!(self.wire.stream.read_buf(&mut self.input)).poll(context);
        if read.is_pending() && self.input.is_empty() {
            self.context.give_back(take(&mut self.input));
        }
        read
    }

    async fn round_of_what_came(&mut self) -> io::Result<()> {
        match poll_fn(|context| Poll::Ready(self.poll_read(context))).await {
            Poll::Ready(read) => self.round(read?).await.map(drop),
            Poll::Pending => Ok(()),
        }
    }

    /// Carries out the input and sends the replies. Returns false at the end of the connection.
    async fn round(&mut self, read: usize) -> io::Result<bool> {
        if read == 0 {
            return Ok(false);
        }
        if self.wire.output.capacity() == 0 {
            self.wire.output = self.context.lend();
        }
        let goes_on = self.carry_out().await?;
        self.wire.send().await?;
        self.tidy();
        if read >= READ_BYTES {
            // Lets other connections run, because a client may send without a pause.
            yield_now().await;
        }
        Ok(goes_on)
    }

    /// Carries out every complete command.
    async fn carry_out(&mut self) -> io::Result<bool> {
        let input = take(&mut self.input);
        let (mut done, mut count) = (0, 0);
        let mut ranges = Vec::new();
        self.wire.begin_batch();
        let mut goes_on = true;
        while goes_on {
            let rest = input.get(done..).unwrap_or_default();
            let length = match parse(rest, &mut ranges) {
                Ok(Some(length)) => length,
                Ok(None) => break,
                Err(fault) => {
                    self.refuse(fault);
                    goes_on = false;
                    break;
                }
            };
            if !ranges.is_empty() {
                let arguments = Arguments::new(rest.get(..length).unwrap_or_default(), &ranges);
                self.session.carry_out(arguments, &mut self.wire).await?;
                count += 1;
            }
            done += length;
            goes_on = !self.session.is_over();
            self.wire.send_many().await?;
        }
        self.context.count(|counters| counters.add(&counters.resp_commands, count));
        self.input = input;
        self.input.drain(..done);
        if done > 0 {
            // Any bytes left belong to a new command.
            self.partial_since = None;
        }
        Ok(goes_on)
    }

    fn refuse(&mut self, fault: Fault) {
        reply::error(&mut self.wire.output, &format!("Protocol error: {fault}"));
    }

    /// Returns the buffers, unless a command has begun.
    fn tidy(&mut self) {
        if !self.input.is_empty() {
            self.partial_since.get_or_insert_with(Instant::now);
            return;
        }
        self.partial_since = None;
        self.context.give_back(take(&mut self.input));
        self.context.give_back(take(&mut self.wire.output));
    }

    /// Closes the connection properly, without waiting: TLS clients take a missing end for an
    /// attack.
    async fn say_good_bye(&mut self) {
        let mut stream = pin!(&mut self.wire.stream);
        let _ = poll_fn(|context| Poll::Ready(stream.as_mut().poll_shutdown(context))).await;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::Arc;

    use tokio::net::UnixStream;
    use tokio::runtime::Builder;

    use super::*;
    use crate::config::{Config, Origin};
    use crate::service::Service;
    use crate::setup::Setup;

    #[test]
    fn a_command_that_begins_once_another_is_done_has_its_own_time() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let service = Service::new(Setup::first(Config::default()).unwrap(), Origin::default());
            let context = Rc::new(LoopContext::new(Arc::new(service), 0));
            let (_client, stream) = UnixStream::pair().unwrap();
            let mut connection = Connection::new(Stream::Unix(stream), context, Client::new(None));
            let mut since = Vec::new();
            for bytes in [b"PING\r\nPI".as_slice(), b"N", b"G\r\nPI", b"NG\r\n"] {
                connection.input.extend_from_slice(bytes);
                assert!(connection.round(bytes.len()).await.unwrap());
                since.push(connection.partial_since);
            }
            assert!(since[0].is_some() && since[1] == since[0]);
            assert!(since[2] > since[0] && since[3].is_none());
        });
    }
}
