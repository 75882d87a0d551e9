//! Tables of other generators in a PostgreSQL database.

use std::fmt;
use std::time::Duration;

use tokio_postgres::Row;
use tokio_postgres::error::SqlState;

use super::builder::PostgresBuilder;
use super::fault::Fault;
use super::place::Place;
use super::session::{Session, Transaction};
use super::statement::{Statement, Value};
use crate::error::{Error, Result};
use crate::host::process::PerProcess;
use crate::store::dialect::{Dialect, Table, Texts, Words, answers};
use crate::store::remote::deadline::Deadline;
use crate::store::remote::pool::Pool;
use crate::store::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Lease, LeaseRequest, SegmentAdmin,
    SegmentStore, Tag, TagChange, TagOptions, TagRow, Vouch, WorkerAdmin, WorkerStore, tag_exists,
};

/// A database with another generator's tables, and how it is to be opened: see
/// [`PostgresBuilder::dialect`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PostgresDialectBuilder {
    database: PostgresBuilder,
    dialect: Dialect,
}

impl PostgresDialectBuilder {
    pub(super) fn new(database: PostgresBuilder, dialect: Dialect) -> PostgresDialectBuilder {
        PostgresDialectBuilder { database, dialect }
    }

    /// Opens the store, which calls the server.
    ///
    /// # Errors
    /// Those of [`PostgresBuilder::open`]; [`StoreMissing`](crate::Code::StoreMissing) without the
    /// owner's table, [`StoreSchema`](crate::Code::StoreSchema) for one without its columns or of
    /// other types, [`InvalidParameter`](crate::Code::InvalidParameter) where it is to be made.
    pub fn open(self) -> Result<PostgresDialectStore> {
        let PostgresDialectBuilder { database, dialect } = self;
        if database.create {
            return Err(dialect.made_by_owner());
        }
        let (place, connections) = (Place::new(database)?, PerProcess::new());
        let store = PostgresDialectStore { place, connections, dialect };
        store.look()?;
        Ok(store)
    }
}

/// Numbers of another generator's tables in a PostgreSQL database: what that means is with
/// [`Dialect`]; connections and commits are as those of a [`PostgresStore`](super::PostgresStore).
pub struct PostgresDialectStore {
    place: Place,
    connections: PerProcess<Pool<Session>>,
    dialect: Dialect,
}

impl PostgresDialectStore {
    /// Finds the owner's table as it should be.
    pub(crate) fn look(&self) -> Result<()> {
        let table = self.dialect.table();
        let name = [("table", Value::from(table.name))];
        let columns = Statement::new(include_str!("dialects/columns.sql"), &name);
        self.with_session(CALL_WITHIN, |session, deadline| {
            let found = session.read(&columns, deadline)?;
            let column = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
            let found: Vec<_> = found.iter().map(column).collect::<Result<_, Fault>>()?;
            Ok(table.check(&found)?)
        })
    }

    fn with_session<T>(
        &self,
        within: Duration,
        work: impl FnOnce(&mut Session, Deadline) -> Result<T, Fault>,
    ) -> Result<T> {
        let deadline = Deadline::after(within);
        let pool = self.connections.get_or_init(Pool::default);
        let connect = || self.place.connect(deadline);
        let done = pool.with(deadline, connect, |session| work(session, deadline));
        done.map_err(|fault| of_table(fault, self.dialect.table()).explain(&self.place))
    }

