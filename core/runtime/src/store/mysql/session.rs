//! A connection to a server, which runs one transaction at a time.

use std::time::Duration;

use snowmint_engine::Code;

use super::errors::{self, server};
use super::fault::Fault;
use super::rows::Row;
use super::statement::Statement;
use super::wire::{Answer, Conversation, Login};
use crate::store::remote::blocking::Blocking;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::link::{Link, Way};
use crate::store::remote::pool::Connection;
use crate::store::sql::{Row as _, servers};
use crate::store::{Incarnation, KeySpaceId, KnownKeySpace};

/// Begins a transaction. Each statement sees what was committed before it, so it waits for other
/// transactions instead of failing.
const BEGIN: [&str; 2] =
    ["SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "START TRANSACTION READ WRITE"];
/// The index of the statement among a transaction's first ones that reads the settings.
const GUARD_AT: usize = 3 + BEGIN.len();
/// The server's limits on waits are whole seconds.
const SECOND: Duration = Duration::from_secs(1);

/// A connection with one owner. Dropping it says goodbye to the server, but only in the process
/// that opened it; a forked child or a restored image never touches it.
pub(super) struct Session {
    conversation: Conversation,
    /// True if the server's durability settings are checked.
    is_checked: bool,
    /// True once the connection must not be used again.
    is_over: bool,
}

impl Session {
    pub(super) fn log_in(
        link: Link,
        login: &Login<'_>,
        is_checked: bool,
        deadline: Deadline,
    ) -> Result<Session, Fault> {
        let conversation = Conversation::log_in(Blocking::new(link, deadline), login)?;
        let mut session = Session { conversation, is_checked, is_over: false };
        session.ask(&[Statement::plain(include_str!("settings.sql"))], deadline)?;
        session.check_flush_method(deadline)?;
        Ok(session)
    }

    /// Fails if the server does not sync its files. Later versions may not have this setting.
    fn check_flush_method(&mut self, deadline: Deadline) -> Result<(), Fault> {
        let method = Statement::plain(include_str!("flush_method.sql"));
        match self.read(&method, deadline) {
            Ok(told) if self.is_checked => check_flush_method(&told),
            Err(fault) if !fault.is_unknown_variable() => Err(fault),
            _ => Ok(()),
        }
    }

    pub(super) fn way(&self) -> Way {
        self.conversation.link().way()
    }

    /// Reads rows outside of a transaction.
    pub(super) fn read(
        &mut self,
        query: &Statement,
        deadline: Deadline,
    ) -> Result<Vec<Row>, Fault> {
        Ok(rows(self.ask(std::slice::from_ref(query), deadline)?.pop()))
    }

    /// Runs a statement outside of a transaction, such as DDL, which commits by itself.
    pub(super) fn define(&mut self, statement: Statement, deadline: Deadline) -> Result<(), Fault> {
        self.ask(&[statement], deadline).map(drop)
    }

    /// Runs `work` under a named lock. `lock` waits for its turn, and fails if that does not come.
    pub(super) fn with_lock<T>(
        &mut self,
        lock: &str,
        deadline: Deadline,
        work: impl FnOnce(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let lock_s = patience_s(deadline);
        let lock = Statement::new(lock, &[("lock_s", lock_s.into())]);
        let mut answers = self.ask(&[bounds(lock_s), lock], deadline)?;
        if !is_given(&rows(answers.pop())) {
            return Err(errors::tables_contended().into());
        }
        let done = work(self);
        self.unlock(deadline);
        done
    }

    /// Gives up the named lock. The end of the connection does so, too.
    fn unlock(&mut self, deadline: Deadline) {
        if !self.is_over {
            let unlock = Statement::plain(include_str!("unlock.sql"));
            self.is_over |= self.ask(&[unlock], deadline).is_err();
        }
    }

    /// Fails unless the server takes changes and keeps them.
    pub(super) fn guard(&mut self, deadline: Deadline) -> Result<(), Fault> {
        let told = rows(self.ask(&[incarnation(), guard()], deadline)?.pop());
        let checked = check(&told, self.is_checked);
        self.is_over |= checked.is_err(); // another host may do better
        checked
    }

    /// Fails unless the server is durable, even if the caller vouched for it.
    pub(super) fn check_all(&mut self, deadline: Deadline) -> Result<(), Fault> {
        let is_checked = std::mem::replace(&mut self.is_checked, true);
        let checked = self.check_flush_method(deadline).and_then(|()| self.guard(deadline));
        self.is_checked = is_checked;
        checked
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
        let mut transaction = Transaction {
            session: self,
            deadline,
            lock_s: None,
            incarnation: None,
            known,
            key_space: None,
        };
        match work(&mut transaction) {
            Ok(done) => transaction.commit().map(|()| done),
            Err(fault) => {
                transaction.give_up();
                self.is_over |= fault.spoils_connection();
                Err(fault)
            }
        }
    }

    /// Sends all statements at once, and returns their answers in order. The first error ends it.
    fn ask(&mut self, statements: &[Statement], deadline: Deadline) -> Result<Vec<Answer>, Fault> {
        self.conversation.set_deadline(deadline);
        let answered = self.conversation.ask(&Statement::joined(statements), statements.len());
        let answered = answered.and_then(|answers| match answers.len() == statements.len() {
            true => Ok(answers),
            false => Err(Fault::Closed), // out of step, as a proxy may be
        });
        self.is_over |= answered.as_ref().is_err_and(Fault::spoils_connection);
        answered
    }
}

impl Connection for Session {
    fn is_of_use(&mut self) -> bool {
        let link = self.conversation.link();
        // The server may have said goodbye meanwhile.
        !self.is_over && link.is_ours() && link.is_silent()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.is_of_use() {
            self.conversation.quit();
        }
    }
}

fn rows(answer: Option<Answer>) -> Vec<Row> {
    let answer = answer.unwrap_or_default();
    let columns = answer.columns;
    answer.rows.into_iter().map(|values| Row::new(columns.clone(), values)).collect()
}

/// Returns for how many seconds to wait for locks. The server gives up before the deadline, while
/// the connection can still be used.
pub(super) fn patience_s(deadline: Deadline) -> i64 {
    let patience = (deadline.left() / 4 * 3).max(SECOND);
    i64::try_from(patience.as_secs()).unwrap_or(i64::MAX)
}

/// Returns the statement that bounds the waits of a transaction.
fn bounds(lock_s: i64) -> Statement {
    Statement::new(include_str!("bounds.sql"), &[("lock_s", lock_s.into())])
}

/// Returns the statement before each further one. It binds even a server whose client has left.
fn lock_wait(lock_s: i64) -> Statement {
    Statement::new(include_str!("lock_wait.sql"), &[("lock_s", lock_s.into())])
}

/// Returns true if the named lock was given.
fn is_given(told: &[Row]) -> bool {
    told.first().is_some_and(|row| row.is_one(0))
}

/// Returns the statement that tells the others of a transaction which server they run on.
pub(super) fn incarnation() -> Statement {
    Statement::plain(include_str!("incarnation.sql"))
}

fn guard() -> Statement {
    Statement::plain(include_str!("guard.sql"))
}

/// Fails for a flush method that leaves the sync to the system.
fn check_flush_method(told: &[Row]) -> Result<(), Fault> {
    let Some(row) = told.first() else { return Err(Fault::Closed) };
    let method = row.text(0)?;
    if !["nosync", "littlesync"].iter().any(|weak| method.eq_ignore_ascii_case(weak)) {
        return Ok(());
    }
    Err(not_durable(server::flush_method_unsafe(&method)))
}

fn not_durable(setting: impl Into<String>) -> Fault {
    Fault::unfit(Code::UnsafeSetting, setting)
}

/// Fails unless a server with these settings takes changes, and keeps them through a crash.
fn check(told: &[Row], is_checked: bool) -> Result<(), Fault> {
    let Some(row) = told.first() else { return Err(Fault::Closed) };
    let [flush, log, sync, read_only] = [row.text(0)?, row.text(1)?, row.text(2)?, row.text(3)?];
    if !is_off(&read_only) {
        return Err(Fault::unfit(Code::StoreReadOnly, server::READ_ONLY));
    }
    let refused =
        |setting: &str, value: &str| Err(not_durable(server::setting_unsafe(setting, value)));
    // MariaDB's 3 is as durable as 1, and syncs more often.
    if is_checked && !["1", "3"].contains(&flush.as_str()) {
        return refused("innodb_flush_log_at_trx_commit", &flush);
    }
    // If there is a binary log, it decides after a crash what was committed.
    if is_checked && !is_off(&log) && sync != "1" {
        return refused("sync_binlog", &sync);
    }
    if is_checked && row.is_one(4) {
        return Err(not_durable(server::FOLLOWER_TAKES_CHANGES));
    }
    Ok(())
}

/// Returns true if a setting is off. Newer versions use words for some settings.
fn is_off(value: &str) -> bool {
    value == "0" || value.eq_ignore_ascii_case("off")
}

/// A transaction, which begins with its first statement.
pub(super) struct Transaction<'a> {
    session: &'a mut Session,
    deadline: Deadline,
    /// For how many seconds all its statements together may wait for locks; set once it has begun.
    lock_s: Option<i64>,
    incarnation: Option<Incarnation>,
    /// The key space that the tables have to be of, if they are snowmint's.
    known: Option<&'a KnownKeySpace>,
    key_space: Option<KeySpaceId>,
}

impl Transaction<'_> {
    /// Runs a statement, and returns how many rows it changed.
    pub(super) fn count(&mut self, statement: Statement) -> Result<u64, Fault> {
        Ok(self.all([statement])?.pop().unwrap_or_default().changed)
    }

    /// Runs statements in one round trip, and returns the rows of each.
    pub(super) fn each_rows(
        &mut self,
        statements: impl IntoIterator<Item = Statement>,
    ) -> Result<Vec<Vec<Row>>, Fault> {
        Ok(self.all(statements)?.into_iter().map(|answer| rows(Some(answer))).collect())
    }

    /// Runs each change and then its `look`, in one round trip. Returns the rows of each `look`, or
    /// none if the change changed none.
    pub(super) fn each_changed(
        &mut self,
        pairs: impl IntoIterator<Item = (Statement, Statement)>,
    ) -> Result<Vec<Vec<Row>>, Fault> {
        let pairs = pairs.into_iter().flat_map(|(change, look)| [change, look]);
        let mut answers = self.all(pairs)?.into_iter();
        let mut each = Vec::new();
        while let (Some(change), look) = (answers.next(), answers.next()) {
            each.push(rows(look.filter(|_| change.changed > 0)));
        }
        Ok(each)
    }

    fn all(
        &mut self,
        statements: impl IntoIterator<Item = Statement>,
    ) -> Result<Vec<Answer>, Fault> {
        let begins = self.lock_s.is_none();
        let (mut asked, lock_s) = self.beginning();
        let mut wanted = Vec::new();
        for statement in statements {
            if !begins || !wanted.is_empty() {
                asked.push(lock_wait(lock_s));
            }
            wanted.push(asked.len());
            asked.push(statement);
        }
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let mut answers = self.session.ask(&asked, self.deadline)?;
        if begins {
            let told = rows(Some(std::mem::take(&mut answers[GUARD_AT])));
            check(&told, self.session.is_checked)?;
            self.incarnation = told.first().map(|row| row.text(5)).transpose()?.map(Into::into);
            if let Some(known) = self.known {
                let space = rows(Some(std::mem::take(&mut answers[GUARD_AT + 1])));
                self.key_space = servers::key_space(&space, known)?;
            }
        }
        Ok(wanted.into_iter().map(|at| std::mem::take(&mut answers[at])).collect())
    }

    /// Returns the incarnation of the server. It is known after the first statement.
    pub(super) fn incarnation(&self) -> Option<Incarnation> {
        self.incarnation.clone()
    }

    /// Returns the key space of snowmint's tables. It is known after the first statement.
    pub(super) fn key_space(&self) -> Option<KeySpaceId> {
        self.key_space
    }

    /// Returns the statements before the first one, and how many seconds all may wait for locks.
    fn beginning(&mut self) -> (Vec<Statement>, i64) {
        if let Some(lock_s) = self.lock_s {
            return (Vec::new(), lock_s);
        }
        let lock_s = patience_s(self.deadline);
        self.lock_s = Some(lock_s);
        let mut begin = vec![bounds(lock_s), Statement::plain(include_str!("begins.sql"))];
        begin.extend(BEGIN.map(Statement::plain));
        begin.extend([incarnation(), guard()]);
        begin.extend(self.known.map(|_| Statement::plain(include_str!("key_space.sql"))));
        (begin, lock_s)
    }

    /// Commits. Unless the server's answer is plain, the outcome is unknown.
    fn commit(self) -> Result<(), Fault> {
        if self.lock_s.is_none() {
            return Ok(());
        }
        // The call would not wait for the answer of a commit.
        if self.deadline.left().is_zero() {
            self.session.is_over = true;
            return Err(Fault::Late);
        }
        match self.session.ask(&[Statement::plain("COMMIT")], self.deadline) {
            Ok(_) => Ok(()),
            Err(fault) if fault.denies_commit() => {
                self.give_up();
                Err(fault)
            }
            Err(fault) => {
                self.session.is_over = true;
                Err(Fault::Unknown(Box::new(fault)))
            }
        }
    }

    /// Rolls back after a failure. A connection that may be broken is left alone.
    fn give_up(self) {
        if self.lock_s.is_some() && !self.session.is_over {
            let ended = self.session.ask(&[Statement::plain("ROLLBACK")], self.deadline);
            self.session.is_over |= ended.is_err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(values: [&str; 4]) -> Vec<Row> {
        let values = values.into_iter().chain(["0", "1"]);
        let values = values.map(|value| Some(value.as_bytes().to_owned()));
        vec![Row::new(["?".to_owned()].into(), values.collect())]
    }

    #[test]
    fn a_setting_that_could_lose_a_commit_is_refused_and_named() {
        for settings in [
            ["1", "0", "0", "0"],
            ["3", "0", "0", "0"],
            ["1", "1", "1", "0"],
            ["1", "OFF", "0", "OFF"],
        ] {
            assert!(check(&told(settings), true).is_ok(), "{settings:?}");
        }
        for (settings, named) in [
            (["0", "0", "0", "0"], "innodb_flush_log_at_trx_commit=0"),
            (["2", "1", "1", "0"], "innodb_flush_log_at_trx_commit=2"),
            (["1", "1", "0", "0"], "sync_binlog=0"),
            (["1", "1", "1000", "0"], "sync_binlog=1000"),
        ] {
            let refused = check(&told(settings), true);
            let Err(Fault::Unfit(Code::UnsafeSetting, message)) = refused else {
                panic!("{settings:?}: {refused:?}")
            };
            assert!(message.contains(named) && message.contains("durability=declared"));
            assert!(check(&told(settings), false).is_ok(), "{settings:?}");
        }
        for (read_only, is_checked) in [("1", true), ("1", false), ("NO_LOCK", true)] {
            let refused = check(&told(["1", "0", "0", read_only]), is_checked);
            assert!(matches!(refused, Err(Fault::Unfit(Code::StoreReadOnly, _))), "{refused:?}");
        }
    }
}
