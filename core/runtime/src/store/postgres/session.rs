//! A connection to a server, which runs one transaction at a time.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use snowmint_engine::Code;
use tokio_postgres::error::DbError;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Row};

use super::errors::server::setting_unsafe;
use super::fault::{Fault, raises_doubt};
use super::schema::Schema;
use super::socket::{Polled, Socket};
use super::statement::{Statement, Value};
use super::tls::{Connector, Secured};
use crate::store::remote::deadline::Deadline;
use crate::store::remote::link::{Link, Way};
use crate::store::remote::pool;
use crate::store::sql::servers;
use crate::store::{Incarnation, KeySpaceId, KnownKeySpace};

/// Begins a transaction. Each statement sees what was committed before it, so it waits for other
/// transactions instead of failing.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// The index of the settings among a transaction's first statements, and their first column there.
const SETTINGS_AT: (usize, usize) = (1, 5);
/// The index of the statement that reads the incarnation.
const INCARNATION_AT: usize = 2;
/// The most messages beside answers that are read in one turn.
const HEARD_MAX: usize = 256;

/// A connection with one owner. Dropping it closes the socket without a goodbye.
pub(super) struct Session {
    client: Client,
    connection: Connection<Socket, Secured>,
    link: Arc<Polled>,
    /// True if the server tells its incarnation.
    tells: bool,
    terms: Terms,
    /// True once the connection must not be used again.
    is_over: bool,
}

/// The settings of all transactions of a connection.
#[derive(Clone)]
pub(super) struct Terms {
    /// The schema with snowmint's tables; `None` for others' tables, found by the search path.
    pub(super) schema: Option<Schema>,
    /// True if the server's durability settings are checked.
    pub(super) is_checked: bool,
    /// True if an operator states that each standby that may be promoted confirms each commit.
    pub(super) is_synchronous: bool,
}

impl Session {
    pub(super) fn log_in(
        link: Link,
        config: &Config,
        connector: Connector,
        terms: Terms,
        deadline: Deadline,
    ) -> Result<Session, Fault> {
        let link = Arc::new(Polled::new(link));
        let logging_in = config.connect_raw(Socket(Arc::clone(&link)), connector);
        let (client, connection) = match link.block_on(deadline, logging_in) {
            Ok(Ok(pair)) => pair,
            Ok(Err(error)) => return Err(error.into()),
            Err(late) => return Err(late.into()),
        };
        let (tells, is_over) = (true, false);
        let mut session = Session { client, connection, link, tells, terms, is_over };
        let asked = session.incarnation();
        let untold = match session.ask(&[asked], deadline).map_err(Fault::from) {
            Ok(_) => return Ok(session),
            Err(fault) if session.is_over => return Err(fault),
            Err(fault) if fault.is_of_no_such_function() => Fault::untelling(),
            Err(fault) if fault.is_of_no_right() => Fault::untold(),
            Err(fault) => return Err(fault),
        };
        // Others' tables do not note which server wrote a row, so they need no incarnation.
        if session.terms.schema.is_some() {
            return Err(untold);
        }
        session.tells = false;
        Ok(session)
    }

    pub(super) fn way(&self) -> Way {
        self.link.way()
    }

    /// Reads rows in a transaction that changes nothing. It takes one round trip.
    pub(super) fn read(
        &mut self,
        query: &Statement,
        deadline: Deadline,
    ) -> Result<Vec<Row>, Fault> {
        let (mut asked, _) = Transaction::new(self, deadline, false).beginning();
        let at = asked.len();
        // COMMIT also ends a transaction that failed.
        asked.extend([query.clone(), Statement::plain("COMMIT")]);
        let (mut answers, _) = self.ask(&asked, deadline)?;
        Ok(std::mem::take(&mut answers[at]))
    }

    /// Returns the statement that reads which server this is.
    pub(super) fn incarnation(&self) -> Statement {
        Statement::new(include_str!("incarnation.sql"), &[self.is_synchronous()])
    }

    /// Returns the value for the statement that reads which server this is.
    pub(super) fn is_synchronous(&self) -> (&'static str, Value) {
        ("is_synchronous", u32::from(self.terms.is_synchronous).into())
    }

    /// Returns the schema with snowmint's tables.
    pub(super) fn schema(&self) -> Result<&Schema, Fault> {
        self.terms.schema.as_ref().ok_or_else(Fault::no_tables)
    }

    /// Runs `work` in a transaction, which is durable as a whole or not done at all.
    pub(super) fn transact<T>(
        &mut self,
        deadline: Deadline,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.transact_in(None, deadline, work)
    }

