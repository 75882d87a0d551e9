//! Runs the statements of snowmint's tables, and reads their rows.

use snowmint_engine::Code;
use tokio_postgres::Row;

use super::errors;
use super::fault::Fault;
use super::schema::Schema;
use super::session::Transaction;
use super::statement::{Statement, Value};
use super::tables;
use crate::error::Error;
use crate::store::remote::errors::sql::value_excluded;
use crate::store::remote::succession::cure;
use crate::store::sql::workers::LOCK_DATABASE;
use crate::store::sql::{self, Change, Confirm, Statements};
use crate::store::{Incarnation, KeySpaceId, Tag};

/// The SQL expression for the current time that messages tell an operator to use.
const NOW_MS: &str = "floor(extract(epoch FROM now()) * 1000)";

/// Returns what messages call the table of the key space, and the expression for the time.
pub(in crate::store) fn terms(schema: &Schema) -> [String; 2] {
    [format!("{schema}.snowmint_schema"), NOW_MS.to_owned()]
}

pub(in crate::store) const STATEMENTS: Statements = Statements {
    tags: concat!(
        include_str!("tags.sql"),
        "CAST(:tag AS text) IS NULL OR tag = :tag ORDER BY tag"
    ),
    tag_lock: concat!(include_str!("tags.sql"), "tag = :tag FOR UPDATE"),
    insert_tag: concat!(
        include_str!("../sql/servers/insert_tag.sql"),
        "ON CONFLICT DO NOTHING RETURNING TRUE"
    ),
    update_tag: include_str!("../sql/servers/update_tag.sql"),
    confirm: Some(Confirm {
        lock_fenced: concat!(
            include_str!("tags.sql"),
            "incarnation NOT LIKE current_setting('snowmint.trusted') OR :all = 1 \
             ORDER BY tag FOR UPDATE"
        ),
        note: include_str!("../sql/servers/vouch.sql"),
    }),
    allocate: Change::whole(include_str!("allocate.sql")),
    workers: include_str!("workers.sql"),
    insert_lease: concat!(
        include_str!("../sql/servers/insert_lease.sql"),
        "ON CONFLICT DO NOTHING RETURNING TRUE"
    ),
    update_lease: concat!(include_str!("../sql/servers/update_lease.sql"), "RETURNING TRUE"),
    renew: &[include_str!("renew.sql")],
    lock: &[LOCK_DATABASE],
    database: include_str!("database.sql"),
    write_database: include_str!("../sql/servers/write_database.sql"),
};

impl sql::Row for Row {
    type Fault = Fault;

    fn len(&self) -> usize {
        self.columns().len()
    }

    fn optional_text(&self, at: usize) -> Result<Option<String>, Fault> {
        self.try_get(at).map_err(|_| self.excluded(at))
    }

    fn optional_number(&self, at: usize) -> Result<Option<i64>, Fault> {
        self.try_get(at).map_err(|_| self.excluded(at))
    }

    fn flag(&self, at: usize) -> Result<bool, Fault> {
        self.try_get(at).map_err(|_| self.excluded(at))
    }

    fn excluded(&self, at: usize) -> Fault {
        let column = self.columns().get(at).map_or("?", tokio_postgres::Column::name);
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
        let answers = self.all(statements.iter().map(|it| Statement::new(it, values)))?;
        sql::each_row(&answers, read)
    }

    fn change(&mut self, statement: &str, values: &[(&str, Value)]) -> Result<bool, Fault> {
        match self.rows(Statement::new(statement, values)) {
            Err(fault) if fault.is_duplicate() => Ok(false),
            changed => Ok(!changed?.is_empty()),
        }
    }

    fn each<T, const N: usize>(
        &mut self,
        change: Change<'_>,
        values: &[[(&str, Value); N]],
        mut read: impl FnMut(&Row) -> Result<T, Fault>,
    ) -> Result<Vec<Vec<T>>, Fault> {
        let each = self.all(values.iter().map(|of| Statement::new(change.change, of)))?;
        each.iter().map(|rows| rows.iter().map(&mut read).collect()).collect()
    }

    fn incarnation(&self) -> Option<Incarnation> {
        self.incarnation()
    }

    fn key_space(&self) -> Option<KeySpaceId> {
        self.key_space()
    }

    fn server(&self) -> Option<Incarnation> {
        self.server()
    }

    fn terms(&self) -> Result<[String; 2], Fault> {
        Ok(terms(self.session().schema()?))
    }

    fn no_tables(&self) -> Fault {
        Fault::no_tables()
    }

    fn why_unseen(&mut self) -> Result<Option<Error>, Fault> {
        let schema = self.session().schema()?.clone();
        tables::why_unseen(self, &schema)
    }

    fn tag_of_another_server(&self, tag: &Tag) -> Error {
        errors::tag_of_another_server(tag, &cure(&self.server()))
    }

    fn tag_not_made(&self, code: Code, tag: &Tag) -> Error {
        errors::tag_not_made(code, tag, &cure(&self.server()))
    }
}
