//! Rows in SQL databases. A transaction locks a row and reads it, a rule in Rust says what becomes
//! of it, and the transaction writes it. Only ranges and renewals, which sources ask for all the
//! time, are given by SQL.

use snowmint_engine::Code;

use super::parameters::Value;
use super::{Incarnation, KeySpaceId, MAX_NAME_LENGTH, Tag, unknown_tag};
use crate::error::{Error, Result};

#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) mod servers;
mod succession;
pub(super) mod tags;
pub(super) mod workers;

/// A row of an answer. Its columns count from 0.
pub(super) trait Row {
    type Fault: From<Error>;

    /// Returns how many columns the row has.
    fn len(&self) -> usize;

    /// Returns a text, or `None` for NULL.
    fn optional_text(&self, at: usize) -> Result<Option<String>, Self::Fault>;

    /// Returns a number, or `None` for NULL.
    fn optional_number(&self, at: usize) -> Result<Option<i64>, Self::Fault>;

    fn flag(&self, at: usize) -> Result<bool, Self::Fault>;

    /// Returns the error for a value that only a change by hand can have written.
    fn excluded(&self, at: usize) -> Self::Fault;

    fn text(&self, at: usize) -> Result<String, Self::Fault> {
        self.optional_text(at)?.ok_or_else(|| self.excluded(at))
    }

    fn number(&self, at: usize) -> Result<i64, Self::Fault> {
        self.optional_number(at)?.ok_or_else(|| self.excluded(at))
    }

    /// Reads a column that a CHECK keeps from being negative.
    fn unsigned(&self, at: usize) -> Result<u64, Self::Fault> {
        u64::try_from(self.number(at)?).map_err(|_| self.excluded(at))
    }

    /// Reads a worker ID, which a CHECK keeps within 32 bits.
    fn narrow(&self, at: usize) -> Result<u32, Self::Fault> {
        u32::try_from(self.number(at)?).map_err(|_| self.excluded(at))
    }

    /// Reads a realm or an owner, and fails if it is longer than any that snowmint writes.
    fn name(&self, at: usize) -> Result<String, Self::Fault> {
        let name = self.text(at)?;
        if name.len() > MAX_NAME_LENGTH { Err(self.excluded(at)) } else { Ok(name) }
    }
}

/// The statements of a database for one purpose, as its files have them.
pub(super) struct Statements {
    /// Returns the row of a tag, or all rows.
    pub(super) tags: &'static str,
    /// Returns the row of a tag, and locks it.
    pub(super) tag_lock: &'static str,
    /// Inserts a row, unless it is there.
    pub(super) insert_tag: &'static str,
    /// Writes a row that is locked.
    pub(super) update_tag: &'static str,
    /// How an operator confirms a server that took another's place, which a file cannot.
    pub(super) confirm: Option<Confirm>,
    /// Takes the next range of a tag.
    pub(super) allocate: Change<'static>,
    /// Returns the rows of a realm, one of them, or all rows of worker IDs, with the time.
    pub(super) workers: &'static str,
    /// Inserts the row of a worker ID, unless it is there.
    pub(super) insert_lease: &'static str,
    /// Changes the row of a worker ID, if it is still as it was read.
    pub(super) update_lease: &'static str,
    /// Renews a lease. The last of these statements returns a row if it did.
    pub(super) renew: &'static [&'static str],
    /// Keeps others from acquiring, unless the transaction does so.
    pub(super) lock: &'static [&'static str],
    /// Returns the database's row, and the time.
    pub(super) database: &'static str,
    /// Writes the database's row, which is locked.
    pub(super) write_database: &'static str,
}

/// The statements by which an operator confirms a server.
pub(super) struct Confirm {
    /// Locks each tag whose ranges this server may lack, or all, and returns their rows. All
    /// statements lock tags in the same order, so that two cannot deadlock.
    pub(super) lock_fenced: &'static str,
    /// Notes this server as one that has all that was given.
    pub(super) note: &'static str,
}

/// A change that returns what it did, or the query for it where changes return no rows.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) change: &'a str,
    pub(super) look: &'a str,
}

impl<'a> Change<'a> {
    pub(super) const fn whole(change: &'a str) -> Change<'a> {
        Change { change, look: "" }
    }
}

/// A transaction in snowmint's tables.
pub(super) trait Transaction {
    type Fault: From<Error>;
    type Row<'r>: Row<Fault = Self::Fault>;

    fn statements(&self) -> &'static Statements;

    /// Runs statements in one round trip, and reads each row of their answers, with the place of
    /// its statement.
    fn batch<T>(
        &mut self,
        statements: &[&str],
        values: &[(&str, Value)],
        read: impl FnMut(usize, &Self::Row<'_>) -> Result<T, Self::Fault>,
    ) -> Result<Vec<T>, Self::Fault>;

    /// Runs a statement, and reads each row of its answer.
    fn query<T>(
        &mut self,
        statement: &str,
        values: &[(&str, Value)],
        mut read: impl FnMut(&Self::Row<'_>) -> Result<T, Self::Fault>,
    ) -> Result<Vec<T>, Self::Fault> {
        self.batch(&[statement], values, |_, row| read(row))
    }

    /// Runs a change. Returns false if an inserted row's key is there already, and may do so if
    /// the change found nothing to do.
    fn change(&mut self, statement: &str, values: &[(&str, Value)]) -> Result<bool, Self::Fault>;

    /// Makes a change with each of these values, in one round trip, and reads the rows of each.
    fn each<T, const N: usize>(
        &mut self,
        change: Change<'_>,
        values: &[[(&str, Value); N]],
        read: impl FnMut(&Self::Row<'_>) -> Result<T, Self::Fault>,
    ) -> Result<Vec<Vec<T>>, Self::Fault>;

    /// Returns the incarnation of the server, which is known after the first statement.
    fn incarnation(&self) -> Option<Incarnation>;

    /// Returns the key space of the tables, which is known after the first statement.
    fn key_space(&self) -> Option<KeySpaceId>;

    /// Returns the server's name for operators, which is known after the first statement.
    fn server(&self) -> Option<Incarnation> {
        self.incarnation()
    }

    /// Returns what messages call the table with the database's row, and the expression for the
    /// time. A file has no succession, and so no need of them.
    fn terms(&self) -> Result<[String; 2], Self::Fault> {
        Ok(Default::default())
    }

    /// Returns the error for a database without snowmint's tables, or without its own row.
    fn no_tables(&self) -> Self::Fault;

    /// Returns the reason why a row may be hidden from this user, if it was not found.
    fn why_unseen(&mut self) -> Result<Option<Error>, Self::Fault> {
        Ok(None)
    }

    /// Returns the error for a tag whose last ranges this server may lack.
    fn tag_of_another_server(&self, tag: &Tag) -> Error;

    /// Returns the error for a tag that this server does not have, but may have lost.
    fn tag_not_made(&self, code: Code, tag: &Tag) -> Error {
        let _ = code;
        unknown_tag(tag)
    }
}

/// Reads each row of the answers to a batch of statements.
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) fn each_row<R: Row, T>(
    answers: &[Vec<R>],
    mut read: impl FnMut(usize, &R) -> Result<T, R::Fault>,
) -> Result<Vec<T>, R::Fault> {
    let each = answers.iter().enumerate();
    let each = each.flat_map(|(at, rows)| rows.iter().map(move |row| (at, row)));
    each.map(|(at, row)| read(at, row)).collect()
}