    /// One transaction, durable when this returns.
    fn write<T>(
        &self,
        within: Duration,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T> {
        self.with_session(within, |session, deadline| session.transact(deadline, change))
    }

    fn rows(&self, tag: Option<&Tag>) -> Result<Vec<Texts>> {
        self.with_session(CALL_WITHIN, |session, deadline| {
            texts(&session.read(&tags(self.dialect, tag), deadline)?)
        })
    }
}

/// A statement of a file, for a dialect.
fn statement(dialect: Dialect, file: &str, values: &[(&str, Value)]) -> Statement {
    Statement::new(&dialect.table().statement(file, &words(dialect)), values)
}

fn words(dialect: Dialect) -> Words {
    const UPDATED: &str = "extract(epoch FROM CAST(update_time AS timestamptz)) * 1000";
    match dialect {
        Dialect::Leaf => Words {
            touch: ", update_time = now()",
            updated: UPDATED,
            columns: ", step, update_time",
            values: ", :step, now()",
        },
        Dialect::Tinyid => Words {
            touch: ", version = version + 1, update_time = now()",
            updated: UPDATED,
            columns: ", begin_id, step, delta, remainder, version, create_time, update_time",
            values: ", :max, :step, :delta, :remainder, 1, now(), now()",
        },
        Dialect::Netease => Words { touch: "", updated: "0", columns: ", step", values: ", :step" },
        Dialect::Cosid => Words {
            touch: ", last_fetch_time = floor(extract(epoch FROM now()))",
            updated: "last_fetch_time * 1000",
            columns: ", last_fetch_time",
            values: ", floor(extract(epoch FROM now()))",
        },
    }
}

fn texts(rows: &[Row]) -> Result<Vec<Texts>, Fault> {
    let texts = |row: &Row| (0..row.len()).map(|at| Ok(row.try_get(at)?)).collect();
    rows.iter().map(texts).collect()
}

fn tags(dialect: Dialect, tag: Option<&Tag>) -> Statement {
    let tag = Value::Text(tag.map(|tag| tag.as_str().to_owned()));
    statement(dialect, include_str!("dialects/tags.sql"), &[("tag", tag)])
}

/// The next ranges, one for each request, whose tags are in order.
fn take(
    transaction: &mut Transaction<'_>,
    dialect: Dialect,
    requests: &[&AllocationRequest],
) -> Result<Vec<Result<Allocation>>, Fault> {
    let table = dialect.table();
    let takes = requests.iter().map(|request| {
        let values = [
            ("tag", Value::from(request.tag.as_str())),
            ("count", request.count.into()),
            ("last", table.last().into()),
        ];
        statement(dialect, include_str!("dialects/take.sql"), &values)
    });
    let takes: Vec<_> = takes.collect();
    let taken = transaction.all(takes)?;
    let mut answers = Vec::with_capacity(requests.len());
    for (request, rows) in requests.iter().zip(taken) {
        answers.push(match table.only(&request.tag, &texts(&rows)?)? {
            Some(taken) => Ok(table.allocation(&request.tag, taken)?),
            None => {
                let rows = transaction.rows(tags(dialect, Some(&request.tag)))?;
                Err(table.refusal(request, &texts(&rows)?))
            }
        });
    }
    Ok(answers)
}

/// What a server says of another's table, in that one's words.
fn of_table(fault: Fault, table: &Table) -> Fault {
    let Some(said) = fault.said() else { return fault };
    let odd = || table.odd(&format!("refuses this ({})", said.message()));
    let error: Error = match *said.code() {
        SqlState::UNDEFINED_TABLE | SqlState::INVALID_SCHEMA_NAME => table.missing(),
        SqlState::INSUFFICIENT_PRIVILEGE => table.denied(said.message()),
        SqlState::UNDEFINED_COLUMN
        | SqlState::UNDEFINED_FUNCTION
        | SqlState::DATATYPE_MISMATCH
        | SqlState::WRONG_OBJECT_TYPE
        | SqlState::CHECK_VIOLATION
        | SqlState::NOT_NULL_VIOLATION
        | SqlState::NUMERIC_VALUE_OUT_OF_RANGE
        | SqlState::STRING_DATA_RIGHT_TRUNCATION => odd(),
        _ => return fault,
    };
    error.into()
}

/// Without a password.
impl fmt::Debug for PostgresDialectStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        let mut shown = f.debug_struct("PostgresDialectStore");
        shown.field("place", &place).field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

impl SegmentStore for PostgresDialectStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        self.write(call.within, |transaction| {
            answers(requests, |requests| take(transaction, self.dialect, requests))
        })
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        let (table, rows) = (self.dialect.table(), self.rows(Some(tag))?);
        table.only(tag, &rows)?.map(|texts| Ok(table.found(texts)?.row)).transpose()
    }
}

impl SegmentAdmin for PostgresDialectStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        let new = self.dialect.table().new_row(options)?;
        let values = [
            ("tag", Value::from(tag.as_str())),
            ("max", new.max.into()),
            ("step", new.step.into()),
            ("delta", new.delta.into()),
            ("remainder", new.remainder.into()),
        ];
        let create = statement(self.dialect, include_str!("dialects/create.sql"), &values);
        self.write(CALL_WITHIN, |transaction| match transaction.rows(create) {
            Ok(rows) if !rows.is_empty() => Ok(()),
            Err(fault) if !fault.is_duplicate() => Err(fault),
            _ => Err(tag_exists(tag).into()),
        })
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        let table = self.dialect.table();
        let max = table.new_max(tag, change)?;
        let values =
            [("tag", Value::from(tag.as_str())), ("max", max.into()), ("step", change.step.into())];
        let update = statement(self.dialect, include_str!("dialects/change.sql"), &values);
        self.write(CALL_WITHIN, |transaction| {
            transaction.rows(update)?;
            let rows = transaction.rows(tags(self.dialect, Some(tag)))?;
            Ok(table.changed(tag, change, max, &texts(&rows)?)?)
        })
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.dialect.table().all(&self.rows(None)?)
    }

    fn vouch(&self, _: &Vouch) -> Result<Vec<TagRow>> {
        Err(self.dialect.without_incarnation())
    }
}

impl WorkerStore for PostgresDialectStore {
    fn acquire(&self, request: &LeaseRequest, _: &Call) -> Result<Lease> {
        request.check()?;
        Err(self.dialect.without_workers())
    }

    fn renew(&self, _: &Lease, _: u32, _: &Call) -> Result<Lease> {
        Err(self.dialect.without_workers())
    }

    fn release(&self, _: &Lease, _: &Call) -> Result<()> {
        Err(self.dialect.without_workers())
    }
}

impl WorkerAdmin for PostgresDialectStore {}
