//! A connection to a server, asked one transaction at a time.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio_postgres::error::DbError;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Row};

use super::fault::{Doubt, Fault};
use super::schema::Schema;
use super::socket::{Polled, Socket};
use super::statement::{Statement, Value};
use super::tls::{Connector, Secured};
use crate::store::remote::deadline::Deadline;
use crate::store::remote::link::{Link, Way};
use crate::store::remote::pool;
use crate::store::{Incarnation, KeySpaceId, Known};

/// How a transaction begins: each statement sees what was committed before it, so that others are
/// waited for and not refused.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// Which of the first statements of a transaction tells what commits are worth, from which column on.
const SETTINGS_AT: (usize, usize) = (1, 5);
/// Which of them asks for the incarnation.
const INCARNATION_AT: usize = 2;
/// So much of what is no answer is heard in one turn.
const HEARD_MAX: usize = 256;

/// A connection, which its owner alone uses. Dropping it closes the socket without a word.
pub(super) struct Session {
    client: Client,
    connection: Connection<Socket, Secured>,
    link: Arc<Polled>,
    /// Whether the server tells its incarnation.
    tells: bool,
    terms: Terms,
    /// Whether the connection is of no more use.
    is_over: bool,
}

/// What holds for each transaction of a connection.
#[derive(Clone)]
pub(super) struct Terms {
    /// Where our tables are; none for tables of others, which the user's search path finds.
    pub(super) schema: Option<Schema>,
    /// Whether its commits are checked to be durable.
    pub(super) is_checked: bool,
    /// Whether each standby that may be promoted confirms each commit, by an operator's word.
    pub(super) is_synchronous: bool,
}