    /// Like [`transact`](Self::transact), in snowmint's tables of the known key space.
    pub(super) fn transact_in<T>(
        &mut self,
        known: Option<&KnownKeySpace>,
        deadline: Deadline,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let is_checked = self.terms.is_checked;
        let transaction = Transaction::new(self, deadline, is_checked);
        Transaction { known, ..transaction }.run(work)
    }

    /// Like [`transact`](Self::transact) for work that only reads, without a check of durability.
    pub(super) fn look<T>(
        &mut self,
        deadline: Deadline,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        Transaction::new(self, deadline, false).run(work)
    }

    /// Returns the texts of a transaction with these statements, without the bounds on waits.
    pub(super) fn script(
        &mut self,
        deadline: Deadline,
        statements: impl Iterator<Item = Statement>,
    ) -> Vec<String> {
        let mut transaction = Transaction::new(self, deadline, false);
        let (begin, _) = transaction.beginning();
        let commit = std::iter::once(Statement::plain("COMMIT"));
        begin.into_iter().chain(statements).chain(commit).map(|it| it.with_literals()).collect()
    }

    /// Sends all statements at once. Returns the rows of each, in their order, and the first
    /// message beside them that would leave a commit in doubt.
    fn ask(
        &mut self,
        statements: &[Statement],
        deadline: Deadline,
    ) -> Result<(Vec<Vec<Row>>, Option<DbError>), Failed> {
        let Session { client, connection, link, is_over, .. } = self;
        let mut asked: Vec<_> = statements
            .iter()
            .map(|statement| QueryState::Waits(Box::pin(statement.ask(client))))
            .collect();
        let mut heard = None;
        let listen = |context: &mut Context<'_>| {
            // Polled before hearing, to send the requests, and after it, to take the answers.
            let mut open = poll_all(&mut asked, context);
            let hearing = hear(connection, context, &mut heard);
            open = open && poll_all(&mut asked, context);
            match (open, hearing) {
                (false, hearing) => Poll::Ready((hearing.is_err(), None)),
                (true, Err(error)) => Poll::Ready((true, Some(error))),
                (true, Ok(())) => Poll::Pending,
            }
        };
        let listened = link.run(deadline, listen);
        *is_over |= !matches!(listened, Ok((false, _)));
        let (_, error) = listened.map_err(Fault::from)?;
        // The first statement that failed tells the reason.
        let mut answers = Vec::with_capacity(asked.len());
        for answer in asked {
            match answer {
                QueryState::Answered(Ok(answer)) => answers.push(answer),
                QueryState::Answered(Err(error)) => {
                    let fault = Fault::from(error);
                    *is_over |= fault.spoils_connection();
                    return Err(Failed { fault, at: Some(answers.len()) });
                }
                QueryState::Waits(_) => break,
            }
        }
        match error {
            Some(error) => Err(error.into()),
            None => Ok((answers, heard)),
        }
    }
}

impl pool::Connection for Session {
    fn is_of_use(&mut self) -> bool {
        if self.is_over || !self.link.is_ours() {
            return false;
        }
        // The server may have said goodbye meanwhile.
        let mut context = Context::from_waker(std::task::Waker::noop());
        hear(&mut self.connection, &mut context, &mut None).is_ok()
    }
}

/// The failure of a request.
struct Failed {
    fault: Fault,
    /// The index of the refused statement. If that is 0, BEGIN, the later ones may have been done.
    at: Option<usize>,
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Failed {
        Failed { fault, at: None }
    }
}

impl From<Failed> for Fault {
    fn from(failed: Failed) -> Fault {
        failed.fault
    }
}

enum QueryState<F> {
    Waits(std::pin::Pin<Box<F>>),
    Answered(Result<Vec<Row>, tokio_postgres::Error>),
}

