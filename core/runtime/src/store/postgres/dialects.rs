//! Tables of other generators in a PostgreSQL database.

use std::fmt;
use std::time::Duration;

use super::builder::PostgresBuilder;
use super::fault::Fault;
use super::place::Place;
use super::session::{Session, Transaction};
use crate::error::Result;
use crate::findings::Finding;
use crate::host::process::PerProcess;
use crate::store::dialect::{Dialect, Kept, answers};
use crate::store::doctor::rows::{self, WORKERS};
use crate::store::remote::deadline::Deadline;
use crate::store::remote::pool::Pool;
use crate::store::{
    Allocation, AllocationRequest, CALL_WITHIN, Call, Lease, LeaseRequest, SegmentAdmin,
    SegmentStore, Tag, TagChange, TagOptions, TagRow, Vouch, WorkerAdmin, WorkerStore, check_slab,
};

mod sequences;
mod tables;
mod worker_node;

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
        if database.schema.is_some() {
            return Err(dialect.is_owners("schema"));
        }
        if database.synchronous_replication {
            return Err(dialect.is_owners("replication"));
        }
        let (place, connections) = (Place::of_others(database)?, PerProcess::new());
        let store = PostgresDialectStore { place, connections, dialect };
        store.look()?;
        Ok(store)
    }

    /// What an operator should know of the tables.
    pub(super) fn examine(self) -> Vec<Finding> {
        let dialect = self.dialect;
        dialect.examine(self.open(), |store| match dialect.has_workers() {
            true => rows::one(WORKERS, store.left()),
            false if dialect.table().is_some() => rows::of_tags(store.tags()),
            false => rows::of_tags_by(store.tags(), sequences::cure),
        })
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
    /// Finds the owner's table as it should be; a sequence is looked for by its tag.
    pub(crate) fn look(&self) -> Result<()> {
        self.with_session(CALL_WITHIN, |session, deadline| {
            if self.dialect.has_workers() {
                return worker_node::look(session, deadline);
            }
            match self.dialect.kept()? {
                Kept::Table(table) => tables::look(session, deadline, table),
                Kept::Sequence(_) => Ok(()),
            }
        })
    }

    /// How many worker IDs are left.
    fn left(&self) -> Result<Finding> {
        self.with_session(CALL_WITHIN, worker_node::left)
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
        let told = |fault| match self.dialect.table() {
            Some(table) => tables::of_table(fault, table),
            None => sequences::of_sequence(fault),
        };
        done.map_err(|fault| told(fault).explain(&self.place))
    }

    /// One transaction, durable when this returns.
    fn write<T>(
        &self,
        within: Duration,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T> {
        self.with_session(within, |session, deadline| session.transact(deadline, change))
    }
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
        requests.iter().try_for_each(|request| request.tag.check_plain())?;
        self.write(call.within, |transaction| {
            answers(requests, |requests| match self.dialect.kept()? {
                Kept::Table(table) => tables::take(transaction, table, requests),
                Kept::Sequence(block) => sequences::take(transaction, block, requests),
            })
        })
    }

    fn tag(&self, tag: &Tag) -> Result<Option<TagRow>> {
        tag.check_plain()?;
        self.with_session(CALL_WITHIN, |session, deadline| match self.dialect.kept()? {
            Kept::Table(table) => tables::tag(session, deadline, table, tag),
            Kept::Sequence(block) => sequences::tag(session, deadline, block, tag),
        })
    }

    /// A hand that raises a row leaves no trace there.
    fn tells_raises(&self) -> bool {
        false
    }
}

impl SegmentAdmin for PostgresDialectStore {
    fn create_tag(&self, tag: &Tag, options: TagOptions) -> Result<()> {
        tag.check_new()?;
        tag.check_plain()?;
        options.check()?;
        self.write(CALL_WITHIN, |transaction| match self.dialect.kept()? {
            Kept::Table(table) => tables::create(transaction, table, tag, options),
            Kept::Sequence(_) => sequences::create(transaction, tag, options),
        })
    }

    fn change_tag(&self, tag: &Tag, change: TagChange) -> Result<TagRow> {
        tag.check_plain()?;
        change.check()?;
        self.write(CALL_WITHIN, |transaction| match self.dialect.kept()? {
            Kept::Table(table) => tables::change(transaction, table, tag, change),
            Kept::Sequence(block) => sequences::change(transaction, block, tag, change),
        })
    }

    fn tags(&self) -> Result<Vec<TagRow>> {
        self.with_session(CALL_WITHIN, |session, deadline| match self.dialect.kept()? {
            Kept::Table(table) => tables::tags(session, deadline, table),
            Kept::Sequence(block) => sequences::tags(session, deadline, block),
        })
    }

    fn vouch(&self, _: &Vouch) -> Result<Vec<TagRow>> {
        Err(self.dialect.without_incarnation())
    }
}

impl WorkerStore for PostgresDialectStore {
    fn acquire(&self, request: &LeaseRequest, call: &Call) -> Result<Lease> {
        request.check()?;
        self.dialect.check_workers()?;
        self.write(call.within, |transaction| worker_node::acquire(transaction, request, call))
    }

    fn renew(&self, lease: &Lease, slab_ms: u32, call: &Call) -> Result<Lease> {
        self.dialect.check_workers()?;
        check_slab(slab_ms)?;
        self.write(call.within, |transaction| worker_node::renew(transaction, lease, slab_ms, call))
    }

    fn release(&self, lease: &Lease, call: &Call) -> Result<()> {
        self.dialect.check_workers()?;
        self.write(call.within, |transaction| worker_node::release(transaction, lease))
    }
}

impl WorkerAdmin for PostgresDialectStore {}