impl Session {
    /// Logs in over a link.
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
            Ok(Err(error)) => return Err(Fault::Driver(error)),
            Err(late) => return Err(late.into()),
        };
        let (tells, is_over) = (true, false);
        let mut session = Session { client, connection, link, tells, terms, is_over };
        let asked = session.incarnation();
        let untold = match session.ask(&[asked], deadline).map_err(Fault::from) {
            Ok(_) => return Ok(session),
            Err(fault) if session.is_over => return Err(fault),
            Err(fault) if fault.is_of_no_such_function() => Fault::Untelling,
            Err(fault) if fault.is_of_no_right() => Fault::Untold,
            Err(fault) => return Err(fault),
        };
        // What it gives of others' tables is not compared with rows.
        if session.terms.schema.is_some() {
            return Err(untold);
        }
        session.tells = false;
        Ok(session)
    }

    pub(super) fn way(&self) -> Way {
        self.link.way()
    }

    /// Asks for rows in a transaction that changes nothing, which is one round trip.
    pub(super) fn read(
        &mut self,
        query: &Statement,
        deadline: Deadline,
    ) -> Result<Vec<Row>, Fault> {
        let (mut asked, _) = Transaction::new(self, deadline, false).beginning();
        let at = asked.len();
        // Of a transaction that failed it is the end as well.
        asked.extend([query.clone(), Statement::plain("COMMIT")]);
        let (mut answers, _) = self.ask(&asked, deadline)?;
        Ok(std::mem::take(&mut answers[at]))
    }

    /// Asks a server which one it is.
    pub(super) fn incarnation(&self) -> Statement {
        let is_synchronous = u32::from(self.terms.is_synchronous).into();
        Statement::new(include_str!("incarnation.sql"), &[("is_synchronous", is_synchronous)])
    }

    /// Where our tables are.
    pub(super) fn schema(&self) -> Result<&Schema, Fault> {
        self.terms.schema.as_ref().ok_or(Fault::NoTables)
    }

    /// Does everything that `work` asks for, durably, or nothing.
    pub(super) fn transact<T>(
        &mut self,
        deadline: Deadline,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let is_checked = self.terms.is_checked;
        Transaction::new(self, deadline, is_checked).run(work)
    }

    /// The same in our tables, where they are those of a key space.
    pub(super) fn transact_in<T>(
        &mut self,
        known: &Known,
        deadline: Deadline,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let is_checked = self.terms.is_checked;
        let transaction = Transaction::new(self, deadline, is_checked);
        Transaction { known: Some(known), ..transaction }.run(work)
    }

    /// The same for what only looks, whatever a commit is worth.
    pub(super) fn look<T>(
        &mut self,
        deadline: Deadline,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        Transaction::new(self, deadline, false).run(work)
    }

    /// The texts of a transaction with these statements, but for what bounds the waits between.
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

    /// Asks for all at once, in their order: the rows of each, and the first that the server said
    /// beside which would leave a commit in doubt.
    fn ask(
        &mut self,
        statements: &[Statement],
        deadline: Deadline,
    ) -> Result<(Vec<Vec<Row>>, Option<DbError>), Failed> {
        let Session { client, connection, link, is_over, .. } = self;
        let mut asked: Vec<_> = statements
            .iter()
            .map(|statement| Asked::Waits(Box::pin(statement.ask(client))))
            .collect();
        let mut heard = None;
        let listen = |context: &mut Context<'_>| {
            // Once before, so that the requests are sent, and once after, for their answers.
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
        // The first that failed says why.
        let mut answers = Vec::with_capacity(asked.len());
        for answer in asked {
            match answer {
                Asked::Answered(Ok(answer)) => answers.push(answer),
                Asked::Answered(Err(error)) => {
                    let fault = Fault::Driver(error);
                    *is_over |= fault.spoils_connection();
                    return Err(Failed { fault, at: Some(answers.len()) });
                }
                Asked::Waits(_) => break,
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
        // What the server said since: good-bye, perhaps.
        let mut context = Context::from_waker(std::task::Waker::noop());
        hear(&mut self.connection, &mut context, &mut None).is_ok()
    }
}

/// Why something that was asked for failed.
struct Failed {
    fault: Fault,
    /// Which statement was refused, if one was: after the first, the others may have been done.
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

/// A statement on its way.
enum Asked<F> {
    Waits(std::pin::Pin<Box<F>>),
    Answered(Result<Vec<Row>, tokio_postgres::Error>),
}

/// Whether one of them waits still.
fn poll_all<F>(asked: &mut [Asked<F>], context: &mut Context<'_>) -> bool
where
    F: Future<Output = Result<Vec<Row>, tokio_postgres::Error>>,
{
    let mut open = false;
    for asked in asked {
        if let Asked::Waits(waiting) = asked {
            match waiting.as_mut().poll(context) {
                Poll::Ready(answer) => *asked = Asked::Answered(answer),
                Poll::Pending => open = true,
            }
        }
    }
    open
}

/// Writes and reads as much as can be; of what is no answer, keeps the first doubt. A server that
/// never stops talking has its turn again, after a look at the deadline.
fn hear(
    connection: &mut Connection<Socket, Secured>,
    context: &mut Context<'_>,
    doubt: &mut Option<DbError>,
) -> Result<(), Fault> {
    for _ in 0..HEARD_MAX {
        match connection.poll_message(context) {
            Poll::Ready(Some(Ok(AsyncMessage::Notice(said)))) => {
                if doubt.is_none() && Doubt::is_raised_by(&said) {
                    *doubt = Some(said);
                }
            }
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(Some(Err(error))) => return Err(Fault::Driver(error)),
            Poll::Ready(None) => return Err(Fault::Closed),
            Poll::Pending => return Ok(()),
        }
    }
    context.waker().wake_by_ref();
    Ok(())
}

/// Refuses a server that a crash of its machine could have forget what it acknowledged, by what it says
/// of its settings. Without `full_page_writes` that is what was on a page of which half was written: the
/// log does not have it whole, and passes it over where the half with the page's header is the new one.
pub(super) fn check_durable(settings: [Option<&str>; 2]) -> Result<(), Fault> {
    let named = ["fsync", "full_page_writes"].into_iter().zip(settings);
    for (setting, value) in named {
        let Some(value) = value.filter(|value| *value != "on") else { continue };
        return Err(Fault::Unsafe(format!(
            "runs with {setting}={value}, which lets a crash of its machine take back or damage what \
             it acknowledged: ALTER SYSTEM SET {setting} = on; SELECT pg_reload_conf(), or say \
             durability=declared where it cannot lose it"
        )));
    }
    Ok(())
}

/// What is done in one transaction.
pub(super) struct Transaction<'a> {
    session: &'a mut Session,
    deadline: Deadline,
    /// Whether its commit is checked to be durable.
    is_checked: bool,
    /// How long its statements may wait for locks, all together; there once it has begun.
    lock_ms: Option<Value>,
    incarnation: Option<Incarnation>,
    server: Option<Incarnation>,
    /// The key space that its tables have to be of, if they are ours.
    known: Option<&'a Known>,
    /// Which of the first statements asks for it.
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

    /// Asks for the rows of one statement.
    pub(super) fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, Fault> {
        Ok(self.all([statement])?.pop().unwrap_or_default())
    }

    /// Asks for the rows of several, in one round trip.
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

    /// What the first statements tell of the server.
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
        let space = self.space_at.and_then(|at| answers[at].first());
        if let (Some(row), Some(known)) = (space, self.known) {
            let id = row.try_get::<_, String>(0)?.parse()?;
            known.check(id)?;
            self.key_space = Some(id);
        }
        Ok(())
    }

    /// Where there is no transaction after all, each statement that was sent after its beginning
    /// was one of its own: what was done is done, and without our settings.
    fn doubted(&mut self, failed: Failed, begins: bool) -> Fault {
        if !begins || failed.fault.spoils_connection() {
            return failed.fault;
        }
        let asks = self.session.tells;
        match failed.at {
            Some(0) => {
                self.session.is_over = true;
                Fault::Unknown(Doubt::Failed(Box::new(failed.fault)))
            }
            Some(INCARNATION_AT) if asks && failed.fault.is_of_no_right() => {
                // The right is gone; the next connection learns so when it logs in.
                self.session.is_over = true;
                Fault::Untold
            }
            _ => failed.fault,
        }
    }

    pub(super) fn session(&self) -> &Session {
        self.session
    }

    /// Whether a server that could lose what is committed is refused.
    pub(super) fn is_checked(&self) -> bool {
        self.is_checked
    }

    /// Which incarnation of the server this is in, where it tells; after the first question.
    pub(super) fn incarnation(&self) -> Option<Incarnation> {
        self.incarnation.clone()
    }

    /// The key space of our tables; after the first question. None where its row is not to be seen, and
    /// nothing is given.
    pub(super) fn key_space(&self) -> Option<KeySpaceId> {
        self.key_space
    }

    /// As operators tell this server from any other, where it tells; after the first question.
    pub(super) fn server(&self) -> Option<Incarnation> {
        self.server.clone()
    }

    /// What comes before the first statement, and before each further one: a server that goes on
    /// with them after its client left keeps nobody waiting for longer either.
    fn beginning(&mut self) -> (Vec<Statement>, Statement) {
        let mut begin = Vec::new();
        let lock_ms = self.lock_ms.get_or_insert_with(|| {
            // The server gives up first, while the connection is still of use.
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

    /// Commits, unless the server ended the connection before. Whatever is not a plain answer leaves
    /// in doubt what became of it.
    fn commit(self) -> Result<(), Fault> {
        if self.lock_ms.is_none() {
            return Ok(());
        }
        if self.session.is_over {
            return Err(Fault::Closed);
        }
        if self.deadline.left().is_zero() {
            // Nobody waits for the answer. A connection that is closed commits nothing.
            self.session.is_over = true;
            return Err(Fault::Late);
        }
        match self.session.ask(&[Statement::plain("COMMIT")], self.deadline) {
            Ok((_, None)) => Ok(()),
            Ok((_, Some(said))) => Err(Fault::Unknown(Doubt::Warned(Box::new(said)))),
            Err(Failed { fault, .. }) if fault.is_refusal_to_commit() => Err(fault),
            Err(Failed { fault, .. }) => {
                self.session.is_over = true;
                Err(Fault::Unknown(Doubt::Failed(Box::new(fault))))
            }
        }
    }

    /// Ends the transaction that failed. A connection that may be broken is not asked again.
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
            let Err(Fault::Unsafe(message)) = refused else { panic!("{settings:?}: {refused:?}") };
            assert!(message.contains(named) && message.contains("durability=declared"));
        }
    }
}
