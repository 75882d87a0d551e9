//! Converts between SQLite's rows and the types of callers.

use rusqlite::types::{ToSqlOutput, Type};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, ToSql, named_params};
use snowmint_engine::NumberRange;

use super::errors;
use super::fault::Fault;
use crate::error::{Error, Result};
use crate::store::parameters::Value;
use crate::store::sql::{self, Row as _, Statements, Transaction as _, tags};
use crate::store::{
    Allocation, AllocationRequest, Exhausted, KeySpace, Lease, LeaseRequest, Tag, WorkerRow,
    check_step, unknown_tag,
};

impl sql::Row for Row<'_> {
    type Fault = Fault;

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

/// A transaction, or a read, on a connection.
pub(super) struct Transaction<'a>(pub(super) &'a Connection);

impl Transaction<'_> {
    fn bound(
        &self,
        statement: &str,
        values: &[(&str, Value)],
    ) -> Result<CachedStatement<'_>, Fault> {
        let mut statement = self.0.prepare_cached(statement)?;
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

    const STATEMENTS: Statements = Statements {
        tags: include_str!("tags.sql"),
        tag_lock: include_str!("tag_lock.sql"),
        create_tag: include_str!("create_tag.sql"),
        write_tag: include_str!("write_tag.sql"),
        fenced: None,
    };

    fn query<T>(
        &mut self,
        statement: &str,
        values: &[(&str, Value)],
        mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut statement = self.bound(statement, values)?;
        let (mut rows, mut found) = (statement.raw_query(), Vec::new());
        while let Some(row) = rows.next()? {
            found.push(read(row)?);
        }
        Ok(found)
    }

    fn change(&mut self, statement: &str, values: &[(&str, Value)]) -> Result<bool, Fault> {
        Ok(self.bound(statement, values)?.raw_execute()? > 0)
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

pub(super) fn of_lease(lease: &Lease) -> [(&'static str, Value); 5] {
    [
        ("realm", Value::name(&lease.realm)),
        ("worker_id", lease.worker_id.into()),
        ("epoch", lease.epoch.into()),
        ("owner", Value::name(&lease.owner)),
        ("token", lease.token.as_slice().into()),
    ]
}

/// Ends the lease of a worker ID. Returns false if it has no row.
pub(super) fn evict(connection: &Connection, realm: &str, worker_id: u32) -> Result<bool, Fault> {
    let values = [("realm", Value::name(realm)), ("worker_id", worker_id.into())];
    Transaction(connection).change(include_str!("evict.sql"), &values)
}

pub(super) fn exhausted(
    connection: &Connection,
    request: &LeaseRequest,
) -> Result<Exhausted, Fault> {
    let values = [
        ("realm", Value::name(&request.realm)),
        ("max_worker_id", request.max_worker_id.into()),
        ("avoid", request.avoid.into()),
        ("reach_ms", request.reach_ms().into()),
    ];
    let exhausted = |row: &Row<'_>| {
        let oldest = match row.optional_number(1)? {
            Some(_) => Some((row.narrow(1)?, row.name(2)?)),
            None => None,
        };
        let free_in_ms = row.optional_number(3)?;
        Ok(Exhausted { held: row.unsigned(0)?, oldest, free_in_ms })
    };
    let statement = include_str!("exhausted.sql");
    let found = Transaction(connection).query(statement, &values, exhausted)?.pop();
    Ok(found.unwrap_or_default())
}

pub(super) fn take(
    connection: &Connection,
    request: &AllocationRequest,
) -> Result<Allocation, Fault> {
    let AllocationRequest { tag, count } = request;
    count.map_or(Ok(()), check_step)?;
    let values = [tags::named(Some(tag)), ("count", (*count).into())];
    let taken = |row: &Row<'_>| {
        Ok((row.unsigned(0)?, row.unsigned(1)?, row.unsigned(2)?, row.unsigned(3)?))
    };
    let statement = include_str!("allocate.sql");
    match Transaction(connection).query(statement, &values, taken)?.pop() {
        Some((start, end, stride, step)) => {
            let range = NumberRange::new(start, end, stride).map_err(Error::from)?;
            Ok(Allocation::new(range, step))
        }
        None => Err(tags::refusal(&mut Transaction(connection), tag)?.into()),
    }
}

/// An error in one request fails that request only; an error of the database fails all of them.
pub(super) fn refusable<T>(done: Result<T, Fault>) -> Result<Result<T>, Fault> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(Fault::Refused(refusal)) => Ok(Err(refusal)),
        Err(fault) => Err(fault),
    }
}

/// Reads the rows of one realm, or of all.
pub(super) fn worker_rows(
    connection: &Connection,
    realm: Option<&str>,
) -> Result<Vec<WorkerRow>, Fault> {
    let values = [("realm", Value::Name(realm.map(str::to_owned)))];
    Transaction(connection).query(include_str!("workers.sql"), &values, |row| {
        Ok(WorkerRow {
            realm: row.name(0)?,
            worker_id: row.narrow(1)?,
            owner: row.name(2)?,
            epoch: row.unsigned(3)?,
            reserved_ms: row.number(4)?,
            expires_ms: row.number(5)?,
            held: row.flag(6)?,
        })
    })
}
