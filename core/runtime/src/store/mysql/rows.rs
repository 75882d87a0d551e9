//! Runs the statements of snowmint's tables, and reads their rows.

use std::sync::Arc;

use snowmint_engine::Code;

use super::errors;
use super::fault::Fault;
use super::session::Transaction;
use super::statement::{Statement, Value};
use crate::error::Error;
use crate::store::remote::errors::sql::value_excluded;
use crate::store::remote::succession::cure;
use crate::store::sql::workers::LOCK_DATABASE;
use crate::store::sql::{self, Change, Confirm, Statements};
use crate::store::{Incarnation, KeySpaceId, Tag};

/// The SQL expression for the current time that messages tell an operator to use.
const NOW_MS: &str = "floor(unix_timestamp(now(3)) * 1000)";

/// Returns what messages call the table of the key space, and the expression for the time.
pub(in crate::store) fn terms() -> [String; 2] {
    ["snowmint_schema", NOW_MS].map(str::to_owned)
}

pub(in crate::store) const STATEMENTS: Statements = Statements {
    tags: concat!(
        include_str!("tags.sql"),
        "CAST(:tag AS char(64)) IS NULL OR tag = :tag ORDER BY tag"
    ),
    tag_lock: concat!(include_str!("tags.sql"), "tag = :tag FOR UPDATE"),
    insert_tag: include_str!("../sql/servers/insert_tag.sql"),
    update_tag: include_str!("../sql/servers/update_tag.sql"),
    confirm: Some(Confirm {
        lock_fenced: concat!(
            include_str!("tags.sql"),
            "NOT incarnation <=> @snowmint_incarnation OR :all = 1 ORDER BY tag FOR UPDATE"
        ),
        note: concat!(include_str!("../sql/servers/vouch.sql"), "LIMIT 1"),
    }),
    allocate: Change { change: include_str!("allocate.sql"), look: include_str!("allocated.sql") },
    workers: include_str!("workers.sql"),
    insert_lease: include_str!("../sql/servers/insert_lease.sql"),
    update_lease: include_str!("../sql/servers/update_lease.sql"),
    // A repeat within a millisecond changes no row, but it is a renewal all the same.
    renew: &[include_str!("renew.sql"), include_str!("renewed.sql")],
    lock: &[LOCK_DATABASE],
    database: include_str!("database.sql"),
    // LIMIT satisfies servers that refuse updates without a key.
    write_database: concat!(include_str!("../sql/servers/write_database.sql"), "LIMIT 1"),
};

/// A row of an answer; all values are texts.
pub(super) struct Row {
    columns: Arc<[String]>,
    values: Vec<Option<Vec<u8>>>,
}

impl Row {
    pub(super) fn new(columns: Arc<[String]>, values: Vec<Option<Vec<u8>>>) -> Row {
        Row { columns, values }
    }

    fn value(&self, at: usize) -> Option<&[u8]> {
        self.values.get(at)?.as_deref()
    }

    pub(super) fn is_null(&self, at: usize) -> bool {
        self.value(at).is_none()
    }

    /// Returns true if the value is 1.
    pub(super) fn is_one(&self, at: usize) -> bool {
        self.value(at) == Some(b"1")
    }
}

impl sql::Row for Row {
    type Fault = Fault;

    fn len(&self) -> usize {
        self.values.len()
    }

    fn optional_text(&self, at: usize) -> Result<Option<String>, Fault> {
        let text = |bytes: &[u8]| str::from_utf8(bytes).map(str::to_owned);
        self.value(at).map(text).transpose().map_err(|_| self.excluded(at))
    }

    fn optional_number(&self, at: usize) -> Result<Option<i64>, Fault> {
        let number = |text: String| text.parse();
        self.optional_text(at)?.map(number).transpose().map_err(|_| self.excluded(at))
    }

    fn flag(&self, at: usize) -> Result<bool, Fault> {
        Ok(self.is_one(at))
    }

    fn excluded(&self, at: usize) -> Fault {
        let column = self.columns.get(at).map_or("?", String::as_str);
        value_excluded(column).into()
    }
}

impl sql::Transaction for Transaction<'_> {
    type Fault = Fault;
    type Row<'r> = Row;

    fn statements(&self) -> &'static Statements {
        &STATEMENTS
    }

    fn batch<T>(
        &mut self,
        statements: &[&str],
        values: &[(&str, Value)],
        read: impl FnMut(usize, &Row) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let answers = self.each_rows(statements.iter().map(|it| Statement::new(it, values)))?;
        sql::each_row(&answers, read)
    }

    fn change(&mut self, statement: &str, values: &[(&str, Value)]) -> Result<bool, Fault> {
        match self.count(Statement::new(statement, values)) {
            Err(fault) if fault.is_duplicate() => Ok(false),
            changed => Ok(changed? > 0),
        }
    }

    fn each<T, const N: usize>(
        &mut self,
        change: Change<'_>,
        values: &[[(&str, Value); N]],
        mut read: impl FnMut(&Row) -> Result<T, Fault>,
    ) -> Result<Vec<Vec<T>>, Fault> {
        let [change, look] = [change.change, change.look];
        if look.is_empty() {
            let each = values.iter().map(|of| Statement::new(change, of));
            let each = self.each_rows(each)?;
            return each.iter().map(|rows| rows.iter().map(&mut read).collect()).collect();
        }
        let pairs = values.iter().map(|of| (Statement::new(change, of), Statement::new(look, of)));
        let each = self.each_changed(pairs)?;
        each.iter().map(|rows| rows.iter().map(&mut read).collect()).collect()
    }

    fn incarnation(&self) -> Option<Incarnation> {
        self.incarnation()
    }

    fn key_space(&self) -> Option<KeySpaceId> {
        self.key_space()
    }

    fn terms(&self) -> Result<[String; 2], Fault> {
        Ok(terms())
    }

    fn no_tables(&self) -> Fault {
        Fault::no_tables()
    }

    fn tag_of_another_server(&self, tag: &Tag) -> Error {
        errors::tag_of_another_server(tag, &cure(&self.incarnation()))
    }

    fn tag_not_made(&self, code: Code, tag: &Tag) -> Error {
        errors::tag_not_made(code, tag, &cure(&self.incarnation()))
    }
}
