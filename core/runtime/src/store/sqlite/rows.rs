//! Converts between SQLite's rows and the types of callers.

use rusqlite::types::{ToSqlOutput, Type};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, ToSql, named_params};

use super::fault::Fault;
use super::{SqliteStore, errors};
use crate::error::{Error, Result};
use crate::store::parameters::Value;
use crate::store::sql::{self, Change, Statements};
use crate::store::{Incarnation, KeySpace, KeySpaceId, Tag, unknown_tag};

pub(in crate::store) const STATEMENTS: Statements = Statements {
    tags: include_str!("tags.sql"),
    tag_lock: include_str!("tag_lock.sql"),
    create_tag: include_str!("create_tag.sql"),
    write_tag: include_str!("write_tag.sql"),
    fenced: None,
    allocate: Change::whole(include_str!("allocate.sql")),
    workers: include_str!("workers.sql"),
    exhausted: include_str!("exhausted.sql"),
    release: include_str!("release.sql"),
    evict: include_str!("evict.sql"),
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
        mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut found = Vec::new();
        let Some((last, others)) = statements.split_last() else { return Ok(found) };
        for statement in others {
            self.change(statement, values)?;
        }
        let mut statement = self.bound(last, values)?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            found.push(read(row)?);
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

/// Writes the layout and start of the key space.
pub(super) fn keep_key_space(connection: &Connection, space: &KeySpace) -> Result<(), Fault> {
    let parameters = named_params! { ":layout": space.layout, ":from_ms": space.from_ms };
    connection.prepare_cached(include_str!("keep_key_space.sql"))?.execute(parameters)?;
    Ok(())
}
