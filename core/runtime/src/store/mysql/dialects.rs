//! Tables of other generators in a database of MySQL or MariaDB.

use super::builder::MysqlBuilder;
use super::endpoint::Endpoint;
use super::fault::Fault;
use super::rows::Row;
use super::session::{Session, Transaction};
use super::statement::{Statement, bytes};
use crate::error::{Error, Result};
use crate::findings::Finding;
use crate::host::process::PerProcess;
use crate::store::dialect::rows::{self as dialect, OwnersTransaction, Statements, of_owners};
use crate::store::dialect::worker_node;
use crate::store::dialect::{Dialect, Kept, Others, OwnersTable, Spelling, Table, errors};
use crate::store::doctor::rows::{self, WORKERS};
use crate::store::remote::pool::Pool;
use crate::store::sql::{Change, Row as _};
use crate::store::{
    Allocation, AllocationRequest, CALL_WITHIN, Judged, Tag, TagChange, TagOptions, TagRow,
};

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
        if database.key_space.is_some() {
            return Err(errors::key_space_of_own_tables(dialect));
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
            Kept::Workers(table) => rows::one(WORKERS, store.left(table)),
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
            let found = session.read(&columns, deadline)?;
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
                let table = self.table()?;
                self.write(CALL_WITHIN, |it| dialect::take_none(it, table))
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

    fn explained(&self, fault: Fault) -> Error {
        let told = match self.kept.owners() {
            Some(table) => of_table(fault, table),
            None => fault,
        };
        told.explain(&self.endpoint.place())
    }

    fn judged(&self) -> Result<Vec<Judged>> {
        let table = self.table()?;
        Ok(table.judged(&self.rows(table, None)?))
    }

    fn find(&self, tag: &Tag) -> Result<Option<TagRow>> {
        self.find_in(self.table()?, tag)
    }

    fn take(
        &self,
        transaction: &mut Transaction<'_>,
        requests: &[&AllocationRequest],
    ) -> Result<Vec<Result<Allocation>>, Fault> {
        dialect::take(transaction, self.table()?, requests)
    }

    fn create(
        &self,
        transaction: &mut Transaction<'_>,
        tag: &Tag,
        options: TagOptions,
    ) -> Result<(), Fault> {
        dialect::create(transaction, self.table()?, tag, options)
    }

    fn change(
        &self,
        transaction: &mut Transaction<'_>,
        tag: &Tag,
        change: TagChange,
    ) -> Result<TagRow, Fault> {
        dialect::change(transaction, self.table()?, tag, change)
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

impl OwnersTransaction for Transaction<'_> {
    const OWNERS: Statements = Statements {
        take: Change {
            change: include_str!("../dialect/take.sql"),
            look: concat!(
                "SELECT",
                include_str!("../dialect/taken.sql"),
                "FROM {table} WHERE {tag} = :tag"
            ),
        },
        create: include_str!("../dialect/create.sql"),
        worker_node: worker_node::Statements {
            insert: &[
                include_str!("../dialect/worker_node/insert.sql"),
                include_str!("dialects/worker_node/inserted.sql"),
            ],
            // A repeat within a second changes no row, but it is a renewal all the same.
            renew: &[
                include_str!("../dialect/worker_node/renew.sql"),
                include_str!("dialects/worker_node/renewed.sql"),
            ],
        },
    };
    const SPELLING: Spelling = Spelling {
        quote: QUOTE,
        text: "char",
        integer: "signed",
        now_s: "unix_timestamp()",
        updated_s: "unix_timestamp(update_time)",
    };
}

/// Turns a server's error about an owner's table into one that names the table and the cure.
fn of_table(fault: Fault, table: &dyn OwnersTable) -> Fault {
    let Some(said) = fault.said() else { return fault };
    let error = match said.state {
        1146 => errors::table_missing(table.name()),
        1142 | 1143 => errors::right_missing(&said.message, &table.rights()),
        // Columns that are not there or have no default, values that do not fit, a CHECK, a trigger.
        1048 | 1054 | 1136 | 1264 | 1265 | 1292 | 1364 | 1366 | 1406 | 1644 | 1690 | 3819
        | 4025 => errors::table_refuses(table.name(), &table.columns(), &said.message),
        _ => return fault,
    };
    error.into()
}

of_owners!(MysqlDialectStore);
