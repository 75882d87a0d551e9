//! Converts between SQLite's rows and the types of callers.

use rusqlite::types::{ToSqlOutput, Type};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, ToSql};

use super::fault::Fault;
use super::{SqliteStore, errors};
use crate::error::{Error, Result};
use crate::store::parameters::Value;
use crate::store::sql::{self, Change, Statements};
use crate::store::{Incarnation, KeySpace, KeySpaceId, Tag, unknown_tag};

pub(in crate::store) const STATEMENTS: Statements = Statements {
    tags: concat!(include_str!("tags.sql"), ":tag IS NULL OR tag = :tag ORDER BY tag"),
    // A transaction locks the file.
    tag_lock: concat!(include_str!("tags.sql"), "tag = :tag"),
    insert_tag: concat!(include_str!("../sql/insert_tag.sql"), "ON CONFLICT DO NOTHING"),
    update_tag: include_str!("../sql/update_tag.sql"),
    confirm: None,
    allocate: Change::whole(include_str!("allocate.sql")),
    workers: include_str!("workers.sql"),
    insert_lease: include_str!("../sql/insert_lease.sql"),
    update_lease: include_str!("../sql/update_lease.sql"),
    renew: &[include_str!("renew.sql")],
    lock: &[],
    database: include_str!("database.sql"),
    write_database: include_str!("write_database.sql"),
};

impl sql::Row for Row<'_> {
    type Fault = Fault;

    fn len(&self) -> usize {
        self.as_ref().column_count()
    }

    fn optional_text(&self, at: usize) -> Result<Option<String>, Fault> {
        Ok(self.get(at)?)
    }

    fn optional_number(&self, at: usize) -> Result<Option<i64>, Fault> {
        Ok(self.get(at)?)
    }

    fn flag(&self, at: usize) -> Result<bool, Fault> {
        Ok(self.get(at)?)
    }

    fn excluded(&self, at: usize) -> Fault {
        let kind = self.get_ref(at).map_or(Type::Null, |value| value.data_type());
        rusqlite::Error::FromSqlConversionFailure(at, kind, errors::NO_VALUE_OF_OURS.into()).into()
    }
}

/// A transaction of a store, or a read.
pub(super) struct Transaction<'a> {
    connection: &'a Connection,
    incarnation: Option<Incarnation>,
    key_space: Option<KeySpaceId>,
}

impl<'a> Transaction<'a> {
    pub(super) fn new(connection: &'a Connection) -> Transaction<'a> {
        Transaction { connection, incarnation: None, key_space: None }
    }

    pub(super) fn of(store: &SqliteStore, connection: &'a Connection) -> Transaction<'a> {
        let (incarnation, key_space) = (store.incarnation(), store.known.get());
        Transaction { connection, incarnation, key_space }
    }

    fn bound(
        &self,
        statement: &str,
        values: &[(&str, Value)],
    ) -> Result<CachedStatement<'_>, Fault> {
        let mut statement = self.connection.prepare_cached(statement)?;
        for (name, value) in values {
            if let Some(at) = statement.parameter_index(&format!(":{name}"))? {
                statement.raw_bind_parameter(at, value)?;
            }
        }
        Ok(statement)
    }
}

impl sql::Transaction for Transaction<'_> {
    type Fault = Fault;
    type Row<'r> = Row<'r>;

    fn statements(&self) -> &'static Statements {
        &STATEMENTS
    }

    fn batch<T>(
        &mut self,
        statements: &[&str],
        values: &[(&str, Value)],
        mut read: impl FnMut(usize, &Row<'_>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut found = Vec::new();
        for (at, statement) in statements.iter().enumerate() {
            let mut statement = self.bound(statement, values)?;
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next()? {
                found.push(read(at, row)?);
            }
        }
        Ok(found)
    }

    fn change(&mut self, statement: &str, values: &[(&str, Value)]) -> Result<bool, Fault> {
        Ok(self.bound(statement, values)?.raw_execute()? > 0)
    }

    fn each<T, const N: usize>(
        &mut self,
        change: Change<'_>,
        values: &[[(&str, Value); N]],
        mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<Vec<Vec<T>>, Fault> {
        values.iter().map(|values| self.query(change.change, values, &mut read)).collect()
    }

    fn incarnation(&self) -> Option<Incarnation> {
        self.incarnation.clone()
    }

    fn key_space(&self) -> Option<KeySpaceId> {
        self.key_space
    }

    fn no_tables(&self) -> Fault {
        errors::key_space_lost().into()
    }

    /// No other server has the file.
    fn tag_of_another_server(&self, tag: &Tag) -> Error {
        unknown_tag(tag)
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Value::Text(text) | Value::Name(text) => text.to_sql(),
            Value::Number(number) => number.to_sql(),
            Value::Bytes(bytes) => bytes.to_sql(),
        }
    }
}

/// Reads the key space of the file.
pub(super) fn key_space(connection: &Connection) -> Result<KeySpace, Fault> {
    let mut statement = connection.prepare_cached(include_str!("key_space.sql"))?;
    let parts = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?));
    let found = statement.query_row((), parts);
    let Some((id, layout, from_ms)) = found.optional()? else {
        return Err(errors::key_space_lost().into());
    };
    Ok(KeySpace { id: id.parse()?, layout, from_ms, changes_to: None })
}
