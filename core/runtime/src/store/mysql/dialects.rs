//! Tables of other generators in a database of MySQL or MariaDB.

use std::fmt;
use std::time::Duration;

use super::builder::MysqlBuilder;
use super::endpoint::Endpoint;
use super::fault::Fault;
use super::rows::Row;
use super::session::{Session, Transaction};
use super::statement::{Statement, Value, bytes};
use crate::error::Result;
use crate::findings::Finding;
use crate::host::process::PerProcess;
use crate::store::dialect::worker_node::WorkerNode;
use crate::store::dialect::{
    Dialect, Kept, Others, Owner, OwnersTable, Table, Texts, Words, answers, errors,
};
use crate::store::doctor::rows::{self, WORKERS};
use crate::store::remote::deadline::Deadline;
use crate::store::remote::pool::Pool;
use crate::store::sql::Row as _;
use crate::store::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Judged, Lease, LeaseRequest, RefusedRow,
    SegmentAdmin, SegmentStore, Tag, TagChange, TagOptions, TagRow, Vouch, WorkerAdmin,
    WorkerStore, check_reserve, tag_exists,
};

mod worker_node;

/// The engine of good tables: others have no transactions.
const ENGINE: &str = "InnoDB";
/// The quotation mark around names.
const QUOTE: char = '`';

/// Describes a database with another generator's tables, and how to open it: see
/// [`MysqlBuilder::dialect`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MysqlDialectBuilder {
    database: MysqlBuilder,
    others: Others,
}

impl MysqlDialectBuilder {
    pub(super) fn new(database: MysqlBuilder, others: Others) -> MysqlDialectBuilder {
        MysqlDialectBuilder { database, others }
    }

    /// Sets the table, `TABLE` or `DATABASE.TABLE`, spelled as on the server. Default: the owner's
    /// name for it.
    #[must_use]
    pub fn table(mut self, name: impl Into<String>) -> Self {
        self.others.table = Some(name.into());
        self
    }

    /// Opens the store, which calls the server.
    ///
    /// # Errors
    /// - The errors of [`MysqlBuilder::open`].
    /// - [`StoreMissing`](crate::Code::StoreMissing) without the owner's table.
    /// - [`StoreSchema`](crate::Code::StoreSchema) for a table without the owner's columns, with
    ///   other types, or of an engine without transactions.
    /// - [`InvalidParameter`](crate::Code::InvalidParameter) with `create`, or for a name that no
    ///   table can have.
    /// - [`Unsupported`](crate::Code::Unsupported) for sequences, which only PostgreSQL has in a
    ///   safe form.
    pub fn open(self) -> Result<MysqlDialectStore> {
        let MysqlDialectBuilder { database, others } = self;
        let (dialect, kept) = (others.dialect, others.kept()?);
        if database.create {
            return Err(errors::tables_of_owner_not_created(dialect));
        }
        if let Kept::Sequence(_) = kept {
            return Err(errors::sequences_missing(dialect));
        }
        let (endpoint, connections) = (Endpoint::new(database)?, PerProcess::new());
        let store = MysqlDialectStore { endpoint, connections, dialect, kept };
        store.look()?;
        Ok(store)
    }

    /// Reports on the tables. The server's durability is not checked here, but by the caller.
    pub(super) fn examine(mut self) -> Vec<Finding> {
        self.database.durability_declared = true;
        let left = |store: &MysqlDialectStore| match &store.kept {
            Kept::Workers(table) => {
                let left = |session: &mut Session, it| worker_node::left(session, it, table);
                rows::one(WORKERS, store.with_session(CALL_WITHIN, left))
            }
            _ => rows::of_others(store, rows::cure),
        };
        self.others.dialect.examine(self.open(), MysqlDialectStore::try_to_take, left)
    }
}

/// Numbers or worker IDs of another generator's tables in a database of MySQL or MariaDB: see
/// [`Dialect`]. Connections, commits and the checks of the server's settings are those of a
/// [`MysqlStore`](super::MysqlStore).
pub struct MysqlDialectStore {
    endpoint: Endpoint,
    connections: PerProcess<Pool<Session>>,
    dialect: Dialect,
    kept: Kept,
}

impl MysqlDialectStore {
    /// Checks the owner's table.
    pub(crate) fn look(&self) -> Result<()> {
        let owners = self.owners()?;
        let (schema, table) = owners.name().parts();
        let named = [("schema", schema.map(str::as_bytes).into()), ("table", bytes(table))];
        self.with_session(CALL_WITHIN, |session, deadline| {
            session.guard(deadline)?;
            let columns = Statement::new(include_str!("dialects/columns.sql"), &named);
            let found = session.read(columns, deadline)?;
            let column = |row: &Row| Ok((row.text(0)?, row.text(1)?));
            let columns: Vec<_> = found.iter().map(column).collect::<Result<_, Fault>>()?;
            match &self.kept {
                Kept::Table(table) => table.check(&columns)?,
                _ => owners.check_columns(&columns)?,
            }
            check_engine(owners, found.first())
        })
    }