/// Polls all statements, and returns true if one still waits.
fn poll_all<F>(asked: &mut [QueryState<F>], context: &mut Context<'_>) -> bool
where
    F: Future<Output = Result<Vec<Row>, tokio_postgres::Error>>,
{
    let mut open = false;
    for asked in asked {
        if let QueryState::Waits(waiting) = asked {
            match waiting.as_mut().poll(context) {
                Poll::Ready(answer) => *asked = QueryState::Answered(answer),
                Poll::Pending => open = true,
            }
        }
    }
    open
}

/// Writes and reads as much as possible, and keeps the first message that raises a doubt. A server
/// that never stops sending gets another turn after a look at the deadline.
fn hear(
    connection: &mut Connection<Socket, Secured>,
    context: &mut Context<'_>,
    doubt: &mut Option<DbError>,
) -> Result<(), Fault> {
    for _ in 0..HEARD_MAX {
        match connection.poll_message(context) {
            Poll::Ready(Some(Ok(AsyncMessage::Notice(said)))) => {
                if doubt.is_none() && raises_doubt(&said) {
                    *doubt = Some(said);
                }
            }
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(Some(Err(error))) => return Err(error.into()),
            Poll::Ready(None) => return Err(Fault::Closed),
            Poll::Pending => return Ok(()),
        }
    }
    context.waker().wake_by_ref();
    Ok(())
}

/// Fails if a crash of the server's machine could lose what it acknowledged. Without
/// `full_page_writes`, a crash can leave half a page written. The log does not have that page
/// whole, and recovery skips it if the half with its header is the new one.
pub(super) fn check_durable(settings: [Option<&str>; 2]) -> Result<(), Fault> {
    let named = ["fsync", "full_page_writes"].into_iter().zip(settings);
    for (setting, value) in named {
        let Some(value) = value.filter(|value| *value != "on") else { continue };
        return Err(Fault::unfit(Code::UnsafeSetting, setting_unsafe(setting, value)));
    }
    Ok(())
}

/// A transaction, which begins with its first statement.
pub(super) struct Transaction<'a> {
    session: &'a mut Session,
    deadline: Deadline,
    /// True if the server's durability settings are checked.
    is_checked: bool,
    /// For how long all its statements together may wait for locks; set once it has begun.
    lock_ms: Option<Value>,
    incarnation: Option<Incarnation>,
    server: Option<Incarnation>,
    /// The key space that the tables have to be of, if they are snowmint's.
    known: Option<&'a KnownKeySpace>,
    /// The index of the statement that reads the key space.
    space_at: Option<usize>,
    key_space: Option<KeySpaceId>,
}

