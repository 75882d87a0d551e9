//! Tables of other generators in a PostgreSQL database.

use std::fmt;
use std::time::Duration;

use super::builder::PostgresBuilder;
use super::endpoint::Endpoint;
use super::fault::Fault;
use super::session::{Session, Transaction};
use crate::error::Result;
use crate::findings::Finding;
use crate::host::process::PerProcess;
use crate::store::dialect::worker_node::WorkerNode;
use crate::store::dialect::{Dialect, Kept, Others, answers, errors};
use crate::store::doctor::rows::{self, WORKERS};
use crate::store::remote::deadline::Deadline;
use crate::store::remote::pool::Pool;
use crate::store::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Judged, Lease, LeaseRequest, RefusedRow,
    SegmentAdmin, SegmentStore, Tag, TagChange, TagOptions, TagRow, Vouch, WorkerAdmin,
    WorkerStore, check_reserve,
};

mod sequences;
mod tables;
mod worker_node;

pub(super) use sequences::quoted;

/// Describes a database with another generator's tables, and how to open it: see
/// [`PostgresBuilder::dialect`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PostgresDialectBuilder {
    database: PostgresBuilder,
    others: Others,
}

impl PostgresDialectBuilder {
    pub(super) fn new(database: PostgresBuilder, others: Others) -> PostgresDialectBuilder {
        PostgresDialectBuilder { database, others }
    }

    /// Sets the table, `TABLE` or `SCHEMA.TABLE`, spelled as in the database. Default: the owner's
    /// name for it.
    #[must_use]
    pub fn table(mut self, name: impl Into<String>) -> Self {
        self.others.table = Some(name.into());
        self
    }

    /// Opens the store, which calls the server.
    ///
    /// # Errors
    /// - The errors of [`PostgresBuilder::open`].
    /// - [`StoreMissing`](crate::Code::StoreMissing) without the owner's table.
    /// - [`StoreSchema`](crate::Code::StoreSchema) for a table without the owner's columns, or with
    ///   other types.
    /// - [`InvalidParameter`](crate::Code::InvalidParameter) with `create`, a schema or synchronous
    ///   replication, or for a name that no table can have.
    pub fn open(self) -> Result<PostgresDialectStore> {
        let PostgresDialectBuilder { database, others } = self;
        let (dialect, kept) = (others.dialect, others.kept()?);
        if database.create {
            return Err(errors::tables_of_owner_not_created(dialect));
        }
        if database.schema.is_some() {
            return Err(errors::parameter_of_own_tables(dialect, "schema"));
        }
        if database.synchronous_replication {
            return Err(errors::parameter_of_own_tables(dialect, "replication"));
        }
        let (endpoint, connections) = (Endpoint::of_others(database)?, PerProcess::new());
        let store = PostgresDialectStore { endpoint, connections, dialect, kept };
        store.look()?;
        Ok(store)
    }

    /// Reports on the tables. The server's durability is not checked here, but by the caller.
    pub(super) fn examine(mut self) -> Vec<Finding> {
        self.database.durability_declared = true;
        let dialect = self.others.dialect;
        let left = |store: &PostgresDialectStore| match &store.kept {
            Kept::Workers(table) => {
                let left = |session: &mut Session, it| worker_node::left(session, it, table);
                rows::one(WORKERS, store.with_session(CALL_WITHIN, left))
            }
            Kept::Table(_) => rows::of_others(store, rows::cure),
            Kept::Sequence(_) => rows::of_others(store, sequences::cure),
        };
        dialect.examine(self.open(), PostgresDialectStore::try_to_take, left)
    }
}

/// Numbers or worker IDs of another generator's tables in a PostgreSQL database: see [`Dialect`].
/// Connections and commits are those of a [`PostgresStore`](super::PostgresStore).
pub struct PostgresDialectStore {
    endpoint: Endpoint,
    connections: PerProcess<Pool<Session>>,
    dialect: Dialect,
    kept: Kept,
}

impl PostgresDialectStore {
    /// Checks the owner's table. A sequence is looked up later, by its tag.
    pub(crate) fn look(&self) -> Result<()> {
        self.with_session(CALL_WITHIN, |session, deadline| match &self.kept {
            Kept::Table(table) => tables::look(session, deadline, table),
            Kept::Sequence(_) => Ok(()),
            Kept::Workers(table) => worker_node::look(session, deadline, table),
        })
    }

    /// Runs the statements that take a range or a lease, but on no row, so that the server checks
    /// them. A sequence needs no such test: its own state tells.
    fn try_to_take(&self) -> Result<()> {
        match &self.kept {
            Kept::Table(table) => self.write(CALL_WITHIN, |it| tables::take_none(it, table)),
            Kept::Sequence(_) => Ok(()),
            Kept::Workers(table) => self.write(CALL_WITHIN, |it| worker_node::take_none(it, table)),
        }
    }

    fn workers_table(&self) -> Result<&WorkerNode> {
        match &self.kept {
            Kept::Workers(table) => Ok(table),
            _ => Err(errors::dialect_without_worker_ids(self.dialect)),
        }
    }

    fn judged(&self) -> Result<Vec<Judged>> {
        self.with_session(CALL_WITHIN, |session, deadline| match &self.kept {
            Kept::Table(table) => tables::judged(session, deadline, table),
            Kept::Sequence(block) => sequences::judged(session, deadline, *block),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect).into()),
        })
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
            Some(table) => tables::of_table(fault, table),
            None => sequences::of_sequence(fault),
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
}

/// Leaves the password out.
impl fmt::Debug for PostgresDialectStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = self.endpoint.to_string();
        let mut shown = f.debug_struct("PostgresDialectStore");
        shown.field("place", &endpoint).field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

impl SegmentStore for PostgresDialectStore {
    fn allocate(
        &self,
        requests: &[AllocationRequest],
        call: &Call,
    ) -> Result<Vec<Result<Allocation>>> {
        requests.iter().try_for_each(|request| request.tag.check_plain())?;
        self.write(call.within, |transaction| {
            answers(requests, |requests| match &self.kept {
                Kept::Table(table) => tables::take(transaction, table, requests),
                Kept::Sequence(block) => sequences::take(transaction, *block, requests),
                Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect).into()),
            })
        })
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        tag.check_plain()?;
        self.with_session(CALL_WITHIN, |session, deadline| match &self.kept {
            Kept::Table(table) => tables::tag(session, deadline, table, tag),
            Kept::Sequence(block) => sequences::tag(session, deadline, *block, tag),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect).into()),
        })
    }

    /// Returns false: a raise by hand leaves no trace in these tables.
    fn tells_raises(&self) -> bool {
        false
    }
}

impl SegmentAdmin for PostgresDialectStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        tag.check_plain()?;
        options.check()?;
        self.write(CALL_WITHIN, |transaction| match &self.kept {
            Kept::Table(table) => tables::create(transaction, table, tag, options),
            Kept::Sequence(_) => sequences::create(transaction, tag, options),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect).into()),
        })
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        tag.check_plain()?;
        change.check()?;
        self.write(CALL_WITHIN, |transaction| match &self.kept {
            Kept::Table(table) => tables::change(transaction, table, tag, change),
            Kept::Sequence(block) => sequences::change(transaction, *block, tag, change),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect).into()),
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

impl WorkerStore for PostgresDialectStore {
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

impl WorkerAdmin for PostgresDialectStore {}