    /// Lets the server check the statements that take a range or a lease, on no row.
    fn try_to_take(&self) -> Result<()> {
        match &self.kept {
            Kept::Workers(table) => self.write(CALL_WITHIN, |it| worker_node::take_none(it, table)),
            _ => {
                let (take, _) = take_of(self.table()?, &Value::Text(None), None);
                self.write(CALL_WITHIN, |transaction| transaction.change(take).map(drop))
            }
        }
    }

    fn owners(&self) -> Result<&dyn OwnersTable> {
        self.kept.owners().ok_or_else(|| errors::sequences_missing(self.dialect))
    }

    fn table(&self) -> Result<&Table> {
        match &self.kept {
            Kept::Table(table) => Ok(table),
            _ => Err(errors::dialect_without_numbers(self.dialect)),
        }
    }

    fn workers_table(&self) -> Result<&WorkerNode> {
        match &self.kept {
            Kept::Workers(table) => Ok(table),
            _ => Err(errors::dialect_without_worker_ids(self.dialect)),
        }
    }

    fn with_session<T>(
        &self,
        within: Duration,
        work: impl FnOnce(&mut Session, Deadline) -> Result<T, Fault>,
    ) -> Result<T> {
        let deadline = Deadline::after(within);
        let pool = self.connections.get_or_init(Pool::default);
        let connect = || self.endpoint.connect(deadline);
        let done = pool.with(deadline, connect, |session| work(session, deadline));
        let told = |fault| match self.kept.owners() {
            Some(table) => of_table(fault, table),
            None => fault,
        };
        done.map_err(|fault| told(fault).explain(&self.endpoint))
    }

    /// Runs one transaction, which is durable when this returns.
    fn write<T>(
        &self,
        within: Duration,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T> {
        self.with_session(within, |session, deadline| session.transact(deadline, change))
    }

    fn judged(&self) -> Result<Vec<Judged>> {
        let table = self.table()?;
        Ok(table.judged(&self.rows(table, None)?))
    }

    fn rows(&self, table: &Table, tag: Option<&Tag>) -> Result<Vec<Texts>> {
        self.with_session(CALL_WITHIN, |session, deadline| {
            texts(&session.read(tags(table, tag), deadline)?)
        })
    }
}

fn check_engine(table: &dyn OwnersTable, column: Option<&Row>) -> Result<(), Fault> {
    if column.is_some_and(|row| row.is_null(2)) {
        return Err(errors::table_is_view(table.name(), &table.columns()).into());
    }
    let engine = column.map(|row| row.text(2)).transpose()?;
    match engine {
        Some(engine) if engine != ENGINE => {
            let (name, columns, engines) = (table.name(), table.columns(), (&*engine, ENGINE));
            let quoted = name.sql(QUOTE);
            Err(errors::table_without_transactions(name, &columns, &quoted, engines).into())
        }
        _ => Ok(()),
    }
}

/// Fills the table's names and the values into the statement of a file.
fn statement(table: &Table, file: &str, values: &[(&str, Value)]) -> Statement {
    Statement::new(&table.statement(file, &words(table.owner)), values)
}

fn words(owner: Owner) -> Words {
    const UPDATED: &str = "unix_timestamp(update_time) * 1000";
    match owner {
        Owner::Leaf => Words {
            quote: QUOTE,
            touch: "",
            updated: UPDATED,
            columns: ", step",
            values: ", :step",
        },
        Owner::Tinyid => Words {
            quote: QUOTE,
            touch: ", version = version + 1, update_time = now()",
            updated: UPDATED,
            columns: ", begin_id, step, delta, remainder, version, create_time, update_time",
            values: ", :max, :step, :delta, :remainder, 1, now(), now()",
        },
        Owner::Netease => {
            Words { quote: QUOTE, touch: "", updated: "0", columns: ", step", values: ", :step" }
        }
        Owner::Cosid => Words {
            quote: QUOTE,
            touch: ", last_fetch_time = unix_timestamp()",
            updated: "last_fetch_time * 1000",
            columns: ", last_fetch_time",
            values: ", unix_timestamp()",
        },
    }
}

fn texts(rows: &[Row]) -> Result<Vec<Texts>, Fault> {
    let text = |row: &Row, at| (!row.is_null(at)).then(|| row.text(at)).transpose();
    let texts = |row: &Row| (0..row.len()).map(|at| text(row, at)).collect();
    rows.iter().map(texts).collect()
}

fn tags(table: &Table, tag: Option<&Tag>) -> Statement {
    let tag = Value::Text(tag.map(|tag| tag.as_str().to_owned()));
    statement(table, include_str!("dialects/tags.sql"), &[("tag", tag)])
}

/// Returns the statement that takes a range, and the one that then reads it.
fn take_of(table: &Table, tag: &Value, count: Option<u64>) -> (Statement, Statement) {
    let values = [("tag", tag.clone()), ("count", count.into()), ("last", table.last().into())];
    let take = statement(table, include_str!("dialects/take.sql"), &values);
    (take, statement(table, include_str!("dialects/taken.sql"), &values))
}

/// Takes the next range for each request. The requests are sorted by tag.
fn take(
    transaction: &mut Transaction<'_>,
    table: &Table,
    requests: &[&AllocationRequest],
) -> Result<Vec<Result<Allocation>>, Fault> {
    let takes = requests
        .iter()
        .map(|request| take_of(table, &Value::from(request.tag.as_str()), request.count));
    let takes: Vec<_> = takes.collect();
    let taken = transaction.each_changed(takes)?;
    let mut answers = Vec::with_capacity(requests.len());
    for (request, rows) in requests.iter().zip(taken) {
        answers.push(match table.only(&request.tag, &texts(&rows)?)? {
            Some(taken) => Ok(table.allocation(&request.tag, taken)?),
            None => {
                let rows = transaction.rows(tags(table, Some(&request.tag)))?;
                Err(table.refusal(request, &texts(&rows)?))
            }
        });
    }
    Ok(answers)
}

/// Turns a server's error about an owner's table into one that names the table and the cure.
fn of_table(fault: Fault, table: &dyn OwnersTable) -> Fault {
    let Some(said) = fault.said() else { return fault };
    let error = match said.number {
        1146 => errors::table_missing(table.name()),
        1142 | 1143 => errors::right_missing(&said.message, &table.rights()),
        // Columns that are not there or have no default, values that do not fit, a CHECK, a trigger.
        1048 | 1054 | 1136 | 1264 | 1265 | 1292 | 1364 | 1366 | 1406 | 1644 | 1690 | 3819
        | 4025 => errors::table_refuses(table.name(), &table.columns(), said),
        _ => return fault,
    };
    error.into()
}

/// Leaves the password out.
impl fmt::Debug for MysqlDialectStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.endpoint.to_string();
        let mut shown = f.debug_struct("MysqlDialectStore");
        shown.field("place", &endpoint).field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

impl SegmentStore for MysqlDialectStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        requests.iter().try_for_each(|request| request.tag.check_plain())?;
        let table = self.table()?;
        self.write(call.within, |transaction| {
            answers(requests, |requests| take(transaction, table, requests))
        })
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        tag.check_plain()?;
        let table = self.table()?;
        let rows = self.rows(table, Some(tag))?;
        table.only(tag, &rows)?.map(|texts| Ok(table.found(texts)?.row)).transpose()
    }

    /// Returns false: a raise by hand leaves no trace in these tables.
    fn tells_raises(&self) -> bool {
        false
    }
}