impl Transaction<'_> {
    fn new(session: &mut Session, deadline: Deadline, is_checked: bool) -> Transaction<'_> {
        Transaction {
            session,
            deadline,
            is_checked,
            lock_ms: None,
            incarnation: None,
            server: None,
            known: None,
            space_at: None,
            key_space: None,
        }
    }

    fn run<T>(mut self, work: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        match work(&mut self) {
            Ok(done) => self.commit().map(|()| done),
            Err(fault) => {
                self.give_up();
                Err(fault)
            }
        }
    }

    pub(super) fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, Fault> {
        Ok(self.all([statement])?.pop().unwrap_or_default())
    }

    /// Runs several statements in one round trip, and returns the rows of each.
    pub(super) fn all(
        &mut self,
        statements: impl IntoIterator<Item = Statement>,
    ) -> Result<Vec<Vec<Row>>, Fault> {
        let begins = self.lock_ms.is_none();
        let (mut asked, lock_wait) = self.beginning();
        let mut wanted = Vec::new();
        for statement in statements {
            if !begins || !wanted.is_empty() {
                asked.push(lock_wait.clone());
            }
            wanted.push(asked.len());
            asked.push(statement);
        }
        let answered = self.session.ask(&asked, self.deadline);
        let (mut answers, _) = answered.map_err(|failed| self.doubted(failed, begins))?;
        if begins {
            self.begun(&answers)?;
        }
        Ok(wanted.into_iter().map(|at| std::mem::take(&mut answers[at])).collect())
    }

    /// Checks and keeps the answers to the first statements.
    fn begun(&mut self, answers: &[Vec<Row>]) -> Result<(), Fault> {
        let (at, column) = SETTINGS_AT;
        if self.is_checked {
            let row = answers[at].first().ok_or(Fault::Closed)?;
            check_durable([row.try_get(column)?, row.try_get(column + 1)?])?;
        }
        if self.session.tells {
            let row = answers[INCARNATION_AT].last();
            let text = |at| row.map(|row| row.try_get::<_, Option<String>>(at));
            self.incarnation = text(0).transpose()?.flatten().map(Into::into);
            self.server = text(2).transpose()?.flatten().map(Into::into);
        }
        if let (Some(at), Some(known)) = (self.space_at, self.known) {
            self.key_space = servers::key_space(&answers[at], known)?;
        }
        Ok(())
    }

    /// Returns the fault of a request. If `BEGIN` failed, each statement after it was a transaction
    /// of its own, without our settings, and may have been committed.
    fn doubted(&mut self, failed: Failed, begins: bool) -> Fault {
        if !begins || failed.fault.spoils_connection() {
            return failed.fault;
        }
        let asks = self.session.tells;
        match failed.at {
            Some(0) => {
                self.session.is_over = true;
                Fault::Unknown(Box::new(failed.fault))
            }
            Some(INCARNATION_AT) if asks && failed.fault.is_of_no_right() => {
                // The user lost the right. The next connection finds that out when it logs in.
                self.session.is_over = true;
                Fault::untold()
            }
            _ => failed.fault,
        }
    }

    pub(super) fn session(&self) -> &Session {
        self.session
    }

    pub(super) fn is_checked(&self) -> bool {
        self.is_checked
    }

    /// Returns the incarnation of the server, if it tells. It is known after the first statement.
    pub(super) fn incarnation(&self) -> Option<Incarnation> {
        self.incarnation.clone()
    }

    /// Returns the key space of snowmint's tables, known after the first statement. `None` if its
    /// row is hidden from this user; then nothing is given.
    pub(super) fn key_space(&self) -> Option<KeySpaceId> {
        self.key_space
    }

    /// Returns the server's name for operators, if it tells. It is known after the first statement.
    pub(super) fn server(&self) -> Option<Incarnation> {
        self.server.clone()
    }

    /// Returns the statements before the first one, and the one that goes before each further one.
    /// The latter bounds the waits even if the client has left and the server goes on.
    fn beginning(&mut self) -> (Vec<Statement>, Statement) {
        let mut begin = Vec::new();
        let lock_ms = self.lock_ms.get_or_insert_with(|| {
            // The server gives up before the deadline, while the connection can still be used.
            let lock = self.deadline.left() / 4 * 3;
            let lock_ms = lock.max(Duration::from_millis(1)).as_millis().to_string();
            let lock_ms = Value::Text(Some(lock_ms));
            let search_path = self.session.terms.schema.as_ref().map(Schema::search_path);
            let values = [("lock_ms", lock_ms.clone()), ("search_path", Value::Text(search_path))];
            begin.push(Statement::plain(BEGIN));
            begin.push(Statement::new(include_str!("settings.sql"), &values));
            begin.extend(self.session.tells.then(|| self.session.incarnation()));
            self.space_at = self.known.map(|_| begin.len());
            begin.extend(self.known.map(|_| Statement::plain(include_str!("key_space.sql"))));
            lock_ms
        });
        let values = [("lock_ms", lock_ms.clone())];
        (begin, Statement::new(include_str!("lock_wait.sql"), &values))
    }

    /// Commits, if the connection lives. Unless the answer is plain, the outcome is unknown.
    fn commit(self) -> Result<(), Fault> {
        if self.lock_ms.is_none() {
            return Ok(());
        }
        if self.session.is_over {
            return Err(Fault::Closed);
        }
        if self.deadline.left().is_zero() {
            // The call would not wait for the answer. A connection that is closed commits nothing.
            self.session.is_over = true;
            return Err(Fault::Late);
        }
        match self.session.ask(&[Statement::plain("COMMIT")], self.deadline) {
            Ok((_, None)) => Ok(()),
            Ok((_, Some(said))) => Err(Fault::Unknown(Box::new((&said).into()))),
            Err(Failed { fault, .. }) if fault.is_refusal_to_commit() => Err(fault),
            Err(Failed { fault, .. }) => {
                self.session.is_over = true;
                Err(Fault::Unknown(Box::new(fault)))
            }
        }
    }

    /// Rolls back after a failure. A connection that may be broken is left alone.
    fn give_up(self) {
        if self.lock_ms.is_some() && !self.session.is_over {
            let ended = self.session.ask(&[Statement::plain("ROLLBACK")], self.deadline);
            self.session.is_over |= ended.is_err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_could_lose_a_commit_is_refused_and_named() {
        for settings in [[Some("on"); 2], [None; 2]] {
            assert!(check_durable(settings).is_ok(), "{settings:?}");
        }
        for (settings, named) in [
            ([Some("off"), Some("on")], "fsync=off"),
            ([Some("on"), Some("off")], "full_page_writes=off"),
            ([None, Some("off")], "full_page_writes=off"),
        ] {
            let refused = check_durable(settings);
            let Err(Fault::Unfit(Code::UnsafeSetting, message)) = refused else {
                panic!("{settings:?}: {refused:?}")
            };
            assert!(message.contains(named) && message.contains("durability=declared"));
        }
    }
}
