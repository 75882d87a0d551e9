//! Tables of other generators in a PostgreSQL database.

use super::builder::PostgresBuilder;
use super::endpoint::Endpoint;
use super::fault::Fault;
use super::session::{Session, Transaction};
use super::statement::Statement;
use crate::error::{Error, Result};
use crate::findings::Finding;
use crate::host::process::PerProcess;
use crate::store::dialect::rows::{self as dialect, of_owners};
use crate::store::dialect::worker_node;
use crate::store::dialect::{Dialect, Kept, Others, OwnersTable as _, errors};
use crate::store::doctor::rows::{self, WORKERS};
use crate::store::remote::pool::Pool;
use crate::store::{
    Allocation, AllocationRequest, CALL_WITHIN, Judged, Tag, TagChange, TagOptions, TagRow,
};

mod sequences;
mod tables;

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
        if database.key_space.is_some() {
            return Err(errors::key_space_of_own_tables(dialect));
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
            Kept::Workers(table) => rows::one(WORKERS, store.left(table)),
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
            Kept::Workers(table) => {
                Ok(table.check_columns(&tables::columns(session, deadline, table)?)?)
            }
        })
    }

    /// Runs the statements that take a range or a lease, but on no row, so that the server checks
    /// them. A sequence needs no such test: its own state tells.
    fn try_to_take(&self) -> Result<()> {
        match &self.kept {
            Kept::Table(table) => self.write(CALL_WITHIN, |it| dialect::take_none(it, table)),
            Kept::Sequence(_) => Ok(()),
            Kept::Workers(table) => self.write(CALL_WITHIN, |it| worker_node::take_none(it, table)),
        }
    }

    fn judged(&self) -> Result<Vec<Judged>> {
        match &self.kept {
            Kept::Table(table) => Ok(table.judged(&self.rows(table, None)?)),
            Kept::Sequence(block) => self.with_session(CALL_WITHIN, |session, deadline| {
                sequences::judged(session, deadline, *block)
            }),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect)),
        }
    }

    fn explained(&self, fault: Fault) -> Error {
        let told = match self.kept.owners() {
            Some(table) => tables::of_table(fault, table),
            None => sequences::of_sequence(fault),
        };
        told.explain(&self.endpoint.place())
    }

    fn find(&self, tag: &Tag) -> Result<Option<TagRow>> {
        match &self.kept {
            Kept::Table(table) => self.find_in(table, tag),
            Kept::Sequence(block) => self.with_session(CALL_WITHIN, |session, deadline| {
                sequences::tag(session, deadline, *block, tag)
            }),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect)),
        }
    }

    fn take(
        &self,
        transaction: &mut Transaction<'_>,
        requests: &[&AllocationRequest],
    ) -> Result<Vec<Result<Allocation>>, Fault> {
        match &self.kept {
            Kept::Table(table) => dialect::take(transaction, table, requests),
            Kept::Sequence(block) => sequences::take(transaction, *block, requests),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect).into()),
        }
    }

    fn create(
        &self,
        transaction: &mut Transaction<'_>,
        tag: &Tag,
        options: TagOptions,
    ) -> Result<(), Fault> {
        match &self.kept {
            Kept::Table(table) => dialect::create(transaction, table, tag, options),
            Kept::Sequence(_) => sequences::create(transaction, tag, options),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect).into()),
        }
    }

    fn change(
        &self,
        transaction: &mut Transaction<'_>,
        tag: &Tag,
        change: TagChange,
    ) -> Result<TagRow, Fault> {
        match &self.kept {
            Kept::Table(table) => dialect::change(transaction, table, tag, change),
            Kept::Sequence(block) => sequences::change(transaction, *block, tag, change),
            Kept::Workers(_) => Err(errors::dialect_without_numbers(self.dialect).into()),
        }
    }
}

of_owners!(PostgresDialectStore);