impl SegmentAdmin for MysqlDialectStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        tag.check_plain()?;
        let table = self.table()?;
        let new = table.new_row(options)?;
        let values = [
            ("tag", Value::from(tag.as_str())),
            ("max", new.max.into()),
            ("step", new.step.into()),
            ("delta", new.delta.into()),
            ("remainder", new.remainder.into()),
        ];
        let create = statement(table, include_str!("dialects/create.sql"), &values);
        self.write(CALL_WITHIN, |transaction| match transaction.change(create) {
            Ok(1..) => Ok(()),
            Err(fault) if !fault.is_duplicate() => Err(fault),
            _ => Err(tag_exists(tag).into()),
        })
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        tag.check_plain()?;
        let table = self.table()?;
        let max = table.new_max(tag, change)?;
        let values =
            [("tag", Value::from(tag.as_str())), ("max", max.into()), ("step", change.step.into())];
        let update = statement(table, include_str!("dialects/change.sql"), &values);
        self.write(CALL_WITHIN, |transaction| {
            let rows = transaction.rows_after([update], tags(table, Some(tag)))?;
            Ok(table.changed(tag, change, max, &texts(&rows)?)?)
        })
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        Ok(self.judged()?.into_iter().filter_map(Result::ok).collect())
    }

    fn refused_rows(&self) -> Result<Vec<RefusedRow>> {
        Ok(self.judged()?.into_iter().filter_map(Result::err).collect())
    }

    fn vouch(&self, _: &Vouch) -> Result<Vec<TagRow>> {
        Err(errors::dialect_without_incarnation(self.dialect))
    }
}

impl WorkerStore for MysqlDialectStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        let table = self.workers_table()?;
        self.write(call.within, |it| worker_node::acquire(it, table, request, call))
    }

    fn renew(&self, lease: &Lease, reserve_ms: u32, call: &Call) -> Result<Lease> {
        let table = self.workers_table()?;
        check_reserve(reserve_ms)?;
        self.write(call.within, |it| worker_node::renew(it, table, lease, reserve_ms, call))
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        let table = self.workers_table()?;
        self.write(call.within, |it| worker_node::release(it, table, lease))
    }
}

impl WorkerAdmin for MysqlDialectStore {}
